// SPDX-License-Identifier: MIT-0
// Kernels: from their text, or from the compiled program that an earlier run handed out. A driver
// is given no binary but its own of this very program: some crash on others.
#ifndef BURIN_RT_OPENCL_PROGRAM_H
#define BURIN_RT_OPENCL_PROGRAM_H

#include "../crc32.h"
#include "../tree.h"
#include "needs.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

// In front of a compiled program that is handed out; all 0: there is none.
struct BinaryMark {
  uint64_t magic, bytes;
  uint32_t text;    // CRCs: of the program
  uint32_t device;  // of what compiled it, and how
  uint32_t binary;
  uint32_t unused;
};
constexpr uint64_t kBinaryMagic =
    0x314C434E49525542u;  // "BURINCL1" in memory that is little-endian

// Division and square root are rounded correctly where the device can.
static inline const char* build_options(const Device& d) {
  uint64_t has = 0;
  const int32_t error =
      d.api.GetDeviceInfo(d.device, kDeviceSingleFpConfig, sizeof has, &has, nullptr);
  return error == kSuccess && (has & kFpRoundedDivide) != 0
             ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
             : "-cl-std=CL1.2";
}

static inline uint32_t crc32_of(const char* text, uint32_t before) {
  uint64_t bytes = 0;
  while (text[bytes] != 0) ++bytes;
  return burin_rt::crc32(text, bytes + 1, before);
}

// What a binary of this program by this driver is marked with, but for the binary's own.
static inline BinaryMark mark_of(const Device& d, const Program& program, const char* options) {
  BinaryMark mark = {kBinaryMagic, 0, 0, crc32_of(options, 0), 0, 0};
  for (uint32_t i = 0; i < program.source_count; ++i)
    mark.text = crc32_of(program.sources[i], mark.text);
  const uint32_t names[] = {kDeviceName, kDeviceVersion, kDriverVersion};
  for (const uint32_t name : names) {
    char text[1024] = {};
    const int32_t error = d.api.GetDeviceInfo(d.device, name, sizeof text - 1, text, nullptr);
    mark.device = crc32_of(error == kSuccess ? text : "", mark.device);
  }
  return mark;
}

// The program from the caller's binary; null where that is none of it, or the driver does not take
// it.
static inline Handle program_from_binary(const Device& d, const Given& given, BinaryMark expected,
                                         const char* options) {
  BinaryMark mark = {};
  if (given.binary == nullptr || given.binary_bytes <= sizeof mark) return nullptr;
  __builtin_memcpy(&mark, given.binary, sizeof mark);
  const uint8_t* const binary = given.binary + sizeof mark;
  const size_t bytes = given.binary_bytes - sizeof mark;
  if (mark.magic != expected.magic || mark.bytes != bytes || mark.text != expected.text ||
      mark.device != expected.device || mark.binary != burin_rt::crc32(binary, bytes))
    return nullptr;
  int32_t error = kSuccess, loaded = kSuccess;
  const Handle program =
      d.api.CreateProgramWithBinary(d.context, 1, &d.device, &bytes, &binary, &loaded, &error);
  if (error != kSuccess) return nullptr;
  if (loaded == kSuccess &&
      d.api.BuildProgram(program, 1, &d.device, options, nullptr, nullptr) == kSuccess)
    return program;
  (void)d.api.ReleaseProgram(program);
  return nullptr;
}

// The caller may keep the compiled program; where that fails it has none.
static inline void hand_out_binary(const Device& d, const Given& given, BinaryMark mark) {
  if (given.binary_room == nullptr) return;
  // A context of the caller may have several devices; the program is compiled for one.
  constexpr uint32_t kMost = 16;
  Handle devices[kMost] = {};
  size_t sizes[kMost] = {};
  uint8_t* rooms[kMost] = {};  // null: that one is not wanted
  uint32_t count = 0;
  const auto ask = [&](uint32_t what, size_t bytes, void* to) {
    return d.api.GetProgramInfo(d.program, what, bytes, to, nullptr) == kSuccess;
  };
  if (!ask(kProgramDeviceCount, sizeof count, &count) || count > kMost) return;
  if (!ask(kProgramDevices, count * sizeof devices[0], devices)) return;
  if (!ask(kProgramBinarySizes, count * sizeof sizes[0], sizes)) return;
  uint32_t ours = 0;
  while (ours < count && devices[ours] != d.device) ++ours;
  if (ours == count || sizes[ours] == 0) return;
  void* const room = given.binary_room(given.user, sizeof mark + sizes[ours]);
  if (room == nullptr) return;
  rooms[ours] = static_cast<uint8_t*>(room) + sizeof mark;
  if (ask(kProgramBinaries, count * sizeof rooms[0], rooms)) {
    mark.bytes = sizes[ours];
    mark.binary = burin_rt::crc32(rooms[ours], sizes[ours]);
  } else {
    mark = BinaryMark{};
  }
  __builtin_memcpy(room, &mark, sizeof mark);
}

