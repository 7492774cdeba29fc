// SPDX-License-Identifier: MIT-0
// The schedule of the network pair: one launch or more per kernel.
#include "pair.h"

#include "pair_memory.h"
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

namespace kernels = pair_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(PAIR_CONTENT(0x));  // marks an initialised context

burin_cl::Device& device_of(pair_context* context) {
  static_assert(sizeof(burin_cl::Device) <= sizeof context->device, "the context has too little room");
  return *reinterpret_cast<burin_cl::Device*>(context->device);
}

burin_cl::Handle* kernels_of(pair_context* context) {
  return context->kernels;
}
}  // namespace

extern "C" {

size_t pair_arena_bytes(const pair_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t branches_batch = dims->branches_batch;
  if (branches_batch < 1 || branches_batch > 65536) return 0;
  const int64_t branches_h = dims->branches_h;
  if (branches_h < 2 || branches_h > 65536) return 0;
  const int64_t branches_w = dims->branches_w;
  if (branches_w < 2 || branches_w > 65536) return 0;
  const int64_t branches_n = dims->branches_n;
  if (branches_n < 1 || branches_n > 65536) return 0;
  const int64_t softmax_batch = dims->softmax_batch;
  if (softmax_batch < 1 || softmax_batch > 65536) return 0;
  const int64_t softmax_rows = dims->softmax_rows;
  if (softmax_rows < 1 || softmax_rows > 65536) return 0;
  const int64_t softmax_cols = dims->softmax_cols;
  if (softmax_cols < 1 || softmax_cols > 65536) return 0;
  const pair_memory::Plan memory = pair_memory::plan(
      branches_batch, branches_h, branches_w, branches_n, softmax_batch, softmax_rows, softmax_cols);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);  // pointers may have 32 bits
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t pair_init(
    pair_context* context,
    void* /*arena*/,
    size_t /*arena_bytes*/,
    const void* weights,
    size_t weights_bytes) {
  return pair_init_opencl(context, nullptr, weights, weights_bytes);
}

int32_t pair_init_opencl(
    pair_context* context,
    const pair_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (weights != nullptr || weights_bytes != 0) return burin_rt::kWeightsWrongSize;
  context->weights = pair_memory::embedded_weights();
  burin_cl::Given given = {};
  if (opencl != nullptr) {
    given = {opencl->context, opencl->device, opencl->queue, opencl->binary, opencl->binary_bytes,
             opencl->binary_room, opencl->message, opencl->user, nullptr, 0};
  }
  constexpr burin_cl::Needs needs = {false, false, 64, {64, 2, 1}, 5120, 0, 0, 0, 0};
  const int32_t status = burin_cl::make(
      device_of(context),
      kernels_of(context),
      kernels::kProgram,
      needs,
      given,
      context->weights,
      9728);
  if (status == burin_rt::kOk) context->ready = kReady;
  return status;
}

void pair_release(pair_context* context) {
  if (context == nullptr || context->ready != kReady) return;
  context->ready = 0;
  burin_cl::release(device_of(context), kernels_of(context), kernels::kCount);
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
  if (inputs->branches_x == nullptr) return burin_rt::kNullArgument;
  if (inputs->branches_rows == nullptr) return burin_rt::kNullArgument;
  if (inputs->softmax_x == nullptr) return burin_rt::kNullArgument;
  if (outputs->branches_y == nullptr) return burin_rt::kNullArgument;
  if (outputs->branches_p == nullptr) return burin_rt::kNullArgument;
  if (outputs->branches_q == nullptr) return burin_rt::kNullArgument;
  if (outputs->softmax_last == nullptr) return burin_rt::kNullArgument;
  if (outputs->softmax_middle == nullptr) return burin_rt::kNullArgument;
  if (dims == nullptr) return burin_rt::kNullArgument;
  const int64_t branches_batch = dims->branches_batch;
  if (!burin_rt::within(fault, "branches_batch", branches_batch, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t branches_h = dims->branches_h;
  if (!burin_rt::within(fault, "branches_h", branches_h, 2, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t branches_w = dims->branches_w;
  if (!burin_rt::within(fault, "branches_w", branches_w, 2, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t branches_n = dims->branches_n;
  if (!burin_rt::within(fault, "branches_n", branches_n, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t softmax_batch = dims->softmax_batch;
  if (!burin_rt::within(fault, "softmax_batch", softmax_batch, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t softmax_rows = dims->softmax_rows;
  if (!burin_rt::within(fault, "softmax_rows", softmax_rows, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t softmax_cols = dims->softmax_cols;
  if (!burin_rt::within(fault, "softmax_cols", softmax_cols, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const pair_memory::Plan memory = pair_memory::plan(
      branches_batch, branches_h, branches_w, branches_n, softmax_batch, softmax_rows, softmax_cols);
  namespace at = pair_memory::at;
  const burin_rt::ConstBytes weights(context->weights);
  (void)weights;
  burin_cl::Device& device = device_of(context);
  // Inputs and outputs lie behind the intermediate results.
  struct Places {
    int64_t unused_;
    int64_t branches_x;
    int64_t branches_rows;
    int64_t softmax_x;
    int64_t branches_y;
    int64_t branches_p;
    int64_t branches_q;
    int64_t softmax_last;
    int64_t softmax_middle;
  };
  Places outside = {};
  int64_t total = memory.bytes;
  outside.branches_x = burin_cl::take(total, 24 * branches_batch * branches_h * branches_w);
  outside.branches_rows = burin_cl::take(total, 800 * branches_n);
  outside.softmax_x = burin_cl::take(total, 4 * softmax_batch * softmax_cols * softmax_rows);
  outside.branches_y = burin_cl::take(total, 152 * branches_batch * (branches_h / 2) * (branches_w / 2));
  outside.branches_p = burin_cl::take(total, 800 * branches_n);
  outside.branches_q = burin_cl::take(total, 800 * branches_n);
  outside.softmax_last = burin_cl::take(total, 4 * softmax_batch * softmax_cols * softmax_rows);
  outside.softmax_middle = burin_cl::take(total, 4 * softmax_batch * softmax_cols * softmax_rows);
  if (const int32_t reserved = burin_cl::reserve(device, total); reserved != burin_rt::kOk) return reserved;

  burin_cl::Commands commands(device, kernels_of(context));
  const auto steps = [&]() -> int32_t {
    commands.write(outside.branches_x, inputs->branches_x, 24 * branches_batch * branches_h * branches_w);
    commands.write(outside.branches_rows, inputs->branches_rows, 800 * branches_n);
    commands.write(outside.softmax_x, inputs->softmax_x, 4 * softmax_batch * softmax_cols * softmax_rows);

    // Conv 'branches.a/conv', Relu 'branches.a/relu', Concat 'branches.join'
    // Conv 'branches.b/reduce', Relu 'branches.b/relu'
    // Conv 'branches.d/depthwise', Sigmoid 'branches.d/gate', Concat 'branches.join'
    // Softmax 'softmax.last'
    // Softmax 'softmax.middle'
    commands.launch(
        kernels::joint_softmax_conv_relu_conv_sigmoid_7b2fdfec,
        {384 * branches_batch * branches_h * ((branches_w + 63) / 64) +
             64 * softmax_batch * ((softmax_cols + 63) / 64) + 64 * softmax_batch * ((softmax_rows + 63) / 64) +
             64 * ((branches_batch * branches_h * branches_w + 127) / 128),
         32},
        {1, 1},
        {1, 1},
        commands.in_arena(outside.softmax_x, 4),
        commands.in_arena(outside.softmax_last, 4),
        softmax_cols,
        softmax_rows,
        commands.in_arena(outside.softmax_x, 4),
        commands.in_arena(outside.softmax_middle, 4),
        softmax_cols,
        softmax_rows,
        commands.in_weights(at::branches_b_reduce_rows, 4),
        commands.in_arena(outside.branches_x, 4),
        commands.in_arena(memory.branches_b1, 4),
        branches_batch,
        branches_h,
        branches_w,
        commands.in_weights(at::branches_a_conv_rows, 4),
        commands.in_arena(outside.branches_x, 4),
        commands.in_arena(memory.branches_joined, 4),
        branches_batch,
        branches_h,
        branches_w,
        commands.in_arena(outside.branches_x, 4),
        commands.in_weights(at::branches_w_d, 4),
        commands.in_arena(memory.branches_joined, 4),
        branches_h,
        branches_w,
        static_cast<int32_t>(2 * softmax_batch * ((softmax_rows + 63) / 64)),
        static_cast<int32_t>(
            2 * softmax_batch * ((softmax_cols + 63) / 64) + 2 * softmax_batch * ((softmax_rows + 63) / 64)),
        static_cast<int32_t>(
            2 * softmax_batch * ((softmax_cols + 63) / 64) + 2 * softmax_batch * ((softmax_rows + 63) / 64) +
            ((branches_batch * branches_h * branches_w + 127) / 128)),
        static_cast<int32_t>(
            2 * softmax_batch * ((softmax_cols + 63) / 64) + 2 * softmax_batch * ((softmax_rows + 63) / 64) +
            2 * ((branches_batch * branches_h * branches_w + 127) / 128)),
        static_cast<int32_t>(
            12 * branches_batch * branches_h * ((branches_w + 63) / 64) +
            2 * softmax_batch * ((softmax_cols + 63) / 64) + 2 * softmax_batch * ((softmax_rows + 63) / 64) +
            2 * ((branches_batch * branches_h * branches_w + 127) / 128)));
    // Conv 'branches.b/conv', Concat 'branches.join'
    commands.launch(
        kernels::conv_2f878af7,
        {32 * ((branches_batch * branches_h * branches_w + 127) / 128), 32},
        {1, 1},
        {1, 1},
        commands.in_weights(at::branches_b_conv_rows, 4),
        commands.in_arena(memory.branches_b1, 4),
        commands.in_arena(memory.branches_joined, 4),
        branches_batch,
        branches_h,
        branches_w);
    // MaxPool 'branches.c/pool'
    // Softmax 'branches.rows/softmax'
    // LayerNormalization 'branches.rows/norm'
    commands.launch(
        kernels::joint_layer_normalization_s_xc1bdb58c_cc357f26,
        {384 * branches_batch * branches_h * ((branches_w + 63) / 64) + 128 * branches_n, 64},
        {1, 1},
        {1, 1},
        commands.in_arena(outside.branches_rows, 4),
        commands.in_weights(at::branches_gain, 4),
        commands.in_weights(at::branches_shift, 4),
        commands.in_arena(outside.branches_q, 4),
        commands.in_arena(outside.branches_rows, 4),
        commands.in_arena(outside.branches_p, 4),
        commands.in_arena(outside.branches_x, 4),
        commands.in_arena(memory.branches_c0, 4),
        branches_h,
        branches_w,
        static_cast<int32_t>(branches_n),
        static_cast<int32_t>(2 * branches_n),
        static_cast<int32_t>(6 * branches_batch * branches_h * ((branches_w + 63) / 64) + 2 * branches_n));
    // Conv 'branches.c/project', Concat 'branches.join'
    commands.launch(
        kernels::conv_2443713c,
        {32 * ((branches_batch * branches_h * branches_w + 127) / 128), 32},
        {1, 1},
        {1, 1},
        commands.in_weights(at::branches_c_project_rows, 4),
        commands.in_arena(memory.branches_c0, 4),
        commands.in_arena(memory.branches_joined, 4),
        branches_batch,
        branches_h,
        branches_w);
    // AveragePool 'branches.pool'
    commands.launch(
        kernels::average_pool_9645da43,
        {(branches_w / 2), 32},
        {(branches_h / 2), 2},
        {38 * branches_batch, 1},
        commands.in_arena(memory.branches_joined, 4),
        commands.in_arena(outside.branches_y, 4),
        branches_h,
        branches_w);

    commands.read(outputs->branches_y, outside.branches_y, 152 * branches_batch * (branches_h / 2) * (branches_w / 2));
    commands.read(outputs->branches_p, outside.branches_p, 800 * branches_n);
    commands.read(outputs->branches_q, outside.branches_q, 800 * branches_n);
    commands.read(outputs->softmax_last, outside.softmax_last, 4 * softmax_batch * softmax_cols * softmax_rows);
    commands.read(outputs->softmax_middle, outside.softmax_middle, 4 * softmax_batch * softmax_cols * softmax_rows);
    return burin_rt::kOk;
  };
  const int32_t status = commands.finish(steps());
  context->launches = device.counts.launches;
  context->synchronisations = device.counts.synchronisations;
  context->bytes_to_device = device.counts.bytes_to_device;
  context->bytes_to_host = device.counts.bytes_to_host;
  return status;
}

const char* pair_strerror(int32_t status) { return burin_cl::status_text(status); }

size_t pair_explain(const pair_context* context, int32_t status, char* text, size_t bytes) {
  return burin_cl::explain(context, status, text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &pair_arena_bytes;
constexpr auto kInitHere = &pair_init;
constexpr auto kRunHere = &pair_run;
constexpr auto kStrerrorHere = &pair_strerror;
constexpr auto kExplainHere = &pair_explain;
constexpr auto kInitOpenclHere = &pair_init_opencl;
constexpr auto kReleaseHere = &pair_release;

}  // namespace

#undef pair_arena_bytes
#undef pair_init
#undef pair_run
#undef pair_strerror
#undef pair_explain
#undef pair_init_opencl
#undef pair_release

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

int32_t pair_init_opencl(
    pair_context* context,
    const pair_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  return kInitOpenclHere(context, opencl, weights, weights_bytes);
}

void pair_release(pair_context* context) { kReleaseHere(context); }

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
