// SPDX-License-Identifier: MIT-0
// integer_product: DequantizeLinear 'w_dq', 'x_dq', Conv 'conv', QuantizeLinear 'y_q'
//   DequantizeLinear 'w_dq': axis=0
//   Conv: kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 1]
//
//   sum0[i0, i1, i2] = sum over i3 i4 i5 i6: i32(weights[(i0 div 3), i3, i4, 0, (i0 mod 3), i6]) * i32({0 <= 2*i1 + i3
//       - 1 < 16 && 0 <= i2 + i4 - 1 < 16: input[0, i6, 2*i1 + i3 - 1, i2 + i4 - 1]; else u8(i32(zero_point0[]))})
//   output[0, i0, i1, i2] := select((mod(e0, 65536i32) < mod(bias0[i0, 3], 65536i32)), u8.sat((round(((((f32((sum0[i0,
//       i1, i2] - (i32(zero_point0[]) * constants[i0]))) * scale0[]) * scale1[i0]) + bias1[i0]) / scale2[])) +
//       f32(zero_point1[]))), u8(min(max(min(max(((e0 - mod(e0, 65536i32)) / 65536i32), 0i32), 255i32), mod(bias0[i0,
//       4], 256i32)), mod(bias0[i0, 5], 256i32))))
//   where e0 is (i32(min(((e1 - mod(e1, 2147483648i64)) / 2147483648i64), 2147483647i64)) + bias0[i0, 2])
//   where e1 is (i64(shift_left(sum0[i0, i1, i2], bit_and(bias0[i0, 0], 31i32))) * i64(bias0[i0, 1]))
//
// weights      i8[2, 3, 3, 1, 3, 4], strides [108, 36, 12, 12, 4, 1], constant 'conv/panels'
// zero_point0  u8[], constant 'x_zero'
// input        u8[1, 4, 16, 16], strides [1024, 256, 16, 1]
// bias0        i32[6, 6], strides [6, 1], constant 'conv/lines'
// constants    i32[6], constant 'conv/sums'
// scale0       f32[], constant 'x_scale'
// scale1       f32[6], constant 'w_scale'
// bias1        f32[6], constant 'b_back'
// scale2       f32[], constant 'y_scale'
// zero_point1  u8[], constant 'y_zero'
// output       u8[1, 6, 8, 16], strides [768, 128, 16, 1], output of the network 'y'
//
// tile of 3 x 192 sums by vrmpybus_1024, the operand staged once for all taps; every index is proven to fit 32 bits
#include "../kernels.h"
#include "../rt/cast.h"
#include "../rt/dot.h"
#include "../rt/elementary.h"
#include "../rt/fold_bytes.h"
#include "../rt/integer.h"
#include "../rt/pad_known_fours.h"
#include "../rt/pad_known_rows.h"
#include "../rt/requantise.h"
#include "../rt/round.h"

