// SPDX-License-Identifier: MIT-0
// bytes: QuantizeLinear 'x_q'
//
//   output[0, i0 div 256, (i0 mod 256) div 16, i0 mod 16] := select(logical_or((mod(((select(is_nan(input[0, (i0 div
//       256), ((i0 mod 256) div 16), (i0 mod 16)]), 0i32, select((input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod
//       16)] < 0), (0i32 - i32(min(floor((f64(abs(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)])) *
//       f64(scale[0]))), 536870912))), i32(min(floor((f64(abs(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod
//       16)])) * f64(scale[0]))), 536870912)))) + bias0[0]) + bias0[1]), 65536i32) < mod((bias0[1] + bias0[1]),
//       65536i32)), is_nan(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)])), u8.sat((round((input[0, (i0
//       div 256), ((i0 mod 256) div 16), (i0 mod 16)] / constants[])) + f32(bias1[]))),
//       u8(min(max(min(max((((select(is_nan(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)]), 0i32,
//       select((input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)] < 0), (0i32 -
//       i32(min(floor((f64(abs(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)])) * f64(scale[0]))),
//       536870912))), i32(min(floor((f64(abs(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)])) *
//       f64(scale[0]))), 536870912)))) + bias0[0]) - mod((select(is_nan(input[0, (i0 div 2 ...
//
// input      f32[1, 4, 16, 16], strides [1024, 256, 16, 1], input of the network 'x'
// scale      f32[1], constant 'x_q/scale'
// bias0      i32[4], constant 'x_q/line'
// constants  f32[], constant 'x_scale'
// bias1      u8[], constant 'x_zero'
// output     u8[1, 4, 16, 16], strides [1024, 256, 16, 1]
//
// 128 at a time, by 1 line, of which 1 may ask floats; every index is proven to fit 32 bits
#include "../kernels.h"
#include "../rt/cast.h"
#include "../rt/dot.h"
#include "../rt/quantise.h"
#include "../rt/requantise.h"
#include "../rt/round.h"

namespace qdq_conv_kernels {

void quantize_linear_fdb37b01(
    const float* __restrict input,
    const float* __restrict scale,
    const int32_t* __restrict bias0,
    const float* __restrict constants,
    const uint8_t* __restrict bias1,
    uint8_t* __restrict output) {
  // Computes output from input, scale, bias0, constants and bias1.
  for (int32_t block = 0; block < 8; ++block) {
    burin_rt::IntVector<32> near;
    near = burin_rt::IntVector<32>{};
    burin_rt::quantise(&output[128 * block], near, &input[128 * block], &scale[0], &bias0[0]);
    alignas(64) int32_t any_near[1];
    burin_rt::store_any(&any_near[0], near);
    if ((any_near[0] != 0)) {
      alignas(64) int32_t near_words[32];
      burin_rt::store_lanes(&near_words[0], near);
      for (int32_t near_word = 0; near_word < 32; ++near_word) {
        if ((near_words[near_word] != 0)) {
          for (int32_t near_byte = 0; near_byte < 4; ++near_byte) {
            const float t0 =
                burin_rt::round_half_even((input[128 * block + 4 * near_word + near_byte] / constants[0])) +
                static_cast<float>(bias1[0]);
            output[128 * block + 4 * near_word + near_byte] = burin_rt::to_integer_saturate<uint8_t>(t0);
          }
        }
      }
    }
  }
}

}  // namespace qdq_conv_kernels
