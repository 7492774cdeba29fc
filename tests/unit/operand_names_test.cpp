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

// What is looked up is computed as elsewhere; what only says where is indices.
TEST(OperandNames, OfATableAreWhatComputesItsPlaces) {
  GraphMaker g;
  const auto constant = [&](const char* name, Type type, std::vector<Dim> shape) {
    return g.value(name, type, std::move(shape), ValueKind::constant);
  };
  const ValueId table = constant("table", Type::f32, {256}), rows = g.input("rows", Type::i64, {3}),
                x = g.input("x", Type::f32, {256}), scale = constant("scale", Type::f32, {}),
                y = g.output("y", Type::f32, {3});
  Kernel kernel;
  const Index i = axis_of(kernel, 3);
  const Index row = Index::data(g.load(rows, {i}).ptr(), {0, 255});
  const Expr place =
      Expr::cast(Type::i64, Expr::unary(Unary::round, g.load(x, {row}) * g.load(scale, {})));
  const Index looked = Index::data(place.ptr(), {0, 255});
  kernel.writes.push_back({{0}, y, {i}, g.load(table, {looked}), {}});
  const std::map<ValueId, std::string> names =
      print::operand_names(kernel, g.graph.values, {table, rows, x, scale}, {y});
  EXPECT_EQ(names.at(table), "constants");
  EXPECT_EQ(names.at(rows), "indices");
  EXPECT_EQ(names.at(x), "input");
  EXPECT_EQ(names.at(scale), "scale");
}

// s[i, j] = sum over d q[i, d] * k[j, d];  z[i] = sum over j exp(s + mask[i, j])
// y[i, e] = sum over j exp(s + mask[i, j]) * v[j, e]
std::map<ValueId, std::string> attention_names(GraphMaker& g, ValueId q, ValueId k, ValueId v,
                                               ValueId mask, ValueId y, bool exponents) {
  Kernel kernel;
  const Index i = axis_of(kernel, 3), j = axis_of(kernel, 4), d = axis_of(kernel, 5),
              e = axis_of(kernel, 5);
  kernel.lets.push_back(
      {{0, 1}, {2}, Combiner::sum, {g.load(k, {j, d}) * g.load(q, {i, d})}, {Type::f32}});
  const Expr score = Expr::let(0, Type::f32, {i, j}) + g.load(mask, {i, j});
  const Expr weight = exponents ? Expr::unary(Unary::exp, score) : score;
  kernel.lets.push_back({{0, 3}, {1}, Combiner::sum, {weight * g.load(v, {j, e})}, {Type::f32}});
  kernel.writes.push_back({{0, 3}, y, {i, e}, Expr::let(1, Type::f32, {i, e}), {}});
  std::vector<ValueId> reads = {q, k, v, mask};
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return print::operand_names(kernel, g.graph.values, reads, {y});
}

TEST(OperandNames, OfAttentionAreItsRoles) {
  GraphMaker g;
  const ValueId q = g.input("a", Type::f32, {3, 5}), k = g.input("b", Type::f32, {4, 5}),
                v = g.input("c", Type::f32, {4, 5}), mask = g.input("d", Type::f32, {3, 4}),
                y = g.output("y", Type::f32, {3, 5});
  using Names = std::map<ValueId, std::string>;
  EXPECT_EQ(attention_names(g, q, k, v, mask, y, true),
            (Names{{q, "queries"}, {k, "keys"}, {v, "values"}, {mask, "mask"}, {y, "output"}}));
  EXPECT_EQ(attention_names(g, q, k, k, mask, y, true),
            (Names{{q, "queries"}, {k, "keys_values"}, {mask, "mask"}, {y, "output"}}));
  // Two products behind each other are none.
  EXPECT_EQ(attention_names(g, q, k, v, mask, y, false),
            (Names{{q, "input0"}, {k, "input1"}, {v, "input2"}, {mask, "input3"}, {y, "output"}}));
}

}  // namespace
}  // namespace burin::operand_names_test
