// SPDX-License-Identifier: MIT-0
// The schedule of the network pair: one call per kernel.
#include "pair.h"

#include "pair_memory.h"
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

constexpr uint32_t kReady = static_cast<uint32_t>(PAIR_CONTENT(0x));  // marks an initialised context

}  // namespace

extern "C" {

size_t pair_arena_bytes(const pair_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t lstm_seq = dims->lstm_seq;
  if (lstm_seq < 1 || lstm_seq > 262144) return 0;
  const int64_t lstm_batch = dims->lstm_batch;
  if (lstm_batch < 1 || lstm_batch > 262144) return 0;
  const int64_t softmax_batch = dims->softmax_batch;
  if (softmax_batch < 1 || softmax_batch > 262144) return 0;
  const int64_t softmax_rows = dims->softmax_rows;
  if (softmax_rows < 1 || softmax_rows > 262144) return 0;
  const int64_t softmax_cols = dims->softmax_cols;
  if (softmax_cols < 1 || softmax_cols > 262144) return 0;
  // Where pointers have 32 bits, more than they reach is out of range.
  const pair_memory::Plan memory = pair_memory::plan(lstm_seq, lstm_batch, softmax_batch, softmax_rows, softmax_cols);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t pair_init(
    pair_context* context,
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
  context->weights = pair_memory::embedded_weights();
  context->parallel_for = nullptr;
  context->parallel_user = nullptr;
  context->arena = static_cast<uint8_t*>(arena);
  context->arena_bytes = arena_bytes;
  context->ready = kReady;
  return burin_rt::kOk;
}

int32_t pair_run(
    pair_context* context,
    const pair_dims* dims,
    const pair_inputs* inputs,
    pair_outputs* outputs) {
  if (context == nullptr) return burin_rt::kNullArgument;
  pair_fault& fault = context->fault;
  burin_rt::clear(fault);
  if (inputs == nullptr || outputs == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->lstm_x == nullptr) return burin_rt::kNullArgument;
  if (inputs->lstm_h0 == nullptr) return burin_rt::kNullArgument;
  if (inputs->lstm_c0 == nullptr) return burin_rt::kNullArgument;
  if (inputs->softmax_x == nullptr) return burin_rt::kNullArgument;
  if (outputs->lstm_y == nullptr) return burin_rt::kNullArgument;
  if (outputs->lstm_y_h == nullptr) return burin_rt::kNullArgument;
  if (outputs->lstm_y_c == nullptr) return burin_rt::kNullArgument;
  if (outputs->softmax_last == nullptr) return burin_rt::kNullArgument;
  if (outputs->softmax_middle == nullptr) return burin_rt::kNullArgument;
  if (dims == nullptr) return burin_rt::kNullArgument;
  const int64_t lstm_seq = dims->lstm_seq;
  if (!burin_rt::within(fault, "lstm_seq", lstm_seq, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const int64_t lstm_batch = dims->lstm_batch;
  if (!burin_rt::within(fault, "lstm_batch", lstm_batch, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const int64_t softmax_batch = dims->softmax_batch;
  if (!burin_rt::within(fault, "softmax_batch", softmax_batch, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const int64_t softmax_rows = dims->softmax_rows;
  if (!burin_rt::within(fault, "softmax_rows", softmax_rows, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const int64_t softmax_cols = dims->softmax_cols;
  if (!burin_rt::within(fault, "softmax_cols", softmax_cols, 1, 262144)) return burin_rt::kDimensionOutOfRange;
  const pair_memory::Plan memory = pair_memory::plan(lstm_seq, lstm_batch, softmax_batch, softmax_rows, softmax_cols);
  if (static_cast<uint64_t>(context->arena_bytes) < static_cast<uint64_t>(memory.bytes)) {
    return burin_rt::too_few(fault, "arena_bytes", context->arena_bytes, memory.bytes, burin_rt::kArenaTooSmall);
  }
  namespace at = pair_memory::at;
  const burin_rt::Bytes arena(context->arena);
  const burin_rt::ConstBytes weights(context->weights);
  (void)arena;
  (void)weights;
  (void)memory;

  // LSTM 'lstm.lstm', writes 'lstm.lstm_projection'
  kernels::lstm_contraction_96524f1c(
      inputs->lstm_x, weights[at::lstm_lstm_columns], weights[at::lstm_b_folded], arena[memory.lstm_lstm_projection],
      lstm_batch, lstm_seq, arena[memory.lstm_lstm_projection_scratch]);
  // LSTM 'lstm.lstm', writes 'lstm.y' and 'lstm.y_h' and 'lstm.y_c'
  kernels::lstm_recurrent_34aeeb50(
      inputs->lstm_h0, weights[at::lstm_r], arena[memory.lstm_lstm_projection], inputs->lstm_c0, outputs->lstm_y,
      outputs->lstm_y_h, outputs->lstm_y_c, lstm_batch, lstm_seq, arena[memory.lstm_y_scratch]);
  // LSTM 'lstm.lstm', writes 'lstm.y' and 'lstm.y_h' and 'lstm.y_c'
  kernels::lstm_recurrent_b5b73a0f(
      inputs->lstm_h0, weights[at::lstm_r], arena[memory.lstm_lstm_projection], inputs->lstm_c0, outputs->lstm_y,
      outputs->lstm_y_h, outputs->lstm_y_c, lstm_batch, lstm_seq, arena[memory.lstm_y_scratch_1]);
  // Softmax 'softmax.last'
  kernels::softmax_4c625580(inputs->softmax_x, outputs->softmax_last, softmax_batch, softmax_cols, softmax_rows);
  // Softmax 'softmax.middle'
  kernels::softmax_d6483da8(inputs->softmax_x, outputs->softmax_middle, softmax_batch, softmax_cols, softmax_rows);
  return burin_rt::kOk;
}

const char* pair_strerror(int32_t status) { return burin_rt::status_text(status); }

size_t pair_explain(const pair_context* context, int32_t status, char* text, size_t bytes) {
  return burin_rt::explain(context, burin_rt::status_text(status), text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &pair_arena_bytes;
constexpr auto kInitHere = &pair_init;
constexpr auto kRunHere = &pair_run;
constexpr auto kStrerrorHere = &pair_strerror;
constexpr auto kExplainHere = &pair_explain;

}  // namespace

#undef pair_arena_bytes
#undef pair_init
#undef pair_run
#undef pair_strerror
#undef pair_explain

// And under names that do not, for callers that look them up. They lie in this file, so that a linker
// that takes two trees of one name meets them twice.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
extern "C" {

size_t pair_arena_bytes(const pair_dims* dims) { return kArenaBytesHere(dims); }

int32_t pair_init(
    pair_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  return kInitHere(context, arena, arena_bytes, weights, weights_bytes);
}

int32_t pair_run(
    pair_context* context,
    const pair_dims* dims,
    const pair_inputs* inputs,
    pair_outputs* outputs) {
  return kRunHere(context, dims, inputs, outputs);
}

const char* pair_strerror(int32_t status) { return kStrerrorHere(status); }

size_t pair_explain(const pair_context* context, int32_t status, char* text, size_t bytes) {
  return kExplainHere(context, status, text, bytes);
}

}  // extern "C"
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
