// Answers that help: names that come with burin, words that were meant, what is missing all at
// once.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "hardware/load.h"
#include "support/process.h"

namespace burin::found_words_test {
namespace {

namespace fs = std::filesystem;

const std::string kFoundSource = BURIN_SOURCE_DIR;
const std::string kFoundModel = kFoundSource + "/tests/models/relu_sym/model.onnx";
const std::string kAllConfigs =
    "host, adreno-740, armv8-i8mm, armv8-neoverse-n1, cortex-m33, cortex-m4, cortex-m55, "
    "cortex-m7, "
    "cpp-generic, "
    "hexagon-v66-pairs, hexagon-v66, hexagon-v68, hexagon-v69, hexagon-v73, mali-g610, "
    "nvidia-h200, opencl-generic, pocl, riscv64-v, rv32imc, x86-64-v3, "
    "x86-64-v4-amx, x86-64-v4-vnni, x86-64-v4-vpopcntdq";

ProcessResult burin_says(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BURIN_PROGRAM);
  return run_process(arguments, 120);
}

void expect_said(const std::vector<std::string>& arguments, int code, const std::string& said) {
  const ProcessResult result = burin_says(arguments);
  EXPECT_EQ(result.exit_code, code) << result.output;
  EXPECT_EQ(result.output, said);
}

// A model of text, in a folder that goes with the test.
std::string file_of(const ScratchFolder& folder, const std::string& text) {
  const std::string path = folder.path() + "/m.onnx";
  std::ofstream(path, std::ios::binary) << tiny_model(text).bytes;
  return path;
}

TEST(FoundWords, DescriptionsByName) {
  const ScratchFolder folder;
  const ProcessResult by_name = burin_says(
      {"generate", kFoundModel, "--config", "cpp-generic", "-o", folder.path() + "/named"});
  EXPECT_EQ(by_name.exit_code, kExitOk) << by_name.output;
  expect_said({"generate", kFoundModel, "--config", kFoundSource + "/configs/cpp-generic.json",
               "-o", folder.path() + "/named", "--check"},
              kExitOk, "");
  expect_said({"analyze", kFoundModel, "--config", "x86-64-v2"}, kExitRefused,
              "x86-64-v2: error: there is no such file, and no description of that name comes with "
              "burin [cannot-read]; did you mean 'x86-64-v3'?; known are " +
                  kAllConfigs + "\n");
  expect_said({"analyze", kFoundModel, "--config", "configs/pocl.jsn"}, kExitRefused,
              "configs/pocl.jsn: error: there is no such file, and no description of that name "
              "comes with burin [cannot-read]; did you mean 'pocl'?; known are " +
                  kAllConfigs + "\n");
  expect_said({"analyze", kFoundModel}, kExitUsage,
              "error: --config is required [usage]; it is a file, or one of " + kAllConfigs +
                  "; see burin analyze --help\n");
}

// A file counts before a name: descriptions of one's own may be called as they like.
// The beginning of one name; one letter, which is near to every other; variables that are not set.
TEST(FoundWords, WordsThatAreCutOrEmpty) {
  expect_said({"gen"}, kExitUsage,
              "error: there is no command 'gen' [usage]; did you mean 'generate'?; see burin "
              "--help\n");
  expect_said({"generate", kFoundModel, "--out", "x"}, kExitUsage,
              "error: there is no flag '--out' [usage]; did you mean '--output'?; see burin "
              "generate --help\n");
  expect_said({"generate", kFoundModel, "-w", "embed"}, kExitUsage,
              "error: there is no flag '-w' [usage]; see burin generate --help\n");
  expect_said(
      {"generate", kFoundModel, "--weights", "ember"}, kExitUsage,
      "error: --weights has no 'ember' [usage]; did you mean 'embed'?; it has embed, blob\n");
  const std::string unset = " is empty [usage]; is a variable of the shell not set?\n";
  expect_said({"generate", kFoundModel, "--config", "", "-o", "x"}, kExitUsage,
              "error: what follows --config" + unset);
  expect_said({"generate", kFoundModel, "--config=", "-o", "x"}, kExitUsage,
              "error: what follows --config" + unset);
  expect_said({"generate", kFoundModel, "--config", "cpp-generic", "-o", ""}, kExitUsage,
              "error: what follows -o" + unset);
  expect_said({"check", ""}, kExitUsage, "error: argument 2" + unset);
}

TEST(FoundWords, AFileIsTriedBeforeAName) {
  const ScratchFolder folder;
  std::ofstream(folder.path() + "/pocl") << "{}";
  const ProcessResult result =
      run_process({"sh", "-c", "cd \"$1\" && \"$2\" analyze \"$3\" --config pocl", "sh",
                   folder.path(), BURIN_PROGRAM, kFoundModel},
                  120);
  EXPECT_EQ(result.exit_code, kExitRefused);
  EXPECT_NE(result.output.find("pocl:1:1"), std::string::npos) << result.output;
}

TEST(FoundWords, EveryShippedDescriptionIsListedAndPrinted) {
  const ProcessResult list = burin_says({"configs"});
  EXPECT_EQ(list.exit_code, kExitOk);
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kFoundSource + "/configs")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || name.find("schema") != name.npos) continue;
    ++files;
    EXPECT_NE(("\n" + list.output).find("\n" + name + " "), std::string::npos) << name;
    std::ifstream in(entry.path(), std::ios::binary);
    EXPECT_EQ(burin_says({"configs", name}).output,
              std::string(std::istreambuf_iterator<char>(in), {}));
    // A name that is used on the command line is the one that reports have.
    EXPECT_EQ(load_hardware(entry.path().string()).name, name);
  }
  EXPECT_GE(files, 10u);
}

