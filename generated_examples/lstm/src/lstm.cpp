// SPDX-License-Identifier: MIT-0
// The schedule of the network lstm: one call per kernel.
#include "lstm.h"

#include "lstm_memory.h"
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

namespace kernels = lstm_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(LSTM_CONTENT(0x));  // marks an initialised context

}  // namespace

extern "C" {

size_t lstm_arena_bytes(const lstm_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t seq = dims->seq;
  if (seq < 1 || seq > 67108864) return 0;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 67108864) return 0;
  // Where pointers have 32 bits, more than they reach is out of range.
  const lstm_memory::Plan memory = lstm_memory::plan(seq, batch);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t lstm_init(
    lstm_context* context,
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
  context->weights = lstm_memory::embedded_weights();
  context->parallel_for = nullptr;
  context->parallel_user = nullptr;
  context->arena = static_cast<uint8_t*>(arena);
  context->arena_bytes = arena_bytes;
  context->ready = kReady;
  return burin_rt::kOk;
}

int32_t lstm_run(
    lstm_context* context,
    const lstm_dims* dims,
    const lstm_inputs* inputs,
    lstm_outputs* outputs) {
  if (context == nullptr) return burin_rt::kNullArgument;
  lstm_fault& fault = context->fault;
  burin_rt::clear(fault);
  if (inputs == nullptr || outputs == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->x == nullptr) return burin_rt::kNullArgument;
  if (inputs->h0 == nullptr) return burin_rt::kNullArgument;
  if (inputs->c0 == nullptr) return burin_rt::kNullArgument;
  if (outputs->y == nullptr) return burin_rt::kNullArgument;
  if (outputs->y_h == nullptr) return burin_rt::kNullArgument;
  if (outputs->y_c == nullptr) return burin_rt::kNullArgument;
  if (dims == nullptr) return burin_rt::kNullArgument;
  const int64_t seq = dims->seq;
  if (!burin_rt::within(fault, "seq", seq, 1, 67108864)) return burin_rt::kDimensionOutOfRange;
  const int64_t batch = dims->batch;
  if (!burin_rt::within(fault, "batch", batch, 1, 67108864)) return burin_rt::kDimensionOutOfRange;
  const lstm_memory::Plan memory = lstm_memory::plan(seq, batch);
  if (static_cast<uint64_t>(context->arena_bytes) < static_cast<uint64_t>(memory.bytes)) {
    return burin_rt::too_few(fault, "arena_bytes", context->arena_bytes, memory.bytes, burin_rt::kArenaTooSmall);
  }
  namespace at = lstm_memory::at;
  const burin_rt::Bytes arena(context->arena);
  const burin_rt::ConstBytes weights(context->weights);
  (void)arena;
  (void)weights;
  (void)memory;

  // LSTM 'lstm', writes 'lstm_projection'
  kernels::lstm_contraction_96524f1c(inputs->x, weights[at::lstm_columns], weights[at::b_folded],
                                     arena[memory.lstm_projection], batch, seq, arena[memory.lstm_projection_scratch]);
  // LSTM 'lstm', writes 'y' and 'y_h' and 'y_c'
  kernels::lstm_recurrent_34aeeb50(inputs->h0, weights[at::r], arena[memory.lstm_projection], inputs->c0, outputs->y,
                                   outputs->y_h, outputs->y_c, batch, seq, arena[memory.y_scratch]);
  // LSTM 'lstm', writes 'y' and 'y_h' and 'y_c'
  kernels::lstm_recurrent_b5b73a0f(inputs->h0, weights[at::r], arena[memory.lstm_projection], inputs->c0, outputs->y,
                                   outputs->y_h, outputs->y_c, batch, seq, arena[memory.y_scratch_1]);
  return burin_rt::kOk;
}

const char* lstm_strerror(int32_t status) { return burin_rt::status_text(status); }

size_t lstm_explain(const lstm_context* context, int32_t status, char* text, size_t bytes) {
  return burin_rt::explain(context, burin_rt::status_text(status), text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &lstm_arena_bytes;
constexpr auto kInitHere = &lstm_init;
constexpr auto kRunHere = &lstm_run;
constexpr auto kStrerrorHere = &lstm_strerror;
constexpr auto kExplainHere = &lstm_explain;

}  // namespace

#undef lstm_arena_bytes
#undef lstm_init
#undef lstm_run
#undef lstm_strerror
#undef lstm_explain

// And under names that do not, for callers that look them up. They lie in this file, so that a linker
// that takes two trees of one name meets them twice.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
extern "C" {

size_t lstm_arena_bytes(const lstm_dims* dims) { return kArenaBytesHere(dims); }

int32_t lstm_init(
    lstm_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  return kInitHere(context, arena, arena_bytes, weights, weights_bytes);
}

int32_t lstm_run(
    lstm_context* context,
    const lstm_dims* dims,
    const lstm_inputs* inputs,
    lstm_outputs* outputs) {
  return kRunHere(context, dims, inputs, outputs);
}

const char* lstm_strerror(int32_t status) { return kStrerrorHere(status); }

size_t lstm_explain(const lstm_context* context, int32_t status, char* text, size_t bytes) {
  return kExplainHere(context, status, text, bytes);
}

}  // extern "C"
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
