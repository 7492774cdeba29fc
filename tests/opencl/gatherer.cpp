// A libOpenCL.so for Oclgrind's check of reads of what was never written. Version 21.10 keeps of a
// buffer only what the last write of the host covers: inputs that share one would be forgotten, and
// what kernels write elsewhere in it. So before the first launch every buffer that has been written
// to is written whole, as it is, and a kernel then stores a variable without a value wherever the
// host wrote nothing. From the second run on, or where the host writes between launches, whole
// buffers count as written.
// Every call goes on to the library that BURIN_CL_REAL names.
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#define BURIN_OWN_MEMORY_CALLS
#define BURIN_OWN_WRITES
#include "forward.h"

namespace {

// Bytes that one work-item makes unknown; parts of fewer stay known.
constexpr size_t kUnit = 64;
constexpr const char* kSource =
    "__kernel void burin_unknown(__global ulong8* p, ulong at) { ulong8 u; p[at + "
    "get_global_id(0)] = "
    "u; }\n";

struct Buffer {
  size_t bytes = 0;
  std::vector<std::pair<size_t, size_t>> written;  // by the host: begin, end
};
std::map<Handle, Buffer> buffers;
Handle context_of_all = nullptr, device_of_all = nullptr;
bool launched = false;

// The whole of it, as it is but for some bytes.
int32_t write_whole(Handle queue, Handle handle, const Buffer& buffer, size_t offset,
                    const void* from, size_t bytes) {
  std::vector<unsigned char> now(buffer.bytes);
  const int32_t status =
      real().EnqueueReadBuffer(queue, handle, 1, 0, now.size(), now.data(), 0, nullptr, nullptr);
  if (status != 0) return status;
  if (bytes > 0) memcpy(now.data() + offset, from, bytes);
  return real().EnqueueWriteBuffer(queue, handle, 1, 0, now.size(), now.data(), 0, nullptr,
                                   nullptr);
}

Handle unknown_kernel() {
  static const Handle kernel = [] {
    int32_t error = 0;
    const Handle program =
        real().CreateProgramWithSource(context_of_all, 1, &kSource, nullptr, &error);
    if (error == 0)
      error =
          real().BuildProgram(program, 1, &device_of_all, "-cl-opt-disable -w", nullptr, nullptr);
    const Handle made =
        error == 0 ? real().CreateKernel(program, "burin_unknown", &error) : nullptr;
    if (error != 0) exit((fprintf(stderr, "no kernel for bytes that are unknown\n"), 3));
    return made;
  }();
  return kernel;
}

void make_unknown(Handle queue, Handle handle, size_t begin, size_t end) {
  const uint64_t first = (begin + kUnit - 1) / kUnit;
  const size_t items = end / kUnit > first ? end / kUnit - first : 0;
  if (items == 0) return;
  real().SetKernelArg(unknown_kernel(), 0, sizeof handle, &handle);
  real().SetKernelArg(unknown_kernel(), 1, sizeof first, &first);
  real().EnqueueNDRangeKernel(queue, unknown_kernel(), 1, nullptr, &items, nullptr, 0, nullptr,
                              nullptr);
}

void begin_checks(Handle queue) {
  launched = true;
  for (auto& [handle, buffer] : buffers) {
    if (buffer.written.empty()) continue;
    write_whole(queue, handle, buffer, 0, nullptr, 0);
    std::sort(buffer.written.begin(), buffer.written.end());
    size_t end = 0;
    for (const auto& [from, to] : buffer.written) {
      make_unknown(queue, handle, end, from);
      end = std::max(end, to);
    }
    make_unknown(queue, handle, end, buffer.bytes);
  }
}

}  // namespace

extern "C" Handle clCreateCommandQueue(Handle context, Handle device, uint64_t properties,
                                       int32_t* error) {
  context_of_all = context;
  device_of_all = device;
  return real().CreateCommandQueue(context, device, properties, error);
}

extern "C" Handle clCreateBuffer(Handle context, uint64_t flags, size_t bytes, void* from,
                                 int32_t* error) {
  const Handle buffer = real().CreateBuffer(context, flags, bytes, from, error);
  if (buffer != nullptr) buffers[buffer] = {bytes, {}};
  return buffer;
}

extern "C" int32_t clReleaseMemObject(Handle buffer) {
  buffers.erase(buffer);
  return real().ReleaseMemObject(buffer);
}

extern "C" int32_t clEnqueueWriteBuffer(Handle queue, Handle handle, uint32_t, size_t offset,
                                        size_t bytes, const void* from, uint32_t, const Handle*,
                                        Handle*) {
  Buffer& buffer = buffers.at(handle);
  buffer.written.emplace_back(offset, offset + bytes);
  return write_whole(queue, handle, buffer, offset, from, bytes);
}

extern "C" int32_t clEnqueueNDRangeKernel(Handle queue, Handle kernel, uint32_t dimensions,
                                          const size_t* offset, const size_t* global,
                                          const size_t* local, uint32_t waits, const Handle* list,
                                          Handle* event) {
  if (!launched) begin_checks(queue);
  return real().EnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, list,
                                     event);
}

FORWARD(Handle, CreateImage,
        (Handle a, uint64_t b, const burin_cl::ImageFormat* c, const burin_cl::ImageDescription* d,
         void* e, int32_t* f),
        (a, b, c, d, e, f))
FORWARD(int32_t, GetDeviceInfo, (Handle a, uint32_t b, size_t c, void* d, size_t* e),
        (a, b, c, d, e))
FORWARD(Handle, CreateProgramWithSource,
        (Handle a, uint32_t b, const char* const* c, const size_t* d, int32_t* e), (a, b, c, d, e))
FORWARD(Handle, CreateKernel, (Handle a, const char* b, int32_t* c), (a, b, c))
FORWARD(int32_t, Finish, (Handle a), (a))
