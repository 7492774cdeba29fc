// SPDX-License-Identifier: MIT-0
// Whether a device has what the kernels of a tree need. Some of it was known of the device that the
// tree was made for, but a tree runs where it is copied to.
#ifndef BURIN_RT_OPENCL_NEEDS_H
#define BURIN_RT_OPENCL_NEEDS_H

#include "../tree.h"
#include "context.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

static inline int32_t check_work_groups(const Device& d, const Needs& needs) {
  constexpr size_t kDimensions = 3, kMostDimensions = 16;  // OpenCL has 3 or more
  size_t group = 0, items[kMostDimensions] = {};
  uint64_t local = 0;
  int32_t error =
      d.api.GetDeviceInfo(d.device, kDeviceMaxWorkGroupSize, sizeof group, &group, nullptr);
  if (error != kSuccess) return status_of(error);
  error = d.api.GetDeviceInfo(d.device, kDeviceMaxWorkItemSizes, sizeof items, items, nullptr);
  if (error != kSuccess) return status_of(error);
  error = d.api.GetDeviceInfo(d.device, kDeviceLocalMemSize, sizeof local, &local, nullptr);
  if (error != kSuccess) return status_of(error);
  if (group < needs.work_group) return kLacksWorkGroup;
  for (size_t i = 0; i < kDimensions; ++i) {
    if (items[i] < needs.work_items[i]) return kLacksWorkGroup;
  }
  return local < needs.local_bytes ? kLacksLocalMemory : burin_rt::kOk;
}

static inline int32_t check_images(const Device& d, const Needs& needs) {
  uint32_t has = 0, read = 0, written = 0;
  size_t width = 0, height = 0;
  int32_t error = d.api.GetDeviceInfo(d.device, kDeviceImageSupport, sizeof has, &has, nullptr);
  if (error != kSuccess || has == 0) return kLacksImages;
  error = d.api.GetDeviceInfo(d.device, kDeviceImage2dMaxWidth, sizeof width, &width, nullptr);
  if (error != kSuccess) return status_of(error);
  error = d.api.GetDeviceInfo(d.device, kDeviceImage2dMaxHeight, sizeof height, &height, nullptr);
  if (error != kSuccess) return status_of(error);
  error = d.api.GetDeviceInfo(d.device, kDeviceMaxReadImageArgs, sizeof read, &read, nullptr);
  if (error != kSuccess) return status_of(error);
  error =
      d.api.GetDeviceInfo(d.device, kDeviceMaxWriteImageArgs, sizeof written, &written, nullptr);
  if (error != kSuccess) return status_of(error);
  const bool enough = width >= needs.image_width && height >= needs.image_height &&
                      read >= needs.images_read && written >= needs.images_written;
  return enough ? burin_rt::kOk : kLacksImageSize;
}

static inline int32_t check_needs(const Device& d, const Needs& needs) {
  uint64_t fp64 = 0;
  if (needs.fp64) {
    const int32_t error =
        d.api.GetDeviceInfo(d.device, kDeviceDoubleFpConfig, sizeof fp64, &fp64, nullptr);
    if (error != kSuccess || fp64 == 0) return kLacksDouble;
  }
  if (needs.fp16) {
    // A device without the extension does not know the question, or answers with nothing.
    uint64_t fp16 = 0;
    const int32_t error =
        d.api.GetDeviceInfo(d.device, kDeviceHalfFpConfig, sizeof fp16, &fp16, nullptr);
    if (error != kSuccess || (fp16 & kRoundsToNearest) == 0) return kLacksHalf;
  }
  const int32_t status = check_work_groups(d, needs);
  if (status != burin_rt::kOk) return status;
  return needs.image_width > 0 ? check_images(d, needs) : burin_rt::kOk;
}

// Whether the device gives a buffer of so many bytes.
static inline int32_t check_memory(const Device& d, size_t bytes) {
  uint64_t most = 0;
  const int32_t error =
      d.api.GetDeviceInfo(d.device, kDeviceMaxMemAllocSize, sizeof most, &most, nullptr);
  if (error != kSuccess) return status_of(error);
  return most < bytes ? kLacksMemory : burin_rt::kOk;
}

// A device may give a kernel smaller work-groups than others, for its registers.
static inline int32_t check_kernel(const Device& d, Handle kernel, size_t work_group) {
  size_t most = 0;
  const int32_t error = d.api.GetKernelWorkGroupInfo(kernel, d.device, kKernelWorkGroupSize,
                                                     sizeof most, &most, nullptr);
  if (error != kSuccess) return status_of(error);
  return most < work_group ? kLacksWorkGroup : burin_rt::kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_NEEDS_H
