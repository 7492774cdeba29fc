// SPDX-License-Identifier: MIT-0
// The schedule of the network digits: one launch or more per kernel.
#include "digits.h"

#include "digits_memory.h"
#include "kernels.h"
#include "rt/crc32.h"
#include "rt/elementary.h"
#include "rt/fault.h"
#include "rt/integer.h"
#include "rt/opencl/commands.h"
#include "rt/place.h"
#include "rt/status.h"

#ifdef __FAST_MATH__
#error "this tree needs IEEE arithmetic: compile it without -ffast-math"
#endif

namespace kernels = digits_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(DIGITS_CONTENT(0x));  // marks an initialised context

burin_cl::Device& device_of(digits_context* context) {
  static_assert(sizeof(burin_cl::Device) <= sizeof context->device, "the context has too little room");
  return *reinterpret_cast<burin_cl::Device*>(context->device);
}

burin_cl::Handle* kernels_of(digits_context* context) {
  return context->kernels;
}
}  // namespace

extern "C" {

size_t digits_arena_bytes(const digits_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 8796093022208) return 0;
  const digits_memory::Plan memory = digits_memory::plan(batch);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);  // pointers may have 32 bits
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t digits_init(
    digits_context* context,
    void* /*arena*/,
    size_t /*arena_bytes*/,
    const void* weights,
    size_t weights_bytes) {
  return digits_init_opencl(context, nullptr, weights, weights_bytes);
}

int32_t digits_init_opencl(
    digits_context* context,
    const digits_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (weights == nullptr) return burin_rt::kNullArgument;
  if (weights_bytes != DIGITS_WEIGHTS_BYTES) return burin_rt::kWeightsWrongSize;
  if (reinterpret_cast<uintptr_t>(weights) % 8 != 0) return burin_rt::kInvalidArgument;
  const uint8_t* const bytes = static_cast<const uint8_t*>(weights);
  // Of what is behind the header, then of the header.
  const uint32_t sum = burin_rt::crc32(bytes + 64, DIGITS_WEIGHTS_BYTES - 64);
  if (burin_rt::crc32(bytes, 64, sum) != DIGITS_WEIGHTS_CRC) return burin_rt::kWeightsCorrupt;
  context->weights = bytes + 64;
  burin_cl::Given given = {};
  if (opencl != nullptr) {
    given = {opencl->context, opencl->device, opencl->queue, opencl->binary, opencl->binary_bytes,
             opencl->binary_room, opencl->message, opencl->user, nullptr, 0};
  }
  constexpr burin_cl::Needs needs = {false, false, 128, {128, 4, 1}, 6656, 0, 0, 0, 0};
  const int32_t status = burin_cl::make(
      device_of(context),
      kernels_of(context),
      kernels::kProgram,
      needs,
      given,
      context->weights,
      117696);
  if (status == burin_rt::kOk) context->ready = kReady;
  return status;
}

