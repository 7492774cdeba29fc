// What a context of a tree holds of OpenCL, and how it is made and given back.
#ifndef BURIN_RT_OPENCL_DEVICE_H
#define BURIN_RT_OPENCL_DEVICE_H

#include "errors.h"
#include "load.h"

namespace burin_cl {

// Calls of one run, for reports: what a test or a caller may want to count.
struct Counts {
  int64_t launches;
  int64_t synchronisations;  // where the host waited before the end of the run
  int64_t bytes_to_device, bytes_to_host;
};

struct Device;

// What the caller may hand over, all or nothing, and functions that it may want to be called.
struct Given {
  Handle context, device, queue;
  const uint8_t* binary;  // of the program, as it was handed out before; null: compile
  size_t binary_bytes;
  void* (*binary_room)(void* user, size_t bytes);  // where a compiled program is handed out to
  void (*message)(void* user, const char* text);   // the compiler's, when kernels do not compile
  void* user;
  const Device* whole;    // of a network of the same tree: what it has is used; null: nothing
  int64_t weights_start;  // bytes of its weights in front of ours
};

// What the kernels of a tree need; checked against the device.
struct Needs {
  bool fp64, fp16;    // arithmetic in doubles, in halves
  size_t work_group;  // work-items
  size_t local_bytes;
  size_t image_width, image_height;      // texels of the largest images; 0: there are none
  uint32_t images_read, images_written;  // by one kernel, at most
};

// An image of the device, and its extent in texels of four components.
struct Image {
  Handle handle;
  size_t width, height;
};
// A constant that is an image: its texels in the weights, row by row.
struct ConstantImage {
  size_t width, height;
  int64_t offset;  // bytes
  bool halves;
};

struct Program {
  const char* const* sources;  // every text once: helpers first
  uint32_t source_count;
  const char* const* kernels;  // their names
  int32_t kernel_count;
};

struct Device {
  Api api;
  Handle context, device, queue, program, arena, weights;
  size_t arena_bytes;
  int64_t weights_start;  // bytes
  bool owned;             // context and queue are ours
  bool part;              // the weights are not
  Counts counts;
};

static inline int32_t pick_device(Device& d) {
  Handle platforms[16] = {};
  uint32_t count = 0;
  if (d.api.GetPlatformIDs(16, platforms, &count) != kSuccess || count == 0) return kNoDevice;
  if (count > 16) count = 16;
  // The first GPU; else the first device at all.
  const uint64_t wanted[2] = {kDeviceTypeGpu, kDeviceTypeAll};
  for (const uint64_t type : wanted) {
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t found = 0;
      if (d.api.GetDeviceIDs(platforms[i], type, 1, &d.device, &found) == kSuccess && found > 0)
        return burin_rt::kOk;
    }
  }
  return kNoDevice;
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
  uint64_t fp64 = 0, local = 0;
  size_t group = 0;
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
  int32_t error =
      d.api.GetDeviceInfo(d.device, kDeviceMaxWorkGroupSize, sizeof group, &group, nullptr);
  if (error != kSuccess) return status_of(error);
  error = d.api.GetDeviceInfo(d.device, kDeviceLocalMemSize, sizeof local, &local, nullptr);
  if (error != kSuccess) return status_of(error);
  if (group < needs.work_group || local < needs.local_bytes) return kLacksWorkGroup;
  return needs.image_width > 0 ? check_images(d, needs) : burin_rt::kOk;
}

static inline void tell_build_log(const Device& d, const Given& given) {
  if (given.message == nullptr) return;
  char text[4096] = {};
  size_t bytes = 0;
  if (d.api.GetProgramBuildInfo(d.program, d.device, kProgramBuildLog, sizeof text - 1, text,
                                &bytes) == kSuccess)
    given.message(given.user, text);
}

// The program from the caller's binary; null where the driver does not take it.
static inline Handle program_from_binary(const Device& d, const Given& given, const char* options) {
  if (given.binary == nullptr || given.binary_bytes == 0) return nullptr;
  int32_t error = kSuccess, loaded = kSuccess;
  const Handle program = d.api.CreateProgramWithBinary(d.context, 1, &d.device, &given.binary_bytes,
                                                       &given.binary, &loaded, &error);
  if (error != kSuccess) return nullptr;
  if (loaded == kSuccess &&
      d.api.BuildProgram(program, 1, &d.device, options, nullptr, nullptr) == kSuccess)
    return program;
  (void)d.api.ReleaseProgram(program);
  return nullptr;
}

