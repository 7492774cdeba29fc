// The command line of the built program: what a user can get wrong ends in one line on stderr and
// the documented exit code, and leaves nothing behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "support/process.h"

namespace burin::cli_test {
namespace {

namespace fs = std::filesystem;

const std::string kSource = BURIN_SOURCE_DIR;
const std::string kModel = kSource + "/tests/models/relu_sym/model.onnx";
const std::string kConfig = kSource + "/configs/cpp-generic.json";

ProcessResult run_burin(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BURIN_PROGRAM);
  return run_process(arguments, 120);
}

// One line, without the program's or the machine's own words around it.
void expect_line(const std::vector<std::string>& arguments, int code, const std::string& line) {
  const ProcessResult result = run_burin(arguments);
  EXPECT_EQ(result.exit_code, code) << result.output;
  EXPECT_EQ(result.output, line + "\n");
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST(Cli, NoCommand) {
  expect_line({}, kExitUsage, "error: no command is given [usage]; see burin --help");
}

// Of several models in one tree.
TEST(Cli, SeveralModels) {
  const std::vector<std::string> two = {"generate", kModel, kModel,      "--config",
                                        kConfig,    "-o",   "never/made"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), two.begin(), two.end());
    return more;
  };
  expect_line(two, kExitRefused,
              "error: two networks of one tree are named 'relu_sym' [name-collision]; give the "
              "models other names with --names, the tree with --name");
  expect_line(with({"--names", "a,b", "--name", "a_run", "--names", "c"}), kExitUsage,
              "error: --names has 3 names for 2 models [usage]; give each model one");
  expect_line(with({"--names", "a,b", "--name", "a"}), kExitRefused,
              "error: two networks of one tree are named 'a' [name-collision]; give the models "
              "other names with --names, the tree with --name");
  expect_line(with({"--names", "a,A", "--name", "c"}), kExitRefused,
              "error: the networks 'a' and 'A' of one tree would both have 'A' in C, as a macro "
              "or as a file [name-collision]; give the models other names with --names, the tree "
              "with --name");
  expect_line(with({"--test-data", "x"}), kExitUsage,
              "error: --test-data is given 1 times for 2 models [usage]; give it once for each "
              "model, in their order");
  expect_line({"verify", kModel, kModel, "--config", kConfig, "--hold"}, kExitUsage,
              "error: --hold takes one model [usage]; give the models one after the other");
}

TEST(Cli, UnknownCommand) {
  expect_line({"genrate"}, kExitUsage,
              "error: there is no command 'genrate' [usage]; did you mean 'generate'?; see burin "
              "--help");
  expect_line({""}, kExitUsage, "error: there is no command '' [usage]; see burin --help");
}

TEST(Cli, UnknownFlag) {
  expect_line({"--frobnicate"}, kExitUsage,
              "error: there is no flag '--frobnicate' [usage]; see burin --help");
  expect_line({"generate", kModel, "--confg", kConfig}, kExitUsage,
              "error: there is no flag '--confg' [usage]; did you mean '--config'?; see burin "
              "generate --help");
  expect_line({"ops", "--wide=1"}, kExitUsage,
              "error: there is no flag '--wide' [usage]; see burin ops --help");
}

TEST(Cli, MissingAndExtraArguments) {
  expect_line({"generate"}, kExitUsage,
              "error: model is required [usage]; see burin generate --help");
  expect_line(
      {"analyze", kModel}, kExitUsage,
      "error: --config is required [usage]; it is a file, or one of host, adreno-740, "
      "armv8-i8mm, armv8-neoverse-n1, cortex-m33, cortex-m4, cortex-m55, cortex-m7, cpp-generic, "
      "hexagon-v66-pairs, hexagon-v66, hexagon-v68, hexagon-v69, hexagon-v73, "
      "mali-g610, nvidia-h200, opencl-generic, pocl, riscv64-v, rv32imc, x86-64-v3, "
      "x86-64-v4-amx, x86-64-v4-vnni, x86-64-v4-vpopcntdq; see burin analyze --help");
  expect_line({"verify", "--config", kConfig}, kExitUsage,
              "error: model or --all is required [usage]; see burin verify --help");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"ops", "Conv", "extra"},
        {"ops", "--json", "--markdown"},
        {"generate", kModel, "--config", kConfig, "-o", "t", "--weights", "elsewhere"},
        {"verify", kModel, "--config", kConfig, "--all", "cases"},
        {"verify", kModel, "--config", kConfig, "--jobs", "0"},
        {"analyze", kModel, "--config", kConfig, "--without", "everything"}}) {
    const ProcessResult result = run_burin(arguments);
    EXPECT_EQ(result.exit_code, kExitUsage) << arguments.back();
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    EXPECT_NE(result.output.find("[usage]"), std::string::npos) << result.output;
  }
}

