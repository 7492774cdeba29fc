// Calls of OpenCL that go on to the library that BURIN_CL_REAL names, for libraries in its place
// that look at some calls and let the others pass.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "../../runtime_min/opencl/load.h"

using burin_cl::Api;
using burin_cl::Handle;

inline void* real_library() {
  static void* const library = [] {
    const char* const path = getenv("BURIN_CL_REAL");
    return path ? burin_cl::open_library(path) : nullptr;
  }();
  return library;
}

inline const Api& real() {
  static const Api api = [] {
    Api found{};
    if (real_library() == nullptr || !burin_cl::find_all({real_library(), nullptr}, found)) {
      fprintf(stderr, "BURIN_CL_REAL names no OpenCL library\n");
      exit(3);
    }
    return found;
  }();
  return api;
}

// A call that goes on as it is.
#define FORWARD(result, name, parameters, arguments) \
  extern "C" result cl##name parameters { return real().name arguments; }

FORWARD(int32_t, GetPlatformIDs, (uint32_t a, Handle* b, uint32_t* c), (a, b, c))
FORWARD(int32_t, GetDeviceIDs, (Handle a, uint64_t b, uint32_t c, Handle* d, uint32_t* e),
        (a, b, c, d, e))
FORWARD(Handle, CreateContext,
        (const intptr_t* a, uint32_t b, const Handle* c, void* d, void* e, int32_t* f),
        (a, b, c, d, e, f))
FORWARD(int32_t, ReleaseContext, (Handle a), (a))
FORWARD(int32_t, GetCommandQueueInfo, (Handle a, uint32_t b, size_t c, void* d, size_t* e),
        (a, b, c, d, e))
FORWARD(int32_t, ReleaseCommandQueue, (Handle a), (a))
// Of one that makes memory itself.
#ifndef BURIN_OWN_MEMORY_CALLS
FORWARD(Handle, CreateBuffer, (Handle a, uint64_t b, size_t c, void* d, int32_t* e),
        (a, b, c, d, e))
FORWARD(Handle, CreateImage,
        (Handle a, uint64_t b, const burin_cl::ImageFormat* c, const burin_cl::ImageDescription* d,
         void* e, int32_t* f),
        (a, b, c, d, e, f))
#endif
#ifndef BURIN_OWN_WRITES
FORWARD(int32_t, ReleaseMemObject, (Handle a), (a))
#endif
FORWARD(Handle, CreateProgramWithBinary,
        (Handle a, uint32_t b, const Handle* c, const size_t* d, const uint8_t* const* e,
         int32_t* f, int32_t* g),
        (a, b, c, d, e, f, g))
FORWARD(int32_t, BuildProgram,
        (Handle a, uint32_t b, const Handle* c, const char* d, void* e, void* f),
        (a, b, c, d, e, f))
FORWARD(int32_t, GetProgramBuildInfo,
        (Handle a, Handle b, uint32_t c, size_t d, void* e, size_t* f), (a, b, c, d, e, f))
FORWARD(int32_t, GetProgramInfo, (Handle a, uint32_t b, size_t c, void* d, size_t* e),
        (a, b, c, d, e))
FORWARD(int32_t, ReleaseProgram, (Handle a), (a))
FORWARD(int32_t, GetKernelWorkGroupInfo,
        (Handle a, Handle b, uint32_t c, size_t d, void* e, size_t* f), (a, b, c, d, e, f))
FORWARD(int32_t, ReleaseKernel, (Handle a), (a))
FORWARD(int32_t, SetKernelArg, (Handle a, uint32_t b, size_t c, const void* d), (a, b, c, d))
FORWARD(int32_t, EnqueueReadBuffer,
        (Handle a, Handle b, uint32_t c, size_t d, size_t e, void* f, uint32_t g, const Handle* h,
         Handle* i),
        (a, b, c, d, e, f, g, h, i))
// Of one that looks at what is written.
FORWARD(int32_t, EnqueueCopyBuffer,
        (Handle a, Handle b, Handle c, size_t d, size_t e, size_t f, uint32_t g, const Handle* h,
         Handle* i),
        (a, b, c, d, e, f, g, h, i))
#ifndef BURIN_OWN_WRITES
FORWARD(int32_t, EnqueueWriteBuffer,
        (Handle a, Handle b, uint32_t c, size_t d, size_t e, const void* f, uint32_t g,
         const Handle* h, Handle* i),
        (a, b, c, d, e, f, g, h, i))
#endif
FORWARD(void*, EnqueueMapBuffer,
        (Handle a, Handle b, uint32_t c, uint64_t d, size_t e, size_t f, uint32_t g,
         const Handle* h, Handle* i, int32_t* j),
        (a, b, c, d, e, f, g, h, i, j))
FORWARD(int32_t, EnqueueUnmapMemObject,
        (Handle a, Handle b, void* c, uint32_t d, const Handle* e, Handle* f), (a, b, c, d, e, f))