// The caller may keep the compiled program; where that fails it has none.
static inline void hand_out_binary(const Device& d, const Given& given) {
  if (given.binary_room == nullptr) return;
  size_t bytes = 0;
  if (d.api.GetProgramInfo(d.program, kProgramBinarySizes, sizeof bytes, &bytes, nullptr) !=
          kSuccess ||
      bytes == 0)
    return;
  void* room = given.binary_room(given.user, bytes);
  if (room != nullptr)
    (void)d.api.GetProgramInfo(d.program, kProgramBinaries, sizeof room, &room, nullptr);
}

static inline int32_t build_program(Device& d, const Program& program, const Given& given,
                                    const char* options) {
  d.program = program_from_binary(d, given, options);
  if (d.program != nullptr) return burin_rt::kOk;
  int32_t error = kSuccess;
  d.program = d.api.CreateProgramWithSource(d.context, program.source_count, program.sources,
                                            nullptr, &error);
  if (error != kSuccess) return status_of(error);
  error = d.api.BuildProgram(d.program, 1, &d.device, options, nullptr, nullptr);
  if (error != kSuccess) {
    tell_build_log(d, given);
    return status_of(error);
  }
  hand_out_binary(d, given);
  return burin_rt::kOk;
}

// Division and square root are rounded correctly where the device can.
static inline const char* build_options(const Device& d) {
  uint64_t has = 0;
  const int32_t error =
      d.api.GetDeviceInfo(d.device, kDeviceSingleFpConfig, sizeof has, &has, nullptr);
  return error == kSuccess && (has & kFpRoundedDivide) != 0
             ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
             : "-cl-std=CL1.2";
}

// Everything that the device was given; the context is all zeros then.
static inline void release(Device& d, Handle* kernels, int32_t kernel_count) {
  for (int32_t i = 0; i < kernel_count; ++i) {
    if (kernels[i] != nullptr) (void)d.api.ReleaseKernel(kernels[i]);
    kernels[i] = nullptr;
  }
  if (d.program != nullptr) (void)d.api.ReleaseProgram(d.program);
  if (d.arena != nullptr) (void)d.api.ReleaseMemObject(d.arena);
  if (!d.part && d.weights != nullptr) (void)d.api.ReleaseMemObject(d.weights);
  if (d.owned && d.queue != nullptr) (void)d.api.ReleaseCommandQueue(d.queue);
  if (d.owned && d.context != nullptr) (void)d.api.ReleaseContext(d.context);
  d = Device{};
}

// The device and the weights of the network that ours is a part of.
static inline int32_t take_part(Device& d, const Given& given) {
  if (given.context != nullptr || given.device != nullptr || given.queue != nullptr)
    return burin_rt::kInvalidArgument;
  const Device& whole = *given.whole;
  d.context = whole.context;
  d.device = whole.device;
  d.queue = whole.queue;
  d.weights = whole.weights;
  d.weights_start = given.weights_start;
  d.part = true;
  return burin_rt::kOk;
}

// A device, and what only depends on it.
static inline int32_t find_device(Device& d, const Given& given) {
  const int handed =
      (given.context != nullptr) + (given.device != nullptr) + (given.queue != nullptr);
  if (handed != 0 && handed != 3) return kHalfGiven;
  if (handed == 3) {
    d.context = given.context;
    d.device = given.device;
    d.queue = given.queue;
    return burin_rt::kOk;
  }
  const int32_t status = pick_device(d);
  if (status != burin_rt::kOk) return status;
  int32_t error = kSuccess;
  d.owned = true;
  d.context = d.api.CreateContext(nullptr, 1, &d.device, nullptr, nullptr, &error);
  if (error == kSuccess) d.queue = d.api.CreateCommandQueue(d.context, d.device, 0, &error);
  return status_of(error);
}

