// A libOpenCL.so that records: buffers and images are ordinary memory, kernels do nothing, and at
// the end of the program one line says what was called. With it a tree shows its launches, bytes
// and synchronisations on a machine without OpenCL.
//
//   BURIN_CL_RECORD=FILE: where the line goes, appended: launches, synchronisations, bytes to the
//   device, bytes to the host, bytes of buffers and images at once, objects that were never
//   released
//
// A program that finds burin_record_fail_at in it can let one call fail
// (tests/golden/misuse_opencl.c).
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

struct Object {
  size_t bytes;
  void* memory;
};

struct Record {
  long launches = 0, synchronisations = 0, objects = 0;
  size_t to_device = 0, to_host = 0, buffers = 0, most_buffers = 0;
  ~Record() {
    const char* const path = getenv("BURIN_CL_RECORD");
    FILE* const file = path ? fopen(path, "a") : nullptr;
    if (file == nullptr) return;
    fprintf(file, "%ld %ld %zu %zu %zu %ld\n", launches, synchronisations, to_device, to_host,
            most_buffers, objects);
    fclose(file);
  }
} record;

constexpr int32_t kOutOfResources = -5;
constexpr size_t kImageExtent = 16384;
long calls_left = 0;  // until one fails; 0: none does

bool fails() { return calls_left > 0 && --calls_left == 0; }

Object* make(size_t bytes, int32_t* error) {
  if (fails()) {
    if (error) *error = kOutOfResources;
    return nullptr;
  }
  if (error) *error = 0;
  ++record.objects;
  record.buffers += bytes;
  if (record.buffers > record.most_buffers) record.most_buffers = record.buffers;
  return new Object{bytes, bytes ? calloc(1, bytes) : nullptr};
}

int32_t release(void* handle) {
  Object* const object = static_cast<Object*>(handle);
  --record.objects;
  record.buffers -= object->bytes;
  free(object->memory);
  delete object;
  return 0;
}

bool inside(const void* buffer, size_t at, size_t bytes) {
  const size_t size = static_cast<const Object*>(buffer)->bytes;
  return at <= size && bytes <= size - at;
}

template <class T>
int32_t answer(T value, size_t size, void* to, size_t* given) {
  if (given) *given = sizeof value;
  if (to && size < sizeof value) return -30;
  if (to) memcpy(to, &value, sizeof value);
  return 0;
}

}  // namespace

