// Models with states of the caller (--state), generated, verified and run step by step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin {

class StateCli : public testing::Test {
 protected:
  ProcessResult burin(const std::string& command, const std::string& model,
                      std::vector<std::string> more) const {
    const std::string path = folder_.path() + "/m.onnx";
    std::ofstream(path, std::ios::binary) << tiny_model(model).bytes;
    std::vector<std::string> all = {BURIN_PROGRAM, command, path};
    if (command == "generate") more.insert(more.end(), {"-o", folder_.path() + "/tree"});
    if (std::find(more.begin(), more.end(), "--config") == more.end())
      more.insert(more.end(), {"--config", "cpp-generic"});
    all.insert(all.end(), more.begin(), more.end());
    return run_process(all, 120);
  }
  // One line, and nothing written.
  void expect_refused(const std::string& model, const std::vector<std::string>& flags,
                      const std::string& line, int code = kExitRefused) const {
    const ProcessResult result = burin("generate", model, flags);
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.output, line + "\n");
    EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/tree"));
  }

  // Generates, and runs a program of C++ beside the tree, whose network is "g".
  void expect_steps(const std::string& model, const std::vector<std::string>& flags,
                    const std::string& text) const {
    std::filesystem::remove_all(folder_.path() + "/tree");
    const ProcessResult generated = burin("generate", model, flags);
    ASSERT_EQ(generated.exit_code, kExitOk) << generated.output;
    const std::string tree = folder_.path() + "/tree", program = folder_.path() + "/program";
    std::ofstream(program + ".cpp") << text;
    std::vector<std::string> compile = {
        "g++",           "-std=c++17", "-O1", "-I" + tree + "/include", "-I" + tree + "/src",
        program + ".cpp"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree + "/src")) {
      if (entry.path().extension() == ".cpp") compile.push_back(entry.path());
    }
    compile.insert(compile.end(), {"-ldl", "-lpthread", "-o", program});
    const ProcessResult compiled = run_process(compile, 300);
    ASSERT_EQ(compiled.exit_code, 0) << compiled.output;
    const ProcessResult ran = run_process({program}, 120);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
  }

  const ScratchFolder folder_;
};

}  // namespace burin
