// OpenCL's errors as statuses of a tree: a status of 1000 + n is OpenCL's error -n. Statuses of our
// own that concern the device lie between 100 and 200.
#ifndef BURIN_RT_OPENCL_ERRORS_H
#define BURIN_RT_OPENCL_ERRORS_H

#include <stdint.h>

#include "../status.h"

namespace burin_cl {

constexpr int32_t kNoLibrary = 100;       // there is no OpenCL library with every function
constexpr int32_t kNoDevice = 101;        // it has no device
constexpr int32_t kLacksDouble = 102;     // the device has no doubles, which this network needs
constexpr int32_t kLacksWorkGroup = 103;  // its work-groups are smaller than the kernels'
constexpr int32_t kLacksMemory = 104;     // it gives no buffer as large as this network's
constexpr int32_t kHalfGiven = 105;       // of context, device and queue some are given, some not
constexpr int32_t kLacksImages = 106;     // the device has no images, which this network needs
constexpr int32_t kLacksImageSize = 107;  // its images, or a kernel's number of them, are too small
constexpr int32_t kLacksHalf = 108;       // it does not compute in halves, rounded to the nearest
constexpr int32_t kFirstError = 1000;

static inline int32_t status_of(int32_t error) { return error == 0 ? 0 : kFirstError - error; }

static inline const char* status_text(int32_t status) {
  switch (status) {
    case kNoLibrary:
      return "no OpenCL library was found";
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
    case kFirstError + 1:
      return "OpenCL: device not found";
    case kFirstError + 2:
      return "OpenCL: device not available";
    case kFirstError + 3:
      return "OpenCL: compiler not available";
    case kFirstError + 4:
      return "OpenCL: memory object allocation failure";
    case kFirstError + 5:
      return "OpenCL: out of resources";
    case kFirstError + 6:
      return "OpenCL: out of host memory";
    case kFirstError + 10:
      return "OpenCL: image format not supported";
    case kFirstError + 11:
      return "OpenCL: the kernels do not compile";
    case kFirstError + 12:
      return "OpenCL: map failure";
    case kFirstError + 14:
      return "OpenCL: an earlier command failed";
    case kFirstError + 30:
      return "OpenCL: invalid value";
    case kFirstError + 33:
      return "OpenCL: invalid device";
    case kFirstError + 34:
      return "OpenCL: invalid context";
    case kFirstError + 36:
      return "OpenCL: invalid command queue";
    case kFirstError + 38:
      return "OpenCL: invalid memory object";
    case kFirstError + 39:
      return "OpenCL: invalid image format";
    case kFirstError + 40:
      return "OpenCL: invalid image size";
    case kFirstError + 42:
      return "OpenCL: invalid binary";
    case kFirstError + 44:
      return "OpenCL: invalid program";
    case kFirstError + 45:
      return "OpenCL: invalid program executable";
    case kFirstError + 46:
      return "OpenCL: invalid kernel name";
    case kFirstError + 48:
      return "OpenCL: invalid kernel";
    case kFirstError + 49:
      return "OpenCL: invalid argument index";
    case kFirstError + 50:
      return "OpenCL: invalid argument value";
    case kFirstError + 51:
      return "OpenCL: invalid argument size";
    case kFirstError + 52:
      return "OpenCL: invalid kernel arguments";
    case kFirstError + 54:
      return "OpenCL: invalid work-group size";
    case kFirstError + 55:
      return "OpenCL: invalid work-item size";
    case kFirstError + 61:
      return "OpenCL: invalid buffer size";
    case kFirstError + 63:
      return "OpenCL: invalid global work size";
    default:
      if (status > kFirstError && status < kFirstError + 1100) return "OpenCL: another error";
      return burin_rt::status_text(status);
  }
}

}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_ERRORS_H
