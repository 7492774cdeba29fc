// SPDX-License-Identifier: MIT-0
// States that stay on the device from run to run: a buffer for each, as the caller would have one.
#ifndef BURIN_RT_OPENCL_STATES_H
#define BURIN_RT_OPENCL_STATES_H

#include "../tree.h"
#include "context.h"
#include "errors.h"
#include "needs.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

struct State {
  Handle buffer;
  size_t bytes;
};

static inline void release_states(const Device& d, State* states, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (states[i].buffer != nullptr) (void)d.api.ReleaseMemObject(states[i].buffer);
    states[i] = State{};
  }
}

// What `from` holds, with zeros behind it.
static inline int32_t fill_state(const Device& d, const State& state, const State& from) {
  int32_t error = kSuccess;
  if (from.buffer != nullptr) {
    error = d.api.EnqueueCopyBuffer(d.queue, from.buffer, state.buffer, 0, 0, from.bytes, 0,
                                    nullptr, nullptr);
  }
  static const uint8_t zeros[4096] = {};
  for (size_t at = from.bytes; error == kSuccess && at < state.bytes; at += sizeof zeros) {
    const size_t left = state.bytes - at, part = left < sizeof zeros ? left : sizeof zeros;
    error =
        d.api.EnqueueWriteBuffer(d.queue, state.buffer, 0, at, part, zeros, 0, nullptr, nullptr);
  }
  return status_of(error);
}

// Room for so many bytes: what is there stays at its place, whatever other sizes a run has, and
// zeros follow it. After a failure the state is as it was.
static inline int32_t reserve_state(const Device& d, State& state, int64_t bytes) {
  const size_t wanted = bytes > 0 ? static_cast<size_t>(bytes) : 1;
  if (state.buffer != nullptr && state.bytes >= wanted) return burin_rt::kOk;
  int32_t status = check_memory(d, wanted);
  if (status != burin_rt::kOk) return status;
  int32_t error = kSuccess;
  State larger = {d.api.CreateBuffer(d.context, kMemReadWrite, wanted, nullptr, &error), wanted};
  if (error != kSuccess) return status_of(error);
  status = fill_state(d, larger, state);
  State& gone = status == burin_rt::kOk ? state : larger;
  if (gone.buffer != nullptr) (void)d.api.ReleaseMemObject(gone.buffer);
  if (status == burin_rt::kOk) state = larger;
  return status;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_STATES_H