// Why a tree has no self-test is said, where that may be the model's fault, or burin's.
TEST(Cli, NoSelfTestWhereNoRunComesToItsEnd) {
  const std::string model = kSource + "/tests/models/slice_runtime/model.onnx";
  const fs::path tree = fs::temp_directory_path() / "burin_no_self_test";
  const ProcessResult result =
      run_burin({"generate", model, "--config", kConfig, "--output", tree.string(), "--dim",
                 "rows=1..8", "--dim", "cols=1..8"});
  fs::remove_all(tree);
  EXPECT_EQ(result.exit_code, kExitOk);
  EXPECT_EQ(result.output.substr(0, result.output.find('\n')),
            model + ": warning: no sample vectors: the interpreter's runs stop at all sizes that " +
                "were tried, at cols = 8, rows = 8: 'cut_extent0' is -1, outside 0 .. 8; " +
                "--test-data gives data for it");
}

TEST(Cli, ATreeThatLoadsOpenClIsHosted) {
  expect_line({"generate", kModel, "--config", std::string(BURIN_SOURCE_DIR) + "/configs/pocl.json",
               "--output", "out", "--profile", "freestanding"},
              kExitRefused,
              "--profile: error: a tree that loads OpenCL is hosted [inconsistent-hardware]; leave "
              "it out");
}

TEST(Cli, OnlyADeviceHasLaunchesToJoin) {
  expect_line(
      {"generate", kModel, "--config", kConfig, "--output", "out", "--parallel-fusion", "auto"},
      kExitRefused,
      "--parallel-fusion: error: 'cpp-generic' is no device with OpenCL, whose launches "
      "could be joint [inconsistent-hardware]; leave it out");
}

TEST(Cli, BytesOfArgumentsAreEscaped) {
  expect_line({"ops", "Conv", "a\x01\n"}, kExitUsage,
              "error: The following argument was not expected: a\\x01\\x0a [usage]; see burin ops "
              "--help");
  expect_line({"analyze", "a\nb.onnx", "--config", kConfig}, kExitRefused,
              "a\\x0ab.onnx: error: cannot be read: No such file or directory [io]");
}

TEST(Cli, HelpNamesExitCodesAndFitsTheTerminal) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"generate", "--help"},
                                                    {"analyze", "--help"},
                                                    {"verify", "--help"},
                                                    {"regenerate", "--help"},
                                                    {"check", "--help"},
                                                    {"run", "--help"},
                                                    {"bench", "--help"},
                                                    {"configs", "--help"},
                                                    {"ops", "--help"},
                                                    {"pack", "--help"}}) {
    const ProcessResult result = run_burin(arguments);
    EXPECT_EQ(result.exit_code, kExitOk);
    EXPECT_NE(result.output.find("Example"), std::string::npos) << arguments[0];
    EXPECT_NE(result.output.find("Exit codes: 0 done"), std::string::npos) << arguments[0];
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
  EXPECT_EQ(run_burin({"--version"}).exit_code, kExitOk);
}

TEST(Cli, HelpOfVerifySaysWhatRelativeIs) {
  const ProcessResult result = run_burin({"verify", "--help"});
  EXPECT_NE(result.output.find("the largest magnitude that the output is expected to have, not "
                               "element by element"),
            std::string::npos)
      << result.output;
}

