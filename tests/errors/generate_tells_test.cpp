// What generate tells of a model that it reads otherwise than it says, and of arithmetic that it
// was allowed to change.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin {
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
  EXPECT_NE(strict.output.find("serves 'n' 1\n"), std::string::npos) << strict.output;
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
}  // namespace burin
