// SPDX-License-Identifier: MIT-0
// OpenCL's errors as statuses of a tree: a status of 1000 + n is OpenCL's error -n. Statuses of our
// own that concern the device lie between 100 and 200.
#ifndef BURIN_RT_OPENCL_ERRORS_H
#define BURIN_RT_OPENCL_ERRORS_H

#include <stdint.h>

#include "../fault.h"
#include "../status.h"
#include "../tree.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

constexpr int32_t kNoLibrary = 100;       // no OpenCL library that can be opened has every function
constexpr int32_t kNoDevice = 101;        // it has no device
constexpr int32_t kLacksDouble = 102;     // the device has no doubles, which this network needs
constexpr int32_t kLacksWorkGroup = 103;  // its work-groups are smaller than the kernels'
constexpr int32_t kLacksMemory = 104;     // it gives no buffer as large as this network needs
constexpr int32_t kHalfGiven = 105;       // of context, device and queue some are given, some not
constexpr int32_t kLacksImages = 106;     // the device has no images, which this network needs
constexpr int32_t kLacksImageSize = 107;  // its images, or a kernel's number of them, are too small
constexpr int32_t kLacksHalf = 108;       // it does not compute in halves, rounded to the nearest
constexpr int32_t kLacksLocalMemory = 109;  // the device has less local memory than kernels need
constexpr int32_t kForeignQueue = 110;      // the queue given is another context's or device's
constexpr int32_t kUnorderedQueue = 111;    // it may run commands in another order
constexpr int32_t kFirstError = 1000;

// Errors are negative; whatever else a driver returns must not become a status of another meaning.
static inline int32_t status_of(int32_t error) {
  if (error == 0) return 0;
  const int64_t status = kFirstError + (error < 0 ? -int64_t{error} : int64_t{error});
  return status < INT32_MAX ? static_cast<int32_t>(status) : INT32_MAX;
}

// Of OpenCL's error -n; null where the specification has no name for it.
static inline const char* error_text(int32_t n) {
  static constexpr int32_t kGap = 30;  // 20 to 29 are none
  static const char* const kFirst[] = {
      nullptr,
      "OpenCL: device not found",
      "OpenCL: device not available",
      "OpenCL: compiler not available",
      "OpenCL: memory object allocation failure",
      "OpenCL: out of resources",
      "OpenCL: out of host memory",
      "OpenCL: profiling information not available",
      "OpenCL: overlapping copy",
      "OpenCL: image format mismatch",
      "OpenCL: image format not supported",
      "OpenCL: the kernels do not compile",
      "OpenCL: map failure",
      "OpenCL: misaligned offset of a sub-buffer",
      "OpenCL: an earlier command failed",
      "OpenCL: compile failure",
      "OpenCL: linker not available",
      "OpenCL: link failure",
      "OpenCL: device partition failed",
      "OpenCL: kernel argument information not available",
  };
  static const char* const kInvalid[] = {
      "OpenCL: invalid value",
      "OpenCL: invalid device type",
      "OpenCL: invalid platform",
      "OpenCL: invalid device",
      "OpenCL: invalid context",
      "OpenCL: invalid queue properties",
      "OpenCL: invalid command queue",
      "OpenCL: invalid host pointer",
      "OpenCL: invalid memory object",
      "OpenCL: invalid image format",
      "OpenCL: invalid image size",
      "OpenCL: invalid sampler",
      "OpenCL: invalid binary",
      "OpenCL: invalid build options",
      "OpenCL: invalid program",
      "OpenCL: invalid program executable",
      "OpenCL: invalid kernel name",
      "OpenCL: invalid kernel definition",
      "OpenCL: invalid kernel",
      "OpenCL: invalid argument index",
      "OpenCL: invalid argument value",
      "OpenCL: invalid argument size",
      "OpenCL: invalid kernel arguments",
      "OpenCL: invalid work dimension",
      "OpenCL: invalid work-group size",
      "OpenCL: invalid work-item size",
      "OpenCL: invalid global offset",
      "OpenCL: invalid event wait list",
      "OpenCL: invalid event",
      "OpenCL: invalid operation",
      "OpenCL: invalid GL object",
      "OpenCL: invalid buffer size",
      "OpenCL: invalid mip level",
      "OpenCL: invalid global work size",
      "OpenCL: invalid property",
      "OpenCL: invalid image descriptor",
      "OpenCL: invalid compiler options",
      "OpenCL: invalid linker options",
      "OpenCL: invalid device partition count",
      "OpenCL: invalid pipe size",
      "OpenCL: invalid device queue",
      "OpenCL: invalid specialisation constant",
      "OpenCL: a size is beyond what the device takes",
  };
  if (n < static_cast<int32_t>(sizeof kFirst / sizeof kFirst[0])) return kFirst[n];
  const bool known =
      n >= kGap && n - kGap < static_cast<int32_t>(sizeof kInvalid / sizeof kInvalid[0]);
  return known ? kInvalid[n - kGap] : nullptr;
}

static inline const char* status_text(int32_t status) {
  switch (status) {
    case kNoLibrary:
      return "no OpenCL library was found that has all functions of OpenCL 1.2";
    case kNoDevice:
      return "OpenCL has no device";
    case kLacksDouble:
      return "the device has no double precision";
    case kLacksWorkGroup:
      return "the device's work-groups are smaller than the kernels need";
    case kLacksMemory:
      return "the device gives no buffer as large as the network needs";
    case kHalfGiven:
      return "context, device and queue are given together or not at all";
    case kLacksImages:
      return "the device has no images";
    case kLacksImageSize:
      return "the device's images are smaller, or fewer for a kernel, than the network needs";
    case kLacksHalf:
      return "the device does not compute in half precision";
    case kLacksLocalMemory:
      return "the device has less local memory than the kernels need";
    case kForeignQueue:
      return "the queue is none of the context and the device that are given with it";
    case kUnorderedQueue:
      return "the queue may run commands in another order than they are given";
    default:
      break;
  }
  if (status <= kFirstError) return burin_rt::status_text(status);
  const char* const text = error_text(status - kFirstError);
  return text != nullptr ? text : "OpenCL: the driver's own error 1000 - status";
}

// As burin_rt::explain; an error that only the driver knows comes with its number.
template <class Context>
static inline size_t explain(const Context* context, int32_t status, char* text, size_t room) {
  if (status <= kFirstError || error_text(status - kFirstError) != nullptr)
    return burin_rt::explain(context, status_text(status), text, room);
  char meaning[64];
  burin_rt::Line line = {meaning, sizeof meaning, 0};
  line.add("OpenCL: the driver's own error ");
  line.add(int64_t{kFirstError} - status);
  (void)line.end();
  return burin_rt::explain(context, meaning, text, room);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_ERRORS_H
