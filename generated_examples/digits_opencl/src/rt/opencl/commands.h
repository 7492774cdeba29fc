// SPDX-License-Identifier: MIT-0
// The commands of one run, on one in-order queue. The first error stays; what comes after it does
// nothing. The host waits only where it needs data: read_element, map, and the end of the run.
#ifndef BURIN_RT_OPENCL_COMMANDS_H
#define BURIN_RT_OPENCL_COMMANDS_H

#include "../tree.h"
#include "device.h"
#include "images.h"
#include "states.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

// An argument: a buffer, and where in it a tensor starts, in its elements.
struct Tensor {
  Handle buffer;
  uint64_t start;
};

// Points of one dimension of an index space, and those of a work-group.
struct Points {
  int64_t extent;
  int32_t group;
};

class Commands {
 public:
  Commands(Device& device, Handle* kernels, const Image* images = nullptr,
           const State* states = nullptr)
      : device_(device), kernels_(kernels), images_(images), states_(states) {
    device.counts = Counts{};
  }
  int32_t status() const { return status_; }

  // A tensor that starts at `bytes` of the arena or of the weights.
  Tensor in_arena(int64_t bytes, int64_t element_bytes) const {
    return {device_.arena, static_cast<uint64_t>(bytes / element_bytes)};
  }
  Tensor in_weights(int64_t bytes, int64_t element_bytes) const {
    const int64_t start = device_.weights_start + bytes;
    return {device_.weights, static_cast<uint64_t>(start / element_bytes)};
  }

  // One of the tree's images, and one of its states, by its number.
  Image image(int32_t number) const { return images_[number]; }
  Tensor state(int32_t number) const { return {states_[number].buffer, 0}; }

  // A space without points is not launched. Group sizes round the space up; kernels look where it
  // ends.
  template <class... Arguments>
  void launch(int32_t kernel, Points x, Points y, Points z, const Arguments&... arguments) {
    const Points points[3] = {x, y, z};
    size_t global[3], local[3];
    for (int i = 0; i < 3; ++i) {
      if (points[i].extent <= 0) return;
      local[i] = static_cast<size_t>(points[i].group);
      global[i] = (static_cast<size_t>(points[i].extent) + local[i] - 1) / local[i] * local[i];
    }
    if (status_ != 0) return;
    const Handle function = kernels_[kernel];
    uint32_t place = 0;
    (set(function, place, arguments), ...);
    if (status_ != 0) return;
    check(device_.api.EnqueueNDRangeKernel(device_.queue, function, 3, nullptr, global, local, 0,
                                           nullptr, nullptr));
    ++device_.counts.launches;
  }

  // The caller's memory must stay as it is until the run ends.
  void write(int64_t to, const void* from, int64_t bytes) { write(device_.arena, to, from, bytes); }
  void read(void* to, int64_t from, int64_t bytes) { read(to, device_.arena, from, bytes); }
  void write_state(int32_t number, const void* from, int64_t bytes) {
    write(states_[number].buffer, 0, from, bytes);
  }
  void read_state(void* to, int32_t number, int64_t bytes) {
    read(to, states_[number].buffer, 0, bytes);
  }

  // One element that the host decides by; 0 after an error. The host waits for it.
  template <class T>
  T read_element(int64_t from) {
    T value{};
    if (status_ != 0) return value;
    check(device_.api.EnqueueReadBuffer(device_.queue, device_.arena, kTrue,
                                        static_cast<size_t>(from), sizeof value, &value, 0, nullptr,
                                        nullptr));
    ++device_.counts.synchronisations;
    device_.counts.bytes_to_host += static_cast<int64_t>(sizeof value);
    return value;
  }

  // The arena in the host's memory, until unmap; null after an error. The host waits for it.
  uint8_t* map() {
    if (status_ != 0) return nullptr;
    int32_t error = kSuccess;
    void* const at =
        device_.api.EnqueueMapBuffer(device_.queue, device_.arena, kTrue, kMapRead | kMapWrite, 0,
                                     device_.arena_bytes, 0, nullptr, nullptr, &error);
    check(error);
    ++device_.counts.synchronisations;
    return static_cast<uint8_t*>(status_ == 0 ? at : nullptr);
  }
  void unmap(uint8_t* at) {
    check(device_.api.EnqueueUnmapMemObject(device_.queue, device_.arena, at, 0, nullptr, nullptr));
  }

  // Waits for everything, also after an error: the caller's memory is in use until then. `status`
  // is what stopped the run, if anything; an error of OpenCL comes before it.
  int32_t finish(int32_t status) {
    check(device_.api.Finish(device_.queue));
    return status_ != 0 ? status_ : status;
  }

 private:
  void write(Handle buffer, int64_t to, const void* from, int64_t bytes) {
    if (status_ != 0 || bytes <= 0) return;
    check(device_.api.EnqueueWriteBuffer(device_.queue, buffer, 0, static_cast<size_t>(to),
                                         static_cast<size_t>(bytes), from, 0, nullptr, nullptr));
    device_.counts.bytes_to_device += bytes;
  }
  void read(void* to, Handle buffer, int64_t from, int64_t bytes) {
    if (status_ != 0 || bytes <= 0) return;
    check(device_.api.EnqueueReadBuffer(device_.queue, buffer, 0, static_cast<size_t>(from),
                                        static_cast<size_t>(bytes), to, 0, nullptr, nullptr));
    device_.counts.bytes_to_host += bytes;
  }
  void check(int32_t error) {
    if (status_ == 0) status_ = status_of(error);
  }
  void set(Handle function, uint32_t& place, const Tensor& tensor) {
    set_bytes(function, place, &tensor.buffer, sizeof tensor.buffer);
    set_bytes(function, place, &tensor.start, sizeof tensor.start);
  }
  void set(Handle function, uint32_t& place, const Image& image) {
    set_bytes(function, place, &image.handle, sizeof image.handle);
  }
  void set(Handle function, uint32_t& place, const int32_t& number) {
    set_bytes(function, place, &number, sizeof number);
  }
  void set(Handle function, uint32_t& place, const int64_t& number) {
    set_bytes(function, place, &number, sizeof number);
  }
  void set_bytes(Handle function, uint32_t& place, const void* bytes, size_t count) {
    if (status_ == 0) check(device_.api.SetKernelArg(function, place, count, bytes));
    ++place;
  }

  Device& device_;
  Handle* kernels_;
  const Image* images_;
  const State* states_;
  int32_t status_ = 0;
};

// The elements that an output takes on the device: of what the caller has room for, no more than
// the run can give.
static inline int64_t room(int64_t capacity, int64_t most) {
  return capacity < 0 ? 0 : capacity < most ? capacity : most;
}

// Where the next `bytes` behind `total` start; they count to it then.
static inline int64_t take(int64_t& total, int64_t bytes) {
  const int64_t at = (total + 63) / 64 * 64;
  total = at + bytes;
  return at;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_COMMANDS_H
