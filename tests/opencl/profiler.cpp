// A libOpenCL.so that measures: every call goes on to the library that BURIN_CL_REAL names, queues
// are made with profiling, and at the end of the program BURIN_CL_PROFILE gets one line per kernel:
// launches, nanoseconds of all of them on the device and of the one in the middle, its name. The
// line "span" has the time from the start of a run's first launch to the end of its last.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "forward.h"

namespace {

constexpr uint64_t kQueueProfiling = 1u << 1;
constexpr uint32_t kCommandStart = 0x1282, kCommandEnd = 0x1283;

using Nanoseconds = std::vector<unsigned long long>;  // of each launch

struct Profile {
  int32_t (*get_profiling)(Handle, uint32_t, size_t, void*, size_t*) = nullptr;
  int32_t (*release_event)(Handle) = nullptr;
  std::map<Handle, std::string> names;
  std::vector<std::pair<Handle, Handle>> open;  // kernels and events that nobody has looked at yet
  std::map<std::string, Nanoseconds> times;

  Profile() {
    real();
    get_profiling = reinterpret_cast<decltype(get_profiling)>(
        burin_cl::find_function(real_library(), "clGetEventProfilingInfo"));
    release_event = reinterpret_cast<decltype(release_event)>(
        burin_cl::find_function(real_library(), "clReleaseEvent"));
  }
  ~Profile() {
    const char* const path = getenv("BURIN_CL_PROFILE");
    FILE* const file = path ? fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    for (auto& [name, all] : times) {
      std::sort(all.begin(), all.end());
      fprintf(file, "%zu %llu %llu %s\n", all.size(), std::accumulate(all.begin(), all.end(), 0ull),
              all[all.size() / 2], name.c_str());
    }
    fclose(file);
  }
  // After everything in the queue has run.
  void collect() {
    uint64_t first = ~uint64_t{0}, last = 0;
    for (const auto& [kernel, event] : open) {
      uint64_t start = 0, end = 0;
      get_profiling(event, kCommandStart, sizeof start, &start, nullptr);
      get_profiling(event, kCommandEnd, sizeof end, &end, nullptr);
      times[names[kernel]].push_back(end - start);
      first = std::min(first, start);
      last = std::max(last, end);
      release_event(event);
    }
    if (!open.empty()) times["span"].push_back(last - first);
    open.clear();
  }
};

Profile& profile() {
  static Profile one;
  return one;
}

}  // namespace

FORWARD(int32_t, GetDeviceInfo, (Handle a, uint32_t b, size_t c, void* d, size_t* e),
        (a, b, c, d, e))
FORWARD(Handle, CreateProgramWithSource,
        (Handle a, uint32_t b, const char* const* c, const size_t* d, int32_t* e), (a, b, c, d, e))
extern "C" Handle clCreateCommandQueue(Handle context, Handle device, uint64_t properties,
                                       int32_t* error) {
  return real().CreateCommandQueue(context, device, properties | kQueueProfiling, error);
}

extern "C" Handle clCreateKernel(Handle program, const char* name, int32_t* error) {
  const Handle kernel = real().CreateKernel(program, name, error);
  profile().names[kernel] = name;
  return kernel;
}

extern "C" int32_t clEnqueueNDRangeKernel(Handle queue, Handle kernel, uint32_t dimensions,
                                          const size_t* offset, const size_t* global,
                                          const size_t* local, uint32_t waits, const Handle* events,
                                          Handle*) {
  Handle event = nullptr;
  const int32_t error = real().EnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                    local, waits, events, &event);
  if (error == 0) profile().open.emplace_back(kernel, event);
  return error;
}

extern "C" int32_t clFinish(Handle queue) {
  const int32_t error = real().Finish(queue);
  profile().collect();
  return error;
}
