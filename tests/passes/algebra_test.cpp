// Arithmetic in another order, with fast_math: what each rule makes, where it must not act, and
// random kernels against the interpreter, infinities, NaN and the ends of floats among the inputs.
#include "fuse/algebra/algebra.h"

#include <cmath>
#include <limits>
#include <random>

#include "graph_fixture.h"
#include "kernel/tensor.h"

namespace burin::algebra_test {
namespace {

const FuseOptions kAll = [] {
  FuseOptions options;
  options.function_operations = 8;
  options.fast_math = true;
  return options;
}();

std::string written(const KernelGraph& graph) {
  std::string out;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Let& let : kernel.lets)
      out += std::string(to_string(let.op)) + " " + to_string(let.body[0]) + "; ";
    for (const Write& write : kernel.writes) out += to_string(write.value) + "; ";
  });
  return out;
}

struct Both {
  std::string text;
  Rewrites made;
};

Both rewritten(const GraphFixture& g) {
  Both out;
  const KernelGraph graph = rewrite_algebra(g.graph, kAll, out.made);
  check_kernel_graph(graph);
  out.text = written(graph);
  return out;
}

// y[i] = f(x, z at i), with operands of half precision, so that no product of two overflows.
template <class F>
Both map_of(const F& f, Type type = Type::f16) {
  GraphFixture g;
  const Operand x = g.input("x", {4}, type), z = g.input("z", {4}, type),
                y = g.output("y", {4}, compute_type(type));
  g.map("map", y, [&](const Indices& at) { return f(x.at(at), z.at(at)); });
  return rewritten(g);
}

Expr apply(Unary op, const Expr& a) { return Expr::unary(op, a); }

// A number between -1 and 1 of anything.
Expr bounded(const Expr& a) { return apply(Unary::tanh, a); }

TEST(Algebra, KnownTermsAndFactorsAreOne) {
  EXPECT_EQ(map_of([](Expr x, Expr) { return (x + 1.0) + 2.0; }).text, "(v0[i0] + 3); ");
  EXPECT_EQ(map_of([](Expr x, Expr) { return 4.0 - (x - 1.0); }).text, "(5 - v0[i0]); ");
  EXPECT_EQ(map_of([](Expr x, Expr) { return (x * 2.0) / 8.0; }).text, "(v0[i0] * 0.25); ");
  const Both both = map_of([](Expr x, Expr z) { return ((x * z) * 0.5) * 0.5; });
  EXPECT_EQ(both.text, "((v0[i0] * v1[i0]) * 0.25); ");
  EXPECT_EQ(both.made, (Rewrites{1, 0, 0}));
}

TEST(Algebra, FunctionsOfFactorsAreOne) {
  const auto root = [](const Expr& x) { return apply(Unary::sqrt, x); };
  const auto size = [](const Expr& x) { return apply(Unary::abs, x); };
  EXPECT_EQ(map_of([&](Expr x, Expr z) { return (z * root(size(x))) * root(size(x)); }).text,
            "(v1[i0] * abs(v0[i0])); ");
  EXPECT_EQ(map_of([&](Expr x, Expr z) { return size(x) * size(z); }).text,
            "abs((v0[i0] * v1[i0])); ");
  EXPECT_EQ(map_of([&](Expr x, Expr z) {
              return apply(Unary::exp, bounded(x)) * apply(Unary::exp, bounded(z));
            }).text,
            "exp((tanh(v0[i0]) + tanh(v1[i0]))); ");
  EXPECT_EQ(map_of([&](Expr x, Expr z) {
              return apply(Unary::log, size(x) + 1.0) + apply(Unary::log, size(z) + 1.0);
            }).text,
            "log(((abs(v0[i0]) + 1) * (abs(v1[i0]) + 1))); ");
  // 1/a * 1/(a b)
  EXPECT_EQ(map_of([&](Expr x, Expr z) {
              const Expr a = size(x) + 1.0, b = size(z) + 2.0;
              return (1.0 / a) * (1.0 / (a * b));
            }).text,
            "(1 / (((abs(v0[i0]) + 1) * (abs(v0[i0]) + 1)) * (abs(v1[i0]) + 2))); ");
}