TEST(Cli, UnreadableFiles) {
  const ScratchFolder scratch;
  const std::string out = scratch.path() + "/tree", none = scratch.path() + "/none";
  expect_line({"generate", none, "--config", kConfig, "-o", out}, kExitRefused,
              none + ": error: cannot be read: No such file or directory [io]");
  expect_line({"generate", scratch.path(), "--config", kConfig, "-o", out}, kExitRefused,
              scratch.path() + ": error: it is a folder [io]");
  expect_line({"generate", kModel, "--config", none, "-o", out}, kExitRefused,
              none +
                  ": error: there is no such file, and no description of that name comes with "
                  "burin [cannot-read]; known are host, adreno-740, armv8-i8mm, armv8-neoverse-n1, "
                  "cortex-m33, cortex-m4, cortex-m55, cortex-m7, "
                  "cpp-generic, hexagon-v66-pairs, hexagon-v66, hexagon-v68, hexagon-v69, "
                  "hexagon-v73, mali-g610, "
                  "nvidia-h200, opencl-generic, pocl, "
                  "riscv64-v, rv32imc, "
                  "x86-64-v3, x86-64-v4-amx, x86-64-v4-vnni, x86-64-v4-vpopcntdq");
  expect_line({"generate", kModel, "--config", scratch.path(), "-o", out}, kExitRefused,
              scratch.path() +
                  ": error: the file cannot be read: it is not a regular file "
                  "[cannot-read]");
  EXPECT_EQ(run_burin({"generate", kConfig, "--config", kConfig, "-o", out}).exit_code,
            kExitRefused);
  EXPECT_FALSE(fs::exists(out));
}

TEST(Cli, UnreadableAssembly) {
  const ScratchFolder scratch;
  const std::string hexagon = kSource + "/configs/hexagon-v66.json";
  for (const std::string& input : {scratch.path(), scratch.path() + "/none"}) {
    expect_line({"pack", input, "--config", hexagon}, kExitRefused,
                input + ": error: the file cannot be read [cannot-read]");
  }
  write(scratch.path() + "/empty.s", "");
  const std::vector<std::string> pack{"pack", scratch.path() + "/empty.s", "--config", hexagon};
  EXPECT_EQ(run_burin(pack).exit_code, kExitOk);
}

TEST(Cli, DocsOfValuesHaveWords) {
  const std::string hint = " [usage]; as in burin docs values -- generate net.onnx --config";
  expect_line({"docs", "values"}, kExitUsage, "error: docs values needs words" + hint);
  expect_line({"docs", "bash", "more"}, kExitUsage, "error: words go with docs values" + hint);
}

TEST(Cli, PackWritesWholeFilesOrNothing) {
  const ScratchFolder scratch;
  const std::string in = scratch.path() + "/in.s", out = scratch.path() + "/out.s";
  const std::string hexagon = kSource + "/configs/hexagon-v66.json";
  const auto pack = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"pack", in, "--config", hexagon});
    return run_burin(more);
  };
  write(in, "{ r0 = r1; r1 = r2; r2 = r3; r3 = r4; r4 = r5 }\n");
  EXPECT_EQ(pack({"-o", out}).exit_code, kExitRefused);
  EXPECT_EQ(pack({"--check"}).exit_code, kExitDiffers);
  write(in, "r0 = r1\nr2 = frobnicate(r0)\n");
  expect_line({"pack", in, "--config", hexagon, "--strict", "-o", out}, kExitRefused,
              in + ":2:1: error: the table of hexagon-v66 has no 'R=frobnicate(R)' "
                   "[unknown-instruction]");
  EXPECT_EQ(pack({"--w", "2", "-o", out}).exit_code, kExitUsage);
  EXPECT_EQ(pack({"--w", "nan", "-o", out}).exit_code, kExitRefused);
  EXPECT_EQ(pack({"--check", "-o", out}).exit_code, kExitUsage);
  EXPECT_EQ(pack({"--sweep", "--explain"}).exit_code, kExitUsage);
  const std::string page = scratch.path() + "/page.html", lost = scratch.path() + "/none/file";
  EXPECT_EQ(pack({"--html", page, "-o", lost}).exit_code, kExitRefused);
  EXPECT_EQ(pack({"--html", lost, "-o", out}).exit_code, kExitRefused);
  EXPECT_EQ(pack({"--html", scratch.path(), "-o", out}).exit_code, kExitRefused);
  EXPECT_EQ(pack({"--html", out, "-o", out}).exit_code, kExitRefused);
  EXPECT_EQ(pack({"--html", scratch.path() + "/./out.s", "-o", out}).exit_code, kExitRefused);
  for (const std::string& name : {page, out})
    EXPECT_FALSE(fs::exists(name) || fs::exists(name + ".part")) << name;
  write(out + ".part", "mine");
  EXPECT_EQ(pack({"-o", out}).exit_code, kExitOk);
  EXPECT_EQ(read(out + ".part"), "mine");  // somebody's file is nobody's place to write
  EXPECT_FALSE(fs::exists(out + ".part1"));
  fs::remove(out + ".part");
  fs::remove(out);
  EXPECT_EQ(pack({"--check"}).exit_code, kExitOk);
  EXPECT_EQ(pack({"--html", page, "-o", out}).exit_code, kExitOk);
  EXPECT_TRUE(fs::exists(page) && fs::exists(out));
  // A link is followed, not replaced.
  fs::create_symlink("out.s", scratch.path() + "/link.s");
  write(out, "before");
  EXPECT_EQ(pack({"-o", scratch.path() + "/link.s"}).exit_code, kExitOk);
  EXPECT_TRUE(fs::is_symlink(scratch.path() + "/link.s"));
  EXPECT_EQ(read(out), "\t{\n\t\tr0 = r1\n\t}\n\t{\n\t\tr2 = frobnicate(r0)\n\t}\n");
  EXPECT_FALSE(fs::exists(out + ".part"));
}

