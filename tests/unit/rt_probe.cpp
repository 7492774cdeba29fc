// A program that prints, for each function of runtime_min, a hash of the bits of its results over a
// fixed set of inputs. rt_build_test.cpp builds it with several compilers, flags and targets and
// compares what it prints. Without a C library it brings its own entry and output (Hexagon).
#include "runtime_min/cast.h"
#include "runtime_min/elementary.h"
#include "runtime_min/erf.h"
#include "runtime_min/float8.h"
#include "runtime_min/fmod.h"
#include "runtime_min/half.h"
#include "runtime_min/hyperbolic.h"
#include "runtime_min/inverse_trig.h"
#include "runtime_min/lane_functions.h"
#include "runtime_min/pow.h"
#include "runtime_min/round.h"
#include "runtime_min/trig.h"
#include "runtime_min/vec.h"

#if defined(__hexagon__)
static void put(char c) {
  register long file __asm__("r0") = 1;
  register const char* text __asm__("r1") = &c;
  register long size __asm__("r2") = 1;
  register long number __asm__("r6") = 64;  // write
  __asm__ volatile("trap0(#1)" : "+r"(file) : "r"(text), "r"(size), "r"(number) : "memory");
}
#else
extern "C" int putchar(int);
static void put(char c) { putchar(c); }
#endif

static void print(const char* name, uint64_t hash) {
  while (*name != 0) put(*name++);
  put(' ');
  for (int digit = 15; digit >= 0; --digit) put("0123456789abcdef"[(hash >> (4 * digit)) & 15u]);
  put('\n');
}

// FNV-1a over words; every NaN counts the same, for its bits differ between machines.
static uint64_t mix(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001b3u; }
static uint64_t mix(uint64_t hash, float x) {
  return mix(hash, uint64_t{x != x ? 1u : burin_rt::to_bits(x)});
}
static uint64_t mix(uint64_t hash, double x) {
  return mix(hash, x != x ? uint64_t{1} : burin_rt::to_bits(x));
}

constexpr uint32_t kInputs = 512;

// Half of the inputs are spread over all bit patterns, half lie between -16 and 16. All are exact,
// so that no compiler can round them differently.
static float input(uint32_t i, float) {
  if (i % 2 == 0) return burin_rt::f32_from_bits(i * 8388617u + 5u);
  const int32_t integer = static_cast<int32_t>((i * 2654435761u) >> 8) - 8388608;
  return static_cast<float>(integer) * 1.9073486328125e-6f;
}
static double input(uint32_t i, double) {
  if (i % 2 == 0) return burin_rt::f64_from_bits(i * 0x0080000000c0ffeeu + 5u);
  const int64_t integer = static_cast<int64_t>((i * 0x9e3779b97f4a7c15u) >> 11) - 4503599627370496;
  return static_cast<double>(integer) * 3.552713678800501e-15;
}

#define HASH(name, T, expression)            \
  {                                          \
    uint64_t hash = 0xcbf29ce484222325u;     \
    for (uint32_t i = 0; i < kInputs; ++i) { \
      const T x = input(i, T{});             \
      const T y = input(kInputs - i, T{});   \
      (void)y;                               \
      hash = mix(hash, expression);          \
    }                                        \
    print(name, hash);                       \
  }
#define UNARY(f) HASH(#f " f32", float, burin_rt::f(x)) HASH(#f " f64", double, burin_rt::f(x))
#define BINARY(f) \
  HASH(#f " f32", float, burin_rt::f(x, y)) HASH(#f " f64", double, burin_rt::f(x, y))
#define INTEGER(I)                                                                \
  HASH("wrap " #I, float, static_cast<uint64_t>(burin_rt::to_integer_wrap<I>(x))) \
  HASH("saturate " #I, double, static_cast<uint64_t>(burin_rt::to_integer_saturate<I>(x)))

static float dot(float x, float y) {
  float a[16];
  for (int i = 0; i < 16; ++i) a[i] = x + static_cast<float>(i);
  const auto v = burin_rt::load<16>(a);
  return burin_rt::sum_lanes(madd(v, burin_rt::broadcast<16>(y), v + v));
}

// Of a vector whose last lane has the input, that lane.
#define LANES(f)                                                 \
  HASH(#f " lanes", float, last_lane(burin_rt::f(beside<4>(x)))) \
  HASH(#f " more lanes", float, last_lane(burin_rt::f(beside<16>(x))))
template <int kLanes>
static burin_rt::FloatVector<kLanes> beside(float x) {
  float lanes[size_t{kLanes}] = {1.0f, -2.0f};
  lanes[kLanes - 1] = x;
  return burin_rt::load<kLanes>(lanes);
}
template <int kLanes, bool kWhole>
static float last_lane(const burin_rt::FloatVector<kLanes, kWhole>& v) {
  float lanes[size_t{kLanes}];
  burin_rt::store(lanes, v);
  return lanes[kLanes - 1];
}

static void run() {
  LANES(exp)
  LANES(tanh)
  LANES(erf)
  UNARY(exp)
  UNARY(exp2)
  UNARY(expm1)
  UNARY(log)
  UNARY(log2)
  UNARY(log10)
  UNARY(log1p)
  UNARY(tanh) UNARY(sigmoid) UNARY(sinh) UNARY(cosh) UNARY(asinh) UNARY(acosh) UNARY(atanh)
      UNARY(sin) UNARY(cos) UNARY(tan) UNARY(asin) UNARY(acos) UNARY(atan) UNARY(erf) UNARY(sqrt)
          UNARY(rsqrt) UNARY(floor) UNARY(ceil) UNARY(trunc) UNARY(round_half_even) UNARY(
              round_half_away) UNARY(sign) UNARY(absolute) BINARY(atan2) BINARY(pow) BINARY(fmod)
              BINARY(mod) BINARY(minimum) BINARY(maximum) INTEGER(int8_t) INTEGER(uint8_t)
                  INTEGER(int32_t) INTEGER(uint32_t) INTEGER(int64_t) INTEGER(uint64_t)
                      HASH("f16", float, burin_rt::f16_to_f32(burin_rt::f32_to_f16(x)))
                          HASH("f64 f16", double, uint64_t{burin_rt::f64_to_f16(x)}) HASH(
                              "bf16", float, burin_rt::bf16_to_f32(burin_rt::f32_to_bf16(x)))
                              HASH("e4m3fn", float,
                                   burin_rt::f8e4m3fn_to_f32(burin_rt::f32_to_f8e4m3fn_saturate(x)))
                                  HASH("e5m2fnuz", float,
                                       burin_rt::f8e5m2fnuz_to_f32(burin_rt::f32_to_f8e5m2fnuz(x)))
                                      HASH("vectors", float, dot(x, y))
}

#if defined(__hexagon__)
extern "C" void _start() {
  run();
  register long status __asm__("r0") = 0;
  register long number __asm__("r6") = 94;  // exit_group
  __asm__ volatile("trap0(#1)" : : "r"(status), "r"(number));
  for (;;) {
  }
}
#else
int main() {
  run();
  return 0;
}
#endif
