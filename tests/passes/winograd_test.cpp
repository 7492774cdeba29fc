// Convolutions by fewer products: the matrices, programs against the definition, what roundings
// add, and which layers are computed so.
#include <cmath>

#include "select/products/winograd_matrices.h"
#include "select/winograd_choice.h"
#include "selected_kernel.h"
#include "small_hardware.h"
#include "support/numbers.h"

namespace burin::winograd_test {
namespace {

std::vector<double> product(const Matrix& matrix, const std::vector<double>& x) {
  std::vector<double> out;
  for (const std::vector<double>& row : matrix) {
    double sum = 0;
    for (size_t k = 0; k < row.size(); ++k) sum += row[k] * x[k];
    out.push_back(sum);
  }
  return out;
}

TEST(Winograd, MatricesGiveTheFilterAndItsTaps) {
  for (const int taps : {2, 3, 4, 5}) {
    for (int outputs = 2; outputs + taps <= 9; ++outputs) {
      const WinogradMatrices of = winograd_matrices(outputs, taps);
      Numbers numbers(static_cast<uint64_t>(10 * outputs + taps));
      std::vector<double> filter, elements;
      for (int k = 0; k < taps; ++k) filter.push_back(static_cast<double>(numbers.below(21)) - 10);
      for (int k = 0; k < of.points(); ++k)
        elements.push_back(static_cast<double>(numbers.below(21)) - 10);
      const std::vector<double> points = product(of.filter, filter),
                                values = product(of.input, elements);
      std::vector<double> products;
      for (size_t p = 0; p < points.size(); ++p) products.push_back(points[p] * values[p]);
      const std::vector<double> results = product(of.output, products);
      for (int i = 0; i < outputs; ++i) {
        double wanted = 0;
        for (int k = 0; k < taps; ++k)
          wanted += filter[static_cast<size_t>(k)] * elements[static_cast<size_t>(i + k)];
        EXPECT_NEAR(results[static_cast<size_t>(i)], wanted, 1e-10) << outputs << ' ' << taps;
      }
      const std::vector<double> again = product(taps_of_points(of), points);
      for (size_t k = 0; k < filter.size(); ++k) EXPECT_NEAR(again[k], filter[k], 1e-10);
    }
  }
}

// Elements of the matrices are small multiples of powers of two, so nothing is rounded.
TEST(Winograd, ExpressionsAreProductsOfTheMatrices) {
  for (const int outputs : {2, 4, 6}) {
    const WinogradMatrices of = winograd_matrices(outputs, kWinogradTaps);
    for (const Matrix* matrix : {&of.input, &of.output}) {
      std::vector<Expr> terms;
      std::vector<double> numbers;
      for (int k = 0; k < of.points(); ++k) {
        numbers.push_back((k * 7) % 11 - 5);
        terms.push_back(Expr::constant(Type::f32, numbers.back()));
      }
      const std::vector<Expr> made = times(*matrix, terms);
      const std::vector<double> wanted = product(*matrix, numbers);
      ASSERT_EQ(made.size(), wanted.size());
      for (size_t k = 0; k < made.size(); ++k)
        EXPECT_TRUE(made[k].is_constant(wanted[k])) << to_string(made[k]) << ' ' << wanted[k];
    }
  }
}

struct Plane {
  int64_t batch = 1, groups = 1, channels = 4, filters = 5, height = 14, width = 14, before = 1;
};

// A convolution of 3 x 3 taps with a bias and a limit behind it. `unit`: what weights are multiples
// of.
struct Convolution {
  explicit Convolution(const Plane& s, double unit = 1, uint64_t seed = 1) : numbers(seed) {
    const int64_t oh = s.height + 2 * s.before - 2, ow = s.width + 2 * s.before - 2;
    x = g.input("x", {s.batch, s.groups, s.channels, s.height, s.width});
    const Operand w = g.constant("w", {s.groups, s.filters, s.channels, 3, 3}),
                  b = g.constant("b", {s.groups, s.filters}),
                  y = g.output("y", {s.batch, s.groups, s.filters, oh, ow});
    HostTensor weights = make_tensor(Type::f32, {s.groups * s.filters * s.channels * 9});
    for (int64_t i = 0; i < weights.elements(); ++i)
      weights.set(i, {unit * (unit == 1 ? draw() : static_cast<double>(numbers.below(3)) - 1), 0});
    g.graph.values[static_cast<size_t>(w.value())].constant = to_constant(weights);
    KernelBuilder kernel;
    const Index n = kernel.axis(s.batch), h = kernel.axis(s.groups), f = kernel.axis(s.filters),
                i = kernel.axis(oh), j = kernel.axis(ow);
    const Index c = kernel.reduce_axis(s.channels), p = kernel.reduce_axis(3),
                q = kernel.reduce_axis(3);
    const Index at_y = i + p - s.before, at_x = j + q - s.before;
    Expr tap = x.at({n, h, c, at_y, at_x});
    if (s.before > 0)
      tap = Expr::cases({{{{at_y, 0, s.height}, {at_x, 0, s.width}}, tap}}, x.zero());
    const Expr sum = kernel.reduce(Combiner::sum, {c, p, q}, tap * w.at({h, f, c, p, q}));
    kernel.write(y, {n, h, f, i, j}, max(sum + b.at({h, f}), x.zero()));
    g.kernel("Convolve", kernel);
  }
  // About the same as a normal distribution.
  double draw() {
    double out = -6;
    for (int k = 0; k < 12; ++k) out += static_cast<double>(numbers.below(1 << 20)) / (1 << 20);
    return out;
  }