TEST(Algebra, CommonFactorsStandOnce) {
  const auto kept = [](const Expr& z) { return bounded(z); };
  EXPECT_EQ(map_of([&](Expr x, Expr z) { return x * kept(z) + z * kept(z); }).text,
            "((v0[i0] + v1[i0]) * tanh(v1[i0])); ");
  EXPECT_EQ(map_of([&](Expr x, Expr z) { return x / 3.0 - z / 3.0; }).text,
            "((v0[i0] - v1[i0]) / 3); ");
  const Both both = map_of([&](Expr x, Expr) { return x + x * 0.5; });
  EXPECT_EQ(both.text, "(1.5 * v0[i0]); ");
  EXPECT_EQ(both.made, (Rewrites{0, 1, 0}));
  // Integers wrap alike in any order; they need no bounds.
  EXPECT_EQ(map_of([&](Expr x, Expr z) { return x * z - z * z; }, Type::i32).text,
            "((v0[i0] - v1[i0]) * v1[i0]); ");
}

// What may overflow in one order only, meets an infinity in another place, or shows its roundings.
TEST(Algebra, WhatCouldBeAnotherNumberStays) {
  const auto stays = [](const auto& f, Type type = Type::f32) {
    const Both both = map_of(f, type);
    EXPECT_EQ(both.made, Rewrites{}) << both.text;
  };
  const auto root = [](const Expr& x) { return apply(Unary::sqrt, x); };
  stays([](Expr x, Expr) { return (x + 3e38) - 3e38; });
  stays([](Expr x, Expr) { return (x * 4.0) * 0.5; });
  stays([](Expr x, Expr) { return (x * 1e-30) * 1e-30; });
  stays([](Expr x, Expr) { return (x * 1e-30) * 1e30; }, Type::f16);
  stays([](Expr x, Expr z) { return x * 0.5 + z * 0.5; });
  stays([](Expr x, Expr z) { return x * z + x * bounded(z); }, Type::f16);  // x may be infinite
  stays([](Expr x, Expr z) { return x / z - 1.0 / z; }, Type::f16);         // z may be zero
  stays([&](Expr x, Expr) { return root(x) * root(x); });                   // of what is negative
  stays([](Expr x, Expr z) { return apply(Unary::exp, x) * apply(Unary::exp, z); });
  stays([](Expr x, Expr z) { return (1.0 / x) * (1.0 / z); }, Type::f16);
  stays([](Expr x, Expr) { return apply(Unary::floor, (x + 1.0) + 2.0); }, Type::f16);
  stays(
      [](Expr x, Expr z) { return Expr::select(compare(Binary::lt, x * 0.5 + z * 0.5, z), x, z); },
      Type::f16);
  stays([](Expr x, Expr z) { return x / z + x / z; }, Type::i32);
}

// The same in another kernel that rounds to whole numbers; and one that only adds does not.
TEST(Algebra, ReadersSayWhetherRoundingsShow) {
  for (const bool rounds : {false, true}) {
    GraphFixture g;
    const Operand x = g.input("x", {4}, Type::f16), m = g.value("m", {4}), y = g.output("y", {4});
    g.map("a", m, [&](const Indices& at) { return (x.at(at) + 1.0) + 2.0; });
    g.map("b", y, [&](const Indices& at) {
      return rounds ? apply(Unary::round, m.at(at)) : bounded(m.at(at));
    });
    EXPECT_EQ(rewritten(g).made, (Rewrites{rounds ? 0 : 1, 0, 0}));
  }
}

template <class F>
Both row_of(Combiner op, Type type, const F& f) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5}, type), z = g.input("z", {3}, type),
                y = g.output("y", {3}, compute_type(type));
  KernelBuilder kernel;
  const Index i = kernel.axis(3), k = kernel.reduce_axis(5);
  kernel.write(y, {i}, kernel.reduce(op, {k}, f(x.at({i, k}), z.at({i}))));
  g.kernel("row", kernel);
  return rewritten(g);
}

