// Floats keep the order that the model gives them: what every rule that reorders or merges float
// arithmetic makes by default is compared with what it was made from, over the whole range of the
// type: any bits, special numbers, numbers that cancel. With fast_math the same search sees what
// the rules change, so it is no search that finds nothing.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "fuse/fuse.h"
#include "graph_fixture.h"
#include "kernel/tensor.h"

namespace burin::float_order_test {
namespace {

constexpr int64_t kElements = 384, kTerms = 3;

Expr of(Unary op, const Expr& a) { return Expr::unary(op, a); }

// x, y and z are operands, c and d constants.
struct Operands {
  Expr x, y, z, c, d;
};

struct Rule {
  const char* name;
  std::function<Expr(const Operands&)> form;
  bool changes = true;  // with fast_math, for some numbers
  Combiner over = Combiner::none;
};

const Rule kRules[] = {
    {"sum_of_known", [](const Operands& o) { return (o.x + o.c) + o.d; }},
    {"taken_away", [](const Operands& o) { return (o.x + o.c) - o.c; }},
    {"from_known", [](const Operands& o) { return o.c - (o.x - o.d); }},
    {"minus_known", [](const Operands& o) { return (o.c - o.x) + o.d; }},
    {"product_of_known", [](const Operands& o) { return (o.x * o.c) * o.d; }},
    {"quotients", [](const Operands& o) { return (o.x / o.c) / o.d; }},
    {"scaled_and_back", [](const Operands& o) { return (o.x * o.c) / o.c; }},
    {"range_reduction",
     [](const Operands& o) {
       const Expr n = (o.x * o.c + 12582912.0) - 12582912.0;
       return o.x - n * o.d;
     }},
    {"roots",
     [](const Operands& o) {
       return of(Unary::sqrt, of(Unary::abs, o.x)) * of(Unary::sqrt, of(Unary::abs, o.x));
     }},
    {"magnitudes", [](const Operands& o) { return of(Unary::abs, o.x) * of(Unary::abs, o.y); },
     false},
    {"exponents",
     [](const Operands& o) {
       return of(Unary::exp, of(Unary::tanh, o.x)) * of(Unary::exp, of(Unary::tanh, o.y));
     }},
    {"logarithms",
     [](const Operands& o) {
       const Expr x = of(Unary::abs, of(Unary::tanh, o.x)) + 1.0;
       return of(Unary::log, x) + of(Unary::log, of(Unary::abs, of(Unary::tanh, o.y)) + 1.0);
     }},
    {"inverses",
     [](const Operands& o) {
       const Expr x = of(Unary::abs, of(Unary::tanh, o.x)) + 1.0;
       return (1.0 / x) * (1.0 / (of(Unary::abs, of(Unary::tanh, o.y)) + 1.0));
     }},
    {"common_factor",
     [](const Operands& o) { return o.x * of(Unary::tanh, o.z) - o.y * of(Unary::tanh, o.z); }},
    {"common_divisor", [](const Operands& o) { return o.x / 3.0 - o.y / 3.0; }},
    {"and_a_part", [](const Operands& o) { return o.x + o.x * o.c; }},
    {"scaled_sum", [](const Operands& o) { return o.x * of(Unary::tanh, o.z); }, true,
     Combiner::sum},
    {"greatest_shifted", [](const Operands& o) { return o.x + o.c; }, false, Combiner::max},
    {"least_taken", [](const Operands& o) { return o.d - o.x; }, false, Combiner::min},
    {"greatest_scaled", [](const Operands& o) { return o.x * o.c; }, false, Combiner::max},
    {"product_of_exponents", [](const Operands& o) { return of(Unary::exp, of(Unary::tanh, o.x)); },
     true, Combiner::product},
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

// Numbers of the whole range, of a type that is computed in `type`.
class Draw {
 public:
  Draw(unsigned seed, Type type) : source_(seed), type_(type) {}

  double number(const std::vector<double>& near) {
    static const double kSpecial[] = {0.0,     -0.0,     HUGE_VAL,  -HUGE_VAL,  std::nan(""),
                                      1.4e-45, 1.17e-38, 3.4028e38, -3.4028e38, 65504,
                                      5e-324,  1.79e308, 1,         -1};
    const unsigned which = source_() % 8;
    if (which == 0) return rounded(kSpecial[source_() % std::size(kSpecial)]);
    if (which < 4) return any_bits();
    const double plain = static_cast<double>(source_() % 200001) / 10000 - 10;
    if (which == 4 || near.empty()) return rounded(plain);
    // As far from a number that takes it away as a few units in its last places.
    const double one = near[source_() % near.size()];
    return rounded(which < 7 ? -one * (1 + plain * 0x1p-20) : one * plain);
  }

 private:
  double any_bits() {
    if (type_ == Type::f64)
      return std::bit_cast<double>(uint64_t{source_()} << 32 | uint64_t{source_()});
    return rounded(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(source_()))));
  }
  double rounded(double x) const {
    return type_ == Type::f64 ? x : static_cast<double>(static_cast<float>(x));
  }

