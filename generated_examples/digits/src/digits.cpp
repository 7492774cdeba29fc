// The schedule of the network digits: one call per kernel.
#include "digits.h"

#include "digits_memory.h"
#include "kernels.h"
#include "rt/crc32.h"
#include "rt/elementary.h"
#include "rt/integer.h"
#include "rt/status.h"

#ifdef __FAST_MATH__
#error "this tree needs IEEE arithmetic: compile it without -ffast-math"
#endif

namespace kernels = digits_kernels;

namespace {

constexpr uint32_t kReady = 739193305u;  // marks an initialised context of this network

}  // namespace

extern "C" {

size_t digits_arena_bytes(const digits_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 17592186044416) return 0;
  const int64_t bytes = digits_memory::plan(batch).bytes;
  const size_t reachable = static_cast<size_t>(bytes);
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t digits_init(digits_context* context, void* arena, size_t arena_bytes, const void* weights, size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  if (arena == nullptr && arena_bytes != 0) return burin_rt::kNullArgument;
  if (reinterpret_cast<uintptr_t>(arena) % 64 != 0) return burin_rt::kArenaMisaligned;
  if (weights == nullptr) return burin_rt::kNullArgument;
  if (weights_bytes != 91392) return burin_rt::kWeightsWrongSize;
  if (reinterpret_cast<uintptr_t>(weights) % 8 != 0) return burin_rt::kInvalidArgument;
  const uint8_t* const bytes = static_cast<const uint8_t*>(weights);
  static const uint8_t kMagic[8] = {'B', 'U', 'R', 'I', 'N', 'W', 'T', '1'};
  for (int i = 0; i < 8; ++i) {
    if (bytes[i] != kMagic[i]) return burin_rt::kWeightsCorrupt;
  }
  if (burin_rt::crc32(bytes + 64, 91328) != 1851417495u) return burin_rt::kWeightsCorrupt;
  context->weights = bytes + 64;
  context->arena = static_cast<uint8_t*>(arena);
  context->arena_bytes = arena_bytes;
  context->ready = kReady;
  return burin_rt::kOk;
}

int32_t digits_run(digits_context* context, const digits_dims* dims, const digits_inputs* inputs, digits_outputs* outputs) {
  if (context == nullptr || inputs == nullptr || outputs == nullptr || dims == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->image == nullptr) return burin_rt::kNullArgument;
  if (outputs->probabilities == nullptr) return burin_rt::kNullArgument;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 17592186044416) return burin_rt::kDimensionOutOfRange;
  const digits_memory::Plan memory = digits_memory::plan(batch);
  if (static_cast<uint64_t>(context->arena_bytes) < static_cast<uint64_t>(memory.bytes)) return burin_rt::kArenaTooSmall;
  namespace constants = digits_memory::constants;
  uint8_t* const arena = context->arena;
  const uint8_t* const weights = context->weights;
  (void)arena;
  (void)weights;
  (void)memory;

  // Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu '/Relu'
  kernels::conv_batch_normalization_relu_215f52ed(reinterpret_cast<const float*>(weights + constants::stem_conv_Conv_rows_constant), inputs->image, reinterpret_cast<const float*>(weights + constants::stem_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::stem_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.Relu_output_0_internal), batch, arena + memory.scratch_0);
  // Conv '/separable/depthwise/conv/Conv', BatchNormalization '/separable/depthwise/norm/BatchNormalization', Relu '/separable/Relu'
  kernels::conv_batch_normalization_relu_e5ef14e9(reinterpret_cast<const float*>(arena + memory.Relu_output_0_internal), reinterpret_cast<const float*>(weights + constants::separable_depthwise_conv_weight_constant), reinterpret_cast<const float*>(weights + constants::separable_depthwise_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::separable_depthwise_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.separable_Relu_output_0_internal), batch);
  // Conv '/separable/pointwise/conv/Conv', BatchNormalization '/separable/pointwise/norm/BatchNormalization', Add '/separable/Add', Relu '/separable/Relu_1'
  kernels::conv_batch_normalization_add_relu_0d40c0fc(reinterpret_cast<const float*>(weights + constants::separable_pointwise_conv_Conv_rows_constant), reinterpret_cast<const float*>(arena + memory.separable_Relu_output_0_internal), reinterpret_cast<const float*>(arena + memory.Relu_output_0_internal), reinterpret_cast<const float*>(weights + constants::separable_pointwise_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::separable_pointwise_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.separable_Relu_1_output_0_internal), batch, arena + memory.scratch_2);
  // Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu '/Relu_1'
  kernels::conv_batch_normalization_relu_adf3084a(reinterpret_cast<const float*>(weights + constants::down_conv_Conv_rows_constant), reinterpret_cast<const float*>(arena + memory.separable_Relu_1_output_0_internal), reinterpret_cast<const float*>(weights + constants::down_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::down_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.Relu_1_output_0_internal), batch, arena + memory.scratch_3);
  // Conv '/inverted/expand/conv/Conv', BatchNormalization '/inverted/expand/norm/BatchNormalization', Relu '/inverted/Relu'
  kernels::conv_batch_normalization_relu_e6769754(reinterpret_cast<const float*>(weights + constants::inverted_expand_conv_Conv_rows_constant), reinterpret_cast<const float*>(arena + memory.Relu_1_output_0_internal), reinterpret_cast<const float*>(weights + constants::inverted_expand_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::inverted_expand_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.inverted_Relu_output_0_internal), batch, arena + memory.scratch_4);
  // Conv '/inverted/depthwise/conv/Conv', BatchNormalization '/inverted/depthwise/norm/BatchNormalization', Relu '/inverted/Relu_1'
  kernels::conv_batch_normalization_relu_3da67fea(reinterpret_cast<const float*>(arena + memory.inverted_Relu_output_0_internal), reinterpret_cast<const float*>(weights + constants::inverted_depthwise_conv_weight_constant), reinterpret_cast<const float*>(weights + constants::inverted_depthwise_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::inverted_depthwise_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.inverted_Relu_1_output_0_internal), batch);
  // Conv '/inverted/project/conv/Conv', BatchNormalization '/inverted/project/norm/BatchNormalization', Add '/inverted/Add'
  kernels::conv_batch_normalization_add_493ab1dd(reinterpret_cast<const float*>(weights + constants::inverted_project_conv_Conv_rows_constant), reinterpret_cast<const float*>(arena + memory.inverted_Relu_1_output_0_internal), reinterpret_cast<const float*>(arena + memory.Relu_1_output_0_internal), reinterpret_cast<const float*>(weights + constants::inverted_project_conv_Conv_constant_constant), reinterpret_cast<const float*>(weights + constants::inverted_project_conv_Conv_constant_1_constant), reinterpret_cast<float*>(arena + memory.inverted_Add_output_0_internal), batch, arena + memory.scratch_6);
  // GlobalAveragePool '/GlobalAveragePool'
  kernels::global_average_pool_b6c07124(reinterpret_cast<const float*>(arena + memory.inverted_Add_output_0_internal), reinterpret_cast<float*>(arena + memory.GlobalAveragePool_output_0_internal), batch);
  // Flatten '/Flatten', Gemm '/classify/Gemm'
  kernels::flatten_gemm_eee962ce(reinterpret_cast<const float*>(arena + memory.GlobalAveragePool_output_0_internal), reinterpret_cast<const float*>(weights + constants::classify_Gemm_columns_constant), reinterpret_cast<const float*>(weights + constants::classify_bias_constant), reinterpret_cast<float*>(arena + memory.classify_Gemm_output_0_internal), batch, arena + memory.scratch_8);
  // Softmax '/Softmax'
  kernels::softmax_35e86837(reinterpret_cast<const float*>(arena + memory.classify_Gemm_output_0_internal), outputs->probabilities, batch);
  return burin_rt::kOk;
}

const char* digits_strerror(int32_t status) { return burin_rt::status_text(status); }

}  // extern "C"