namespace qdq_conv_kernels {

void conv_c783c331(
    const int8_t* __restrict weights,
    const uint8_t* __restrict zero_point0,
    const uint8_t* __restrict input,
    const int32_t* __restrict bias0,
    const int32_t* __restrict constants,
    const float* __restrict scale0,
    const float* __restrict scale1,
    const float* __restrict bias1,
    const float* __restrict scale2,
    const uint8_t* __restrict zero_point1,
    uint8_t* __restrict output,
    uint8_t* __restrict scratch) {
  [&](uint8_t* __restrict staged, uint8_t* __restrict results) {
    alignas(64) uint8_t filling[1];
    filling[0] = static_cast<uint8_t>(static_cast<int32_t>(zero_point0[0]));
    burin_rt::fill_bytes(&staged[0], &filling[0], 128);
    burin_rt::pad_known_fours<1, 18, 16, 1, 32>(
        &staged[72], &input[16], &input[272], &input[528], &input[784], &filling[0], 8);
    alignas(64) uint8_t filling2[1];
    filling2[0] = static_cast<uint8_t>(static_cast<int32_t>(zero_point0[0]));
    burin_rt::fill_bytes(&staged[1224], &filling2[0], 128);
    burin_rt::pad_known_fours<1, 18, 16, 1, 32>(
        &staged[648], &input[0], &input[256], &input[512], &input[768], &filling2[0], 8);
    // Computes output and results from weights, zero_point0, bias0, constants, scale0, scale1 and
    // others.
    for (int32_t first_row = 0; first_row < 6; first_row += 3) {
      const int32_t end_row = burin_rt::minimum<int32_t>(6, first_row + 3);
      burin_rt::IntVector<32> sums[3][5];
      // Sets sums to a constant.
#pragma GCC unroll 3
      for (int32_t row = 0; row < 3; ++row) {
#pragma GCC unroll 5
        for (int32_t vector = 0; vector < 5; ++vector) {
          sums[row][vector] = burin_rt::IntVector<32>{};
        }
      }
      // Adds products of weights and staged to sums.
      for (int32_t i3 = 0; i3 < 3; ++i3) {
        for (int32_t i4 = 0; i4 < 3; ++i4) {
#pragma GCC unroll 3
          for (int32_t row = 0; row < 3; ++row) {
#pragma GCC unroll 5
            for (int32_t vector = 0; vector < 5; ++vector) {
              sums[row][vector] = burin_rt::dot_s8u8<32>(
                  sums[row][vector], &weights[36 * i3 + 12 * i4 + 4 * row + 108 * (first_row / 3)],
                  &staged[4 * i4 + 128 * vector + 72 * (i3 / 2) + 648 * (i3 % 2)]);
            }
          }
        }
      }
      alignas(64) int32_t tile[576];
      // Copies sums to tile.
#pragma GCC unroll 3
      for (int32_t row = 0; row < 3; ++row) {
#pragma GCC unroll 5
        for (int32_t vector = 0; vector < 5; ++vector) {
          burin_rt::store_lanes(&tile[192 * row + 32 * vector], sums[row][vector]);
        }
      }
      burin_rt::IntVector<32> lowest;
      lowest = burin_rt::all_bits();
      // Computes results and lowest from bias0 and sums.
#pragma GCC unroll 3
      for (int32_t row = 0; row < 3; ++row) {
        burin_rt::requantise<true, burin_rt::LowestHalves>(
            &results[400 * row], lowest, sums[row][0], sums[row][1], sums[row][2], sums[row][3],
            &bias0[6 * row + 6 * first_row]);
        burin_rt::requantise<true, burin_rt::LowestHalves>(
            &results[400 * row + 128], lowest, sums[row][4], sums[row][4], &bias0[6 * row + 6 * first_row]);
      }
      alignas(64) int32_t any_near[1];
      burin_rt::store_any_near(&any_near[0], lowest, &bias0[6 * first_row]);
      // Computes results from zero_point0, bias0, constants, scale0, scale1, bias1 and others.
      if ((any_near[0] != 0)) {
        burin_rt::IntVector<32> sums_again[3][5];
        // Copies tile to sums_again.
#pragma GCC unroll 3
        for (int32_t row = 0; row < 3; ++row) {
#pragma GCC unroll 5
          for (int32_t vector = 0; vector < 5; ++vector) {
            burin_rt::load_lanes(sums_again[row][vector], &tile[192 * row + 32 * vector]);
          }
        }
        burin_rt::IntVector<32> seen;
        seen = burin_rt::IntVector<32>{};
        // Computes results and seen from bias0 and sums_again.
#pragma GCC unroll 3
        for (int32_t row = 0; row < 3; ++row) {
          burin_rt::requantise<true>(
              &results[400 * row], seen, sums_again[row][0], sums_again[row][1], sums_again[row][2], sums_again[row][3],
              &bias0[6 * row + 6 * first_row]);
          burin_rt::requantise<true>(
              &results[400 * row + 128], seen, sums_again[row][4], sums_again[row][4], &bias0[6 * row + 6 * first_row]);
        }
        alignas(64) int32_t marks[32];
        burin_rt::store_lanes(&marks[0], seen);
        // Computes results from zero_point0, constants, scale0, scale1, bias1, scale2 and others.
        for (int32_t mark_word = 0; mark_word < 32; ++mark_word) {
          if ((marks[mark_word] != 0)) {
            for (int32_t mark_part = 0; mark_part < 4; ++mark_part) {
              for (int32_t i0 = first_row; i0 < end_row; ++i0) {
                const int32_t t0 = burin_rt::subtract_wrap(
                    tile[192 * i0 - 192 * first_row + 2 * mark_word + 64 * (mark_part / 2) + (mark_part % 2)],
                    burin_rt::multiply_wrap(static_cast<int32_t>(zero_point0[0]), constants[i0]));
                const float t1 = burin_rt::round_half_even(
                    ((((static_cast<float>(t0) * scale0[0]) * scale1[i0]) + bias1[i0]) / scale2[0]));
                results[400 * i0 - 400 * first_row + 2 * mark_word + 64 * (mark_part / 2) + (mark_part % 2)] =
                    burin_rt::to_integer_saturate<uint8_t>((t1 + static_cast<float>(zero_point1[0])));
              }
            }
          }
        }
        // Computes results from zero_point0, constants, scale0, scale1, bias1, scale2 and others.
        for (int32_t mark_word = 0; mark_word < 32; ++mark_word) {
          if ((marks[mark_word] != 0)) {
            for (int32_t mark_part = 0; mark_part < 2; ++mark_part) {
              if (2 * mark_word + 64 * (mark_part / 2) + (mark_part % 2) < 32) {
                for (int32_t i0 = first_row; i0 < end_row; ++i0) {
                  const int32_t t2 =
                      tile[192 * i0 - 192 * first_row + 2 * mark_word + 64 * (mark_part / 2) + (mark_part % 2) + 128];
                  const int32_t t3 = burin_rt::subtract_wrap(
                      t2, burin_rt::multiply_wrap(static_cast<int32_t>(zero_point0[0]), constants[i0]));
                  const float t4 = burin_rt::round_half_even(
                      ((((static_cast<float>(t3) * scale0[0]) * scale1[i0]) + bias1[i0]) / scale2[0]));
                  results[400 * i0 - 400 * first_row + 2 * mark_word + 64 * (mark_part / 2) + (mark_part % 2) + 128] =
                      burin_rt::to_integer_saturate<uint8_t>((t4 + static_cast<float>(zero_point1[0])));
                }
              }
            }
          }
        }
      }
      // Copies results to output.
      for (int32_t i0 = first_row; i0 < end_row; ++i0) {
        alignas(64) uint8_t filling3[1];
        filling3[0] = static_cast<uint8_t>(0);
        burin_rt::pad_known_rows<16, 16, 0, 18>(
            &output[128 * i0], &results[400 * i0 - 400 * first_row], &filling3[0], 8);
      }
    }
  }(reinterpret_cast<uint8_t*>(scratch), reinterpret_cast<uint8_t*>(scratch + 2112));
}

}  // namespace qdq_conv_kernels
