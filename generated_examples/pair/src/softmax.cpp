// SPDX-License-Identifier: MIT-0
// The schedule of the network softmax: one call per kernel.
#include "softmax.h"

#include "softmax_memory.h"
#include "kernels.h"
#include "rt/crc32.h"
#include "rt/elementary.h"
#include "rt/fault.h"
#include "rt/integer.h"
#include "rt/place.h"
#include "rt/status.h"

#ifdef __FAST_MATH__
#error "this tree needs IEEE arithmetic: compile it without -ffast-math"
#endif

namespace kernels = pair_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(SOFTMAX_CONTENT(0x)) + 2;  // marks an initialised context

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
  // Where pointers have 32 bits, more than they reach is out of range.
  const softmax_memory::Plan memory = softmax_memory::plan(batch, rows, cols);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t softmax_init(
    softmax_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (arena == nullptr && arena_bytes != 0) return burin_rt::kNullArgument;
  if (reinterpret_cast<uintptr_t>(arena) % 64 != 0) return burin_rt::kArenaMisaligned;
  if (weights != nullptr || weights_bytes != 0) return burin_rt::kWeightsWrongSize;
  context->weights = nullptr;
  context->parallel_for = nullptr;
  context->parallel_user = nullptr;
  context->arena = static_cast<uint8_t*>(arena);
  context->arena_bytes = arena_bytes;
  context->ready = kReady;
  return burin_rt::kOk;
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
  if (static_cast<uint64_t>(context->arena_bytes) < static_cast<uint64_t>(memory.bytes)) {
    return burin_rt::too_few(fault, "arena_bytes", context->arena_bytes, memory.bytes, burin_rt::kArenaTooSmall);
  }
  namespace at = softmax_memory::at;
  const burin_rt::Bytes arena(context->arena);
  const burin_rt::ConstBytes weights(context->weights);
  (void)arena;
  (void)weights;
  (void)memory;

  // Softmax 'last'
  kernels::softmax_4c625580(inputs->x, outputs->last, batch, cols, rows);
  // Softmax 'middle'
  kernels::softmax_d6483da8(inputs->x, outputs->middle, batch, cols, rows);
  return burin_rt::kOk;
}

const char* softmax_strerror(int32_t status) { return burin_rt::status_text(status); }

size_t softmax_explain(const softmax_context* context, int32_t status, char* text, size_t bytes) {
  return burin_rt::explain(context, burin_rt::status_text(status), text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &softmax_arena_bytes;
constexpr auto kInitHere = &softmax_init;
constexpr auto kRunHere = &softmax_run;
constexpr auto kStrerrorHere = &softmax_strerror;
constexpr auto kExplainHere = &softmax_explain;

}  // namespace

#undef softmax_arena_bytes
#undef softmax_init
#undef softmax_run
#undef softmax_strerror
#undef softmax_explain

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
