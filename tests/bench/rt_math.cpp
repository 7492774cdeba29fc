// Time per element of runtime_min's functions in a plain loop, beside the C library's. Inputs fit
// the first cache.
//
//   g++ -O3 -march=x86-64-v3 -fno-math-errno -std=c++17 -I. tests/bench/rt_math.cpp -lbenchmark
//   -lpthread -o rt_math && ./rt_math
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "runtime_min/erf.h"
#include "runtime_min/half.h"
#include "runtime_min/hyperbolic.h"
#include "runtime_min/inverse_trig.h"
#include "runtime_min/pow.h"
#include "runtime_min/trig.h"
#include "runtime_min/vec.h"

namespace {

constexpr int kElements = 2048;

template <class T, class Function>
void elementwise(benchmark::State& state, Function function) {
  std::vector<T> from(kElements), to(kElements);
  for (int i = 0; i < kElements; ++i) {
    from[static_cast<size_t>(i)] = static_cast<T>(0.1 + 8.0 * i / kElements);
  }
  const T* __restrict in = from.data();
  T* __restrict out = to.data();
  for (auto _ : state) {
    for (int i = 0; i < kElements; ++i) out[i] = function(in[i]);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kElements);
}

#define PAIR(T, name, library)                                \
  void burin_##name##_##T(benchmark::State& s) {              \
    elementwise<T>(s, [](T x) { return burin_rt::name(x); }); \
  }                                                           \
  void libm_##name##_##T(benchmark::State& s) {               \
    elementwise<T>(s, [](T x) { return library; });           \
  }                                                           \
  BENCHMARK(burin_##name##_##T);                              \
  BENCHMARK(libm_##name##_##T);

PAIR(float, exp, std::exp(x))
PAIR(float, log, std::log(x))
PAIR(float, tanh, std::tanh(x))
PAIR(float, erf, std::erf(x))
PAIR(float, sigmoid, 1.0f / (1.0f + std::exp(-x)))
PAIR(float, sin, std::sin(x))
PAIR(float, atan, std::atan(x))
PAIR(float, sqrt, std::sqrt(x))
PAIR(double, exp, std::exp(x))
PAIR(double, log, std::log(x))

void burin_pow_float(benchmark::State& s) {
  elementwise<float>(s, [](float x) { return burin_rt::pow(x, 1.7f); });
}
void libm_pow_float(benchmark::State& s) {
  elementwise<float>(s, [](float x) { return std::pow(x, 1.7f); });
}
BENCHMARK(burin_pow_float);
BENCHMARK(libm_pow_float);

// A 6 x 16 register tile over 256 steps: the inner loop of a matrix product. Items are
// multiply-adds.
void burin_tile_6x16(benchmark::State& state) {
  constexpr int kRows = 6, kSteps = 256;
  std::vector<float> a(kRows * kSteps, 1.0f), b(16 * kSteps, 2.0f), c(kRows * 16);
  for (auto _ : state) {
    burin_rt::FloatVector<16> sum[kRows];
    for (auto& row : sum) row = burin_rt::broadcast<16>(0.0f);
    for (int k = 0; k < kSteps; ++k) {
      const auto column = burin_rt::load<16>(&b[static_cast<size_t>(k) * 16]);
      for (int r = 0; r < kRows; ++r) {
        sum[r] =
            madd(burin_rt::broadcast<16>(a[static_cast<size_t>(k * kRows + r)]), column, sum[r]);
      }
    }
    for (int r = 0; r < kRows; ++r) burin_rt::store(&c[static_cast<size_t>(r) * 16], sum[r]);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRows * 16 * kSteps);
}
BENCHMARK(burin_tile_6x16);

}  // namespace

BENCHMARK_MAIN();
