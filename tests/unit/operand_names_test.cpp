// Parameters of kernels are called by what is done with them.
#include "print/operand_names.h"

#include <gtest/gtest.h>

#include "unit/support/kernel_maker.h"

namespace burin::operand_names_test {
namespace {

// A product of quantised numbers, rounded again:
//   sum[i] = sum over j (i32(x[j]) - i32(shift[])) * i32(w[i, j])
//   y[i] = sat(round((f32(sum[i]) * each[i] + offset[i]) / to[]) + f32(to_shift[]))
TEST(OperandNames, AreWhatIsDoneWithThem) {
  GraphMaker g;
  const auto constant = [&](const char* name, Type type, std::vector<Dim> shape) {
    return g.value(name, type, std::move(shape), ValueKind::constant);
  };
  const ValueId x = g.input("x", Type::u8, {4}), shift = constant("shift", Type::u8, {}),
                w = constant("w", Type::i8, {3, 4}), each = constant("each", Type::f32, {3}),
                offset = constant("offset", Type::f32, {3}), to = constant("to", Type::f32, {}),
                to_shift = constant("to_shift", Type::u8, {}), y = g.output("y", Type::u8, {3});
  Kernel kernel;
  const Index i = axis_of(kernel, 3), j = axis_of(kernel, 4);
  const auto in = [&](Type type, ValueId id, std::vector<Index> at) {
    return Expr::cast(type, g.load(id, std::move(at)));
  };
  const Expr product =
      (in(Type::i32, x, {j}) - in(Type::i32, shift, {})) * in(Type::i32, w, {i, j});
  kernel.lets.push_back({{0}, {1}, Combiner::sum, {product}, {Type::i32}});
  const Expr sum = Expr::cast(Type::f32, Expr::let(0, Type::i32, {i}));
  const Expr real = (sum * g.load(each, {i}) + g.load(offset, {i})) / g.load(to, {});
  const Expr shifted = Expr::unary(Unary::round, real) + in(Type::f32, to_shift, {});
  kernel.writes.push_back({{0}, y, {i}, Expr::cast(Type::u8, shifted, CastMode::saturate), {}});

  const std::vector<ValueId> reads = {x, shift, w, each, offset, to, to_shift};
  const std::map<ValueId, std::string> names =
      print::operand_names(kernel, g.graph.values, reads, {y});
  std::vector<std::string> found;
  for (const ValueId id : reads) found.push_back(names.at(id));
  EXPECT_EQ(found, (std::vector<std::string>{"input", "zero_point0", "weights", "scale0", "bias",
                                             "scale1", "zero_point1"}));
  EXPECT_EQ(names.at(y), "output");
}

}  // namespace
}  // namespace burin::operand_names_test
