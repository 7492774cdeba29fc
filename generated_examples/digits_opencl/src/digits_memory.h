// Where every intermediate result and every constant lies, in bytes.
#ifndef digits_memory_h
#define digits_memory_h

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"

namespace digits_memory {

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  int64_t Relu_output_0_internal;
  int64_t separable_Relu_output_0_internal;
  int64_t separable_Relu_1_output_0_internal;
  int64_t Relu_1_output_0_internal;
  int64_t inverted_Relu_output_0_internal;
  int64_t inverted_Relu_1_output_0_internal;
  int64_t inverted_Add_output_0_internal;
  int64_t GlobalAveragePool_output_0_internal;
  int64_t classify_Gemm_output_0_internal;
};

inline Plan plan(int64_t batch) {
  (void)batch;
  Plan p{};
  p.bytes = 15360 * batch;
  p.Relu_output_0_internal = 0;
  p.separable_Relu_output_0_internal = 6144 * batch;
  p.separable_Relu_1_output_0_internal = 0;
  p.Relu_1_output_0_internal = 12288 * batch;
  p.inverted_Relu_output_0_internal = 0;
  p.inverted_Relu_1_output_0_internal = 6144 * batch;
  p.inverted_Add_output_0_internal = 12288 * batch;
  p.GlobalAveragePool_output_0_internal = 0;
  p.classify_Gemm_output_0_internal = 128 * batch + 128 * ((batch + 1) / 2);
  return p;
}

// Offsets in the weights.
namespace constants {
constexpr size_t stem_conv_weight_constant = 0;
constexpr size_t separable_depthwise_conv_weight_constant = 1152;
constexpr size_t separable_pointwise_conv_weight_constant = 2304;
constexpr size_t down_conv_weight_constant = 4864;
constexpr size_t inverted_expand_conv_weight_constant = 46720;
constexpr size_t inverted_depthwise_conv_weight_constant = 65920;
constexpr size_t inverted_project_conv_weight_constant = 70144;
constexpr size_t classify_weight_constant = 88960;
constexpr size_t classify_bias_constant = 90880;
constexpr size_t stem_conv_Conv_constant_constant = 896;
constexpr size_t stem_conv_Conv_constant_1_constant = 1024;
constexpr size_t separable_depthwise_conv_Conv_constant_constant = 2048;
constexpr size_t separable_depthwise_conv_Conv_constant_1_constant = 2176;
constexpr size_t separable_pointwise_conv_Conv_constant_constant = 4608;
constexpr size_t separable_pointwise_conv_Conv_constant_1_constant = 4736;
constexpr size_t down_conv_Conv_constant_constant = 46336;
constexpr size_t down_conv_Conv_constant_1_constant = 46528;
constexpr size_t inverted_expand_conv_Conv_constant_constant = 65152;
constexpr size_t inverted_expand_conv_Conv_constant_1_constant = 65536;
constexpr size_t inverted_depthwise_conv_Conv_constant_constant = 69376;
constexpr size_t inverted_depthwise_conv_Conv_constant_1_constant = 69760;
constexpr size_t inverted_project_conv_Conv_constant_constant = 88576;
constexpr size_t inverted_project_conv_Conv_constant_1_constant = 88768;
}  // namespace constants

}  // namespace digits_memory

#endif
