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
