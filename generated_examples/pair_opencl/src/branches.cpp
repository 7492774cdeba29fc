// SPDX-License-Identifier: MIT-0
// The schedule of the network branches: one launch or more per kernel.
#include "branches.h"

#include "branches_memory.h"
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

namespace kernels = branches_kernels;

namespace {

constexpr uint32_t kReady = static_cast<uint32_t>(BRANCHES_CONTENT(0x)) + 1;  // marks an initialised context

burin_cl::Device& device_of(branches_context* context) {
  static_assert(sizeof(burin_cl::Device) <= sizeof context->device, "the context has too little room");
  return *reinterpret_cast<burin_cl::Device*>(context->device);
}

burin_cl::Handle* kernels_of(branches_context* context) {
  return context->kernels;
}
}  // namespace

extern "C" {

size_t branches_arena_bytes(const branches_dims* dims) {
  if (dims == nullptr) return 0;
  const int64_t batch = dims->batch;
  if (batch < 1 || batch > 65536) return 0;
  const int64_t h = dims->h;
  if (h < 2 || h > 65536) return 0;
  const int64_t w = dims->w;
  if (w < 2 || w > 65536) return 0;
  const int64_t n = dims->n;
  if (n < 1 || n > 65536) return 0;
  const branches_memory::Plan memory = branches_memory::plan(batch, h, w, n);
  const int64_t bytes = memory.bytes;
  const size_t reachable = static_cast<size_t>(bytes);  // pointers may have 32 bits
  return static_cast<int64_t>(reachable) == bytes ? reachable : 0;
}

int32_t branches_init(
    branches_context* context,
    void* /*arena*/,
    size_t /*arena_bytes*/,
    const void* weights,
    size_t weights_bytes) {
  return branches_init_opencl(context, nullptr, weights, weights_bytes);
}

int32_t branches_init_opencl(
    branches_context* context,
    const branches_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  if (context == nullptr) return burin_rt::kNullArgument;
  context->ready = 0;
  burin_rt::clear(context->fault);
  if (weights != nullptr || weights_bytes != 0) return burin_rt::kWeightsWrongSize;
  context->weights = branches_memory::embedded_weights();
  burin_cl::Given given = {};
  if (opencl != nullptr) {
    given = {opencl->context, opencl->device, opencl->queue, opencl->binary, opencl->binary_bytes,
             opencl->binary_room, opencl->message, opencl->user, nullptr, 0};
    if (opencl->whole != nullptr) {
      if (opencl->whole->ready != static_cast<uint32_t>(BRANCHES_CONTENT(0x))) return burin_rt::kNotInitialised;
      given.whole = reinterpret_cast<const burin_cl::Device*>(opencl->whole->device);
      given.weights_start = 64;
    }
  }
  constexpr burin_cl::Needs needs = {false, false, 64, {64, 2, 1}, 5120, 0, 0, 0, 0};
  const int32_t status = burin_cl::make(
      device_of(context),
      kernels_of(context),
      kernels::kProgram,
      needs,
      given,
      context->weights,
      9600);
  if (status == burin_rt::kOk) context->ready = kReady;
  return status;
}

void branches_release(branches_context* context) {
  if (context == nullptr || context->ready != kReady) return;
  context->ready = 0;
  burin_cl::release(device_of(context), kernels_of(context), kernels::kCount);
}

int32_t branches_run(
    branches_context* context,
    const branches_dims* dims,
    const branches_inputs* inputs,
    branches_outputs* outputs) {
  if (context == nullptr) return burin_rt::kNullArgument;
  branches_fault& fault = context->fault;
  burin_rt::clear(fault);
  if (inputs == nullptr || outputs == nullptr) return burin_rt::kNullArgument;
  if (context->ready != kReady) return burin_rt::kNotInitialised;
  if (inputs->x == nullptr) return burin_rt::kNullArgument;
  if (inputs->rows == nullptr) return burin_rt::kNullArgument;
  if (outputs->y == nullptr) return burin_rt::kNullArgument;
  if (outputs->p == nullptr) return burin_rt::kNullArgument;
  if (outputs->q == nullptr) return burin_rt::kNullArgument;
  if (dims == nullptr) return burin_rt::kNullArgument;
  const int64_t batch = dims->batch;
  if (!burin_rt::within(fault, "batch", batch, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t h = dims->h;
  if (!burin_rt::within(fault, "h", h, 2, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t w = dims->w;
  if (!burin_rt::within(fault, "w", w, 2, 65536)) return burin_rt::kDimensionOutOfRange;
  const int64_t n = dims->n;
  if (!burin_rt::within(fault, "n", n, 1, 65536)) return burin_rt::kDimensionOutOfRange;
  const branches_memory::Plan memory = branches_memory::plan(batch, h, w, n);
  namespace at = branches_memory::at;
  const burin_rt::ConstBytes weights(context->weights);
  (void)weights;
  burin_cl::Device& device = device_of(context);
  // Inputs and outputs lie behind the intermediate results.
  struct Places {
    int64_t unused_;
    int64_t x;
    int64_t rows;
    int64_t y;
    int64_t p;
    int64_t q;
  };
  Places outside = {};
  int64_t total = memory.bytes;
  outside.x = burin_cl::take(total, 24 * batch * h * w);
  outside.rows = burin_cl::take(total, 800 * n);
  outside.y = burin_cl::take(total, 152 * batch * (h / 2) * (w / 2));
  outside.p = burin_cl::take(total, 800 * n);
  outside.q = burin_cl::take(total, 800 * n);
  if (const int32_t reserved = burin_cl::reserve(device, total); reserved != burin_rt::kOk) return reserved;

  burin_cl::Commands commands(device, kernels_of(context));
  const auto steps = [&]() -> int32_t {
    commands.write(outside.x, inputs->x, 24 * batch * h * w);
    commands.write(outside.rows, inputs->rows, 800 * n);

    // Conv 'a/conv', Relu 'a/relu', Concat 'join'
    // Conv 'b/reduce', Relu 'b/relu'
    // Conv 'd/depthwise', Sigmoid 'd/gate', Concat 'join'
    commands.launch(
        kernels::joint_conv_relu_conv_sigmoid_a99130c6,
        {384 * batch * h * ((w + 63) / 64) + 64 * ((batch * h * w + 127) / 128), 32},
        {1, 1},
        {1, 1},
        commands.in_weights(at::b_reduce_rows, 4),
        commands.in_arena(outside.x, 4),
        commands.in_arena(memory.b1, 4),
        batch,
        h,
        w,
        commands.in_weights(at::a_conv_rows, 4),
        commands.in_arena(outside.x, 4),
        commands.in_arena(memory.joined, 4),
        batch,
        h,
        w,
        commands.in_arena(outside.x, 4),
        commands.in_weights(at::w_d, 4),
        commands.in_arena(memory.joined, 4),
        h,
        w,
        static_cast<int32_t>(((batch * h * w + 127) / 128)),
        static_cast<int32_t>(2 * ((batch * h * w + 127) / 128)),
        static_cast<int32_t>(12 * batch * h * ((w + 63) / 64) + 2 * ((batch * h * w + 127) / 128)));
    // Conv 'b/conv', Concat 'join'
    commands.launch(
        kernels::conv_2f878af7,
        {32 * ((batch * h * w + 127) / 128), 32},
        {1, 1},
        {1, 1},
        commands.in_weights(at::b_conv_rows, 4),
        commands.in_arena(memory.b1, 4),
        commands.in_arena(memory.joined, 4),
        batch,
        h,
        w);
    // MaxPool 'c/pool'
    // Softmax 'rows/softmax'
    // LayerNormalization 'rows/norm'
    commands.launch(
        kernels::joint_layer_normalization_s_xc1bdb58c_cc357f26,
        {384 * batch * h * ((w + 63) / 64) + 128 * n, 64},
        {1, 1},
        {1, 1},
        commands.in_arena(outside.rows, 4),
        commands.in_weights(at::gain, 4),
        commands.in_weights(at::shift, 4),
        commands.in_arena(outside.q, 4),
        commands.in_arena(outside.rows, 4),
        commands.in_arena(outside.p, 4),
        commands.in_arena(outside.x, 4),
        commands.in_arena(memory.c0, 4),
        h,
        w,
        static_cast<int32_t>(n),
        static_cast<int32_t>(2 * n),
        static_cast<int32_t>(6 * batch * h * ((w + 63) / 64) + 2 * n));
    // Conv 'c/project', Concat 'join'
    commands.launch(
        kernels::conv_2443713c,
        {32 * ((batch * h * w + 127) / 128), 32},
        {1, 1},
        {1, 1},
        commands.in_weights(at::c_project_rows, 4),
        commands.in_arena(memory.c0, 4),
        commands.in_arena(memory.joined, 4),
        batch,
        h,
        w);
    // AveragePool 'pool'
    commands.launch(
        kernels::average_pool_9645da43,
        {(w / 2), 32},
        {(h / 2), 2},
        {38 * batch, 1},
        commands.in_arena(memory.joined, 4),
        commands.in_arena(outside.y, 4),
        h,
        w);

    commands.read(outputs->y, outside.y, 152 * batch * (h / 2) * (w / 2));
    commands.read(outputs->p, outside.p, 800 * n);
    commands.read(outputs->q, outside.q, 800 * n);
    return burin_rt::kOk;
  };
  const int32_t status = commands.finish(steps());
  context->launches = device.counts.launches;
  context->synchronisations = device.counts.synchronisations;
  context->bytes_to_device = device.counts.bytes_to_device;
  context->bytes_to_host = device.counts.bytes_to_host;
  return status;
}

const char* branches_strerror(int32_t status) { return burin_cl::status_text(status); }

size_t branches_explain(const branches_context* context, int32_t status, char* text, size_t bytes) {
  return burin_cl::explain(context, status, text, bytes);
}

}  // extern "C"

namespace {

// The functions of the header, whose names there carry the tree's content.
constexpr auto kArenaBytesHere = &branches_arena_bytes;
constexpr auto kInitHere = &branches_init;
constexpr auto kRunHere = &branches_run;
constexpr auto kStrerrorHere = &branches_strerror;
constexpr auto kExplainHere = &branches_explain;
constexpr auto kInitOpenclHere = &branches_init_opencl;
constexpr auto kReleaseHere = &branches_release;

}  // namespace

#undef branches_arena_bytes
#undef branches_init
#undef branches_run
#undef branches_strerror
#undef branches_explain
#undef branches_init_opencl
#undef branches_release

// And under names that do not, for callers that look them up. They lie in this file, so that a linker
// that takes two trees of one name meets them twice.
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
extern "C" {

size_t branches_arena_bytes(const branches_dims* dims) { return kArenaBytesHere(dims); }

int32_t branches_init(
    branches_context* context,
    void* arena,
    size_t arena_bytes,
    const void* weights,
    size_t weights_bytes) {
  return kInitHere(context, arena, arena_bytes, weights, weights_bytes);
}

int32_t branches_init_opencl(
    branches_context* context,
    const branches_opencl* opencl,
    const void* weights,
    size_t weights_bytes) {
  return kInitOpenclHere(context, opencl, weights, weights_bytes);
}

void branches_release(branches_context* context) { kReleaseHere(context); }

int32_t branches_run(
    branches_context* context,
    const branches_dims* dims,
    const branches_inputs* inputs,
    branches_outputs* outputs) {
  return kRunHere(context, dims, inputs, outputs);
}

const char* branches_strerror(int32_t status) { return kStrerrorHere(status); }

size_t branches_explain(const branches_context* context, int32_t status, char* text, size_t bytes) {
  return kExplainHere(context, status, text, bytes);
}

}  // extern "C"
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
