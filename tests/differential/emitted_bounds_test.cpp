// Dynamic sizes, bounded by the user: --dim with a name of the run, loops that may
// not end, capacities below the upper bound, and nothing where nothing is needed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "differential/support/emitted.h"
#include "differential/support/emitted_run.h"
#include "runtime_min/status.h"
#include "support/diagnostics.h"
#include "support/onnx_writer.h"

namespace burin::emitted_bounds_test {
namespace {

namespace w = onnx_writer;
using onnx_writer::Message;
using Integers = std::vector<int64_t>;

HostTensor whole(Integers shape, const Integers& numbers) {
  return make_tensor(Type::i64, std::move(shape), numbers);
}
HostTensor real(Integers shape, const std::vector<double>& numbers) {
  return make_tensor(Type::f32, std::move(shape), numbers);
}

std::string status(int32_t code) { return burin_rt::status_text(code); }

const std::string at_its_bound = status(burin_rt::kIterationLimit) + ": /net/loop.1";

// total = start, and while go: total += total, all[i] = total; go on while total < limit (or, with
// `forever`, for ever).
std::string loop_model(bool with_trips, bool stacks, bool forever) {
  w::GraphParts body{
      .nodes = {w::node("Add", {"s", "s"}, {"s2"}), w::node("Less", {"s2", "limit"}, {"go2"}),
                w::node("Identity", {"s2"}, {"each"})},
      .initializers = {},
      .inputs = {w::value("i", w::kInt64, {}), w::value("go", w::kBool, {}),
                 w::value("s", w::kFloat, {})},
      .outputs = {w::value(forever ? "go" : "go2", w::kBool, {}), w::value("s2", w::kFloat, {})}};
  if (stacks) body.outputs.push_back(w::value("each", w::kFloat, {}));
  w::GraphParts parts{
      .nodes = {w::node("Loop", {with_trips ? "trips" : "", "", "start"},
                        stacks ? w::Names{"total", "all"} : w::Names{"total"},
                        {w::graph_attribute("body", w::graph(body))}, "/net/loop.1")},
      .initializers = {},
      .inputs = {w::value("start", w::kFloat, {}), w::value("limit", w::kFloat, {})},
      .outputs = {Message().text(1, "total")}};
  if (with_trips) parts.inputs.push_back(w::value("trips", w::kInt64, {}));
  if (stacks) parts.outputs.push_back(Message().text(1, "all"));
  return w::model(w::graph(parts)).bytes();
}

std::string refusal_of(const std::string& model, const std::vector<std::string>& dims = {}) {
  try {
    EmittedProgram program(model, dims);
  } catch (const Refused& refused) {
    return refused.diagnostics.at(0).rule + ": " + refused.diagnostics.at(0).hint;
  }
  return "";
}

TEST(EmittedBounds, TripsOfTheCallerAreBoundedByName) {
  const std::string model = loop_model(true, true, false);
  EXPECT_EQ(refusal_of(model),
            "unbounded-size: give a bound with --dim 'trips=0..1024' or another end");
  for (const char* bound : {"trips=0..4", "trips=..4"}) {
    const EmittedProgram program(model, {bound});
    const auto run = [&](int64_t trips, const Integers& capacities = {}) {
      return program.run({real({}, {1}), real({}, {100}), whole({}, {trips})}, capacities);
    };
    EXPECT_EQ(run(3).status, 0);
    EXPECT_EQ(run(3).outputs.at(1), real({3}, {2, 4, 8}));
    EXPECT_EQ(run(0).outputs.at(1), real({0}, {}));
    EXPECT_EQ(status(run(5).status), status(burin_rt::kValueOutOfRange));
    // A capacity below the bound is enough where it is; too little is a status.
    EXPECT_EQ(run(3, {1, 3}).status, 0);
    EXPECT_EQ(status(run(3, {1, 2}).status), status(burin_rt::kCapacityExceeded));
    EXPECT_EQ(run(0, {1, 0}).status, 0);
  }
  EXPECT_EQ(refusal_of(model, {"trip=..4"}).substr(0, 6), "symbol");
}

TEST(EmittedBounds, LoopsThatOnlyTheirConditionEnds) {
  const std::string endless = loop_model(false, false, true);
  EXPECT_EQ(refusal_of(endless), "unbounded-loop: give the loop a trip count");
  const EmittedProgram open(loop_model(false, false, false));
  EXPECT_EQ(open.run({real({}, {1}), real({}, {100})}).outputs.at(0), real({}, {128}));

  const std::string stacked = loop_model(false, true, false);
  EXPECT_EQ(
      refusal_of(stacked),
      "dynamic-shape: give a bound with --dim 'net_loop_1_trip_count=0..1024' or another end");
  const EmittedProgram bounded(stacked, {"net_loop_1_trip_count=..5"});
  const RunOutcome outcome = bounded.run({real({}, {1}), real({}, {10})});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.outputs.at(1), real({4}, {2, 4, 8, 16}));
  EXPECT_EQ(bounded.run({real({}, {1}), real({}, {1000})}).explained, at_its_bound);
  // One that cannot end by itself ends at its bound, with a status.
  const EmittedProgram stopped(endless, {"net_loop_1_trip_count=..5"});
  const RunOutcome beyond = stopped.run({real({}, {1}), real({}, {10})});
  EXPECT_EQ(status(beyond.status), status(burin_rt::kIterationLimit));
  EXPECT_EQ(beyond.explained, at_its_bound);
  // The bound is the loop's last iteration: one that ends with it has ended.
  EXPECT_EQ(bounded.run({real({}, {1}), real({}, {32})}).status, 0);
}

// i = start; do { all[t] = i; i += step; } while (i CONDITION limit).
std::string counting_loop(const char* condition, int64_t start, int64_t step) {
  const w::GraphParts body{
      .nodes = {w::node("Add", {"i", "step"}, {"i2"}), w::node(condition, {"i2", "limit"}, {"go2"}),
                w::node("Identity", {"i"}, {"each"})},
      .initializers = {},
      .inputs = {w::value("t", w::kInt64, {}), w::value("go", w::kBool, {}),
                 w::value("i", w::kInt64, {})},
      .outputs = {w::value("go2", w::kBool, {}), w::value("i2", w::kInt64, {}),
                  w::value("each", w::kInt64, {})}};
  const w::GraphParts parts{
      .nodes = {w::node("Loop", {"", "", "start"}, {"end", "all"},
                        {w::graph_attribute("body", w::graph(body))}, "/net/loop.1")},
      .initializers = {w::integer("start", start), w::integer("step", step)},
      .inputs = {w::value("limit", w::kInt64, {})},
      .outputs = {Message().text(1, "end"), Message().text(1, "all")}};
  return w::model(w::graph(parts)).bytes();
}

// A bound of what is counted to is one of the trips.
TEST(EmittedBounds, CountersBoundTheTrips) {
  const std::string up = counting_loop("Less", 0, 1);
  EXPECT_EQ(refusal_of(up),
            "unbounded-size: give a bound with --dim 'net_loop_1_limit=0..1024' or another end");
  const EmittedProgram program(up, {"net_loop_1_limit=..5"});
  const auto all = [&](int64_t limit) { return program.run({whole({}, {limit})}).outputs.at(1); };
  EXPECT_EQ(all(5), whole({5}, {0, 1, 2, 3, 4}));
  EXPECT_EQ(all(1), whole({1}, {0}));
  EXPECT_EQ(all(-7), whole({1}, {0}));
  EXPECT_EQ(status(program.run({whole({}, {6})}).status), status(burin_rt::kValueOutOfRange));
  const EmittedProgram threes(counting_loop("LessOrEqual", -2, 3), {"net_loop_1_limit=..5"});
  EXPECT_EQ(threes.run({whole({}, {4})}).outputs.at(1), whole({3}, {-2, 1, 4}));
  EXPECT_EQ(threes.run({whole({}, {5})}).outputs.at(1), whole({3}, {-2, 1, 4}));
}

// What is counted away from, or down to a number of the run, bounds none.
TEST(EmittedBounds, OtherCountersDoNot) {
  const std::string asked =
      "dynamic-shape: give a bound with --dim 'net_loop_1_trip_count=0..1024' or another end";
  EXPECT_EQ(refusal_of(counting_loop("Less", 0, -1)), asked);
  EXPECT_EQ(refusal_of(counting_loop("Less", 0, 0)), asked);
  EXPECT_EQ(refusal_of(counting_loop("Greater", 0, 1)), asked);
  EXPECT_EQ(refusal_of(counting_loop("Greater", 9, -1)), asked);
}

TEST(EmittedBounds, LoopsEndAtTheirBoundOnADevice) {
  const EmittedProgram program(
      loop_model(false, false, false),
      EmittedOptions{.dims = {"net_loop_1_trip_count=..5"}, .hardware = "pocl", .sanitize = false});
  EXPECT_EQ(program.run({real({}, {1}), real({}, {30})}).outputs.at(0), real({}, {32}));
  EXPECT_EQ(program.run({real({}, {1}), real({}, {1000})}).explained, at_its_bound);
}

// The count of its iterations is a number that no size and no step asks for.
TEST(EmittedBounds, LoopsOfNoTrips) {
  const EmittedProgram program(loop_model(true, true, false), {"trips=0"});
  const RunOutcome outcome = program.run({real({}, {1}), real({}, {100}), whole({}, {0})});
  EXPECT_EQ(status(outcome.status), status(0));
  EXPECT_EQ(outcome.outputs.at(0), real({}, {1}));
  EXPECT_EQ(outcome.outputs.at(1), real({0}, {}));
}

TEST(EmittedBounds, ASizeThatTheUserFixesIsCheckedByTheRun) {
  const EmittedProgram program(loop_model(true, true, false), {"trips=3"});
  EXPECT_EQ(program.run({real({}, {1}), real({}, {100}), whole({}, {3})}).status, 0);
  EXPECT_EQ(status(program.run({real({}, {1}), real({}, {100}), whole({}, {2})}).status),
            status(burin_rt::kValueOutOfRange));
}

TEST(EmittedBounds, CapacitiesBelowTheBound) {
  const w::GraphParts parts{
      .nodes = {w::node("NonZero", {"x"}, {"places"}, {}, "find"),
                w::node("Compress", {"x", "wanted"}, {"some"}, {}, "keep"),
                w::node("Neg", {"some"}, {"minus"})},
      .initializers = {},
      .inputs = {w::value("x", w::kFloat, {6}), w::value("wanted", w::kBool, {6})},
      .outputs = {Message().text(1, "places"), Message().text(1, "minus")}};
  const EmittedProgram program(w::model(w::graph(parts)).bytes());
  const HostTensor x = real({6}, {0, 5, 0, 7, 0, 0});
  const HostTensor wanted = make_tensor(Type::boolean, {6}, Integers{0, 1, 1, 1, 0, 0});
  const RunOutcome outcome = program.run({x, wanted}, {2, 3});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.outputs.at(0), whole({1, 2}, {1, 3}));
  EXPECT_EQ(outcome.outputs.at(1), real({3}, {-5, -0.0, -7}));
  EXPECT_EQ(status(program.run({x, wanted}, {1, 3}).status), status(burin_rt::kCapacityExceeded));
  EXPECT_EQ(status(program.run({x, wanted}, {2, 2}).status), status(burin_rt::kCapacityExceeded));
  // A user who knows more says so: the memory shrinks, and the run checks it.
  const EmittedProgram smaller(w::model(w::graph(parts)).bytes(),
                               {"keep_count=..3", "find_count=..2"});
  EXPECT_EQ(smaller.run({x, wanted}).outputs, outcome.outputs);
  EXPECT_EQ(status(smaller.run({real({6}, {1, 1, 1, 0, 0, 0}), wanted}).status),
            status(burin_rt::kCapacityExceeded));
  const HostTensor all = make_tensor(Type::boolean, {6}, Integers{1, 1, 1, 1, 1, 1});
  EXPECT_EQ(status(smaller.run({x, all}).status), status(burin_rt::kValueOutOfRange));
}

