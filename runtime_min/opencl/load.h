// SPDX-License-Identifier: MIT-0
// Finds OpenCL while the program runs: the library, then each function by its name. Nothing is
// linked, so that a program starts on machines without OpenCL and can say so.
#ifndef BURIN_RT_OPENCL_LOAD_H
#define BURIN_RT_OPENCL_LOAD_H

#include "../tree.h"
#include "api.h"

#if defined(_WIN32)
extern "C" __declspec(dllimport) void* __stdcall LoadLibraryA(const char*);
extern "C" __declspec(dllimport) void* __stdcall GetProcAddress(void*, const char*);
#else
#include <dlfcn.h>
#endif

namespace burin_cl {
inline namespace BURIN_RT_TREE {

#if defined(_WIN32)
static inline void* open_library(const char* name) { return LoadLibraryA(name); }
static inline void* find_function(void* library, const char* name) {
  return GetProcAddress(library, name);
}
#else
static inline void* open_library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static inline void* find_function(void* library, const char* name) { return dlsym(library, name); }
#endif

// Names that systems have for the library.
static inline const char* const* library_names() {
  static const char* const kNames[] = {
#if defined(_WIN32)
    "OpenCL.dll",
#elif defined(__APPLE__)
    "/System/Library/Frameworks/OpenCL.framework/OpenCL",
#else
    "libOpenCL.so.1",
    "libOpenCL.so",
    // Android: vendors put it where an app may look only by its full name.
    "/vendor/lib64/libOpenCL.so",
    "/system/vendor/lib64/libOpenCL.so",
    "/system/lib64/libOpenCL.so",
    "/vendor/lib64/egl/libGLES_mali.so",
    "/system/vendor/lib64/egl/libGLES_mali.so",
    "/vendor/lib/libOpenCL.so",
    "/system/vendor/lib/libOpenCL.so",
    "/system/lib/libOpenCL.so",
    "/vendor/lib/egl/libGLES_mali.so",
    "/system/vendor/lib/egl/libGLES_mali.so",
    "libOpenCL-pixel.so",
#endif
    nullptr,
  };
  return kNames;
}

// How a library names its functions: by itself, or by a function of its own, as that of Pixel
// phones does, which has to be switched on first.
struct Library {
  void* handle = nullptr;
  void* (*by_name)(const char*) = nullptr;

  void* function(const char* name) const {
    return by_name != nullptr ? by_name(name) : find_function(handle, name);
  }
};

template <class Function>
static inline bool find(const Library& library, const char* name, Function& function) {
  void* const address = library.function(name);
  static_assert(sizeof function == sizeof address, "functions and data have addresses alike");
  __builtin_memcpy(&function, &address, sizeof function);
  return address != nullptr;
}

static inline Library look_into(void* handle) {
  Library library = {handle, nullptr};
  void (*switch_on)() = nullptr;
  void* (*by_name)(const char*) = nullptr;
  if (!find(library, "enableOpenCL", switch_on) || !find(library, "loadOpenCLPointer", by_name))
    return library;
  switch_on();
  library.by_name = by_name;
  return library;
}

// Whether the library has every function of the table.
static inline bool find_all(const Library& library, Api& api) {
  return find(library, "clGetPlatformIDs", api.GetPlatformIDs) &&
         find(library, "clGetDeviceIDs", api.GetDeviceIDs) &&
         find(library, "clGetDeviceInfo", api.GetDeviceInfo) &&
         find(library, "clCreateContext", api.CreateContext) &&
         find(library, "clReleaseContext", api.ReleaseContext) &&
         find(library, "clCreateCommandQueue", api.CreateCommandQueue) &&
         find(library, "clGetCommandQueueInfo", api.GetCommandQueueInfo) &&
         find(library, "clReleaseCommandQueue", api.ReleaseCommandQueue) &&
         find(library, "clCreateBuffer", api.CreateBuffer) &&
         find(library, "clCreateImage", api.CreateImage) &&
         find(library, "clReleaseMemObject", api.ReleaseMemObject) &&
         find(library, "clCreateProgramWithSource", api.CreateProgramWithSource) &&
         find(library, "clCreateProgramWithBinary", api.CreateProgramWithBinary) &&
         find(library, "clBuildProgram", api.BuildProgram) &&
         find(library, "clGetProgramBuildInfo", api.GetProgramBuildInfo) &&
         find(library, "clGetProgramInfo", api.GetProgramInfo) &&
         find(library, "clReleaseProgram", api.ReleaseProgram) &&
         find(library, "clCreateKernel", api.CreateKernel) &&
         find(library, "clReleaseKernel", api.ReleaseKernel) &&
         find(library, "clGetKernelWorkGroupInfo", api.GetKernelWorkGroupInfo) &&
         find(library, "clSetKernelArg", api.SetKernelArg) &&
         find(library, "clEnqueueNDRangeKernel", api.EnqueueNDRangeKernel) &&
         find(library, "clEnqueueReadBuffer", api.EnqueueReadBuffer) &&
         find(library, "clEnqueueWriteBuffer", api.EnqueueWriteBuffer) &&
         find(library, "clEnqueueCopyBuffer", api.EnqueueCopyBuffer) &&
         find(library, "clEnqueueMapBuffer", api.EnqueueMapBuffer) &&
         find(library, "clEnqueueUnmapMemObject", api.EnqueueUnmapMemObject) &&
         find(library, "clFinish", api.Finish);
}

// The first library that has every function, for the names before it may be those of older ones. It
// stays open for as long as the program runs: drivers do not like to be unloaded.
static inline bool load(Api& api) {
  for (const char* const* name = library_names(); *name != nullptr; ++name) {
    void* const handle = open_library(*name);
    if (handle != nullptr && find_all(look_into(handle), api)) return true;
  }
  return false;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_LOAD_H