TEST(Cli, ForeignFolderIsLeftAlone) {
  const ScratchFolder scratch;
  write(scratch.path() + "/theirs/notes.txt", "mine");
  expect_line({"generate", kModel, "--config", kConfig, "-o", scratch.path() + "/theirs"},
              kExitRefused,
              "--output: error: folder '" + scratch.path() +
                  "/theirs' is not empty and has no manifest.json [not-our-folder]; name a folder "
                  "that is new, empty or made by burin");
  EXPECT_EQ(read(scratch.path() + "/theirs/notes.txt"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path() + "/theirs"), {}), 1);
}

TEST(Cli, FoldersThatCannotBeMade) {
  const ScratchFolder scratch;
  write(scratch.path() + "/file", "x");
  const std::string file = scratch.path() + "/file";
  expect_line(
      {"generate", kModel, "--config", kConfig, "-o", file}, kExitRefused,
      "--output: error: '" + file + "' is not a folder [not-our-folder]; name another place");
  expect_line(
      {"analyze", kModel, "--config", kConfig, "--dump-dir", file + "/dump"}, kExitRefused,
      "--dump-dir: error: cannot make the folder '" + file + "/dump': Not a directory [io]");
}

TEST(Cli, DimFlags) {
  const std::string forms =
      " [usage]; the forms are name=N, name=LO..HI, name=LO.., name=..HI and, with the size to "
      "optimise for, name=LO..HI@HINT";
  const std::vector<std::pair<std::string, std::string>> malformed = {
      {"batch", "--dim 'batch' names no dimension"},
      {"=4", "--dim '=4' names no dimension"},
      {"batch=abc", "--dim 'batch=abc': 'abc' is no number"},
      {"batch=..", "--dim 'batch=..': '' is no number"},
      {"batch=5..2", "--dim 'batch=5..2': the range is empty"},
      {"batch=1..8@9", "--dim 'batch=1..8@9': the hint lies outside the range"}};
  // What the flag says is looked at before any file is.
  for (const auto& [dim, says] : malformed)
    expect_line({"analyze", "none", "--config", "none", "--dim", dim}, kExitUsage,
                "error: " + says + forms);
  expect_line({"analyze", kModel, "--config", kConfig, "--dim", "batch=1", "--dim", "batch=2"},
              kExitUsage, "error: --dim 'batch' is given twice [usage]; give every name once");
  expect_line({"analyze", kModel, "--config", kConfig, "--dim", "bach=1"}, kExitRefused,
              kModel +
                  ": error: no input has a dimension named 'bach' [symbol]; the model has: "
                  "'batch', 'n'");
  expect_line(
      {"analyze", kModel, "--config", kConfig, "--dim", "batch=-1"}, kExitRefused,
      kModel + ": input 'x': error: --dim 'batch': -1 is not the size of a dimension [symbol]");
  // The hint of a dynamic size works when it is typed.
  const std::string loop = kSource + "/tests/models/loop/model.onnx";
  const std::string unbounded =
      loop +
      ": node 'loop' (Loop) output 'loop_all0': error: the size 'n*trips' depends on 'trips', "
      "which is dynamic and nothing bounds [unbounded-size]; give a bound with --dim "
      "'trips=0..1024' or another end";
  expect_line({"generate", loop, "--config", kConfig, "--output", "out"}, kExitRefused, unbounded);
  expect_line({"analyze", loop, "--config", kConfig, "--json"}, kExitRefused, unbounded);
  // What is known of the shapes shows where the bound is missing.
  const auto shapes = run_burin({"analyze", loop, "--config", kConfig});
  EXPECT_EQ(shapes.exit_code, kExitRefused);
  EXPECT_TRUE(shapes.output.starts_with("propagation: ")) << shapes.output;
  EXPECT_TRUE(shapes.output.ends_with(unbounded + "\n")) << shapes.output;
  EXPECT_EQ(run_burin({"analyze", loop, "--config", kConfig, "--dim", "trips=0..8"}).exit_code,
            kExitOk);
  EXPECT_EQ(run_burin({"analyze", loop, "--config", kConfig, "--dim", "trips=..8"}).exit_code,
            kExitOk);
  expect_line({"analyze", loop, "--config", kConfig, "--dim", "trip=8"}, kExitRefused,
              loop +
                  ": error: no input has a dimension named 'trip' [symbol]; the model has: 'n', "
                  "'trips', 'loop_executed'");
  // A flag takes one value, so that the model may stand behind it.
  EXPECT_EQ(
      run_burin({"analyze", "--config", kConfig, "--dim", "batch=1", "--dim", "n=1..4", kModel})
          .exit_code,
      kExitOk);
}

