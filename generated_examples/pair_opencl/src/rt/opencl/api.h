// SPDX-License-Identifier: MIT-0
// The part of OpenCL 1.2 that a tree calls: types, constants and the table of its functions, which
// are looked up while the program runs (load.h). Handles are opaque pointers, as they are in every
// implementation; names and numbers are those of the OpenCL specification.
#ifndef BURIN_RT_OPENCL_API_H
#define BURIN_RT_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

#include "../tree.h"

#if defined(_WIN32)
#define BURIN_CL_CALL __stdcall
#else
#define BURIN_CL_CALL
#endif

namespace burin_cl {
inline namespace BURIN_RT_TREE {

using Handle = void*;  // cl_platform_id, cl_device_id, cl_context, cl_command_queue, cl_mem ...

constexpr int32_t kSuccess = 0;
constexpr int32_t kDeviceNotFound = -1;
constexpr int32_t kBuildProgramFailure = -11;

constexpr uint32_t kTrue = 1;
constexpr uint64_t kDeviceTypeGpu = 1u << 2;
constexpr uint64_t kDeviceTypeAll = 0xffffffffu;
constexpr uint64_t kMemReadWrite = 1u << 0;
constexpr uint64_t kMemReadOnly = 1u << 2;
constexpr uint64_t kMemAllocHostPtr = 1u << 4;
constexpr uint64_t kMemCopyHostPtr = 1u << 5;
constexpr uint64_t kFpRoundedDivide = 1u << 7;  // division and square root as IEEE 754 has them
constexpr uint64_t kMapRead = 1u << 0;
constexpr uint64_t kMapWrite = 1u << 1;

constexpr uint32_t kImage2d = 0x10F1;  // kind of a memory object
constexpr uint32_t kRgba = 0x10B5;     // order of components
constexpr uint32_t kHalfFloat = 0x10DD, kFloat = 0x10DE;

constexpr uint32_t kDeviceMaxWorkGroupSize = 0x1004;
constexpr uint32_t kDeviceMaxWorkItemSizes = 0x1005;
constexpr uint32_t kDeviceMaxReadImageArgs = 0x100E;
constexpr uint32_t kDeviceMaxWriteImageArgs = 0x100F;
constexpr uint32_t kDeviceMaxMemAllocSize = 0x1010;
constexpr uint32_t kDeviceImage2dMaxWidth = 0x1011;
constexpr uint32_t kDeviceImage2dMaxHeight = 0x1012;
constexpr uint32_t kDeviceImageSupport = 0x1016;
constexpr uint32_t kDeviceSingleFpConfig = 0x101B;
constexpr uint32_t kDeviceLocalMemSize = 0x1023;
constexpr uint32_t kDeviceName = 0x102B;
constexpr uint32_t kDriverVersion = 0x102D;
constexpr uint32_t kDeviceVersion = 0x102F;
constexpr uint32_t kDeviceDoubleFpConfig = 0x1032;
constexpr uint32_t kDeviceHalfFpConfig = 0x1033;
constexpr uint64_t kRoundsToNearest = 1u << 2;  // of such a configuration
constexpr uint32_t kQueueContext = 0x1090;
constexpr uint32_t kQueueDevice = 0x1091;
constexpr uint32_t kQueueProperties = 0x1093;
constexpr uint64_t kQueueOutOfOrder = 1u << 0;
constexpr uint32_t kProgramDeviceCount = 0x1162;
constexpr uint32_t kProgramDevices = 0x1163;
constexpr uint32_t kProgramBinarySizes = 0x1165;
constexpr uint32_t kProgramBinaries = 0x1166;
constexpr uint32_t kProgramBuildLog = 0x1183;
constexpr uint32_t kKernelWorkGroupSize = 0x11B0;

struct ImageFormat {
  uint32_t order, type;
};
struct ImageDescription {
  uint32_t kind;
  size_t width, height, depth, array_size, row_pitch, slice_pitch;
  uint32_t levels, samples;
  Handle buffer;
};

struct Api {
  int32_t(BURIN_CL_CALL* GetPlatformIDs)(uint32_t, Handle*, uint32_t*);
  int32_t(BURIN_CL_CALL* GetDeviceIDs)(Handle, uint64_t, uint32_t, Handle*, uint32_t*);
  int32_t(BURIN_CL_CALL* GetDeviceInfo)(Handle, uint32_t, size_t, void*, size_t*);
  Handle(BURIN_CL_CALL* CreateContext)(const intptr_t*, uint32_t, const Handle*, void*, void*,
                                       int32_t*);
  int32_t(BURIN_CL_CALL* ReleaseContext)(Handle);
  Handle(BURIN_CL_CALL* CreateCommandQueue)(Handle, Handle, uint64_t, int32_t*);
  int32_t(BURIN_CL_CALL* GetCommandQueueInfo)(Handle, uint32_t, size_t, void*, size_t*);
  int32_t(BURIN_CL_CALL* ReleaseCommandQueue)(Handle);
  Handle(BURIN_CL_CALL* CreateBuffer)(Handle, uint64_t, size_t, void*, int32_t*);
  Handle(BURIN_CL_CALL* CreateImage)(Handle, uint64_t, const ImageFormat*, const ImageDescription*,
                                     void*, int32_t*);
  int32_t(BURIN_CL_CALL* ReleaseMemObject)(Handle);
  Handle(BURIN_CL_CALL* CreateProgramWithSource)(Handle, uint32_t, const char* const*,
                                                 const size_t*, int32_t*);
  Handle(BURIN_CL_CALL* CreateProgramWithBinary)(Handle, uint32_t, const Handle*, const size_t*,
                                                 const uint8_t* const*, int32_t*, int32_t*);
  int32_t(BURIN_CL_CALL* BuildProgram)(Handle, uint32_t, const Handle*, const char*, void*, void*);
  int32_t(BURIN_CL_CALL* GetProgramBuildInfo)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  int32_t(BURIN_CL_CALL* GetProgramInfo)(Handle, uint32_t, size_t, void*, size_t*);
  int32_t(BURIN_CL_CALL* ReleaseProgram)(Handle);
  Handle(BURIN_CL_CALL* CreateKernel)(Handle, const char*, int32_t*);
  int32_t(BURIN_CL_CALL* ReleaseKernel)(Handle);
  int32_t(BURIN_CL_CALL* GetKernelWorkGroupInfo)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  int32_t(BURIN_CL_CALL* SetKernelArg)(Handle, uint32_t, size_t, const void*);
  int32_t(BURIN_CL_CALL* EnqueueNDRangeKernel)(Handle, Handle, uint32_t, const size_t*,
                                               const size_t*, const size_t*, uint32_t,
                                               const Handle*, Handle*);
  int32_t(BURIN_CL_CALL* EnqueueReadBuffer)(Handle, Handle, uint32_t, size_t, size_t, void*,
                                            uint32_t, const Handle*, Handle*);
  int32_t(BURIN_CL_CALL* EnqueueWriteBuffer)(Handle, Handle, uint32_t, size_t, size_t, const void*,
                                             uint32_t, const Handle*, Handle*);
  int32_t(BURIN_CL_CALL* EnqueueCopyBuffer)(Handle, Handle, Handle, size_t, size_t, size_t,
                                            uint32_t, const Handle*, Handle*);
  void*(BURIN_CL_CALL* EnqueueMapBuffer)(Handle, Handle, uint32_t, uint64_t, size_t, size_t,
                                         uint32_t, const Handle*, Handle*, int32_t*);
  int32_t(BURIN_CL_CALL* EnqueueUnmapMemObject)(Handle, Handle, void*, uint32_t, const Handle*,
                                                Handle*);
  int32_t(BURIN_CL_CALL* Finish)(Handle);
};

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_API_H