extern "C" {

// The call number `call` from now on fails with "out of resources"; 0: none. Releases do not fail.
void burin_record_fail_at(long call) { calls_left = call; }
// Whether that call has come.
int32_t burin_record_failed(void) { return calls_left == 0; }
long burin_record_objects(void) { return record.objects; }

int32_t clGetPlatformIDs(uint32_t, void** platforms, uint32_t* count) {
  if (fails()) return kOutOfResources;
  if (platforms) platforms[0] = &record;
  if (count) *count = 1;
  return 0;
}
int32_t clGetDeviceIDs(void*, uint64_t, uint32_t, void** devices, uint32_t* count) {
  if (fails()) return kOutOfResources;
  if (devices) devices[0] = &record;
  if (count) *count = 1;
  return 0;
}
int32_t clGetDeviceInfo(void*, uint32_t what, size_t size, void* to, size_t* given) {
  if (fails()) return kOutOfResources;
  if (what == 0x1004) return answer(size_t{4096}, size, to, given);       // work-group
  if (what == 0x100E) return answer(uint32_t{128}, size, to, given);      // images read
  if (what == 0x100F) return answer(uint32_t{8}, size, to, given);        // images written
  if (what == 0x1010) return answer(uint64_t{1} << 40, size, to, given);  // one buffer
  if (what == 0x1011) return answer(kImageExtent, size, to, given);       // width of images
  if (what == 0x1012) return answer(kImageExtent, size, to, given);       // height
  if (what == 0x1016) return answer(uint32_t{1}, size, to, given);        // images
  if (what == 0x1023) return answer(uint64_t{65536}, size, to, given);    // local memory
  if (what == 0x1032) return answer(uint64_t{63}, size, to, given);       // doubles
  return -30;
}
void* clCreateContext(const intptr_t*, uint32_t, void* const*, void*, void*, int32_t* error) {
  return make(0, error);
}
int32_t clReleaseContext(void* context) { return release(context); }
void* clCreateCommandQueue(void*, void*, uint64_t, int32_t* error) { return make(0, error); }
int32_t clReleaseCommandQueue(void* queue) { return release(queue); }
void* clCreateBuffer(void*, uint64_t flags, size_t bytes, void* from, int32_t* error) {
  if (bytes == 0) {
    if (error) *error = -61;
    return nullptr;
  }
  Object* const buffer = make(bytes, error);
  if (buffer && (flags & 32)) {
    memcpy(buffer->memory, from, bytes);
    record.to_device += bytes;
  }
  return buffer;
}
// Texels of four components; what is refused is what OpenCL 1.2 refuses.
struct ImageFormat {
  uint32_t order, type;
};
struct ImageDescription {
  uint32_t kind;
  size_t width, height, depth, array_size, row_pitch, slice_pitch;
};
void* clCreateImage(void*, uint64_t flags, const ImageFormat* format,
                    const ImageDescription* description, void* from, int32_t* error) {
  const bool known = format->order == 0x10B5 && (format->type == 0x10DD || format->type == 0x10DE);
  const bool fits = description->kind == 0x10F1 && description->width > 0 &&
                    description->height > 0 && description->width <= kImageExtent &&
                    description->height <= kImageExtent && description->row_pitch == 0;
  if (!known || !fits) {
    if (error) *error = known ? -40 : -39;
    return nullptr;
  }
  const size_t texel = format->type == 0x10DD ? 8 : 16;
  const size_t bytes = description->width * description->height * texel;
  Object* const image = make(bytes, error);
  if (image && (flags & 32)) {
    memcpy(image->memory, from, bytes);
    record.to_device += bytes;
  }
  return image;
}
int32_t clReleaseMemObject(void* buffer) { return release(buffer); }
void* clCreateProgramWithSource(void*, uint32_t, const char* const*, const size_t*,
                                int32_t* error) {
  return make(0, error);
}
void* clCreateProgramWithBinary(void*, uint32_t, void* const*, const size_t*, const uint8_t* const*,
                                int32_t*, int32_t* error) {
  if (error) *error = fails() ? kOutOfResources : -42;
  return nullptr;
}
int32_t clBuildProgram(void*, uint32_t, void* const*, const char*, void*, void*) {
  return fails() ? kOutOfResources : 0;
}
int32_t clGetProgramBuildInfo(void*, void*, uint32_t, size_t, void*, size_t*) {
  return fails() ? kOutOfResources : -30;
}
int32_t clGetProgramInfo(void*, uint32_t, size_t, void*, size_t*) {
  return fails() ? kOutOfResources : -30;
}
int32_t clReleaseProgram(void* program) { return release(program); }
void* clCreateKernel(void*, const char*, int32_t* error) { return make(0, error); }
int32_t clReleaseKernel(void* kernel) { return release(kernel); }
int32_t clSetKernelArg(void*, uint32_t, size_t, const void*) {
  return fails() ? kOutOfResources : 0;
}
int32_t clEnqueueNDRangeKernel(void*, void*, uint32_t dimensions, const size_t*,
                               const size_t* global, const size_t* local, uint32_t, void* const*,
                               void**) {
  if (fails()) return kOutOfResources;
  for (uint32_t i = 0; i < dimensions; ++i) {
    if (global[i] == 0) return -63;
    if (local && (local[i] == 0 || global[i] % local[i] != 0)) return -54;
  }
  ++record.launches;
  return 0;
}
int32_t clEnqueueReadBuffer(void*, void* buffer, uint32_t waits, size_t at, size_t bytes, void* to,
                            uint32_t, void* const*, void**) {
  if (fails()) return kOutOfResources;
  if (!inside(buffer, at, bytes)) return -30;
  memcpy(to, static_cast<char*>(static_cast<Object*>(buffer)->memory) + at, bytes);
  record.to_host += bytes;
  record.synchronisations += waits != 0;
  return 0;
}
int32_t clEnqueueWriteBuffer(void*, void* buffer, uint32_t waits, size_t at, size_t bytes,
                             const void* from, uint32_t, void* const*, void**) {
  if (fails()) return kOutOfResources;
  if (!inside(buffer, at, bytes)) return -30;
  memcpy(static_cast<char*>(static_cast<Object*>(buffer)->memory) + at, from, bytes);
  record.to_device += bytes;
  record.synchronisations += waits != 0;
  return 0;
}
void* clEnqueueMapBuffer(void*, void* buffer, uint32_t waits, uint64_t, size_t at, size_t bytes,
                         uint32_t, void* const*, void**, int32_t* error) {
  if (fails()) {
    *error = kOutOfResources;
    return nullptr;
  }
  if (error) *error = inside(buffer, at, bytes) ? 0 : -30;
  record.synchronisations += waits != 0;
  return static_cast<char*>(static_cast<Object*>(buffer)->memory) + at;
}
int32_t clEnqueueUnmapMemObject(void*, void*, void*, uint32_t, void* const*, void**) {
  return fails() ? kOutOfResources : 0;
}
int32_t clFinish(void*) {
  if (fails()) return kOutOfResources;
  ++record.synchronisations;
  return 0;
}

}  // extern "C"
