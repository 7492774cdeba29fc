// SPDX-License-Identifier: MIT-0
// The schedule of the network softmax: one launch or more per kernel.
#include "softmax.h"

#include "softmax_memory.h"
#include "kernels.h"
#include "pair.h"
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

namespace kernels = softmax_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(SOFTMAX_CONTENT(0x)) + 2;  // marks an initialised context

burin_cl::Device& device_of(softmax_context* context) {
  static_assert(sizeof(burin_cl::Device) <= sizeof context->device, "the context has too little room");
  return *reinterpret_cast<burin_cl::Device*>(context->device);
}

burin_cl::Handle* kernels_of(softmax_context* context) {
  return context->kernels;
}
}  // namespace

extern "C" {

size_t softmax_arena_bytes(const softmax_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 262144) return 0;
  const int64_t rows = dims->rows;
  if (rows < 1 || rows > 262144) return 0;
  const int64_t cols = dims->cols;
  if (cols < 1 || cols > 262144) return 0;
  const softmax_memory::Plan memory = softmax_memory::plan(batch, rows, cols);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);  // pointers may have 32 bits
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t softmax_init(
    softmax_context* context,
    void* /*arena*/,
    size_t /*arena_bytes*/,
    const void* weights,
    size_t weights_bytes) {
  return softmax_init_opencl(context, nullptr, weights, weights_bytes);
}

int32_t softmax_init_opencl(
    softmax_context* context,
    const softmax_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (weights != nullptr || weights_bytes != 0) return burin_rt::kWeightsWrongSize;
  context->weights = nullptr;
  burin_cl::Given given = {};
  if (opencl != nullptr) {
    given = {opencl->context, opencl->device, opencl->queue, opencl->binary, opencl->binary_bytes,
             opencl->binary_room, opencl->message, opencl->user, nullptr, 0};
    if (opencl->whole != nullptr) {
      if (opencl->whole->ready != static_cast<uint32_t>(SOFTMAX_CONTENT(0x))) return burin_rt::kNotInitialised;
      given.whole = reinterpret_cast<const burin_cl::Device*>(opencl->whole->device);
      given.weights_start = 9728;
    }
  }
  constexpr burin_cl::Needs needs = {false, false, 64, {64, 1, 1}, 0, 0, 0, 0, 0};
  const int32_t status = burin_cl::make(
      device_of(context),
      kernels_of(context),
      kernels::kProgram,
      needs,
      given,
      context->weights,
      0);
  if (status == burin_rt::kOk) context->ready = kReady;
  return status;
}

void softmax_release(softmax_context* context) {
  if (context == nullptr || context->ready != kReady) return;
  context->ready = 0;
  burin_cl::release(device_of(context), kernels_of(context), kernels::kCount);
}

int32_t softmax_run(
    softmax_context* context,
    const softmax_dims* dims,
    const softmax_inputs* inputs,
    softmax_outputs* outputs) {
  if (context == nullptr) return burin_rt::kNullArgument;
  softmax_fault& fault = context->fault;
  burin_rt::clear(fault);
  if (inputs == nullptr || outputs == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->x == nullptr) return burin_rt::kNullArgument;
  if (outputs->last == nullptr) return burin_rt::kNullArgument;
  if (outputs->middle == nullptr) return burin_rt::kNullArgument;
  if (dims == nullptr) return burin_rt::kNullArgument;
  const int64_t batch = dims->batch;
  if (!burin_rt::within(fault, "batch", batch, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const int64_t rows = dims->rows;
  if (!burin_rt::within(fault, "rows", rows, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const int64_t cols = dims->cols;
  if (!burin_rt::within(fault, "cols", cols, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const softmax_memory::Plan memory = softmax_memory::plan(batch, rows, cols);
  namespace at = softmax_memory::at;
  const burin_rt::ConstBytes weights(context->weights);
  (void)weights;
  burin_cl::Device& device = device_of(context);
  // Inputs and outputs lie behind the intermediate results.
  struct Places {
    int64_t unused_;
    int64_t x;
    int64_t last;
    int64_t middle;
  };
  Places outside = {};
  int64_t total = memory.bytes;
  outside.x = burin_cl::take(total, 4 * batch * cols * rows);
  outside.last = burin_cl::take(total, 4 * batch * cols * rows);
  outside.middle = burin_cl::take(total, 4 * batch * cols * rows);
  if (const int32_t reserved = burin_cl::reserve(device, total); reserved != burin_rt::kOk) return reserved;

  burin_cl::Commands commands(device, kernels_of(context));
  const auto steps = [&]() -> int32_t {
    commands.write(outside.x, inputs->x, 4 * batch * cols * rows);

    // Softmax 'last'
    // Softmax 'middle'
    commands.launch(
        kernels::joint_softmax_f40cbdcc,
        {64 * batch * ((cols + 63) / 64) + 64 * batch * ((rows + 63) / 64), 64},
        {1, 1},
        {1, 1},
        commands.in_arena(outside.x, 4),
        commands.in_arena(outside.last, 4),
        cols,
        rows,
        commands.in_arena(outside.x, 4),
        commands.in_arena(outside.middle, 4),
        cols,
        rows,
        static_cast<int32_t>(batch * ((rows + 63) / 64)),
        static_cast<int32_t>(batch * ((cols + 63) / 64) + batch * ((rows + 63) / 64)));

    commands.read(outputs->last, outside.last, 4 * batch * cols * rows);
    commands.read(outputs->middle, outside.middle, 4 * batch * cols * rows);
    return burin_rt::kOk;
  };
  const int32_t status = commands.finish(steps());
  context->launches = device.counts.launches;
  context->synchronisations = device.counts.synchronisations;
  context->bytes_to_device = device.counts.bytes_to_device;
  context->bytes_to_host = device.counts.bytes_to_host;
  return status;
}

const char* softmax_strerror(int32_t status) { return burin_cl::status_text(status); }

size_t softmax_explain(const softmax_context* context, int32_t status, char* text, size_t bytes) {
  return burin_cl::explain(context, status, text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &softmax_arena_bytes;
constexpr auto kInitHere = &softmax_init;
constexpr auto kRunHere = &softmax_run;
constexpr auto kStrerrorHere = &softmax_strerror;
constexpr auto kExplainHere = &softmax_explain;
constexpr auto kInitOpenclHere = &softmax_init_opencl;
constexpr auto kReleaseHere = &softmax_release;

}  // namespace

#undef softmax_arena_bytes
#undef softmax_init
#undef softmax_run
#undef softmax_strerror
#undef softmax_explain
#undef softmax_init_opencl
#undef softmax_release

// And under names that do not, for callers that look them up. They lie in this file, so that a linker
// that takes two trees of one name meets them twice.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
extern "C" {

size_t softmax_arena_bytes(const softmax_dims* dims) { return kArenaBytesHere(dims); }

int32_t softmax_init(
    softmax_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  return kInitHere(context, arena, arena_bytes, weights, weights_bytes);
}

int32_t softmax_init_opencl(
    softmax_context* context,
    const softmax_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  return kInitOpenclHere(context, opencl, weights, weights_bytes);
}

void softmax_release(softmax_context* context) { kReleaseHere(context); }

int32_t softmax_run(
    softmax_context* context,
    const softmax_dims* dims,
    const softmax_inputs* inputs,
    softmax_outputs* outputs) {
  return kRunHere(context, dims, inputs, outputs);
}

const char* softmax_strerror(int32_t status) { return kStrerrorHere(status); }

size_t softmax_explain(const softmax_context* context, int32_t status, char* text, size_t bytes) {
  return kExplainHere(context, status, text, bytes);
}

}  // extern "C"
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
