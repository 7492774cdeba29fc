// Pools of bytes by one call a plane, on the description that has the rows: what is planned and its
// program give what the kernel says by its definition, in every element.
#include <algorithm>

#include "passes/support/drawn_bytes.h"
#include "select/bytes/pool_schedule.h"

namespace burin::pools_test {
namespace {

using namespace drawn_bytes;

struct Pool {
  int64_t taps[2] = {2, 2}, steps[2] = {2, 2}, before[2] = {0, 0}, behind[2] = {0, 0};
};

// Of a window at each point; what lies over the margins is left out.
std::string pooled(uint64_t seed, const Pool& pool, int64_t rows, int64_t columns, bool greatest) {
  DrawnBytes layer(seed);
  layer.counted = false;
  const Type type = layer.byte();
  const Operand a = layer.bytes("a", {2, 3, rows, columns}, type);
  const int64_t sizes[] = {rows, columns};
  Shape shape{2, 3};
  for (size_t k = 0; k < 2; ++k)
    shape.push_back((sizes[k] + pool.before[k] + pool.behind[k] - pool.taps[k]) / pool.steps[k] +
                    1);
  KernelBuilder builder;
  Indices to;
  for (const Dim& dim : shape) to.push_back(builder.axis(dim));
  Indices from{to[0], to[1]}, reduced;
  Guard inside;
  for (size_t k = 0; k < 2; ++k) {
    const Index tap = builder.reduce_axis(pool.taps[k]);
    reduced.push_back(tap);
    from.push_back(to[2 + k] * pool.steps[k] + tap - pool.before[k]);
    if (pool.before[k] + pool.behind[k] > 0) inside.push_back({from.back(), 0, sizes[k]});
  }
  Expr element = a.at(from);
  if (!inside.empty())
    element = Expr::cases({{inside, element}},
                          Expr::constant(type, greatest ? lowest(type) : highest(type)));
  builder.write(layer.g.output("y", shape, type), to,
                builder.reduce(greatest ? Combiner::max : Combiner::min, reduced, element));
  layer.g.kernel("pool", builder);
  return layer.check([](const Kernel& kernel, std::vector<Value>& values, const Hardware& on) {
    return schedule_pool(kernel, values, on);
  });
}

TEST(Pools, OfPlanesAreOneCall) {
  uint64_t seed = 0;
  for (const int64_t columns : {21, 57, 300}) {
    for (const bool greatest : {true, false}) {
      EXPECT_TRUE(has(pooled(++seed, {}, 9, columns, greatest), "call pool_")) << columns;
      EXPECT_TRUE(has(pooled(++seed, {{3, 3}, {1, 1}}, 11, columns, greatest), "call pool_"));
      EXPECT_TRUE(has(pooled(++seed, {{2, 5}, {3, 2}}, 11, columns, greatest), "call pool_"));
    }
  }
}

TEST(Pools, MarginsAreStaged) {
  uint64_t seed = 50;
  for (const int64_t columns : {17, 58, 211}) {
    for (const bool greatest : {true, false}) {
      for (const Pool& pool :
           {Pool{{3, 3}, {2, 2}, {1, 1}, {1, 1}}, Pool{{3, 3}, {1, 1}, {1, 1}, {1, 1}},
            Pool{{2, 4}, {2, 1}, {1, 0}, {0, 3}}, Pool{{5, 2}, {1, 2}, {2, 1}, {2, 0}}}) {
        const std::string text = pooled(++seed, pool, 12, columns, greatest);
        EXPECT_TRUE(has(text, "call pool_") && has(text, "call pad_known_rows")) << text;
        if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
      }
    }
  }
}

// Few columns, or bytes that lie three apart.
TEST(Pools, OtherwiseNothingIsPlanned) {
  EXPECT_EQ(pooled(90, {}, 9, 8, true), "");
  EXPECT_EQ(pooled(91, {{2, 2}, {2, 3}}, 9, 90, true), "");
}

}  // namespace
}  // namespace burin::pools_test
