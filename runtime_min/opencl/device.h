// SPDX-License-Identifier: MIT-0
// How what a context holds of OpenCL is made and given back.
#ifndef BURIN_RT_OPENCL_DEVICE_H
#define BURIN_RT_OPENCL_DEVICE_H

#include "../tree.h"
#include "load.h"
#include "program.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

static inline int32_t pick_device(Device& d) {
  Handle platforms[16] = {};
  uint32_t count = 0;
  if (d.api.GetPlatformIDs(16, platforms, &count) != kSuccess || count == 0) return kNoDevice;
  if (count > 16) count = 16;
  // The first GPU; else the first device at all.
  const uint64_t wanted[2] = {kDeviceTypeGpu, kDeviceTypeAll};
  for (const uint64_t type : wanted) {
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t found = 0;
      if (d.api.GetDeviceIDs(platforms[i], type, 1, &d.device, &found) == kSuccess && found > 0)
        return burin_rt::kOk;
    }
  }
  return kNoDevice;
}

// Everything that the device was given; the context is all zeros then.
static inline void release(Device& d, Handle* kernels, int32_t kernel_count) {
  release_program(d, kernels, kernel_count);
  if (d.arena != nullptr) (void)d.api.ReleaseMemObject(d.arena);
  if (!d.part && d.weights != nullptr) (void)d.api.ReleaseMemObject(d.weights);
  if (d.owned && d.queue != nullptr) (void)d.api.ReleaseCommandQueue(d.queue);
  if (d.owned && d.context != nullptr) (void)d.api.ReleaseContext(d.context);
  d = Device{};
}

// The device and the weights of the network that ours is a part of.
static inline int32_t take_part(Device& d, const Given& given) {
  if (given.context != nullptr || given.device != nullptr || given.queue != nullptr)
    return burin_rt::kInvalidArgument;
  const Device& whole = *given.whole;
  d.context = whole.context;
  d.device = whole.device;
  d.queue = whole.queue;
  d.weights = whole.weights;
  d.weights_start = given.weights_start;
  d.part = true;
  return burin_rt::kOk;
}

// That the caller's queue is one of the caller's context and device, and runs in order: kernels
// read what those before them wrote.
static inline int32_t check_queue(const Device& d) {
  Handle context = nullptr, device = nullptr;
  uint64_t properties = 0;
  const auto ask = [&](uint32_t what, void* to, size_t bytes) {
    return d.api.GetCommandQueueInfo(d.queue, what, bytes, to, nullptr);
  };
  int32_t error = ask(kQueueContext, &context, sizeof context);
  if (error == kSuccess) error = ask(kQueueDevice, &device, sizeof device);
  if (error == kSuccess) error = ask(kQueueProperties, &properties, sizeof properties);
  if (error != kSuccess) return status_of(error);
  if (context != d.context || device != d.device) return kForeignQueue;
  return (properties & kQueueOutOfOrder) != 0 ? kUnorderedQueue : burin_rt::kOk;
}

// A device, and what only depends on it.
static inline int32_t find_device(Device& d, const Given& given) {
  const int handed =
      (given.context != nullptr) + (given.device != nullptr) + (given.queue != nullptr);
  if (handed != 0 && handed != 3) return kHalfGiven;
  if (handed == 3) {
    d.context = given.context;
    d.device = given.device;
    d.queue = given.queue;
    return check_queue(d);
  }
  const int32_t status = pick_device(d);
  if (status != burin_rt::kOk) return status;
  int32_t error = kSuccess;
  d.owned = true;
  d.context = d.api.CreateContext(nullptr, 1, &d.device, nullptr, nullptr, &error);
  if (error == kSuccess) d.queue = d.api.CreateCommandQueue(d.context, d.device, 0, &error);
  return status_of(error);
}

// Makes everything but the arena, which depends on sizes. After a failure nothing is left.
static inline int32_t make(Device& d, Handle* kernels, const Program& program, const Needs& needs,
                           const Given& given, const void* weights, size_t weights_bytes) {
  d = Device{};
  for (int32_t i = 0; i < program.function_count; ++i) kernels[i] = nullptr;
  if (!load(d.api)) return kNoLibrary;
  int32_t status = given.whole != nullptr ? take_part(d, given) : find_device(d, given);
  if (status == burin_rt::kOk) status = check_needs(d, needs);
  const bool own_weights = !d.part && weights_bytes > 0;
  if (status == burin_rt::kOk && own_weights) status = check_memory(d, weights_bytes);
  if (status == burin_rt::kOk) status = make_program(d, kernels, program, given);
  if (status == burin_rt::kOk && own_weights) {
    int32_t error = kSuccess;
    d.weights = d.api.CreateBuffer(d.context, kMemReadOnly | kMemCopyHostPtr, weights_bytes,
                                   const_cast<void*>(weights), &error);
    status = status_of(error);
  }
  if (status != burin_rt::kOk) release(d, kernels, program.function_count);
  return status;
}

// An arena of at least so many bytes; one that is large enough is kept.
static inline int32_t reserve(Device& d, int64_t bytes) {
  const size_t wanted = bytes > 0 ? static_cast<size_t>(bytes) : 1;
  if (d.arena != nullptr && d.arena_bytes >= wanted) return burin_rt::kOk;
  const int32_t status = check_memory(d, wanted);
  if (status != burin_rt::kOk) return status;
  int32_t error = kSuccess;
  if (d.arena != nullptr) {
    error = d.api.ReleaseMemObject(d.arena);
    if (error != kSuccess) return status_of(error);
    d.arena = nullptr;
    d.arena_bytes = 0;
  }
  d.arena = d.api.CreateBuffer(d.context, kMemReadWrite, wanted, nullptr, &error);
  if (error != kSuccess) {
    d.arena = nullptr;
    return status_of(error);
  }
  d.arena_bytes = wanted;
  return burin_rt::kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_DEVICE_H
