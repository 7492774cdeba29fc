// A libOpenCL.so that fills buffers and images with a byte where they are made: BURIN_CL_POISON,
// in decimal. A kernel that reads what nothing has written computes something else with each byte.
// Every call goes on to the library that BURIN_CL_REAL names.
#include <vector>

#define BURIN_OWN_MEMORY_CALLS
#include "forward.h"

namespace {

Handle last_queue = nullptr;  // of the program, which has one

// Bytes of a texel: all images have four components.
size_t texel_bytes(const burin_cl::ImageFormat& format) {
  return format.type == burin_cl::kHalfFloat ? 8 : 16;
}

std::vector<unsigned char> poison(size_t bytes) {
  const char* const byte = getenv("BURIN_CL_POISON");
  return std::vector<unsigned char>(bytes, static_cast<unsigned char>(byte ? atoi(byte) : 255));
}

using WriteImage = int32_t (*)(Handle, Handle, uint32_t, const size_t*, const size_t*, size_t,
                               size_t, const void*, uint32_t, const Handle*, Handle*);

}  // namespace

FORWARD(int32_t, GetDeviceInfo, (Handle a, uint32_t b, size_t c, void* d, size_t* e),
        (a, b, c, d, e))
FORWARD(Handle, CreateProgramWithSource,
        (Handle a, uint32_t b, const char* const* c, const size_t* d, int32_t* e), (a, b, c, d, e))
FORWARD(Handle, CreateKernel, (Handle a, const char* b, int32_t* c), (a, b, c))
FORWARD(int32_t, EnqueueNDRangeKernel,
        (Handle a, Handle b, uint32_t c, const size_t* d, const size_t* e, const size_t* f,
         uint32_t g, const Handle* h, Handle* i),
        (a, b, c, d, e, f, g, h, i))
FORWARD(int32_t, Finish, (Handle a), (a))

extern "C" Handle clCreateCommandQueue(Handle context, Handle device, uint64_t properties,
                                       int32_t* error) {
  return last_queue = real().CreateCommandQueue(context, device, properties, error);
}

extern "C" Handle clCreateBuffer(Handle context, uint64_t flags, size_t bytes, void* from,
                                 int32_t* error) {
  const Handle buffer = real().CreateBuffer(context, flags, bytes, from, error);
  if (buffer == nullptr || (flags & burin_cl::kMemCopyHostPtr) != 0) return buffer;
  real().EnqueueWriteBuffer(last_queue, buffer, 1, 0, bytes, poison(bytes).data(), 0, nullptr,
                            nullptr);
  return buffer;
}

extern "C" Handle clCreateImage(Handle context, uint64_t flags, const burin_cl::ImageFormat* format,
                                const burin_cl::ImageDescription* description, void* from,
                                int32_t* error) {
  static const auto write =
      reinterpret_cast<WriteImage>(burin_cl::find_function(real_library(), "clEnqueueWriteImage"));
  const Handle image = real().CreateImage(context, flags, format, description, from, error);
  // One over a buffer has its bytes.
  if (image == nullptr || from != nullptr || description->buffer != nullptr) return image;
  const size_t origin[3] = {0, 0, 0}, region[3] = {description->width, description->height, 1};
  write(last_queue, image, 1, origin, region, 0, 0,
        poison(region[0] * region[1] * texel_bytes(*format)).data(), 0, nullptr, nullptr);
  return image;
}