  Numbers numbers;
  GraphFixture g;
  Operand x;
};

Hardware machine(int lanes, int threads = 1) {
  Hardware hardware = small_hardware({{32 << 10, 4, 64, 1}, {1 << 20, 14, 64, 1}});
  hardware.vector.vector_bytes = 4 * lanes;
  hardware.vector.registers = 32;
  hardware.threads_max = threads;
  return hardware;
}

std::string key_of(const Convolution& one, const Hardware& hardware) {
  return SelectedKernel(one.g.graph, hardware).key();
}

SelectedKernel told(const Convolution& one, const Hardware& hardware, const std::string& key,
                    const WinogradChoice& choice) {
  Tuning tuning;
  tuning.kernels[key].verbs = {
      {"winograd", {choice.outputs, choice.band, choice.by_points ? 1 : 0}}};
  SelectOptions options;
  options.tuning = &tuning;
  return SelectedKernel(one.g.graph, hardware, options);
}

// Filters are multiples of what fractions in their transform divide, elements small integers: no
// number on the way is rounded, and bits are those of the definition.
TEST(Winograd, ProgramsGiveWhatIsDefined) {
  const Plane planes[] = {{1, 1, 4, 5, 14, 14, 1}, {2, 1, 3, 16, 9, 21, 1}, {1, 2, 2, 3, 8, 8, 1},
                          {1, 1, 5, 4, 13, 18, 0}, {1, 3, 2, 4, 6, 5, 1},   {2, 1, 4, 9, 10, 35, 0},
                          {1, 1, 2, 33, 12, 12, 1}};
  int seen = 0;
  for (const Plane& plane : planes) {
    for (const auto& [outputs, unit] : {std::pair{2, 4.0}, std::pair{4, 576.0}}) {
      const Convolution one(plane, unit);
      for (const int lanes : {4, 16}) {
        const std::string key = key_of(one, machine(lanes));
        for (const int64_t band : {1, 2, 100}) {
          for (const int by_points : {0, 1}) {
            const Hardware hardware = machine(lanes, seen % 3 == 0 ? 1 : 3);
            const WinogradChoice choice{outputs, band, by_points == 1};
            const SelectedKernel kernel = told(one, hardware, key, choice);
            ASSERT_TRUE(kernel.product().winograd) << kernel.plan().reason;
            EXPECT_EQ(kernel.product().winograd->choice, choice);
            kernel.expect_definition_of([](int64_t i) { return i * 37 % 3 - 1; });
            ++seen;
          }
        }
      }
    }
  }
  EXPECT_EQ(seen, 7 * 2 * 2 * 3 * 2);
}

// Errors of drawn planes beside those that a budget counts with, as shares of the root of the mean
// square of the results: drawn numbers are what the estimate is of, so it is within a factor of 3.
TEST(Winograd, ErrorsAreAsEstimated) {
  for (const int outputs : {2, 4, 6}) {
    const Convolution one({1, 1, 32, 8, 24, 24, 1});
    const Hardware hardware = machine(8);
    const SelectedKernel kernel = told(one, hardware, key_of(one, hardware), {outputs, 2, false});
    ASSERT_TRUE(kernel.product().winograd);
    Numbers numbers(7);
    const SelectedKernel::Both both = kernel.both([&](int64_t) {
      double out = -6;
      for (int k = 0; k < 12; ++k) out += static_cast<double>(numbers.below(1 << 20)) / (1 << 20);
      return out;
    });
    double squares = 0, errors = 0;
    for (int64_t i = 0; i < both.wanted.elements(); ++i) {
      const double wanted = both.wanted.get(i).number, got = both.got.get(i).number;
      squares += wanted * wanted;
      errors += (got - wanted) * (got - wanted);
    }
    const double error = std::sqrt(errors / squares),
                 estimate = winograd_error(winograd_matrices(outputs, kWinogradTaps));
    EXPECT_LT(error, estimate * 3) << outputs;
    EXPECT_GT(error, estimate / 3) << outputs;
  }
}

// Of the largest tiles, whose fractions no small numbers are multiples of: sides that are no
// multiples of tiles, groups, both orders, threads. No element errs by more than ten estimates.
TEST(Winograd, LargeTilesOfRaggedPlanesErrAsEstimated) {
  const double estimate = winograd_error(winograd_matrices(6, kWinogradTaps));
  int seen = 0;
  for (const Plane& plane :
       {Plane{2, 1, 3, 9, 9, 21, 1}, Plane{1, 2, 4, 6, 13, 17, 0}, Plane{1, 1, 8, 17, 7, 40, 1}}) {
    const Convolution one(plane);
    for (const int lanes : {4, 16}) {
      const std::string key = key_of(one, machine(lanes));
      for (const bool by_points : {false, true}) {
        const SelectedKernel kernel =
            told(one, machine(lanes, by_points ? 3 : 1), key, {6, 1, by_points});
        ASSERT_TRUE(kernel.product().winograd);
        const SelectedKernel::Both both =
            kernel.both([](int64_t i) { return static_cast<double>(i * 37 % 101 - 50) / 50; });
        double squares = 0, worst = 0;
        for (int64_t i = 0; i < both.wanted.elements(); ++i) {
          const double wanted = both.wanted.get(i).number;
          squares += wanted * wanted;
          worst = std::max(worst, std::abs(both.got.get(i).number - wanted));
        }
        const double root = std::sqrt(squares / static_cast<double>(both.wanted.elements()));
        EXPECT_LT(worst, 10 * estimate * root);
        ++seen;
      }
    }
  }
  EXPECT_EQ(seen, 12);
}

// What a tuning file says is held to the budget.
TEST(Winograd, TuningFilesKeepTheBudget) {
  const Convolution one({1, 1, 16, 16, 24, 24, 1});
  const Hardware hardware = machine(8);
  for (const auto& [budget, outputs] : {std::pair{kWinogradError, 6}, std::pair{1e-6, 0}}) {
    Tuning tuning;
    tuning.kernels[key_of(one, hardware)].verbs = {{"winograd", {6, 2, 0}}};
    SelectOptions options;
    options.tuning = &tuning;
    options.winograd_error = budget;
    const SelectedKernel kernel(one.g.graph, hardware, options);
    const std::optional<Winograd>& few = kernel.product().winograd;
    EXPECT_EQ(few ? few->choice.outputs : 0, outputs);
  }
}

// Layers of many planes take less time so; not without a budget, with few filters, or for a
// filter of one tap.
TEST(Winograd, ChoosesLayersThatRepay) {
  const Hardware hardware = machine(8);
  const auto outputs_of = [&](const Plane& plane, double budget, const char* without = nullptr) {
    const Convolution one(plane);
    SelectOptions options;
    options.winograd_error = budget;
    if (without != nullptr) options.without.insert(without);
    const SelectedKernel kernel(one.g.graph, hardware, options);
    const ContractionSchedule& product = kernel.product();
    return product.winograd ? product.winograd->choice.outputs : 0;
  };
  const Plane large{1, 1, 48, 48, 28, 28, 1};
  EXPECT_EQ(outputs_of(large, kWinogradError), 4);
  EXPECT_EQ(outputs_of(large, 0), 0);
  EXPECT_EQ(outputs_of(large, kWinogradError, "winograd"), 0);
  // A quarter of the budget is more than F(2, 3) takes, and less than F(4, 3).
  EXPECT_EQ(outputs_of(large, 4e-6), 2);
  EXPECT_EQ(outputs_of(large, 1e-8), 0);
  EXPECT_EQ(outputs_of({1, 1, 48, 2, 28, 28, 1}, kWinogradError), 0);
}

}  // namespace
}  // namespace burin::winograd_test
