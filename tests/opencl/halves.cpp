// A libOpenCL.so that makes a device with arithmetic in fp16 of one that has none: it says that
// it has it, and programs get a type `half` that the compiler's own sixteen-bit floats stand for,
// which round after every operation. All else goes on to the library that BURIN_CL_REAL names.
//
// PoCL 3.1 has no cl_khr_fp16; its compiler computes in such floats. What the extension has as
// functions and these trees use stands in front of the program.
#include <string.h>

#include <vector>

#include "forward.h"

namespace {

constexpr char kHalves[] = R"(
#define half _Float16
typedef half half4 __attribute__((ext_vector_type(4)));
#define BURIN_OVERLOAD static inline __attribute__((overloadable))
BURIN_OVERLOAD half mad(half a, half b, half c) { const half product = a * b; return product + c; }
BURIN_OVERLOAD void vstore4(half4 v, size_t i, half* p) {
  p[4 * i] = v.s0, p[4 * i + 1] = v.s1, p[4 * i + 2] = v.s2, p[4 * i + 3] = v.s3;
}
BURIN_OVERLOAD half4 vload4(size_t i, const half* p) {
  return (half4)(p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]);
}
BURIN_OVERLOAD half4 convert_half4(float4 v) {
  return (half4)((half)v.s0, (half)v.s1, (half)v.s2, (half)v.s3);
}
)";

}  // namespace

extern "C" int32_t clGetDeviceInfo(Handle device, uint32_t what, size_t size, void* to,
                                   size_t* given) {
  if (what != burin_cl::kDeviceHalfFpConfig)
    return real().GetDeviceInfo(device, what, size, to, given);
  const uint64_t all = 63;
  if (given) *given = sizeof all;
  if (to && size < sizeof all) return -30;
  if (to) memcpy(to, &all, sizeof all);
  return 0;
}

extern "C" Handle clCreateProgramWithSource(Handle context, uint32_t count, const char* const* text,
                                            const size_t* sizes, int32_t* error) {
  std::vector<const char*> all{kHalves};
  std::vector<size_t> bytes{sizeof kHalves - 1};
  for (uint32_t i = 0; i < count; ++i) {
    all.push_back(text[i]);
    bytes.push_back(sizes && sizes[i] ? sizes[i] : strlen(text[i]));
  }
  return real().CreateProgramWithSource(context, count + 1, all.data(), bytes.data(), error);
}

FORWARD(Handle, CreateCommandQueue, (Handle a, Handle b, uint64_t c, int32_t* d), (a, b, c, d))
FORWARD(Handle, CreateKernel, (Handle a, const char* b, int32_t* c), (a, b, c))
FORWARD(int32_t, EnqueueNDRangeKernel,
        (Handle a, Handle b, uint32_t c, const size_t* d, const size_t* e, const size_t* f,
         uint32_t g, const Handle* h, Handle* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(int32_t, Finish, (Handle a), (a))
