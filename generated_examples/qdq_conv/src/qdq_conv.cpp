// SPDX-License-Identifier: MIT-0
// The schedule of the network qdq_conv: one call per kernel.
#include "qdq_conv.h"

#include "qdq_conv_memory.h"
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

namespace kernels = qdq_conv_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(QDQ_CONV_CONTENT(0x));  // marks an initialised context

}  // namespace

extern "C" {

size_t qdq_conv_arena_bytes(void) { return static_cast<size_t>(qdq_conv_memory::plan().bytes); }

int32_t qdq_conv_init(
    qdq_conv_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (arena == nullptr && arena_bytes != 0) return burin_rt::kNullArgument;
  if (reinterpret_cast<uintptr_t>(arena) % 128 != 0) return burin_rt::kArenaMisaligned;
  const size_t needed = qdq_conv_arena_bytes();
  if (arena_bytes < needed) {
    return burin_rt::too_few(
        context->fault, "arena_bytes", arena_bytes, static_cast<int64_t>(needed), burin_rt::kArenaTooSmall);
  }
  if (weights != nullptr || weights_bytes != 0) return burin_rt::kWeightsWrongSize;
  context->weights = qdq_conv_memory::embedded_weights();
  context->parallel_for = nullptr;
  context->parallel_user = nullptr;
  context->arena = static_cast<uint8_t*>(arena);
  context->arena_bytes = arena_bytes;
  context->ready = kReady;
  return burin_rt::kOk;
}

int32_t qdq_conv_run(
    qdq_conv_context* context,
    const qdq_conv_inputs* inputs,
    qdq_conv_outputs* outputs) {
  if (context == nullptr) return burin_rt::kNullArgument;
  qdq_conv_fault& fault = context->fault;
  burin_rt::clear(fault);
  if (inputs == nullptr || outputs == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->x == nullptr) return burin_rt::kNullArgument;
  if (outputs->y == nullptr) return burin_rt::kNullArgument;
  constexpr qdq_conv_memory::Plan memory = qdq_conv_memory::plan();
  namespace at = qdq_conv_memory::at;
  const burin_rt::Bytes arena(context->arena);
  const burin_rt::ConstBytes weights(context->weights);
  (void)arena;
  (void)weights;
  (void)memory;

  // QuantizeLinear 'x_q'
  kernels::quantize_linear_261d96a7(inputs->x, weights[at::x_q_scale], weights[at::x_q_line], weights[at::x_scale],
                                    weights[at::x_zero], arena[memory.x_int]);
  // DequantizeLinear 'w_dq', 'x_dq', Conv 'conv', QuantizeLinear 'y_q'
  kernels::conv_c783c331(weights[at::conv_panels], weights[at::x_zero], arena[memory.x_int], weights[at::conv_lines],
                         weights[at::conv_sums], weights[at::x_scale], weights[at::w_scale], weights[at::b_back],
                         weights[at::y_scale], weights[at::y_zero], outputs->y, arena[memory.y_scratch]);
  return burin_rt::kOk;
}

const char* qdq_conv_strerror(int32_t status) { return burin_rt::status_text(status); }

size_t qdq_conv_explain(const qdq_conv_context* context, int32_t status, char* text, size_t bytes) {
  return burin_rt::explain(context, burin_rt::status_text(status), text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &qdq_conv_arena_bytes;
constexpr auto kInitHere = &qdq_conv_init;
constexpr auto kRunHere = &qdq_conv_run;
constexpr auto kStrerrorHere = &qdq_conv_strerror;
constexpr auto kExplainHere = &qdq_conv_explain;

}  // namespace

#undef qdq_conv_arena_bytes
#undef qdq_conv_init
#undef qdq_conv_run
#undef qdq_conv_strerror
#undef qdq_conv_explain

// And under names that do not, for callers that look them up. They lie in this file, so that a linker
// that takes two trees of one name meets them twice.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
extern "C" {

size_t qdq_conv_arena_bytes(void) { return kArenaBytesHere(); }

int32_t qdq_conv_init(
    qdq_conv_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  return kInitHere(context, arena, arena_bytes, weights, weights_bytes);
}

int32_t qdq_conv_run(
    qdq_conv_context* context,
    const qdq_conv_inputs* inputs,
    qdq_conv_outputs* outputs) {
  return kRunHere(context, inputs, outputs);
}

const char* qdq_conv_strerror(int32_t status) { return kStrerrorHere(status); }

size_t qdq_conv_explain(const qdq_conv_context* context, int32_t status, char* text, size_t bytes) {
  return kExplainHere(context, status, text, bytes);
}

}  // extern "C"
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