TEST(Algebra, WhatIsDoneToEachTermIsDoneOnce) {
  const Both sum = row_of(Combiner::sum, Type::f16, [](Expr x, Expr z) { return x * bounded(z); });
  EXPECT_EQ(sum.text, "sum v0[i0, i1]; (let0[i0] * tanh(v1[i0])); ");
  EXPECT_EQ(sum.made, (Rewrites{0, 0, 1}));
  EXPECT_EQ(row_of(Combiner::sum, Type::i32,
                   [](Expr x, Expr z) { return Expr::binary(Binary::shift_left, x, z); })
                .text,
            "sum v0[i0, i1]; shift_left(let0[i0], v1[i0]); ");
  EXPECT_EQ(row_of(Combiner::sum, Type::i8, [](Expr x, Expr z) { return z * x; }).text,
            "sum v0[i0, i1]; (let0[i0] * v1[i0]); ");
  EXPECT_EQ(row_of(Combiner::max, Type::f32, [](Expr x, Expr) { return x * -0.5; }).text,
            "min v0[i0, i1]; (let0[i0] * -0.5); ");
  EXPECT_EQ(row_of(Combiner::max, Type::f32, [](Expr x, Expr z) { return bounded(z) - x; }).text,
            "min v0[i0, i1]; (tanh(v1[i0]) - let0[i0]); ");
  EXPECT_EQ(row_of(Combiner::product, Type::f32,
                   [](Expr x, Expr) { return apply(Unary::exp, bounded(x)); })
                .text,
            "sum tanh(v0[i0, i1]); exp(let0[i0]); ");
  // Not: sums that may overflow, factors that may be infinite, of either sign, or shift right.
  for (const auto& [op, type, f] : std::vector<std::tuple<Combiner, Type, Expr (*)(Expr, Expr)>>{
           {Combiner::sum, Type::f32, [](Expr x, Expr z) { return x * bounded(z); }},
           {Combiner::sum, Type::f16, [](Expr x, Expr z) { return x * z; }},
           {Combiner::max, Type::f32, [](Expr x, Expr z) { return x + z; }},
           {Combiner::max, Type::f32, [](Expr x, Expr z) { return x * bounded(z); }},
           {Combiner::max, Type::i32, [](Expr x, Expr z) { return x + z; }},
           {Combiner::product, Type::f32, [](Expr x, Expr) { return apply(Unary::exp, x); }},
           {Combiner::sum, Type::i32,
            [](Expr x, Expr z) { return Expr::binary(Binary::shift_right, x, z); }}}) {
    const Both both = row_of(op, type, f);
    EXPECT_EQ(both.made, Rewrites{}) << both.text;
  }
}

TEST(Algebra, EachLawHasItsSwitch) {
  GraphFixture g;
  const Operand x = g.input("x", {3, 5}, Type::f16), y = g.output("y", {3, 5});
  KernelBuilder kernel;
  const Index i = kernel.axis(3), j = kernel.axis(5), k = kernel.reduce_axis(5);
  const Expr greatest = kernel.reduce(Combiner::max, {k}, x.at({i, k}) + 2.0);
  const Expr here = x.at({i, j});
  kernel.write(y, {i, j}, (((here * 0.5) + (here * greatest)) + 1.0) + 2.0);
  g.kernel("all", kernel);
  const auto made = [&](bool associative, bool distributive, bool commutative) {
    FuseOptions options = kAll;
    options.associative = associative;
    options.distributive = distributive;
    options.commutative = commutative;
    Rewrites out;
    rewrite_algebra(g.graph, options, out);
    return out;
  };
  EXPECT_EQ(made(false, false, false), Rewrites{});
  EXPECT_GT(made(true, false, false).associative, 0);
  EXPECT_EQ(made(true, false, false).commutative, 0);
  EXPECT_GT(made(false, false, true).commutative, 0);
  EXPECT_EQ(made(false, false, true).associative, 0);
}