// A name that was asked for is what users of the tree include.
TEST(Cli, NamesThatNoTreeCanHave) {
  const ScratchFolder scratch;
  const std::string out = scratch.path() + "/tree";
  for (const std::string& name :
       {std::string("class"), std::string("a b"), std::string("main"), std::string("a__b"),
        std::string("_a"), std::string("a_"), std::string("1a"), std::string(33, 'a')}) {
    expect_line({"generate", kModel, "--config", kConfig, "-o", out, "--name", name}, kExitUsage,
                "error: --name '" + name +
                    "' cannot name a tree [usage]; a name has 1 to 32 letters, digits and single "
                    "underscores, starts with a letter, does not end with an underscore, and is no "
                    "word that C, C++, OpenCL or their headers use");
  }
  expect_line(
      {"generate", kModel, "--config", kConfig, "-o", out, "--name", "net_content"}, kExitUsage,
      "error: --name 'net_content' cannot name a tree [usage]; a tree 'net' has a header, a "
      "target or a function of that name; let it end otherwise than with '_content'");
  EXPECT_FALSE(fs::exists(out));
  const std::string longest(32, 'a');
  EXPECT_EQ(
      run_burin({"generate", kModel, "--config", kConfig, "-o", out, "--name", longest}).exit_code,
      kExitOk);
  EXPECT_TRUE(fs::exists(out + "/include/" + longest + ".h"));
  // The arena of a network of one kernel is empty: nothing found a place for it.
  EXPECT_NE(read(out + "/REPORT.md").find("| found by | nobody: nothing needs a place |"),
            std::string::npos);
}

TEST(Cli, CheckTellsWhatDiffers) {
  const ScratchFolder scratch;
  const std::string out = scratch.path() + "/tree";
  const std::vector<std::string> generate{"generate", kModel, "--config", kConfig, "-o", out};
  std::vector<std::string> check = generate;
  check.push_back("--check");
  EXPECT_EQ(run_burin(check).exit_code, kExitDiffers);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(run_burin(generate).exit_code, kExitOk);
  EXPECT_EQ(run_burin(check).exit_code, kExitOk);
  write(out + "/REPORT.md", "edited");
  expect_line(check, kExitDiffers, "changed REPORT.md");
  EXPECT_EQ(read(out + "/REPORT.md"), "edited");
}

