// SPDX-License-Identifier: MIT-0
// bytes: QuantizeLinear 'x_q'
//
//   output[0, i0 div 256, (i0 mod 256) div 16, i0 mod 16] := select(logical_or((mod((e0 + bias[1]), 65536i32) <
//       mod((bias[1] + bias[1]), 65536i32)), e2), u8.sat((round((input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod
//       16)] / scale1[])) + f32(zero_point[]))), u8(min(max(min(max(((e0 - mod(e0, 65536i32)) / 65536i32), 0i32),
//       255i32), mod(bias[2], 256i32)), mod(bias[3], 256i32))))
//   where e0 is (select(e2, 0i32, select((input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)] < 0), (0i32 -
//       i32(e1)), i32(e1))) + bias[0])
//   where e1 is min(floor((f64(abs(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)])) * f64(scale0[0]))),
//       536870912)
//   where e2 is is_nan(input[0, (i0 div 256), ((i0 mod 256) div 16), (i0 mod 16)])
//
// input       f32[1, 4, 16, 16], strides [1024, 256, 16, 1], input of the network 'x'
// scale0      f32[1], constant 'x_q/scale'
// bias        i32[4], constant 'x_q/line'
// scale1      f32[], constant 'x_scale'
// zero_point  u8[], constant 'x_zero'
// output      u8[1, 4, 16, 16], strides [1024, 256, 16, 1]
//
// 128 at a time, by 1 line, of which 1 may ask floats; every index is proven to fit 32 bits
#include "../kernels.h"
#include "../rt/cast.h"
#include "../rt/dot.h"
#include "../rt/quantise.h"
#include "../rt/requantise.h"
#include "../rt/round.h"

namespace qdq_conv_kernels {

void quantize_linear_261d96a7(
    const float* __restrict input,
    const float* __restrict scale0,
    const int32_t* __restrict bias,
    const float* __restrict scale1,
    const uint8_t* __restrict zero_point,
    uint8_t* __restrict output) {
  // Computes output from input, scale0, bias, scale1 and zero_point.
  for (int32_t block = 0; block < 8; ++block) {
    burin_rt::IntVector<32> near;
    near = burin_rt::IntVector<32>{};
    burin_rt::quantise(&output[128 * block], near, &input[128 * block], &scale0[0], &bias[0]);
    alignas(64) int32_t any_near[1];
    burin_rt::store_any(&any_near[0], near);
    if ((any_near[0] != 0)) {
      alignas(64) int32_t near_words[32];
      burin_rt::store_lanes(&near_words[0], near);
      for (int32_t near_word = 0; near_word < 32; ++near_word) {
        if ((near_words[near_word] != 0)) {
          for (int32_t near_byte = 0; near_byte < 4; ++near_byte) {
            const float t0 =
                burin_rt::round_half_even((input[128 * block + 4 * near_word + near_byte] / scale1[0])) +
                static_cast<float>(zero_point[0]);
            output[128 * block + 4 * near_word + near_byte] = burin_rt::to_integer_saturate<uint8_t>(t0);
          }
        }
      }
    }
  }
}

}  // namespace qdq_conv_kernels