// --- Random kernels ---

struct Random {
  std::mt19937 source;
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
};

// `size` bounds how far rounding takes a result: the roundings of all steps, to first order.
struct Sized {
  Expr value, size;
};

class RandomKernel {
 public:
  RandomKernel(unsigned seed, Type type) : random_{std::mt19937(seed)}, type_(type) {}

  // y[i] := value, s[i] := its size.
  KernelGraph make() {
    for (const char* name : {"a", "b"}) x_.push_back(g_.input(name, {kRows, kTerms}, type_));
    const Operand z = g_.input("z", {kRows}, type_);
    const Type result = compute_type(type_);
    const Operand y = g_.output("y", {kRows}, result), s = g_.output("s", {kRows}, result);
    KernelBuilder kernel;
    const Index i = kernel.axis(kRows), k = kernel.reduce_axis(kTerms);
    pool_ = {leaf(z.at({i}))};
    const std::vector<Sized> outer = pool_;
    pool_ = {leaf(z.at({i})), leaf(x_[0].at({i, k})), leaf(x_[1].at({i, k}))};
    for (int n = 0; n < 6; ++n) pool_.push_back(step());
    const Sized body = product(pool_.back(), pool_[static_cast<size_t>(random_.below(3))]);
    const Combiner ops[] = {Combiner::sum, Combiner::max, Combiner::min};
    const Combiner op = ops[random_.below(3)];
    const Sized row{kernel.reduce(op, {k}, body.value),
                    kernel.reduce(Combiner::sum, {k}, body.size)};
    pool_ = outer;
    pool_.push_back(row);
    for (int n = 0; n < 8; ++n) pool_.push_back(step());
    kernel.write(y, {i}, pool_.back().value);
    kernel.write(s, {i}, pool_.back().size);
    g_.kernel("random", kernel);
    return std::move(g_.graph);
  }

  static constexpr int kRows = 64, kTerms = 3;

 private:
  bool floats() const { return is_float(type_); }
  Sized leaf(const Expr& value) { return {value, floats() ? apply(Unary::abs, value) : value}; }
  Expr number() {
    static constexpr double kNumbers[] = {0.5, 2, 3, -1, 0.25, -4, 1e-30, 3e38, 1e6, 0.001};
    static constexpr int kWhole[] = {2, 3, -1, 5, 1 << 20, 7};
    return floats() ? Expr::constant(Type::f32, kNumbers[random_.below(10)])
                    : Expr::constant(type_, kWhole[random_.below(6)]);
  }
  const Sized& one() {
    return pool_[pool_.size() - 1 -
                 static_cast<size_t>(
                     random_.below(static_cast<int>(std::min<size_t>(pool_.size(), 4))))];
  }

  static Sized product(const Sized& a, const Sized& b) {
    return {a.value * b.value, a.size * b.size};
  }
  Sized sum(const Sized& a, const Sized& b) {
    const bool minus = random_.below(2) == 0;
    return {minus ? a.value - b.value : a.value + b.value, a.size + b.size};
  }