// What is counted never leaves its place, however much more than the user says there is. (The
// program runs under AddressSanitizer, with an arena that is no larger than asked for.)
TEST(EmittedBounds, MoreThanAUserSaysThereIs) {
  for (const std::string op : {"NonZero", "Unique", "Compress"}) {
    std::vector<std::string> inputs = {"x"};
    if (op == "Compress") inputs.push_back("wanted");
    const w::GraphParts parts{
        .nodes = {w::node(op, inputs, {"some"}, {}, "found"),
                  w::node("Cast", {"some"}, {"real"}, {w::integer_attribute("to", 1)}),
                  w::node("ReduceSum", {"real"}, {"y"}, {w::integer_attribute("keepdims", 0)})},
        .initializers = {},
        .inputs = {w::value("x", w::kFloat, {"n"}), w::value("wanted", w::kBool, {"n"})},
        .outputs = {Message().text(1, "y")}};
    const std::string model = w::model(w::graph(parts)).bytes();
    for (const std::string hardware : {"cpp-generic", "pocl"}) {
      const EmittedProgram program(model, EmittedOptions{.dims = {"n=1..2000", "found_count=..4"},
                                                         .hardware = hardware.c_str(),
                                                         .sanitize = hardware != "pocl"});
      for (const int64_t n : {3, 4, 5, 70, 2000}) {
        HostTensor x = make_tensor(Type::f32, {n}), wanted = make_tensor(Type::boolean, {n});
        for (int64_t i = 0; i < n; ++i) {
          x.set(i, {static_cast<double>(i + 1), 0});
          wanted.set(i, {0, 1});
        }
        EXPECT_EQ(status(program.run({x, wanted}).status),
                  status(n <= 4 ? burin_rt::kOk : burin_rt::kValueOutOfRange))
            << op << " of " << n << " on " << hardware;
      }
    }
  }
}

