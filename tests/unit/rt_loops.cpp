// Simple loops over functions of runtime_min. rt_build_test.cpp compiles this file and asks the
// compiler which loops it vectorised: all of them must be. One loop per line.
#include "runtime_min/cast.h"
#include "runtime_min/elementary.h"
#include "runtime_min/erf.h"
#include "runtime_min/float8.h"
#include "runtime_min/half.h"
#include "runtime_min/hyperbolic.h"
#include "runtime_min/inverse_trig.h"
#include "runtime_min/pow.h"
#include "runtime_min/round.h"
#include "runtime_min/trig.h"

#define LOOP(name, To, From, expression)                             \
  void name(To* __restrict to, const From* __restrict from, int n) { \
    for (int i = 0; i < n; ++i) to[i] = static_cast<To>(expression); \
  }
#define F32(f) LOOP(f##_f32, float, float, burin_rt::f(from[i]))
#define F64(f) LOOP(f##_f64, double, double, burin_rt::f(from[i]))

// loops begin
// clang-format off
F32(exp)
F32(exp2)
F32(expm1)
F32(log)
F32(log2)
F32(log10)
F32(log1p)
F32(tanh)
F32(sigmoid)
F32(erf)
F32(sin)
F32(cos)
F32(tan)
F32(asin)
F32(acos)
F32(atan)
F32(sinh)
F32(cosh)
F32(asinh)
F32(acosh)
F32(atanh)
F32(sqrt)
F32(rsqrt)
F32(floor)
F32(ceil)
F32(trunc)
F32(round_half_even)
F32(round_half_away)
F32(sign)
LOOP(pow_f32, float, float, burin_rt::pow(from[i], 1.7f))
LOOP(atan2_f32, float, float, burin_rt::atan2(from[i], 1.7f))
LOOP(relu6_f32, float, float, burin_rt::minimum(burin_rt::maximum(from[i] + 3.0f, 0.0f), 6.0f) * from[i])
F64(exp)
F64(log)
F64(tanh)
F64(erf)
F64(exp2)
F64(asin)
F64(atan)
F64(sqrt)
F64(floor)
LOOP(widen_f16, float, uint16_t, burin_rt::f16_to_f32(from[i]))
LOOP(widen_bf16, float, uint16_t, burin_rt::bf16_to_f32(from[i]))
LOOP(narrow_bf16, uint16_t, float, burin_rt::f32_to_bf16(from[i]))
LOOP(widen_e4m3fn, float, uint8_t, burin_rt::f8e4m3fn_to_f32(from[i]))
LOOP(narrow_e4m3fn, uint8_t, float, burin_rt::f32_to_f8e4m3fn(from[i]))
LOOP(quantise, int8_t, float, burin_rt::to_integer_saturate<int8_t>(burin_rt::round_half_even(from[i] * 0.3f)))
LOOP(truncate, int32_t, float, burin_rt::to_integer_wrap<int32_t>(from[i]))
// clang-format on
// loops end
