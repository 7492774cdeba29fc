// Constants that a product has in panels and that others take single elements of.
#include <set>

#include "fuse/constants/unpack.h"
#include "graph_fixture.h"
#include "select/choose.h"
#include "small_hardware.h"

namespace burin::tied_constants_test {
namespace {

// Half of the second cache is `near` bytes.
Hardware machine(int64_t near) { return small_hardware({{1024, 4, 64, 1}, {2 * near, 12, 32, 1}}); }

Operand stored(GraphFixture& g, const std::string& name, Type type,
               const std::vector<int64_t>& shape, int64_t lo, int64_t span) {
  const Operand operand = g.constant(name, shape);
  HostTensor tensor = make_tensor(type, shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const int64_t number = lo + (i * 7 + i / 5) % span;
    tensor.set(i, {static_cast<double>(number) / 8, number});
  }
  Value& value = g.graph.values[static_cast<size_t>(operand.value())];
  value.type = type;
  value.constant = to_constant(tensor);
  return Operand(operand.value(), type, operand.shape());
}

Expr as_float(const Expr& expr) { return Expr::cast(Type::f32, expr); }

// A table of 180 rows that a map takes rows of and a product multiplies by; `both`: one kernel
// does. `through`: the product casts its elements to this first.
GraphFixture tied(Type type, bool both, Type through = Type::f32) {
  GraphFixture g;
  const Operand q = stored(g, "q", type, {180, 24}, -8, 16),
                place = g.input("place", {3}, Type::i64), z = g.output("z", {3, 180});
  const auto taken = [&](const Index& m, const Index& k) {
    const Expr row = Expr::binary(Binary::bit_and, place.at({m}), Expr::constant(Type::i64, 127));
    return as_float(q.at({Index::data(row.ptr(), {0, 127}), k})) * 0.5;
  };
  Operand rows;
  if (!both) {
    rows = g.output("rows", {3, 24});
    g.map("Gather", rows, [&](const Indices& at) { return taken(at[0], at[1]); });
  }
  const Operand x = g.input("x", {3, 24});
  KernelBuilder kernel;
  const Index m = kernel.axis(3), n = kernel.axis(180), k = kernel.reduce_axis(24);
  const Expr factor = both ? x.at({m, k}) + taken(m, k) : x.at({m, k});
  kernel.write(
      z, {m, n},
      kernel.reduce(Combiner::sum, {k}, factor * as_float(Expr::cast(through, q.at({n, k})))));
  g.kernel("Product", kernel);
  return g;
}

// Panels of a product are what maps take single elements of, whatever numbers are stored how.
TEST(TiedConstants, TablesOfTwoReadersAreThereOnce) {
  for (const Type type : {Type::f4e2m1, Type::i4, Type::i8, Type::f16, Type::f32}) {
    for (const bool both : {false, true}) {
      for (const int64_t near : {int64_t{4096}, int64_t{1} << 20}) {
        const GraphFixture g = tied(type, both);
        const LoopPlans chosen = choose_loops(unpack_nibbles(g.graph), machine(near));
        expect_same(g.graph, chosen.graph);
        std::set<ValueId> read;
        for (const auto& [step, plan] : chosen.plans) {
          for (const ValueId id : reads_of(plan.kernel)) read.insert(id);
        }
        int64_t bytes = 0;
        for (const ValueId id : read) {
          const Value& value = chosen.graph.values[static_cast<size_t>(id)];
          if (value.kind == ValueKind::constant)
            bytes += static_cast<int64_t>(value.constant.bytes);
        }
        const int64_t stored = size_bytes(type, 180 * 24), floats = size_bytes(Type::f32, 180 * 24);
        const bool small = near > 4096 && stored <= 8192 && type != Type::f16;
        EXPECT_LE(bytes, (small ? floats + 2 * stored : stored) + 64)
            << to_string(type) << both << near;
      }
    }
  }
}

// What a product makes of a table's numbers may be others: then rows are of the table itself.
TEST(TiedConstants, CastsThatLoseSomethingAreNotTakenBack) {
  for (const auto& [type, through] : {std::pair{Type::f16, Type::i32},
                                      {Type::f16, Type::i64},
                                      {Type::bf16, Type::i32},
                                      {Type::f16, Type::bf16},
                                      {Type::bf16, Type::f16},
                                      {Type::i16, Type::bf16},
                                      {Type::i16, Type::i8},
                                      {Type::i32, Type::f32},
                                      {Type::i8, Type::u8}}) {
    for (const bool both : {false, true}) {
      for (const int64_t near : {int64_t{4096}, int64_t{1} << 20}) {
        const GraphFixture g = tied(type, both, through);
        expect_same(g.graph, choose_loops(unpack_nibbles(g.graph), machine(near)).graph);
      }
    }
  }
}

}  // namespace
}  // namespace burin::tied_constants_test