// The same of a size that is computed, on a device that finds it.
TEST(EmittedBounds, MoreThanAUserSaysIsComputed) {
  const w::GraphParts parts{
      .nodes = {w::node("Range", {"zero", "limit", "one"}, {"count"}, {}, "counted"),
                w::node("Mul", {"count", "two"}, {"y"})},
      .initializers = {w::raw_tensor("zero", w::kFloat, {}, std::string(4, '\0')),
                       w::raw_tensor("one", w::kFloat, {}, std::string("\x00\x00\x80\x3f", 4)),
                       w::raw_tensor("two", w::kFloat, {}, std::string("\x00\x00\x00\x40", 4))},
      .inputs = {w::value("limit", w::kFloat, {})},
      .outputs = {Message().text(1, "y")}};
  const std::string model = w::model(w::graph(parts)).bytes();
  for (const std::string hardware : {"cpp-generic", "pocl"}) {
    const EmittedProgram program(model, EmittedOptions{.dims = {"counted_count=..4"},
                                                       .hardware = hardware.c_str(),
                                                       .sanitize = hardware != "pocl"});
    for (const double limit : {3.0, 4.0, 5.0, 70.0, 100000.0})
      EXPECT_EQ(status(program.run({real({}, {limit})}).status),
                status(limit <= 4 ? burin_rt::kOk : burin_rt::kValueOutOfRange))
          << limit << " on " << hardware;
  }
}

