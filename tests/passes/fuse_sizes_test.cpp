// Sizes of the device and their checks that one kernel finds.
#include <functional>

#include "graph_fixture.h"
#include "hardware/load.h"
#include "select/joint/device_sizes.h"

namespace burin::fuse_sizes_test {
namespace {

Hardware device() {
  return load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/nvidia-h200.json");
}

Symbol size_named(const std::string& name, int64_t most) {
  return std::make_shared<SymbolInfo>(SymbolInfo{name, SymbolOrigin::run, 0, most});
}

// Numbers that a kernel makes of the input; sizes read from them, each checked and used by the
// next; y has 1 in as many columns as each says.
struct Sized {
  GraphFixture g;
  Operand x = g.input("x", {4}, Type::i64), numbers = g.value("numbers", {4}, Type::i64),
          y = g.output("y", {3, 16});
  Symbol a = size_named("a", 16), b = size_named("b", 16), c = size_named("c", 16);

  // `between`: what stands behind the first check.
  explicit Sized(const std::function<void(Sized&)>& between = {}) {
    g.map("Numbers", numbers,
          [&](const Indices& at) { return x.at(at) + Expr::constant(Type::i64, 0); });
    g.map("Rest", y, [](const Indices&) { return Expr::constant(Type::f32, 0.0); });
    bind(a, numbers.at({0}));
    check(a, 9);
    if (between) between(*this);
    // An element whose place is a size that was checked.
    const Index place = min(Index::symbol(a), 3);
    bind(b, Expr::load(numbers.value(), Type::i64, {place}) + Expr::index(Index::symbol(a)));
    check(b, 12);
    bind(c, Expr::index(Index::symbol(b) - Index::symbol(a)));
    check(c, 5);
    fill(0, a);
    fill(1, b);
    fill(2, c);
  }

  void bind(const Symbol& to, const Expr& value) {
    g.graph.steps.emplace_back(Bind{to, value, {}});
  }
  void check(const Symbol& of, int64_t below) {
    g.graph.steps.emplace_back(Check{{{Index::symbol(of), 0, below}}, of->name + " fits", {}});
  }
  void fill(int64_t row, const Symbol& size) {
    KernelBuilder kernel;
    kernel.write(y, {Index(row), kernel.axis(Index::symbol(size))}, Expr::constant(Type::f32, 1.0));
    g.kernel("Fill" + std::to_string(row), kernel);
  }
};

struct Joined {
  KernelGraph apart, joint;
  DeviceSizes sizes;
};
Joined joined(const KernelGraph& graph) {
  Joined out;
  out.apart = find_sizes_on_device(graph, out.sizes, device());
  out.joint = fuse_size_kernels(out.apart, out.sizes, device());
  check_kernel_graph(out.joint);
  return out;
}

int kernels_of_sizes(const Joined& of) {
  int count = 0;
  for_each_kernel(of.joint.steps, [&](const Kernel& kernel) {
    for (const ValueId id : writes_of(Step(kernel))) count += of.sizes.place_of(id) >= 0;
  });
  return count;
}

HostTensor numbers(const std::vector<int64_t>& of) {
  HostTensor out = make_tensor(Type::i64, {static_cast<int64_t>(of.size())});
  for (size_t i = 0; i < of.size(); ++i) out.set(static_cast<int64_t>(i), {0, of[i]});
  return out;
}

void expect_same_runs(const KernelGraph& graph, const Joined& of) {
  int fine = 0, failed = 0;
  for (const std::vector<int64_t>& input : {std::vector<int64_t>{2, 1, 3, 0},
                                            {0, 0, 0, 0},
                                            {8, 1, 1, 4},
                                            {9, 1, 1, 1},
                                            {1, 12, 1, 1},
                                            {1, 5, 0, 0},
                                            {-1, 0, 0, 0},
                                            {3, 0, 0, -4},
                                            {1, 2, 0, 0},
                                            {2, 0, 4, 0}}) {
    const RunResult a = interpret(graph, {numbers(input)}, {}),
                    b = interpret(of.joint, {numbers(input)}, {});
    EXPECT_EQ(a.status, b.status) << a.message << "; " << b.message;
    EXPECT_EQ(a.outputs, b.outputs);
    ++(a.status == kRunOk ? fine : failed);
  }
  EXPECT_GT(fine, 2);
  EXPECT_GT(failed, 2);
}

TEST(FuseSizes, ConsecutiveSizesAndChecksAreOneKernel) {
  const Sized one;
  Joined of = joined(one.g.graph);
  ASSERT_EQ(of.sizes.sizes.size(), 6u);
  EXPECT_EQ(kernels_of_sizes(of), 1);
  EXPECT_EQ(count_kernels(of.joint), count_kernels(of.apart) - 5);
  for (size_t i = 0; i < of.sizes.sizes.size(); ++i) {
    EXPECT_EQ(of.sizes.sizes[i].at, static_cast<int64_t>(2 * i));
    EXPECT_EQ(of.sizes.place_of(of.sizes.sizes[i].value), 0);
  }
  expect_same_runs(one.g.graph, of);
}

TEST(FuseSizes, WhatWritesBetweenThemKeepsThemApart) {
  // Half of the numbers are written behind the first check.
  const Sized one([](Sized& of) {
    KernelBuilder kernel;
    const Index i = kernel.axis(2);
    kernel.write(of.numbers, {i + 2}, of.x.at({i + 2}) + Expr::constant(Type::i64, 1));
    of.g.kernel("Again", kernel);
  });
  const Joined of = joined(one.g.graph);
  EXPECT_EQ(kernels_of_sizes(of), 2);
  expect_same_runs(one.g.graph, of);
}

TEST(FuseSizes, AKernelHasRoomForItsArguments) {
  const Sized one;
  Hardware small = device();
  small.opencl.parameter_bytes_max = 16;
  DeviceSizes sizes;
  const KernelGraph apart = find_sizes_on_device(one.g.graph, sizes, small);
  EXPECT_EQ(count_kernels(fuse_size_kernels(apart, sizes, small)), count_kernels(apart));
}

TEST(FuseSizes, GatesAndTheirChecker) {
  const Sized one;
  Joined of = joined(one.g.graph);
  std::map<StepId, KernelSchedule> kernels;
  of.joint = with_step_ids(std::move(of.joint));
  for (const StepId step : run_order(of.joint.steps)) kernels[step] = {};
  decide_device_sizes(of.sizes, of.joint, kernels, {});
  EXPECT_EQ(check_device_sizes(of.sizes, of.joint, kernels), "");
  EXPECT_EQ(of.sizes.gates.size(), 3u) << "what fills y";
  // A size behind a check that does not look at the flag.
  for (Step& step : of.joint.steps) {
    auto* kernel = std::get_if<Kernel>(&step);
    if (!kernel || kernel->lets.size() < 3) continue;
    // Stands behind a check of its own, as if it had been moved.
    kernel->lets[2].body[0] = kernel->lets[2].body[0]->cases[0].value;
    const Kernel moved = *kernel;
    step = Check{{}, "nothing", {}};
    of.joint.steps.insert(of.joint.steps.end() - 3, moved);
    break;
  }
  of.joint = with_step_ids(std::move(of.joint));
  for (const StepId step : run_order(of.joint.steps)) kernels.emplace(step, KernelSchedule{});
  decide_device_sizes(of.sizes, of.joint, kernels, {});
  EXPECT_NE(check_device_sizes(of.sizes, of.joint, kernels), "");
}

}  // namespace
}  // namespace burin::fuse_sizes_test
