// SPDX-License-Identifier: MIT-0
// The schedule of the network digits: one call per kernel.
#include "digits.h"

#include "digits_memory.h"
#include "kernels.h"
#include "rt/crc32.h"
#include "rt/elementary.h"
#include "rt/fault.h"
#include "rt/integer.h"
#include "rt/parallel.h"
#include "rt/place.h"
#include "rt/status.h"

#ifdef __FAST_MATH__
#error "this tree needs IEEE arithmetic: compile it without -ffast-math"
#endif

namespace kernels = digits_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(DIGITS_CONTENT(0x));  // marks an initialised context

}  // namespace

extern "C" {

size_t digits_arena_bytes(const digits_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 8796093022208) return 0;
  // Where pointers have 32 bits, more than they reach is out of range.
  const digits_memory::Plan memory = digits_memory::plan(batch);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t digits_init(
    digits_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (arena == nullptr && arena_bytes != 0) return burin_rt::kNullArgument;
  if (reinterpret_cast<uintptr_t>(arena) % 64 != 0) return burin_rt::kArenaMisaligned;
  if (weights == nullptr) return burin_rt::kNullArgument;
  if (weights_bytes != DIGITS_WEIGHTS_BYTES) return burin_rt::kWeightsWrongSize;
  if (reinterpret_cast<uintptr_t>(weights) % 8 != 0) return burin_rt::kInvalidArgument;
  const uint8_t* const bytes = static_cast<const uint8_t*>(weights);
  // Of what is behind the header, then of the header.
  const uint32_t sum = burin_rt::crc32(bytes + 64, DIGITS_WEIGHTS_BYTES - 64);
  if (burin_rt::crc32(bytes, 64, sum) != DIGITS_WEIGHTS_CRC) return burin_rt::kWeightsCorrupt;
  context->weights = bytes + 64;
  context->parallel_for = nullptr;
  context->parallel_user = nullptr;
  context->arena = static_cast<uint8_t*>(arena);
  context->arena_bytes = arena_bytes;
  context->ready = kReady;
  return burin_rt::kOk;
}

int32_t digits_run(
    digits_context* context,
    const digits_dims* dims,
    const digits_inputs* inputs,
    digits_outputs* outputs) {
  if (context == nullptr) return burin_rt::kNullArgument;
  digits_fault& fault = context->fault;
  burin_rt::clear(fault);
  if (inputs == nullptr || outputs == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->image == nullptr) return burin_rt::kNullArgument;
  if (outputs->probabilities == nullptr) return burin_rt::kNullArgument;
  if (dims == nullptr) return burin_rt::kNullArgument;
  const int64_t batch = dims->batch;
  if (!burin_rt::within(fault, "batch", batch, 1, 8796093022208)) return burin_rt::kDimensionOutOfRange;
  const digits_memory::Plan memory = digits_memory::plan(batch);
  if (static_cast<uint64_t>(context->arena_bytes) < static_cast<uint64_t>(memory.bytes)) {
    return burin_rt::too_few(fault, "arena_bytes", context->arena_bytes, memory.bytes, burin_rt::kArenaTooSmall);
  }
  namespace at = digits_memory::at;
  const burin_rt::Bytes arena(context->arena);
  const burin_rt::ConstBytes weights(context->weights);
  (void)arena;
  (void)weights;
  (void)memory;
  const burin_rt::Threads threads = {context->parallel_for, context->parallel_user, 4};

  // Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu '/Relu'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_relu_647aaa50(
          weights[at::stem_conv_Conv_rows], inputs->image, weights[at::stem_norm_bias_folded],
          arena[memory.Relu_output_0], batch, 4 * begin, burin_rt::minimum<int64_t>(4 * end, batch),
          arena[memory.Relu_output_0_scratch] + worker * memory.Relu_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 3) / 4), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Conv '/separable/depthwise/conv/Conv', BatchNormalization '/separable/depthwise/norm/BatchNormalization', Relu
  // '/separable/Relu'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_relu_aa101500(
          weights[at::separable_depthwise_conv_Conv_rows], arena[memory.Relu_output_0],
          weights[at::separable_depthwise_norm_bias_folded], arena[memory.separable_Relu_output_0], batch, 4 * begin,
          burin_rt::minimum<int64_t>(4 * end, batch),
          arena[memory.separable_Relu_output_0_scratch] + worker * memory.separable_Relu_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 3) / 4), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Conv '/separable/pointwise/conv/Conv', BatchNormalization '/separable/pointwise/norm/BatchNormalization', Add
  // '/separable/Add', Relu '/separable/Relu_1'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_add_relu_3b63f7b1(
          weights[at::separable_pointwise_conv_Conv_rows], arena[memory.separable_Relu_output_0],
          arena[memory.Relu_output_0], weights[at::separable_pointwise_norm_bias_folded],
          arena[memory.separable_Relu_1_output_0], batch, 256 * begin,
          burin_rt::minimum<int64_t>(256 * end, 64 * batch),
          arena[memory.separable_Relu_1_output_0_scratch] + worker * memory.separable_Relu_1_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 3) / 4), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu '/Relu_1'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_relu_132b6204(
          weights[at::down_conv_Conv_rows], arena[memory.separable_Relu_1_output_0], weights[at::down_norm_bias_folded],
          arena[memory.Relu_1_output_0], batch, 4 * begin, burin_rt::minimum<int64_t>(4 * end, batch),
          arena[memory.Relu_1_output_0_scratch] + worker * memory.Relu_1_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 3) / 4), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Conv '/inverted/expand/conv/Conv', BatchNormalization '/inverted/expand/norm/BatchNormalization', Relu
  // '/inverted/Relu'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_relu_698d5d83(
          weights[at::inverted_expand_conv_Conv_rows], arena[memory.Relu_1_output_0],
          weights[at::inverted_expand_norm_bias_folded], arena[memory.inverted_Relu_output_0], batch, 64 * begin,
          burin_rt::minimum<int64_t>(64 * end, 16 * batch),
          arena[memory.inverted_Relu_output_0_scratch] + worker * memory.inverted_Relu_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 3) / 4), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Conv '/inverted/depthwise/conv/Conv', BatchNormalization '/inverted/depthwise/norm/BatchNormalization', Relu
  // '/inverted/Relu_1'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_relu_63bfc069(
          weights[at::inverted_depthwise_conv_Conv_rows], arena[memory.inverted_Relu_output_0],
          weights[at::inverted_depthwise_norm_bias_folded], arena[memory.inverted_Relu_1_output_0], batch, 6 * begin,
          burin_rt::minimum<int64_t>(6 * end, 96),
          arena[memory.inverted_Relu_1_output_0_scratch] + worker * memory.inverted_Relu_1_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, 16, part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Conv '/inverted/project/conv/Conv', BatchNormalization '/inverted/project/norm/BatchNormalization', Add
  // '/inverted/Add'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::conv_batch_normalization_add_fa1542e9(
          weights[at::inverted_project_conv_Conv_rows], arena[memory.inverted_Relu_1_output_0],
          arena[memory.Relu_1_output_0], weights[at::inverted_project_norm_bias_folded],
          arena[memory.inverted_Add_output_0], batch, 64 * begin, burin_rt::minimum<int64_t>(64 * end, 16 * batch),
          arena[memory.inverted_Add_output_0_scratch] + worker * memory.inverted_Add_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 3) / 4), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // GlobalAveragePool '/GlobalAveragePool'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t) {
      kernels::global_average_pool_e2fb56f4(
          arena[memory.inverted_Add_output_0], arena[memory.GlobalAveragePool_output_0], batch, 16 * begin,
          burin_rt::minimum<int64_t>(16 * end, batch));
    };
    if (!burin_rt::run_parallel(threads, ((batch + 15) / 16), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Flatten '/Flatten', Gemm '/classify/Gemm'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
      kernels::gemm_e8efc93e(
          arena[memory.GlobalAveragePool_output_0], weights[at::classify_Gemm_columns], weights[at::classify_bias],
          arena[memory.classify_Gemm_output_0], batch, 60 * begin, burin_rt::minimum<int64_t>(60 * end, batch),
          arena[memory.classify_Gemm_output_0_scratch] + worker * memory.classify_Gemm_output_0_scratch_stride);
    };
    if (!burin_rt::run_parallel(threads, ((batch + 59) / 60), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  // Softmax '/Softmax'
  {
    const auto part = [&](int64_t begin, int64_t end, int32_t) {
      kernels::softmax_663f0946(arena[memory.classify_Gemm_output_0], outputs->probabilities, batch, 72 * begin,
                                burin_rt::minimum<int64_t>(72 * end, batch));
    };
    if (!burin_rt::run_parallel(threads, ((batch + 71) / 72), part)) {
      return burin_rt::kParallelForBroken;
    }
  }
  return burin_rt::kOk;
}

const char* digits_strerror(int32_t status) { return burin_rt::status_text(status); }

size_t digits_explain(const digits_context* context, int32_t status, char* text, size_t bytes) {
  return burin_rt::explain(context, burin_rt::status_text(status), text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &digits_arena_bytes;
constexpr auto kInitHere = &digits_init;
constexpr auto kRunHere = &digits_run;
constexpr auto kStrerrorHere = &digits_strerror;
constexpr auto kExplainHere = &digits_explain;

}  // namespace

#undef digits_arena_bytes
#undef digits_init
#undef digits_run
#undef digits_strerror
#undef digits_explain

// And under names that do not, for callers that look them up. They lie in this file, so that a linker
// that takes two trees of one name meets them twice.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
extern "C" {

size_t digits_arena_bytes(const digits_dims* dims) { return kArenaBytesHere(dims); }

int32_t digits_init(
    digits_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  return kInitHere(context, arena, arena_bytes, weights, weights_bytes);
}

int32_t digits_run(
    digits_context* context,
    const digits_dims* dims,
    const digits_inputs* inputs,
    digits_outputs* outputs) {
  return kRunHere(context, dims, inputs, outputs);
}

const char* digits_strerror(int32_t status) { return kStrerrorHere(status); }

size_t digits_explain(const digits_context* context, int32_t status, char* text, size_t bytes) {
  return kExplainHere(context, status, text, bytes);
}

}  // extern "C"
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