TEST(FoundWords, TheHostIsADescriptionLikeOthers) {
  const ProcessResult text = burin_says({"configs", "host"});
  const Hardware host = parse_hardware(text.output, "host");
  EXPECT_TRUE(host.name.starts_with("host-")) << host.name;
  EXPECT_GE(host.threads_max, 1);
  EXPECT_TRUE(host.runner.empty());
  for (size_t i = 1; i < host.memory.caches.size(); ++i)
    EXPECT_GT(host.memory.caches[i].size_bytes, host.memory.caches[i - 1].size_bytes);
  // What it makes runs here.
  const ProcessResult verdict = burin_says({"verify", kFoundModel, "--config", "host", "--fast"});
  EXPECT_EQ(verdict.exit_code, kExitOk) << verdict.output;
}

TEST(FoundWords, OperatorsByName) {
  const ProcessResult some = burin_says({"ops", "relu"});
  EXPECT_EQ(some.exit_code, kExitOk);
  EXPECT_NE(some.output.find("LeakyRelu"), std::string::npos) << some.output;
  EXPECT_EQ(some.output.find("Conv"), std::string::npos) << some.output;
  const auto json = nlohmann::json::parse(burin_says({"ops", "Softsign", "--json"}).output);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["name"], "Softsign");
  expect_said({"ops", "Convv"}, kExitRefused,
              "error: no operator has 'Convv' in its name [unsupported-operator]; did you mean "
              "'Conv'?\n");
}

TEST(FoundWords, FoldersThatCannotBeMadeAreNamedAsTheyWereGiven) {
  expect_said({"generate", kFoundModel, "--config", "cpp-generic", "-o", "/proc/tree"},
              kExitRefused,
              "--output: error: '/proc/tree' cannot be written: No such file or directory "
              "[cannot-write]\n");
}

TEST(FoundWords, CheckNamesAllThatIsMissing) {
  const ScratchFolder folder;
  const std::string model = file_of(folder,
                                    "in x f32[n,4]\n"
                                    "node Relv(x) -> a\n"
                                    "node Frobnicate(a) -> b\n"
                                    "node Relv(b) -> c\n"
                                    "node Relu(c) -> y\n"
                                    "out y\n");
  expect_said({"check", model}, kExitRefused,
              model + ": 4 nodes; IR version 8; operators of ai.onnx 17\n" +
                  "operators: Relv 2, Frobnicate 1, Relu 1\n"
                  "input: 'x' f32[n, 4]\n"
                  "size: 'n', as the file declares it; --dim 'n=N' fixes it, --dim 'n=1..MOST' "
                  "bounds it\n" +
                  model +
                  ": error: operator 'Frobnicate' of ai.onnx is not supported, which 1 node is; "
                  "the first is node 1 [unsupported-operator]; `burin ops` lists what is\n" +
                  model +
                  ": error: operator 'Relv' of ai.onnx is not supported, which 2 nodes are; the "
                  "first is node 0 [unsupported-operator]; did you mean 'Relu'?; `burin ops` lists "
                  "what is\n");
}