  Sized step() {
    const Sized a = one(), b = one(), c = leaf(number());
    switch (random_.below(floats() ? 12 : 7)) {
      case 0:
        return sum(a, b);
      case 1:
        return sum(product(a, b), product(one(), b));
      case 2:
        return product(product(a, c), leaf(number()));
      case 3:
        return sum(sum(a, c), leaf(number()));
      case 4:
        return product(a, b);
      case 5:
        return sum(a, product(c, a));
      case 6:
        return floats() ? tanh_of(a)
                        : Sized{Expr::binary(Binary::shift_left, a.value, c.value), a.size};
      case 7: {
        const Expr positive = apply(Unary::abs, a.value) + 1.0;
        return {b.value / positive, (b.size + apply(Unary::abs, b.value) * a.size) / positive};
      }
      case 8: {
        const Expr x = apply(Unary::abs, a.value), y = apply(Unary::abs, b.value);
        return {x * y, a.size * b.size};
      }
      case 9: {
        const Sized x = tanh_of(a), y = tanh_of(b);
        return {apply(Unary::exp, x.value) * apply(Unary::exp, y.value),
                (x.size + y.size + 1.0) * 8.0};
      }
      case 10: {
        const Expr x = apply(Unary::abs, a.value) + 1.0, y = apply(Unary::abs, b.value) + 1.0;
        return {apply(Unary::log, x) + apply(Unary::log, y),
                a.size / x + b.size / y + apply(Unary::log, x) + apply(Unary::log, y) + 1.0};
      }
      default: {
        const Expr x = apply(Unary::abs, a.value);
        const Expr root = apply(Unary::sqrt, x + 1.0);
        return {b.value * root * root, b.size * (a.size + x + 1.0)};
      }
    }
  }
  static Sized tanh_of(const Sized& a) {
    return {apply(Unary::tanh, a.value), min(a.size, Expr::constant(Type::f32, 1e30)) + 1.0};
  }

  Random random_;
  Type type_;
  GraphFixture g_;
  std::vector<Operand> x_;
  std::vector<Sized> pool_;
};

std::vector<HostTensor> hard_inputs(const KernelGraph& graph, Random& random) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double specials[] = {0,     -0.0,    infinity, -infinity, std::nan(""), 3.4e38,
                             -3e38, 1.4e-45, 1e-38,    65504,     1e20,         -1e-20};
  std::vector<HostTensor> out;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) shape.push_back(dim.constant());
    HostTensor tensor = make_tensor(value.type, shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double plain = random.below(2001) / 250.0 - 4;
      tensor.set(i, {random.below(4) == 0 ? specials[random.below(12)] : plain,
                     static_cast<int64_t>(random.source())});
    }
    out.push_back(std::move(tensor));
  }
  return out;
}

int kind_of(double x) { return std::isnan(x) ? 2 : !std::isinf(x) ? 0 : x > 0 ? 1 : -1; }

TEST(Algebra, RandomKernelsComputeTheSame) {
  Rewrites made;
  int floats = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    const Type types[] = {Type::f16, Type::f32, Type::i32, Type::u8};
    const Type type = types[seed % 4];
    const KernelGraph graph = RandomKernel(seed, type).make();
    Rewrites own;
    const KernelGraph other = rewrite_algebra(graph, kAll, own);
    check_kernel_graph(other);
    made.associative += own.associative;
    made.distributive += own.distributive;
    made.commutative += own.commutative;
    if (own == Rewrites{}) continue;
    floats += is_float(type);
    Random random{std::mt19937(seed + 5000)};
    const std::vector<HostTensor> inputs = hard_inputs(graph, random);
    const RunResult x = interpret(graph, inputs, {}), y = interpret(other, inputs, {});
    ASSERT_EQ(x.status, kRunOk) << x.message;
    ASSERT_EQ(y.status, kRunOk) << y.message;
    for (int64_t i = 0; i < x.outputs[0].elements(); ++i) {
      const ScalarValue a = x.outputs[0].get(i), b = y.outputs[0].get(i);
      const auto what = [&] {
        return "seed " + std::to_string(seed) + " row " + std::to_string(i) + "\n" +
               written(graph) + "\n" + written(other);
      };
      if (!is_float(type)) {
        ASSERT_EQ(a.integer, b.integer) << what();
        continue;
      }
      ASSERT_EQ(kind_of(a.number), kind_of(b.number)) << a.number << " " << b.number << what();
      const double size = x.outputs[1].get(i).number;
      if (kind_of(a.number) != 0 || !std::isfinite(size)) continue;
      ASSERT_LE(std::abs(a.number - b.number), 4e-6 * size + 1e-36)
          << a.number << " " << b.number << " size " << size << what();
    }
  }
  EXPECT_GT(made.associative, 100);
  EXPECT_GT(made.distributive, 40);
  EXPECT_GT(made.commutative, 20);
  EXPECT_GT(floats, 50);
}

}  // namespace
}  // namespace burin::algebra_test
