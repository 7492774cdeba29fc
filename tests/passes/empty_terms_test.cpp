// Terms of sums that are zero for every result are gone, and no others.
#include "fuse/algebra/empty_terms.h"

#include "far_convolution.h"
#include "kernel/interpreter/interpreter.h"

namespace burin::empty_terms_test {
namespace {

struct Sum {
  std::vector<int64_t> extents;  // of the axes that are summed
  bool has_conditions = false;
};

// What is left of the sum, which gives the same results.
Sum left_of(const FarPlane& plane) {
  const KernelGraph before = far_convolution(plane), after = without_empty_terms(before);
  check_kernel_graph(after);
  std::vector<HostTensor> inputs = sample_inputs(before, {});
  for (HostTensor& tensor : inputs) {
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {static_cast<double>((i * 5 + i / 3) % 11 - 5), 0});
  }
  const RunResult wanted = interpret(before, inputs, {}), got = interpret(after, inputs, {});
  EXPECT_EQ(got.status, kRunOk) << got.message;
  EXPECT_EQ(got.outputs, wanted.outputs);
  const auto& kernel = std::get<Kernel>(after.steps[0]);
  Sum out;
  for (const int axis : kernel.lets[0].reduced)
    out.extents.push_back(kernel.axes[static_cast<size_t>(axis)].extent.constant());
  visit(kernel.lets[0].body[0], [&](const ExprNode& node) {
    out.has_conditions = out.has_conditions || node.kind == ExprKind::cases;
  });
  return out;
}

TEST(EmptyTerms, TapsThatMeetMarginsOnlyAreGone) {
  // All but the tap in the middle, whose conditions always hold.
  const Sum middle = left_of({1, 5, 3, 9, 9, 3, 12, 1, 12});
  EXPECT_EQ(middle.extents, std::vector<int64_t>{5});
  EXPECT_FALSE(middle.has_conditions);
  // A filter on a plane of one pixel.
  EXPECT_EQ(left_of({1, 5, 3, 1, 1, 3, 1, 1, 1}).extents, std::vector<int64_t>{5});
  EXPECT_EQ(left_of({1, 5, 3, 9, 9, 3, 12, 1, 12, true}).extents, std::vector<int64_t>{5});
  // The three in the middle of five.
  const Sum three = left_of({1, 4, 3, 9, 9, 5, 6, 1, 12});
  EXPECT_EQ(three.extents, (std::vector<int64_t>{4, 3, 3}));
  EXPECT_TRUE(three.has_conditions);
}

TEST(EmptyTerms, TapsThatOneResultMeetsStay) {
  // The last pixel alone meets the first tap.
  EXPECT_EQ(left_of({1, 5, 3, 9, 9, 3, 8, 1, 8}).extents, (std::vector<int64_t>{5, 3, 3}));
  EXPECT_EQ(left_of({1, 5, 3, 9, 9, 3, 1, 1, 1}).extents, (std::vector<int64_t>{5, 3, 3}));
  // With a stride no result lies there.
  EXPECT_EQ(left_of({1, 5, 3, 10, 10, 3, 9, 2, 9}).extents, (std::vector<int64_t>{5, 2, 2}));
}

// What a tensor of the run is multiplied by counts, zeros too: it may hold NaN.
TEST(EmptyTerms, ProductsOfTwoTensorsStay) {
  GraphFixture g;
  const Operand x = g.input("x", {4}), w = g.input("w", {3}), y = g.output("y", {4});
  KernelBuilder kernel;
  const Index i = kernel.axis(4), k = kernel.reduce_axis(3);
  const Index place = i + k * 8 - 8;
  const Expr tap = Expr::cases({{{{place, 0, 4}}, x.at({place})}}, x.zero());
  kernel.write(y, {i}, kernel.reduce(Combiner::sum, {k}, tap * w.at({k})));
  g.kernel("Product", kernel);
  EXPECT_EQ(std::get<Kernel>(without_empty_terms(g.graph).steps[0]),
            std::get<Kernel>(g.graph.steps[0]));
}

// The only axis of a sum keeps a point, and a sum of zeros its form.
TEST(EmptyTerms, ASumKeepsAnAxis) {
  GraphFixture g;
  const Operand x = g.input("x", {4}), y = g.output("y", {4});
  KernelBuilder kernel;
  const Index i = kernel.axis(4), k = kernel.reduce_axis(3);
  const Index place = i + k * 8 - 8;
  kernel.write(
      y, {i},
      kernel.reduce(Combiner::sum, {k}, Expr::cases({{{{place, 0, 4}}, x.at({place})}}, x.zero())));
  g.kernel("Sum", kernel);
  const KernelGraph after = without_empty_terms(g.graph);
  EXPECT_EQ(std::get<Kernel>(after.steps[0]).lets[0].reduced.size(), 1U);
  check_kernel_graph(after);
}

}  // namespace
}  // namespace burin::empty_terms_test