// Whoever generates hears of the others, too.
TEST(FoundWords, GenerateNamesAllThatIsMissing) {
  const ScratchFolder folder;
  const std::string text =
      "in x f32[n,4]\nnode Relv(x) -> a\nnode Frobnicate(a) -> b\n"
      "node Relv(b) -> c\nnode Twist(c) -> y domain=my.domain\nout y\n";
  const std::string frobnicate =
      ": error: operator 'Frobnicate' of ai.onnx is not supported, which 1 node is; the first is "
      "node 1 [unsupported-operator]; `burin ops` lists what is\n";
  const std::string relv =
      ": error: operator 'Relv' of ai.onnx is not supported, which 2 nodes are; the first is node "
      "0 [unsupported-operator]; did you mean 'Relu'?; `burin ops` lists what is\n";
  const std::string model = file_of(folder, "opset 17\nopset my.domain 1\n" + text);
  const std::vector<std::string> generate = {"generate",    model, "--config",
                                             "cpp-generic", "-o",  folder.path() + "/tree"};
  expect_said(generate, kExitRefused,
              model +
                  ": node 3 (Twist): error: operators of domain 'my.domain' are not known "
                  "[version]; the domains are ai.onnx, ai.onnx.ml, ai.onnx.preview, "
                  "ai.onnx.preview.training, com.microsoft and burin, and functions of the model "
                  "itself\n" +
                  model + frobnicate + model + relv);
  file_of(folder, "in x f32[n,4]\nnode Relv(x) -> a\nnode Frobnicate(a) -> y\nout y\n");
  expect_said(generate, kExitRefused,
              model +
                  ": node 0 (Relv): error: operator 'Relv' of ai.onnx is not supported "
                  "[unsupported-operator]; did you mean 'Relu'?; `burin ops` lists what is\n" +
                  model +
                  ": node 1 (Frobnicate): error: operator 'Frobnicate' of ai.onnx is not "
                  "supported [unsupported-operator]; `burin ops` lists what is\n");
}

// A decoder's cache: the flags that keep it where it is, from its first step on.
TEST(FoundWords, CheckTellsStates) {
  const ScratchFolder folder;
  const std::string model =
      file_of(folder,
              "in p f32[2,past,3]\nin n f32[2,1,3]\nin s f32[4]\nin x f32[rows,2]\n"
              "node Concat(p, n) -> q name=join axis=1\nnode Neg(s) -> t name=turn\n"
              "node Relu(x) -> y\nnode Identity(x) -> same\n"
              "out q\nout t\nout y\nout same\n");
  const ProcessResult result = burin_says({"check", model});
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
  const size_t at = result.output.find("state: ");
  ASSERT_NE(at, std::string::npos) << result.output;
  EXPECT_EQ(result.output.substr(at, result.output.find("parameters:") - at),
            "state: --state p=q --dim 'past=0..MOST' keeps 'q' in the buffer of 'p'\n");
}

// A newer operator set is one warning, not a fault of each operator.
TEST(FoundWords, CheckOfANewerOperatorSet) {
  const ScratchFolder folder;
  const std::string model =
      file_of(folder, "opset 40\nin x f32[4]\nnode Relu(x) -> a\nnode Abs(a) -> y\nout y\n");
  const ProcessResult result = burin_says({"check", model});
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
  EXPECT_NE(
      result.output.find("warning: the model imports version 40 of 'ai.onnx', which is newer than "
                         "burin: its operators are read as version 28 has them [version]\n"),
      std::string::npos)
      << result.output;
  EXPECT_EQ(result.output.find("error"), std::string::npos) << result.output;
}

TEST(FoundWords, CheckOfAnUnknownDomain) {
  const ScratchFolder folder;
  const std::string model = file_of(
      folder,
      "opset 17\nopset my.domain 1\nin x f32[4]\nnode Twist(x) -> y domain=my.domain\nout y\n");
  const ProcessResult result = burin_says({"check", model});
  EXPECT_EQ(result.exit_code, kExitRefused) << result.output;
  EXPECT_NE(result.output.find("operator 'Twist' of 'my.domain' is not supported, which 1 node is"),
            std::string::npos)
      << result.output;
}

TEST(FoundWords, CheckTellsSizesWithoutADescription) {
  expect_said({"check", kFoundModel}, kExitOk,
              kFoundModel + ": 1 node; IR version 8; operators of ai.onnx 18\n" +
                  "operators: Relu 1\n"
                  "input: 'x' f32[batch, 3, n]\n"
                  "output: 'y' f32[batch, 3, n]\n"
                  "types: f32\n"
                  "size: 'batch' from 1 to any; --dim 'batch=N' fixes it, --dim 'batch=1..MOST' "
                  "bounds it\n"
                  "size: 'n' from 1 to any; --dim 'n=N' fixes it, --dim 'n=1..MOST' bounds it\n"
                  "parameters: 0; multiplications: 0 at 'batch' = 64, 'n' = 64\n"
                  "nothing stands in its way: burin generate " +
                  kFoundModel + " --config host --output tree\n");
}

}  // namespace
}  // namespace burin::found_words_test
