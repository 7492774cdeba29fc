// A libOpenCL.so that records: buffers and images are ordinary memory, kernels do nothing, and at
// the end of the program one line says what was called. With it a tree shows its launches, bytes
// and synchronisations on a machine without OpenCL.
//
//   BURIN_CL_RECORD=FILE: where the line goes, appended: launches, synchronisations, bytes to the
//   device, bytes to the host, bytes of buffers and images at once, objects that were never
//   released
//
// A program that finds the burin_record_* functions in it can let calls fail and the device be less
// than it is (tests/golden/*_opencl.c). A compiled program is its text behind a mark; any other
// binary ends the program, as it does with some drivers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <map>
#include <string>
#include <vector>

namespace {

struct Object {
  size_t bytes;
  void* memory;
  std::vector<void*> devices;  // of a context, a program; of a queue its context and its device
  std::string text;            // of a program; of a queue that is out of order, that
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
constexpr char kMark[] = "a program of the recorder\n";
long calls_left = 0;                   // until one fails; 0: none does
std::map<uint32_t, uint64_t> answers;  // of the device, other than usual
size_t memory_limit = SIZE_MAX;        // of all buffers and images
long log_bytes = 0;                    // of the compiler, when it fails; 0: it does not

bool fails() { return calls_left > 0 && --calls_left == 0; }

Object* make(size_t bytes, int32_t* error) {
  if (fails()) {
    if (error) *error = kOutOfResources;
    return nullptr;
  }
  if (bytes > memory_limit || record.buffers > memory_limit - bytes) {
    if (error) *error = -4;
    return nullptr;
  }
  if (error) *error = 0;
  ++record.objects;
  record.buffers += bytes;
  if (record.buffers > record.most_buffers) record.most_buffers = record.buffers;
  return new Object{bytes, bytes ? calloc(1, bytes) : nullptr, {}, {}};
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

int32_t answer_bytes(const void* from, size_t bytes, size_t size, void* to, size_t* given) {
  if (given) *given = bytes;
  if (to && size < bytes) return -30;
  if (to) memcpy(to, from, bytes);
  return 0;
}
template <class T>
int32_t answer(T value, size_t size, void* to, size_t* given) {
  return answer_bytes(&value, sizeof value, size, to, given);
}
// What was said of the device, or what it is usually.
template <class T>
int32_t answer_or(uint32_t what, T usual, size_t size, void* to, size_t* given) {
  const auto said = answers.find(what);
  return answer(said == answers.end() ? usual : static_cast<T>(said->second), size, to, given);
}

Object* make_program(void* context, std::string text, int32_t* error) {
  Object* const program = make(0, error);
  if (program == nullptr) return nullptr;
  program->text = std::move(text);
  program->devices = static_cast<Object*>(context)->devices;
  return program;
}

}  // namespace

extern "C" {

// The call number `call` from now on fails with "out of resources"; 0: none. Releases do not fail.
void burin_record_fail_at(long call) { calls_left = call; }
// Whether that call has come.
int32_t burin_record_failed(void) { return calls_left == 0; }
long burin_record_objects(void) { return record.objects; }
// What the device answers from now on, or a kernel of it.
void burin_record_answer(uint32_t what, uint64_t value) { answers[what] = value; }
void burin_record_forget_answers(void) { answers.clear(); }
// The bytes that it has for all buffers and images, and those that they have now.
void burin_record_limit(size_t bytes) { memory_limit = bytes; }
size_t burin_record_bytes(void) { return record.buffers; }
// Nothing compiles from now on, and the log of that has so many bytes; 0: it does.
void burin_record_log(long bytes) { log_bytes = bytes; }

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
  const size_t items[] = {1024, 1024, 64};
  const char name[] = "recorder";
  switch (what) {
    case 0x1004:  // work-items of a work-group
      return answer_or(what, size_t{4096}, size, to, given);
    case 0x1005:  // along its dimensions
      if (answers.count(what)) {
        const size_t few[] = {answers[what], answers[what], answers[what]};
        return answer_bytes(few, sizeof few, size, to, given);
      }
      return answer_bytes(items, sizeof items, size, to, given);
    case 0x100E:  // images read
      return answer_or(what, uint32_t{128}, size, to, given);
    case 0x100F:  // images written
      return answer_or(what, uint32_t{8}, size, to, given);
    case 0x1010:  // bytes of one buffer
      return answer_or(what, uint64_t{1} << 40, size, to, given);
    case 0x1011:  // width of images
    case 0x1012:  // height
      return answer_or(what, kImageExtent, size, to, given);
    case 0x1016:  // images
      return answer_or(what, uint32_t{1}, size, to, given);
    case 0x1023:  // local memory
      return answer_or(what, uint64_t{65536}, size, to, given);
    case 0x1032:  // doubles
      return answer_or(what, uint64_t{63}, size, to, given);
    case 0x1033:  // halves
      return answers.count(what) ? answer(answers[what], size, to, given) : -30;
    case 0x102B:  // names and versions
    case 0x102D:
    case 0x102F:
      if (!answers.count(what)) return answer_bytes(name, sizeof name, size, to, given);
      return answer(static_cast<uint16_t>(answers[what] & 0x7F), size, to, given);
    default:
      return -30;
  }
}
void* clCreateContext(const intptr_t*, uint32_t count, void* const* devices, void*, void*,
                      int32_t* error) {
  Object* const context = make(0, error);
  if (context) context->devices.assign(devices, devices + count);
  return context;
}
int32_t clReleaseContext(void* context) { return release(context); }
void* clCreateCommandQueue(void* context, void* device, uint64_t properties, int32_t* error) {
  Object* const queue = make(0, error);
  if (queue) queue->devices = {context, device};
  if (queue && (properties & 1)) queue->text = "out of order";
  return queue;
}
int32_t clGetCommandQueueInfo(void* handle, uint32_t what, size_t size, void* to, size_t* given) {
  const Object* const queue = static_cast<const Object*>(handle);
  if (fails()) return kOutOfResources;
  switch (what) {
    case 0x1090:  // its context
    case 0x1091:  // its device
      return answer(queue->devices[what - 0x1090], size, to, given);
    case 0x1093:  // its properties
      return answer(uint64_t{!queue->text.empty()}, size, to, given);
    default:
      return -30;
  }
}
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
void* clCreateProgramWithSource(void* context, uint32_t count, const char* const* texts,
                                const size_t*, int32_t* error) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += texts[i];
  return make_program(context, std::move(text), error);
}
void* clCreateProgramWithBinary(void* context, uint32_t, void* const*, const size_t* bytes,
                                const uint8_t* const* binary, int32_t* loaded, int32_t* error) {
  const size_t mark = sizeof kMark - 1;
  if (*bytes < mark || memcmp(*binary, kMark, mark) != 0) {
    fprintf(stderr, "the driver was given a binary that is none of its own\n");
    abort();
  }
  *loaded = 0;
  const char* const text = reinterpret_cast<const char*>(*binary);
  return make_program(context, std::string(text + mark, *bytes - mark), error);
}
int32_t clBuildProgram(void*, uint32_t, void* const*, const char*, void*, void*) {
  return fails() ? kOutOfResources : log_bytes ? -11 : 0;
}
int32_t clGetProgramBuildInfo(void*, void*, uint32_t what, size_t size, void* to, size_t* given) {
  if (fails()) return kOutOfResources;
  if (what != 0x1183 || log_bytes == 0) return -30;
  const std::string log = "first line\n" + std::string(static_cast<size_t>(log_bytes), '.') + "end";
  return answer_bytes(log.c_str(), log.size() + 1, size, to, given);
}
// A program of several devices is compiled for the last one.
int32_t clGetProgramInfo(void* handle, uint32_t what, size_t size, void* to, size_t* given) {
  if (fails()) return kOutOfResources;
  const Object& program = *static_cast<Object*>(handle);
  const size_t count = program.devices.size();
  const std::string binary = kMark + program.text;
  if (what == 0x1162) return answer(static_cast<uint32_t>(count), size, to, given);
  if (what == 0x1163)
    return answer_bytes(program.devices.data(), count * sizeof(void*), size, to, given);
  if (what == 0x1165) {
    std::vector<size_t> sizes(count);
    sizes.back() = binary.size();
    return answer_bytes(sizes.data(), count * sizeof(size_t), size, to, given);
  }
  if (what != 0x1166 || size < count * sizeof(void*)) return -30;
  for (size_t i = 0; i < count; ++i) {
    void* const room = static_cast<void**>(to)[i];
    if (room && i + 1 == count) memcpy(room, binary.data(), binary.size());
  }
  return 0;
}
int32_t clReleaseProgram(void* program) { return release(program); }
void* clCreateKernel(void* program, const char* name, int32_t* error) {
  const std::string head = "__kernel void " + std::string(name) + "(";
  if (static_cast<Object*>(program)->text.find(head) != std::string::npos) return make(0, error);
  if (error) *error = -46;
  return nullptr;
}
int32_t clGetKernelWorkGroupInfo(void*, void*, uint32_t what, size_t size, void* to,
                                 size_t* given) {
  if (fails()) return kOutOfResources;
  return what == 0x11B0 ? answer_or(what, size_t{4096}, size, to, given) : -30;
}
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
int32_t clEnqueueCopyBuffer(void*, void* from, void* to, size_t at, size_t to_at, size_t bytes,
                            uint32_t, void* const*, void**) {
  if (fails()) return kOutOfResources;
  if (!inside(from, at, bytes) || !inside(to, to_at, bytes)) return -30;
  memcpy(static_cast<char*>(static_cast<Object*>(to)->memory) + to_at,
         static_cast<char*>(static_cast<Object*>(from)->memory) + at, bytes);
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
