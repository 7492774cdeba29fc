// Times of the launches of a tree for a device: by events of a queue that keeps them, which the
// tree is handed in place of one of its own. What goes on between them, transfers and the host's
// work, is not among them.
#ifndef BURIN_BENCH_OPENCL_H
#define BURIN_BENCH_OPENCL_H

#include "bench_driver.h"
#include "tree/src/rt/opencl/device.h"

namespace burin_bench {

using burin_cl::Handle;

constexpr uint64_t kQueueProfiling = 1u << 1;
constexpr uint32_t kCommandStart = 0x1282, kCommandEnd = 0x1283;
constexpr int kMostLaunches = 1 << 14;  // between two looks at their events

struct Launch {
  int64_t site;
  Handle event;
};

// The device that is measured, and what its launches are told apart by.
struct Watched {
  burin_cl::Device device;
  int32_t(BURIN_CL_CALL* get_profiling)(Handle, uint32_t, size_t, void*, size_t*);
  int32_t(BURIN_CL_CALL* release_event)(Handle);
  Handle* kernels;
  Site* sites;
  int64_t site_count;
  Launch launches[kMostLaunches];
  int launch_count;
};

static inline Watched& watched() {
  static Watched one;
  return one;
}

// A queue that keeps times, of the device that a tree takes by itself. False: there is none.
static inline bool open_queue() {
  Watched& w = watched();
  burin_cl::Device& d = w.device;
  for (const char* const* name = burin_cl::library_names(); *name != nullptr; ++name) {
    void* const handle = burin_cl::open_library(*name);
    if (handle == nullptr) continue;
    const burin_cl::Library library = burin_cl::look_into(handle);
    if (!burin_cl::find_all(library, d.api)) continue;
    if (!burin_cl::find(library, "clGetEventProfilingInfo", w.get_profiling) ||
        !burin_cl::find(library, "clReleaseEvent", w.release_event) ||
        burin_cl::pick_device(d) != burin_rt::kOk)
      return false;
    int32_t error = burin_cl::kSuccess;
    d.context = d.api.CreateContext(nullptr, 1, &d.device, nullptr, nullptr, &error);
    if (error == burin_cl::kSuccess)
      d.queue = d.api.CreateCommandQueue(d.context, d.device, kQueueProfiling, &error);
    return error == burin_cl::kSuccess;
  }
  return false;
}

// Adds what the launches took to their sites; they have ended.
static inline void look_at_events() {
  Watched& w = watched();
  for (int i = 0; i < w.launch_count; ++i) {
    uint64_t start = 0, end = 0;
    const Launch& one = w.launches[i];
    if (w.get_profiling(one.event, kCommandStart, sizeof start, &start, nullptr) == 0 &&
        w.get_profiling(one.event, kCommandEnd, sizeof end, &end, nullptr) == 0 && end > start)
      w.sites[one.site].ns += static_cast<int64_t>(end - start);
    ++w.sites[one.site].calls;
    (void)w.release_event(one.event);
  }
  w.launch_count = 0;
}

// In the place of clEnqueueNDRangeKernel.
static inline int32_t BURIN_CL_CALL launch(Handle queue, Handle kernel, uint32_t dimensions,
                                           const size_t* offset, const size_t* global,
                                           const size_t* local, uint32_t waits,
                                           const Handle* events, Handle*) {
  Watched& w = watched();
  if (w.launch_count == kMostLaunches) {
    (void)w.device.api.Finish(queue);
    look_at_events();
  }
  Handle event = nullptr;
  const int32_t error = w.device.api.EnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                          local, waits, events, &event);
  if (error != burin_cl::kSuccess) return error;
  for (int64_t site = 0; site < w.site_count; ++site) {
    if (w.kernels[site] == kernel) w.launches[w.launch_count++] = {site, event};
  }
  return error;
}

// From here on the launches of a network that was initialised with the queue are told to sites,
// whose order is that of its kernels.
static inline void watch(void* device, void** kernels, Site* sites, int64_t count) {
  Watched& w = watched();
  w.kernels = kernels;
  w.sites = sites;
  w.site_count = count;
  static_cast<burin_cl::Device*>(device)->api.EnqueueNDRangeKernel = launch;
}

}  // namespace burin_bench

#endif  // BURIN_BENCH_OPENCL_H
