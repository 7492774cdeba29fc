// Short rows of bytes beside floats become longer ones, and nothing else does.
#include "select/axes/long_rows.h"

#include "graph_fixture.h"

namespace burin::long_rows_test {
namespace {

Hardware with_lanes(int lanes) {
  Hardware hardware;
  hardware.vector.vector_bytes = 4 * lanes;
  return hardware;
}

// y[c, i, j] = x[c, i, j] * scale[c], of planes that lie so; the number of axes then.
size_t axes_of_product(const Shape& shape, Type type, bool swapped = false) {
  GraphFixture g;
  const Operand x = g.input("x", shape), scale = g.input("scale", {shape[0]});
  const Operand y = g.output("y", swapped ? Shape{shape[0], shape[2], shape[1]} : shape, type);
  KernelBuilder kernel;
  const Index c = kernel.axis(shape[0]), i = kernel.axis(shape[1]), j = kernel.axis(shape[2]);
  const Expr scaled = x.at({c, i, j}) * scale.at({c});
  const Expr value = type == Type::f32
                         ? scaled
                         : Expr::cast(type, Expr::unary(Unary::round, scaled), CastMode::saturate);
  kernel.write(y, swapped ? Indices{c, j, i} : Indices{c, i, j}, value);
  g.kernel("scaled", kernel);
  const Kernel& given = std::get<Kernel>(g.graph.steps[0]);
  const Kernel done = with_long_rows(given, g.graph.values, with_lanes(16));
  // It computes what it did.
  Environment environment;
  const std::vector<HostTensor> inputs = sample_inputs(g.graph, {});
  for (size_t n = 0; n < inputs.size(); ++n) environment.tensors[g.graph.inputs[n]] = inputs[n];
  const auto result = [&](const Kernel& one) {
    Environment own = environment;
    EXPECT_EQ(execute_steps({Step(one)}, g.graph.values, own).status, kRunOk);
    return own.tensor(g.graph.values, g.graph.outputs[0]);
  };
  EXPECT_EQ(result(done), result(given));
  return done.axes.size();
}

TEST(LongRows, ShortRowsOfBytesBecomeLonger) {
  EXPECT_EQ(axes_of_product({6, 14, 14}, Type::u8), 2u);
  EXPECT_EQ(axes_of_product({6, 7, 40}, Type::i8), 2u);
}

TEST(LongRows, OthersStay) {
  EXPECT_EQ(axes_of_product({6, 4, 128}, Type::u8), 3u) << "vectors fill it";
  EXPECT_EQ(axes_of_product({6, 14, 14}, Type::f32), 3u) << "floats alone";
  EXPECT_EQ(axes_of_product({6, 14, 14}, Type::u8, true), 3u) << "an address would be divided";
}

}  // namespace
}  // namespace burin::long_rows_test