// Makes everything but the arena, which depends on sizes. After a failure nothing is left.
static inline int32_t make(Device& d, Handle* kernels, const Program& program, const Needs& needs,
                           const Given& given, const void* weights, size_t weights_bytes) {
  d = Device{};
  for (int32_t i = 0; i < program.kernel_count; ++i) kernels[i] = nullptr;
  void* const library = load_library();
  if (library == nullptr || !find_all(library, d.api)) return kNoLibrary;
  int32_t error = kSuccess;
  int32_t status = given.whole != nullptr ? take_part(d, given) : find_device(d, given);
  if (status == burin_rt::kOk) status = check_needs(d, needs);
  if (status == burin_rt::kOk && program.kernel_count > 0)
    status = build_program(d, program, given, build_options(d));
  for (int32_t i = 0; i < program.kernel_count && status == burin_rt::kOk; ++i) {
    kernels[i] = d.api.CreateKernel(d.program, program.kernels[i], &error);
    status = status_of(error);
  }
  if (status == burin_rt::kOk && !d.part && weights_bytes > 0) {
    d.weights = d.api.CreateBuffer(d.context, kMemReadOnly | kMemCopyHostPtr, weights_bytes,
                                   const_cast<void*>(weights), &error);
    status = status_of(error);
  }
  if (status != burin_rt::kOk) release(d, kernels, program.kernel_count);
  return status;
}

// An arena of at least so many bytes; one that is large enough is kept.
static inline int32_t reserve(Device& d, int64_t bytes) {
  const size_t wanted = bytes > 0 ? static_cast<size_t>(bytes) : 1;
  if (d.arena != nullptr && d.arena_bytes >= wanted) return burin_rt::kOk;
  uint64_t most = 0;
  int32_t error =
      d.api.GetDeviceInfo(d.device, kDeviceMaxMemAllocSize, sizeof most, &most, nullptr);
  if (error != kSuccess) return status_of(error);
  if (most < wanted) return kLacksMemory;
  if (d.arena != nullptr) {
    error = d.api.ReleaseMemObject(d.arena);
    if (error != kSuccess) return status_of(error);
    d.arena = nullptr;
    d.arena_bytes = 0;
  }
  d.arena = d.api.CreateBuffer(d.context, kMemReadWrite, wanted, nullptr, &error);
  if (error != kSuccess) {
    d.arena = nullptr;
    return status_of(error);
  }
  d.arena_bytes = wanted;
  return burin_rt::kOk;
}

// An image of at least so many texels; one that is large enough is kept. `texels`: what it holds
// from the start; null: nothing.
static inline int32_t reserve_image(Device& d, Image& image, size_t width, size_t height,
                                    bool halves, const void* texels = nullptr) {
  if (image.handle != nullptr && image.width >= width && image.height >= height)
    return burin_rt::kOk;
  // What it was large enough for stays so.
  if (image.width > width) width = image.width;
  if (image.height > height) height = image.height;
  if (image.handle != nullptr) {
    const int32_t error = d.api.ReleaseMemObject(image.handle);
    if (error != kSuccess) return status_of(error);
  }
  image = Image{};
  const ImageFormat format = {kRgba, halves ? kHalfFloat : kFloat};
  ImageDescription description = {};
  description.kind = kImage2d;
  description.width = width;
  description.height = height;
  int32_t error = kSuccess;
  const Handle made = d.api.CreateImage(
      d.context, texels != nullptr ? kMemReadOnly | kMemCopyHostPtr : kMemReadWrite, &format,
      &description, const_cast<void*>(texels), &error);
  if (error == kSuccess) image = Image{made, width, height};
  return status_of(error);
}

static inline void release_images(Device& d, Image* images, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (images[i].handle != nullptr) (void)d.api.ReleaseMemObject(images[i].handle);
    images[i] = Image{};
  }
}

// The constants among a tree's images, which come first; the others are made when a run needs
// them. After a failure no image is left.
static inline int32_t make_images(Device& d, Image* images, int32_t count,
                                  const ConstantImage* constants, int32_t constant_count,
                                  const uint8_t* weights) {
  for (int32_t i = 0; i < count; ++i) images[i] = Image{};
  for (int32_t i = 0; i < constant_count; ++i) {
    const ConstantImage& one = constants[i];
    const int32_t status =
        reserve_image(d, images[i], one.width, one.height, one.halves, weights + one.offset);
    if (status == burin_rt::kOk) continue;
    release_images(d, images, count);
    return status;
  }
  return burin_rt::kOk;
}

}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_DEVICE_H
