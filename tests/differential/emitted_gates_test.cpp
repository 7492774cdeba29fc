// Only the blocks that are taken run: a build that counts (gcov) says which kernels ran, by the
// names of their functions without the hash, and how often.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "differential/support/emitted_run.h"

namespace burin::emitted_gates_test {
namespace {

using Ran = std::map<std::string, int64_t>;  // kernel -> calls

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class CountedProgram {
 public:
  // Of a folder of tests/models. Scalar code, so that kernels stand in files of their own.
  explicit CountedProgram(const std::string& name)
      : program_(bytes_of(std::string(BURIN_SOURCE_DIR) + "/tests/models/" + name + "/model.onnx"),
                 EmittedOptions{.sanitize = false, .flags = {"--coverage", "-O0"}}) {}

  // The kernels that a run calls.
  Ran run(const std::vector<HostTensor>& inputs) const {
    for (const std::string& file : counts()) std::filesystem::remove(file);
    EXPECT_EQ(program_.run(inputs).status, 0);
    Ran out;
    EXPECT_FALSE(counts().empty());
    for (const std::string& file : counts()) {
      const ProcessResult said =
          run_process({"bash", "-c", "gcov --json-format --stdout \"$0\" > \"$0.json\"", file}, 60);
      EXPECT_EQ(said.exit_code, 0) << said.output;
      const nlohmann::json counted = nlohmann::json::parse(bytes_of(file + ".json"));
      for (const nlohmann::json& source : counted.at("files")) {
        for (const nlohmann::json& function : source.at("functions")) count(function, out);
      }
    }
    return out;
  }

 private:
  std::vector<std::string> counts() const {
    std::vector<std::string> out;
    for (const auto& file : std::filesystem::recursive_directory_iterator(program_.folder())) {
      if (file.path().extension() == ".gcda") out.push_back(file.path());
    }
    return out;
  }

  // "net_kernels::relu_0a1b2c3d(float const*, long)" is a call of "relu".
  static void count(const nlohmann::json& function, Ran& out) {
    const std::string name = function.at("demangled_name"), space = "_kernels::";
    const size_t begin = name.find(space), end = name.find('(');
    const int64_t calls = function.at("execution_count");
    const bool inner = name.find("{lambda") != std::string::npos;  // of a kernel that is counted
    if (begin == std::string::npos || begin > end || calls == 0 || inner) return;
    const std::string kernel = name.substr(begin + space.size(), end - begin - space.size());
    out[kernel.substr(0, kernel.rfind('_'))] += calls;
  }

  EmittedProgram program_;
};

HostTensor rows(int64_t count, double value) {
  return make_tensor(Type::f32, {count, 8},
                     std::vector<double>(static_cast<size_t>(8 * count), value));
}

// A gate whose block holds another one: closed, open with the inner one closed, both open.
TEST(EmittedGates, SwitchesInsideSwitches) {
  const CountedProgram program("switch_gate");
  const Ran before = {{"reduce_mean_greater", 1}, {"sigmoid", 1}, {"neg", 1}};
  const auto with = [&](Ran block) {
    block.insert(before.begin(), before.end());
    return block;
  };
  const Ran block = {{"mat_mul_relu", 1}, {"reduce_max_greater", 1}, {"add", 1}, {"reduce_sum", 1}};
  Ran low = with(block), high = with(block);
  low["neg"] = 2;
  high["mat_mul_tanh"] = 1;
  EXPECT_EQ(program.run({rows(2, -1)}), with({{"mul", 1}, {"reduce_max", 1}}));
  EXPECT_EQ(program.run({rows(2, 0.1)}), low);
  EXPECT_EQ(program.run({rows(2, 1)}), high);
}

// Whether there is a path of that number is looked at first.
TEST(EmittedGates, RoutesByNumber) {
  const CountedProgram program("switch_route");
  const HostTensor x = make_tensor(Type::f32, {5, 6}, std::vector<double>(30, 1));
  const char* const routes[] = {"relu", "concat_combine", "mat_mul"};
  for (const int64_t which : {0, 1, 2}) {
    EXPECT_EQ(program.run({x, make_tensor(Type::i64, {}, std::vector<int64_t>{which})}),
              Ran({{"combine", 1}, {routes[which], 1}, {"exp_kernel", 1}}));
  }
}

// Both branches copy; one of them adds before.
TEST(EmittedGates, BranchesOfIf) {
  const CountedProgram program("branch_sequences");
  const auto run = [&](int64_t choice) {
    const auto threes = [](int64_t count) {
      return make_tensor(Type::f32, {count, 3},
                         std::vector<double>(static_cast<size_t>(3 * count), 1));
    };
    return program.run({threes(2), threes(4),
                        make_tensor(Type::boolean, {}, std::vector<int64_t>{choice}),
                        make_tensor(Type::i64, {}, std::vector<int64_t>{0})});
  };
  EXPECT_EQ(
      run(0),
      Ran({{"if_elementwise", 2}, {"if_kernel", 4}, {"sequence_at", 1}, {"sequence_length", 1}}));
  EXPECT_EQ(run(1), Ran({{"add", 1},
                         {"if_elementwise", 2},
                         {"if_kernel", 3},
                         {"sequence_at", 1},
                         {"sequence_length", 1}}));
}

}  // namespace
}  // namespace burin::emitted_gates_test