void digits_release(digits_context* context) {
  if (context == nullptr || context->ready != kReady) return;
  context->ready = 0;
  burin_cl::release(device_of(context), kernels_of(context), kernels::kCount);
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
  namespace at = digits_memory::at;
  const burin_rt::ConstBytes weights(context->weights);
  (void)weights;
  burin_cl::Device& device = device_of(context);
  // Inputs and outputs lie behind the intermediate results.
  struct Places {
    int64_t unused_;
    int64_t image;
    int64_t probabilities;
  };
  Places outside = {};
  int64_t total = memory.bytes;
  outside.image = burin_cl::take(total, 256 * batch);
  outside.probabilities = burin_cl::take(total, 40 * batch);
  if (const int32_t reserved = burin_cl::reserve(device, total); reserved != burin_rt::kOk) return reserved;

  burin_cl::Commands commands(device, kernels_of(context));
  const auto steps = [&]() -> int32_t {
    commands.write(outside.image, inputs->image, 256 * batch);

    // Conv '/stem/conv/Conv', BatchNormalization '/stem/norm/BatchNormalization', Relu '/Relu'
    commands.launch(
        kernels::conv_batch_normalization_relu_b4757ce7,
        {64 * ((batch + 1) / 2), 64},
        {1, 1},
        {1, 1},
        commands.in_weights(at::stem_conv_Conv_rows, 4),
        commands.in_arena(outside.image, 4),
        commands.in_weights(at::stem_norm_bias_folded, 4),
        commands.in_arena(memory.Relu_output_0, 4),
        batch);
    // Conv '/separable/depthwise/conv/Conv', BatchNormalization '/separable/depthwise/norm/BatchNormalization', Relu
    // '/separable/Relu'
    commands.launch(
        kernels::conv_batch_normalization_relu_10b42fdf,
        {64, 64},
        {24, 1},
        {batch, 1},
        commands.in_arena(memory.Relu_output_0, 4),
        commands.in_weights(at::separable_depthwise_conv_weight_folded, 4),
        commands.in_weights(at::separable_depthwise_norm_bias_folded, 4),
        commands.in_arena(memory.separable_Relu_output_0, 4));
    // Conv '/separable/pointwise/conv/Conv', BatchNormalization '/separable/pointwise/norm/BatchNormalization', Add
    // '/separable/Add', Relu '/separable/Relu_1'
    commands.launch(
        kernels::conv_batch_normalization_add_relu_ce641507,
        {64 * ((batch + 1) / 2), 64},
        {1, 1},
        {1, 1},
        commands.in_weights(at::separable_pointwise_conv_Conv_rows, 4),
        commands.in_arena(memory.separable_Relu_output_0, 4),
        commands.in_arena(memory.Relu_output_0, 4),
        commands.in_weights(at::separable_pointwise_norm_bias_folded, 4),
        commands.in_arena(memory.separable_Relu_1_output_0, 4),
        batch);
    // Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu '/Relu_1'
    commands.launch(
        kernels::conv_batch_normalization_relu_a9f5bea3,
        {128 * ((batch + 7) / 8), 128},
        {1, 1},
        {1, 1},
        commands.in_weights(at::down_conv_Conv_rows, 4),
        commands.in_arena(memory.separable_Relu_1_output_0, 4),
        commands.in_weights(at::down_norm_bias_folded, 4),
        commands.in_arena(memory.Relu_1_output_0, 4),
        batch);
    // Conv '/inverted/expand/conv/Conv', BatchNormalization '/inverted/expand/norm/BatchNormalization', Relu
    // '/inverted/Relu'
    commands.launch(
        kernels::conv_batch_normalization_relu_36715967,
        {128 * ((batch + 3) / 4), 128},
        {1, 1},
        {1, 1},
        commands.in_weights(at::inverted_expand_conv_Conv_rows, 4),
        commands.in_arena(memory.Relu_1_output_0, 4),
        commands.in_weights(at::inverted_expand_norm_bias_folded, 4),
        commands.in_arena(memory.inverted_Relu_output_0, 4),
        batch);
    // Conv '/inverted/depthwise/conv/Conv', BatchNormalization '/inverted/depthwise/norm/BatchNormalization', Relu
    // '/inverted/Relu_1'
    commands.launch(
        kernels::conv_batch_normalization_relu_b63d136a,
        {16, 16},
        {96, 4},
        {batch, 1},
        commands.in_arena(memory.inverted_Relu_output_0, 4),
        commands.in_weights(at::inverted_depthwise_conv_weight_folded, 4),
        commands.in_weights(at::inverted_depthwise_norm_bias_folded, 4),
        commands.in_arena(memory.inverted_Relu_1_output_0, 4));
    // Conv '/inverted/project/conv/Conv', BatchNormalization '/inverted/project/norm/BatchNormalization', Add
    // '/inverted/Add'
    commands.launch(
        kernels::conv_batch_normalization_add_00883b59,
        {128 * ((batch + 7) / 8), 128},
        {1, 1},
        {1, 1},
        commands.in_weights(at::inverted_project_conv_Conv_rows, 4),
        commands.in_arena(memory.inverted_Relu_1_output_0, 4),
        commands.in_arena(memory.Relu_1_output_0, 4),
        commands.in_weights(at::inverted_project_norm_bias_folded, 4),
        commands.in_arena(memory.inverted_Add_output_0, 4),
        batch);
    // GlobalAveragePool '/GlobalAveragePool'
    commands.launch(
        kernels::global_average_pool_24865fce,
        {48, 64},
        {batch, 1},
        {1, 1},
        commands.in_arena(memory.inverted_Add_output_0, 4),
        commands.in_arena(memory.GlobalAveragePool_output_0, 4));
    // Flatten '/Flatten', Gemm '/classify/Gemm'
    commands.launch(
        kernels::gemm_35da6c5b,
        {16, 16},
        {((batch + 7) / 8), 1},
        {1, 1},
        commands.in_arena(memory.GlobalAveragePool_output_0, 4),
        commands.in_weights(at::classify_Gemm_columns, 4),
        commands.in_weights(at::classify_bias, 4),
        commands.in_arena(memory.classify_Gemm_output_0, 4),
        batch);
    // Softmax '/Softmax'
    commands.launch(
        kernels::softmax_eef6c6a8,
        {batch, 64},
        {1, 1},
        {1, 1},
        commands.in_arena(memory.classify_Gemm_output_0, 4),
        commands.in_arena(outside.probabilities, 4),
        batch);

    commands.read(outputs->probabilities, outside.probabilities, 40 * batch);
    return burin_rt::kOk;
  };
  const int32_t status = commands.finish(steps());
  context->launches = device.counts.launches;
  context->synchronisations = device.counts.synchronisations;
  context->bytes_to_device = device.counts.bytes_to_device;
  context->bytes_to_host = device.counts.bytes_to_host;
  return status;
}

const char* digits_strerror(int32_t status) { return burin_cl::status_text(status); }

size_t digits_explain(const digits_context* context, int32_t status, char* text, size_t bytes) {
  return burin_cl::explain(context, status, text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &digits_arena_bytes;
constexpr auto kInitHere = &digits_init;
constexpr auto kRunHere = &digits_run;
constexpr auto kStrerrorHere = &digits_strerror;
constexpr auto kExplainHere = &digits_explain;
constexpr auto kInitOpenclHere = &digits_init_opencl;
constexpr auto kReleaseHere = &digits_release;

}  // namespace

#undef digits_arena_bytes
#undef digits_init
#undef digits_run
#undef digits_strerror
#undef digits_explain
#undef digits_init_opencl
#undef digits_release

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

int32_t digits_init_opencl(
    digits_context* context,
    const digits_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  return kInitOpenclHere(context, opencl, weights, weights_bytes);
}

void digits_release(digits_context* context) { kReleaseHere(context); }

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