// The same of the caller's room, on a device.
TEST(EmittedBounds, MoreThanTheCallerHasRoomFor) {
  for (const std::string op : {"NonZero", "Unique"}) {
    const w::GraphParts parts{.nodes = {w::node(op, {"x"}, {"some"}, {}, "found")},
                              .initializers = {},
                              .inputs = {w::value("x", w::kFloat, {"n"})},
                              .outputs = {Message().text(1, "some")}};
    const EmittedProgram program(
        w::model(w::graph(parts)).bytes(),
        EmittedOptions{.dims = {"n=1..2000"}, .hardware = "pocl", .sanitize = false});
    for (const int64_t n : {4, 5, 70, 2000}) {
      HostTensor x = make_tensor(Type::f32, {n});
      for (int64_t i = 0; i < n; ++i) x.set(i, {static_cast<double>(i + 1), 0});
      EXPECT_EQ(status(program.run({x}, {4}).status),
                status(n <= 4 ? burin_rt::kOk : burin_rt::kCapacityExceeded))
          << op << " of " << n;
    }
  }
}

// What holds nothing may be null; what holds something may not.
TEST(EmittedBounds, NullWhereNothingIsHeld) {
  const ScratchFolder scratch;
  const std::string model = scratch.path() + "/model.onnx", tree = scratch.path() + "/tree";
  w::GraphParts parts = w::relu_parts();
  parts.nodes.push_back(w::node("NonZero", {"y"}, {"places"}));
  parts.outputs.push_back(Message().text(1, "places"));
  parts.name = "net";
  std::ofstream(model, std::ios::binary) << w::model(w::graph(parts)).bytes();
  const std::string program = scratch.path() + "/main";
  std::ofstream(program + ".c") << R"(#include <stdio.h>
#include "net.h"
static unsigned char arena[4096] __attribute__((aligned(64)));
static net_context context;
static int run(long n, const float* x, float* y, int64_t* places, long room) {
  const net_dims dims = {n};
  const net_inputs inputs = {x};
  net_outputs outputs = {0};
  outputs.y = y;
  outputs.places = places;
  outputs.places_capacity = room;
  if (net_init(&context, arena, sizeof arena, 0, 0) != 0) return 100;
  return net_run(&context, &dims, &inputs, &outputs);
}
int main(void) {
  float x[4] = {0}, y[4];
  int64_t places[8];
  printf("%d %d %d %d %d\n", run(0, 0, 0, 0, 0), run(1, x, y, 0, 0), run(1, 0, y, places, 8),
         run(1, x, 0, places, 8), run(1, x, y, 0, 8));
  char line[100];
  x[0] = 1;
  run(1, x, y, places, 1);
  net_explain(&context, run(9, x, y, places, 8), line, sizeof line);
  puts(line);
  size_t length = net_explain(&context, run(1, x, y, places, 1), line, 30);
  printf("%s %d\n", line, (int)length);
  return 0;
}
)";
  ASSERT_EQ(run_process({BURIN_PROGRAM, "generate", model, "--config",
                         std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json", "-o", tree,
                         "--name", "net", "--dim", "N=0..8"},
                        60)
                .exit_code,
            0);
  std::vector<std::string> command = {"c++",
                                      "-std=c++17",
                                      "-fsanitize=address,undefined",
                                      "-I",
                                      tree + "/include",
                                      "-I",
                                      tree + "/src",
                                      "-o",
                                      program};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tree + "/src")) {
    if (entry.path().extension() == ".cpp") command.push_back(entry.path());
  }
  command.push_back(program + ".c");
  const ProcessResult built = run_process(command, 120);
  ASSERT_EQ(built.exit_code, 0) << built.output;
  const std::string null = std::to_string(burin_rt::kNullArgument);
  EXPECT_EQ(run_process({program}, 60).output,
            "0 0 " + null + " " + null + " " + null + "\n" +
                "a dimension is outside its declared range: N is 9, not from 0 to 8\n" +
                "an output does not fit its ca 43\n");
}

}  // namespace
}  // namespace burin::emitted_bounds_test