// A log comes whole or not at all, and may be long: OpenCL has the room for it.
static inline void tell_build_log(const Device& d, const Given& given) {
  if (given.message == nullptr) return;
  size_t bytes = 0;
  int32_t error =
      d.api.GetProgramBuildInfo(d.program, d.device, kProgramBuildLog, 0, nullptr, &bytes);
  if (error != kSuccess || bytes == 0) return;
  const Handle room =
      d.api.CreateBuffer(d.context, kMemReadWrite | kMemAllocHostPtr, bytes + 1, nullptr, &error);
  if (error != kSuccess) return;
  void* const mapped = d.api.EnqueueMapBuffer(d.queue, room, kTrue, kMapRead | kMapWrite, 0,
                                              bytes + 1, 0, nullptr, nullptr, &error);
  if (error == kSuccess) {
    char* const text = static_cast<char*>(mapped);
    error = d.api.GetProgramBuildInfo(d.program, d.device, kProgramBuildLog, bytes, text, nullptr);
    text[bytes] = 0;
    if (error == kSuccess) given.message(given.user, text);
    (void)d.api.EnqueueUnmapMemObject(d.queue, room, mapped, 0, nullptr, nullptr);
    (void)d.api.Finish(d.queue);
  }
  (void)d.api.ReleaseMemObject(room);
}

static inline int32_t compile(Device& d, const Program& program, const Given& given,
                              const char* options) {
  int32_t error = kSuccess;
  d.program = d.api.CreateProgramWithSource(d.context, program.source_count, program.sources,
                                            nullptr, &error);
  if (error != kSuccess) {
    d.program = nullptr;
    return status_of(error);
  }
  error = d.api.BuildProgram(d.program, 1, &d.device, options, nullptr, nullptr);
  if (error != kSuccess) tell_build_log(d, given);
  return status_of(error);
}

static inline void release_program(Device& d, Handle* kernels, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (kernels[i] != nullptr) (void)d.api.ReleaseKernel(kernels[i]);
    kernels[i] = nullptr;
  }
  if (d.program != nullptr) (void)d.api.ReleaseProgram(d.program);
  d.program = nullptr;
}

static inline int32_t make_kernels(const Device& d, Handle* kernels, const Program& program) {
  for (int32_t i = 0; i < program.function_count; ++i) {
    const Function& function = program.functions[i];
    int32_t error = kSuccess;
    const Handle made = d.api.CreateKernel(d.program, function.name, &error);
    if (error != kSuccess) return status_of(error);
    kernels[i] = made;
    const int32_t status = check_kernel(d, made, function.work_group);
    if (status != burin_rt::kOk) return status;
  }
  return burin_rt::kOk;
}

// The program and its kernels; after a failure what was made of them is still there.
static inline int32_t make_program(Device& d, Handle* kernels, const Program& program,
                                   const Given& given) {
  if (program.function_count == 0) return burin_rt::kOk;
  const char* const options = build_options(d);
  const bool marked = given.binary != nullptr || given.binary_room != nullptr;
  const BinaryMark mark = marked ? mark_of(d, program, options) : BinaryMark{};
  d.program = program_from_binary(d, given, mark, options);
  if (d.program != nullptr) {
    if (make_kernels(d, kernels, program) == burin_rt::kOk) return burin_rt::kOk;
    // The driver took it and cannot use it.
    release_program(d, kernels, program.function_count);
  }
  int32_t status = compile(d, program, given, options);
  if (status == burin_rt::kOk) status = make_kernels(d, kernels, program);
  if (status == burin_rt::kOk) hand_out_binary(d, given, mark);
  return status;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_PROGRAM_H
