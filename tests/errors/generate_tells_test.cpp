// What generate tells of a model that it reads otherwise than it says, and of arithmetic that it
// was allowed to change.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "report/overview.h"
#include "support/process.h"

namespace burin::generate_tells_test {
namespace {

class GenerateTells : public testing::Test {
 protected:
  ProcessResult generate(const std::string& text, const std::vector<std::string>& flags = {}) {
    std::ofstream(file_, std::ios::binary) << tiny_model(text).bytes;
    std::vector<std::string> arguments = {
        BURIN_PROGRAM, "generate", file_, "--config", BURIN_SOURCE_DIR "/configs/cpp-generic.json",
        "-o",          tree_};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run_process(arguments, 120);
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(tree_ + "/" + name).rdbuf();
    return text.str();
  }

  const ScratchFolder scratch_;
  const std::string file_ = scratch_.path() + "/m.onnx", tree_ = scratch_.path() + "/tree";
};

TEST_F(GenerateTells, WarnsOfShapesThatTheGraphContradicts) {
  const std::string model = "in x f32[n,3]\nnode Relu(x) -> y\nout y f32[1,3]\n";
  const std::string said = file_ + ": output 'y': ",
                    both = "it is declared [1, 3], the model gives [n, 3] [shape-mismatch]\n";
  const ProcessResult loose = generate(model);
  EXPECT_EQ(loose.exit_code, kExitOk);
  EXPECT_EQ(loose.output.substr(0, loose.output.find(tree_)), said + "warning: " + both);
  // What may be as declared is what the run checks.
  const ProcessResult strict = generate(model, {"--strict"});
  EXPECT_EQ(strict.exit_code, kExitOk) << strict.output;
  EXPECT_EQ(strict.output.find("warning: it is declared"), std::string::npos) << strict.output;
  EXPECT_EQ(strict.output.substr(0, strict.output.find(tree_)),
            file_ +
                ": node 'y' (output): warning: size 'n' is open, and can only be 1 (declared "
                "dimension 0) [shape-mismatch]; --dim 'n=1' says so\n");
}

TEST_F(GenerateTells, InputsWithValuesAreNoInputs) {
  const std::string model =
      "in x f32[6]\nin s i64[2]\nin b bool[1]\nnode Reshape(x, s) -> y\nnode Not(b) -> z\nout "
      "y\n"
      "out z\n";
  ASSERT_EQ(generate(model).exit_code, kExitOk);
  EXPECT_NE(read("manifest.json").find("\"name\": \"s\""), std::string::npos);
  const ProcessResult held = generate(model, {"--input", "s=2,3", "--input", "b=true"});
  ASSERT_EQ(held.exit_code, kExitOk) << held.output;
  const std::string manifest = read("manifest.json");
  EXPECT_EQ(manifest.find("\"name\": \"s\""), std::string::npos);
  EXPECT_EQ(manifest.find("\"name\": \"b\""), std::string::npos);
  EXPECT_EQ(manifest.find("data_sized"), std::string::npos);  // 2 by 3 is known
  const std::pair<const char*, const char*> lines[] = {
      {"t=1", "the model has no input named 't' [input]; its inputs are 'x', 's', 'b'"},
      {"s=1,2,3",
       "input 's' has 2 elements, 3 numbers are given [input]; give numbers with --input s=NUMBER, "
       "or several with commas"},
      {"s=a",
       "input 's' cannot be 'a': it is i64 [input]; give numbers with --input s=NUMBER, or several "
       "with commas"},
      {"b=2",
       "input 'b' cannot be '2': it is a boolean [input]; give numbers with --input b=NUMBER, or "
       "several with commas"},
      {"s", "--input 's' is not NAME=NUMBERS [input]; as in --input sr=16000"}};
  for (const auto& [flag, line] : lines) {
    const ProcessResult refused = generate(model, {"--input", flag});
    EXPECT_EQ(refused.exit_code, kExitRefused);
    EXPECT_EQ(refused.output, file_ + ": error: " + line + "\n");
  }
}

TEST_F(GenerateTells, WarnsOfOpsetsThatAreNewer) {
  const std::string model = "opset 40\nin x f32[4]\nnode Relu(x) -> y\nout y\n";
  const ProcessResult newer = generate(model);
  EXPECT_EQ(newer.exit_code, kExitOk);
  EXPECT_EQ(newer.output.substr(0, newer.output.find(tree_)),
            file_ +
                ": warning: the model imports version 40 of 'ai.onnx', which is newer than burin: "
                "its operators are read as version 28 has them [version]\n");
  EXPECT_EQ(generate(model, {"--assume-opset", "17"}).output.find("warning"), std::string::npos);
}

// Room, whether it is right, how to go on.
TEST_F(GenerateTells, EndsWithWhatIsAskedNext) {
  const std::string model =
      "in x f32[n,4]\nconst w f32[4,2] 1 2 3 4 5 6 7 8\n"
      "node MatMul(x, w) -> h\nnode Softmax(h) -> y\nout y\n";
  const auto last_lines = [&](const std::vector<std::string>& flags) {
    std::string said = generate(model, flags).output;
    for (size_t at; (at = said.find(scratch_.path() + "/")) != std::string::npos;)
      said.erase(at, scratch_.path().size() + 1);
    return said.substr(said.find("tree: serves"));
  };
  const std::string next =
      "tree: self-test: 3 runs; inputs are made up, results are those of the interpreter on the "
      "unfused network\n"
      "tree: next: cmake -S tree -B build && cmake --build build && ctest --test-dir build\n";
  EXPECT_EQ(last_lines({"--dim", "n=1..64@8", "--weights", "blob"}),
            "tree: serves 'n' 1..64\n"
            "tree: RAM: 64 bytes of arena at 'n' = 8, at most 512 bytes\n"
            "tree: flash: 64 bytes of weights, a file, and the code\n" +
                next);
  const std::string open = last_lines({});
  EXPECT_NE(open.find("tree: RAM: 512 bytes of arena at 'n' = 64\n"), std::string::npos) << open;
  EXPECT_NE(open.find("tree: flash: 64 bytes of weights, part of the program, and the code\n"),
            std::string::npos)
      << open;
}

// A folder is told so that the line can be pasted.
TEST_F(GenerateTells, CommandsThatCanBePasted) {
  const std::string folder = scratch_.path() + "/my tree's";
  std::ofstream(file_, std::ios::binary)
      << tiny_model("in x f32[4]\nnode Relu(x) -> y\nout y\n").bytes;
  const ProcessResult made =
      run_process({BURIN_PROGRAM, "generate", file_, "--config", "cpp-generic", "-o", folder}, 120);
  const size_t at = made.output.find("next: ");
  ASSERT_NE(at, std::string::npos) << made.output;
  const std::string word = made.output.substr(at + 15, made.output.find(" -B ") - at - 15);
  EXPECT_EQ(run_process({"sh", "-c", "test -f " + word + "/CMakeLists.txt"}, 60).exit_code, 0)
      << word;
}

// Why there is no self-test is said, whatever the reason.
TEST_F(GenerateTells, WhyThereIsNoSelfTest) {
  const ProcessResult large = generate("in x f32[64,64,64]\nconst w f32[64,64] " + [] {
    std::string numbers;
    for (int i = 0; i < 4096; ++i) numbers += "1 ";
    return numbers;
  }() + "\nnode MatMul(x, w) -> y\nout y\n");
  EXPECT_EQ(large.exit_code, kExitOk) << large.output;
  EXPECT_NE(large.output.find("self-test: no sample vectors: "), std::string::npos) << large.output;
  EXPECT_EQ(large.output.find("ctest"), std::string::npos) << large.output;
}

TEST(AnalyzeTells, BeginsWithRoomAndTime) {
  const auto analyze = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(),
                 {BURIN_PROGRAM, "analyze", BURIN_SOURCE_DIR "/tests/models/qdq_conv/model.onnx",
                  "--config", "cpp-generic", "--dim", "batch=1", "--dim", "h=8", "--dim", "w=8"});
    return run_process(flags, 120).output;
  };
  const std::string text = analyze({});
  EXPECT_EQ(text.find("'qdq_conv' for cpp-generic: 6 nodes\nparameters  250\nMACs        "), 0u)
      << text;
  for (const char* part : {"\nflash       832 bytes of weights, and the code\nRAM         ",
                           " of arena\ntime        at least ",
                           " on a machine that is as described (2000 MHz, no vectors)\n",
                           "\nkernels, the longest first:\n  #"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  // Unless bytes are not summed as integers.
  const std::string floats =
      "\nwarning: 1 kernel of quantised numbers sums in floats; the first is ";
  EXPECT_EQ(text.find(floats), std::string::npos) << text;
  EXPECT_NE(analyze({"--without", "integers"}).find(floats), std::string::npos);
  EXPECT_EQ(text.find("nac"), std::string::npos) << text;
  EXPECT_NE(analyze({"--verbose"}).find(" dynamic (nac)\n"), std::string::npos);
}

TEST(AnalyzeTells, BytesAndTimesAsPeopleReadThem) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(10239), "10239 bytes");
  EXPECT_EQ(bytes_text(94208), "94208 bytes (92.0 KiB)");
  EXPECT_EQ(bytes_text(int64_t{3} << 20), "3145728 bytes (3.0 MiB)");
  EXPECT_EQ(time_text(999), "999 ns");
  EXPECT_EQ(time_text(1250000), "1.25 ms");
  EXPECT_EQ(time_text(int64_t{12} * 1000 * 1000 * 1000), "12 s");
}

TEST_F(GenerateTells, FastMathIsNamedInTheTree) {
  const std::string model =
      "in x f16[4]\nconst c f16[1] 2\nnode Mul(x, c) -> a\nnode Mul(a, c) -> y\nout y\n";
  ASSERT_EQ(generate(model).exit_code, kExitOk);
  const std::string plan = read("plan.json"), report = read("REPORT.md");
  EXPECT_EQ(plan.find("fast_math"), std::string::npos);
  EXPECT_EQ(report.find("fast-math"), std::string::npos);
  ASSERT_EQ(generate(model, {"--fast-math"}).exit_code, kExitOk);
  EXPECT_NE(read("plan.json").find("\"fast_math\": true"), std::string::npos);
  EXPECT_NE(
      read("REPORT.md")
          .find("| arithmetic | of floats is reassociated where that is less of it: fast-math |"),
      std::string::npos);
}

}  // namespace
}  // namespace burin::generate_tells_test