  std::mt19937 source_;
  Type type_;
};

const double kConstants[][2] = {{12582912, -12582912},
                                {1e9, -1e9},
                                {-1e9, 1e9},
                                {3, -1.5},
                                {0.1, 0.3},
                                {1e30, 1e-30},
                                {1e-30, 1e30},
                                {2, 0.25},
                                {6755399441055744, 7},
                                {1.4426950408889634, 0.6931471805599453}};

// y = form(x, y, z), over a row where the rule has one; two kernels where `apart`.
KernelGraph graph_of(const Rule& rule, Type type, const double (&constants)[2], bool apart) {
  GraphFixture g;
  const Type computed = compute_type(type);
  const Shape shape{kElements, kTerms};
  const Operand x = g.input("x", shape, type), y = g.input("y", shape, type),
                z = g.input("z", {kElements}, type), out = g.output("out", {kElements}, computed);
  const auto form = [&](const Expr& one, const Expr& other, const Expr& same) {
    return rule.form({one, other, same, Expr::constant(computed, constants[0]),
                      Expr::constant(computed, constants[1])});
  };
  KernelBuilder kernel;
  const Index i = kernel.axis(kElements);
  if (rule.over != Combiner::none) {
    const Index k = kernel.reduce_axis(kTerms);
    kernel.write(out, {i},
                 kernel.reduce(rule.over, {k}, form(x.at({i, k}), y.at({i, k}), z.at({i}))));
  } else if (apart) {
    // As models have it: the operands come from kernels of their own.
    const Operand first = g.value("first", {kElements}, computed);
    g.map("first", first, [&](const Indices& at) { return of(Unary::neg, x.at({at[0], 0})); });
    kernel.write(out, {i}, form(first.at({i}), y.at({i, 1}), z.at({i})));
  } else {
    kernel.write(out, {i}, form(x.at({i, 0}), y.at({i, 1}), z.at({i})));
  }
  g.kernel("form", kernel);
  return std::move(g.graph);
}

std::vector<HostTensor> drawn(const KernelGraph& graph, unsigned seed,
                              const std::vector<double>& near) {
  std::vector<HostTensor> out;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    Draw draw(seed + static_cast<unsigned>(id), compute_type(value.type));
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) shape.push_back(dim.constant());
    HostTensor tensor = make_tensor(value.type, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, {draw.number(near), 0});
    out.push_back(std::move(tensor));
  }
  return out;
}

// The first element that differs, but for the sign of a zero.
std::optional<std::string> difference(const KernelGraph& graph, const KernelGraph& other,
                                      const std::vector<HostTensor>& inputs) {
  const RunResult x = interpret(graph, inputs, {}), y = interpret(other, inputs, {});
  if (x.status != kRunOk || y.status != kRunOk) return x.message + y.message;
  for (int64_t i = 0; i < x.outputs[0].elements(); ++i) {
    const double a = x.outputs[0].get(i).number, b = y.outputs[0].get(i).number;
    if (!(a == b || (std::isnan(a) && std::isnan(b))))
      return std::to_string(a) + " became " + std::to_string(b) + "\n" + to_string(other);
  }
  return std::nullopt;
}

class FloatOrder : public testing::TestWithParam<Rule> {};

TEST_P(FloatOrder, IsTheModels) {
  FuseOptions plain, fast;
  plain.function_operations = fast.function_operations = 8;
  fast.fast_math = true;
  bool changed = false;
  unsigned seed = 0;
  for (const Type type : {Type::f16, Type::f32, Type::f64}) {
    for (const auto& constants : kConstants) {
      for (const bool apart : {false, true}) {
        const KernelGraph graph = graph_of(GetParam(), type, constants, apart);
        const std::vector<HostTensor> inputs =
            drawn(graph, ++seed * 64, {constants[0], constants[1]});
        const auto differs = difference(graph, fuse(graph, plain), inputs);
        ASSERT_FALSE(differs) << to_string(type) << " " << constants[0] << " " << *differs;
        changed = changed || difference(graph, fuse(graph, fast), inputs);
      }
    }
  }
  EXPECT_EQ(changed, GetParam().changes);
}

INSTANTIATE_TEST_SUITE_P(Rules, FloatOrder, testing::ValuesIn(kRules),
                         [](const auto& info) { return info.param.name; });

// Tensors of fp16: each sum is rounded where the model rounds it, whatever joins; and the same
// behind a product, movement and a scale.
TEST(FloatHalves, SumsInARowAreRounded) {
  for (const Type type : {Type::f16, Type::bf16}) {
    for (const double number : {1024.0, -65504.0, 3.0, 0.25}) {
      for (const bool scales : {false, true}) {
        GraphFixture g;
        const Operand x = g.input("x", {kElements, 2}, type),
                      a = g.value("a", {kElements, 2}, type),
                      b = g.value("b", {2, kElements}, type),
                      c = g.value("c", {2, kElements}, type),
                      y = g.output("y", {2, kElements}, type);
        g.map("add", a, [&](const Indices& at) { return x.at(at) + number; });
        g.map("move", b, [&](const Indices& at) { return a.at({at[1], at[0]}); });
        g.map("scale", c, [&](const Indices& at) { return b.at(at) * (scales ? 0.5 : 1.0); });
        g.map("take", y,
              [&](const Indices& at) { return c.at(at) - (scales ? number / 2 : number); });
        FuseOptions fast;
        fast.fast_math = true;
        const std::vector<HostTensor> inputs = drawn(g.graph, 7, {number});
        const KernelGraph fused = fuse(g.graph, {});
        EXPECT_EQ(count_kernels(fused), 1);
        // Of the other steps roundings may be left out: by a power of two, none shows.
        EXPECT_FALSE(difference(g.graph, fused, inputs)) << *difference(g.graph, fused, inputs);
        EXPECT_TRUE(difference(g.graph, fuse(g.graph, fast), inputs));
      }
    }
  }
}

// -0 less -0 is 0.
TEST(FloatZero, IsTakenAwayWithItsSign) {
  const Expr x = Expr::load(0, Type::f32, {});
  EXPECT_NE(x - Expr::constant(Type::f32, -0.0), x);
  EXPECT_EQ(x - Expr::constant(Type::f32, 0.0), x);
}

}  // namespace
}  // namespace burin::float_order_test