TEST(Cli, PlanLockGivesLayoutsBack) {
  const ScratchFolder scratch;
  const std::string lock = scratch.path() + "/lock.json", tree = scratch.path() + "/tree",
                    model = kSource + "/tests/models/residual_blocks";
  const std::vector<std::string> with{"--config", kConfig, "--plan-lock", lock};
  const auto generate = [&](const std::string& layouts, std::vector<std::string> more) {
    write(lock, R"({"layouts": {)" + layouts + "}}");
    more.insert(more.begin(), {"generate", model + "/model.onnx", "-o", tree});
    more.insert(more.end(), with.begin(), with.end());
    return run_burin(more);
  };
  const std::string layouts =
      R"("stem.act": "0 2 3 1; 1 as 0 1/4 2 3 [4]", "up.act": "0 1/4 2 3 [4]")";
  EXPECT_EQ(generate(layouts, {}).exit_code, kExitOk);
  const std::string plan = read(tree + "/plan.json");
  EXPECT_NE(plan.find(R"("up.act": "0 1/4 2 3 [4]")"), std::string::npos) << plan;
  // The tree's own plan says all of it, and the tree computes the same as before.
  fs::copy_file(tree + "/plan.json", lock, fs::copy_options::overwrite_existing);
  EXPECT_EQ(run_burin({"generate", model + "/model.onnx", "-o", tree, "--check", "--config",
                       kConfig, "--plan-lock", lock})
                .exit_code,
            kExitOk);
  const ProcessResult ran =
      run_burin({"verify", model + "/model.onnx", "--config", kConfig, "--plan-lock", lock});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.output;
  // The copy is a step like others.
  const ProcessResult told =
      run_burin({"analyze", model + "/model.onnx", "--config", kConfig, "--plan-lock", lock});
  EXPECT_EQ(told.exit_code, kExitOk) << told.output;
  // A plan says for whom it is, and what it says is not chosen again.
  std::string foreign = read(lock);
  const size_t at = foreign.find("cpp-generic");
  ASSERT_NE(at, std::string::npos);
  write(lock, foreign.replace(at, 11, "x86-64-v3"));
  const std::vector<std::string> analyze{"analyze", model + "/model.onnx", "--config",
                                         kConfig,   "--plan-lock",         lock};
  EXPECT_EQ(run_burin(analyze).exit_code, kExitRefused);
  EXPECT_NE(run_burin(analyze).output.find("this plan is for 'x86-64-v3', not for 'cpp-generic'"),
            std::string::npos);
  EXPECT_EQ(generate("", {"--layouts", "chosen"}).exit_code, kExitUsage);
  const std::pair<std::string, std::string> wrong[] = {
      {R"("nobody": "0 1")", "there is no tensor 'nobody' between kernels of this model"},
      {R"("classes": "1 0")", "the layout of tensor 'classes' is not free"},
      {R"("stem.act": "0 1")", "'0 1' is no layout of tensor 'stem.act', which has 4 dimensions"},
      {R"("stem.act": "row-major; 2 as 0 2 3 1")",
       "'2 as 0 2 3 1' is no copy of tensor 'stem.act', which has 2 readers"},
      {R"("stem.act": "0 1/7 2 3 [7]")",
       "blocks of 7 do not divide 8, dimension 1 of tensor 'stem.act'"}};
  for (const auto& [text, said] : wrong) {
    const ProcessResult result = generate(text, {});
    EXPECT_EQ(result.exit_code, kExitRefused);
    EXPECT_EQ(result.output, model + "/model.onnx: error: --plan-lock: " + said + " [plan-lock]\n");
  }
}

TEST(Cli, VerifyTellsDifferencesFromFailures) {
  const ScratchFolder scratch;
  const std::string data = scratch.path() + "/data";
  fs::copy(fs::path(kModel).parent_path() / "test_data_set_0", data);
  const std::vector<std::string> verify{"verify", kModel, "--config", kConfig,
                                        "--data", data,   "--fast"};
  EXPECT_EQ(run_burin(verify).exit_code, kExitOk);

  // The first float that is expected, made another number.
  std::string expected = read(data + "/output_0.pb");
  expected[expected.size() - 2] = static_cast<char>(expected[expected.size() - 2] ^ 0x40);
  write(data + "/output_0.pb", expected);
  EXPECT_EQ(run_burin(verify).exit_code, kExitDiffers);

  std::string config = read(kConfig);
  for (size_t at = 0; (at = config.find("\"g++\"", at)) != std::string::npos; ++at)
    config.replace(at, 5, "\"no-such-compiler\"");
  write(scratch.path() + "/cpp-generic.json", config);
  std::vector<std::string> broken = verify;
  broken[3] = scratch.path() + "/cpp-generic.json";
  const ProcessResult result = run_burin(broken);
  EXPECT_EQ(result.exit_code, kExitTool) << result.output;
  EXPECT_NE(result.output.find("no-such-compiler"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace burin::cli_test
