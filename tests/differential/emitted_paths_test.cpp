// Emitted code that chooses: paths of Switch, and loops whose state grows, with what they check.
#include <gtest/gtest.h>

#include <map>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "differential/support/emitted_run.h"
#include "runtime_min/status.h"
#include "support/diagnostics.h"

namespace burin::emitted_paths_test {
namespace {

HostTensor real(std::vector<int64_t> shape, const std::vector<double>& numbers) {
  return make_tensor(Type::f32, std::move(shape), numbers);
}

std::string status(int32_t code) { return burin_rt::status_text(code); }

// Experts behind a mask, added; and a choice by number among results of different sizes.
constexpr const char* kExperts = R"(
  graph "g" file "g.onnx" ir 8
  value %0 "x" f32 [3, 2]
  value %1 "mask" boolean [2]
  value %2 "which" i32 [1]
  value %3 "y" none ?
  value %4 "z" none ?
  value %5 "x0" none ?
  value %6 "x1" none ?
  value %7 "e0" none ?
  value %8 "e1" none ?
  value %9 "a" none ?
  value %10 "b" none ?
  value %11 "c" none ?
  value %12 "twice" none ?
  block "g" (%0, %1, %2) -> (%3, %4) {
    node 0 "gate" burin Switch@1 (%0, %1) -> (%5, %6)
    node 1 "e0" Neg@13 (%5) -> (%7)
    node 2 "e1" Exp@13 (%6) -> (%8)
    node 3 "sum" burin Combine@1 (%7, %8) -> (%3) { merge: string "sum" }
    node 4 "route" burin Switch@1 (%0, %2) -> (%9, %10)
    node 5 "join" Concat@13 (%10, %10) -> (%12) { axis: int 0 }
    node 6 "one" burin Combine@1 (%9, %12) -> (%11)
    node 7 "out" Abs@13 (%11) -> (%4)
  })";

TEST(EmittedPaths, EveryChoice) {
  const EmittedProgram program(parse_graph(kExperts), true);
  const HostTensor x = real({3, 2}, {-1, 2, -3, 4, -5, 6});
  const auto inputs = [&](std::vector<int64_t> mask, int64_t which) {
    return std::vector<HostTensor>{x, make_tensor(Type::boolean, {2}, mask),
                                   make_tensor(Type::i32, {1}, std::vector<int64_t>{which})};
  };
  for (const std::vector<int64_t>& mask : {std::vector<int64_t>{0, 1}, {1, 0}, {1, 1}}) {
    for (const int64_t which : {0, 1}) program.expect_agrees(inputs(mask, which));
  }
  EXPECT_EQ(program.run(inputs({1, 0}, 1)).outputs.at(1).shape, (std::vector<int64_t>{6, 2}));
  // None ran: no result is made up.
  const EmittedProgram device(parse_graph(kExperts),
                              EmittedOptions{.hardware = "pocl", .sanitize = false});
  EXPECT_EQ(device.run(inputs({1, 1}, 1)).status, 0);
  for (const EmittedProgram* one : {&program, &device}) {
    EXPECT_EQ(one->run(inputs({0, 0}, 0)).explained, status(burin_rt::kNoPath) + ": sum");
    EXPECT_EQ(one->run(inputs({1, 0}, 2)).explained, status(burin_rt::kNoPath) + ": one");
    EXPECT_EQ(status(one->run(inputs({1, 0}, -1)).status), status(burin_rt::kNoPath));
  }
}

// s = x; `trips` times s = [s, x]: the state of every iteration is larger.
Graph growing(const std::string& trips) {
  return parse_graph(R"(
    graph "g" file "g.onnx" ir 8
    value %0 "x" f32 [2]
    value %1 "trips" i64 [])" +
                     trips + R"(
    value %2 "y" none ?
    value %3 "i" i64 []
    value %4 "go" boolean []
    value %5 "s" none ?
    value %6 "t" none ?
    value %7 "go_on" none ?
    block "g" (%0)" + (trips.empty() ? ", %1" : "") +
                     R"() -> (%2) {
      node 0 "grow" Loop@16 (%1, -, %0) -> (%2) {
        body: block "body" (%3, %4, %5) -> (%7, %6) {
          node 0 "join" Concat@13 (%5, %0) -> (%6) { axis: int 0 }
          node 1 "same" Identity@16 (%4) -> (%7)
        }
      }
    })");
}

TEST(EmittedPaths, LoopsWhoseStateGrows) {
  const HostTensor x = real({2}, {3, 5});
  // The number of trips bounds what the state may become.
  const EmittedProgram program(growing(" = i64 [] {3}"), true);
  program.expect_agrees({x});
  EXPECT_EQ(program.run({x}).outputs.at(0), real({8}, {3, 5, 3, 5, 3, 5, 3, 5}));
  // Where nothing bounds the trips, nothing bounds the state.
  EXPECT_FALSE(EmittedProgram::compiles(growing("")));
}

// Sizes that loops make longer are asked about where data decide, and nowhere else.
TEST(EmittedPaths, LoopsCheckNothingThatIsProven) {
  const std::map<std::string, int> checks = {
      {"fibonacci", 2},       {"filtered", 1},      {"given_sizes", 8},    {"growing_pieces", 6},
      {"grown_in_branch", 1}, {"loop_bounded", 0},  {"rolling_window", 1}, {"shrinks", 0},
      {"steps_kept", 1},      {"trips_of_trips", 2}};
  for (const auto& [name, count] : checks) {
    CompileOptions options;
    options.model = std::string(BURIN_SOURCE_DIR) + "/tests/models/" + name + "/model.onnx";
    options.name = "net";
    const Compiled compiled = compile(options, project_hardware("cpp-generic"));
    const std::string text = emit_tree(compiled.plan).tree.entries().at("src/net.cpp").bytes;
    int found = 0;
    for (size_t at = text.find("kValueOutOfRange"); at != std::string::npos;
         at = text.find("kValueOutOfRange", at + 1))
      ++found;
    EXPECT_EQ(found, count) << name;
    // Loops inside each other count, where something asks, under names of their own.
    EXPECT_EQ(text.find("int64_t executed"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace burin::emitted_paths_test
