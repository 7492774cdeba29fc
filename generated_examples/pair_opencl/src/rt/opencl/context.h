// SPDX-License-Identifier: MIT-0
// What a context of a tree holds of OpenCL, and what the tree and its caller say about it.
#ifndef BURIN_RT_OPENCL_CONTEXT_H
#define BURIN_RT_OPENCL_CONTEXT_H

#include "../tree.h"
#include "api.h"
#include "errors.h"

namespace burin_cl {
inline namespace BURIN_RT_TREE {

// Calls of one run, for reports: what a test or a caller may want to count.
struct Counts {
  int64_t launches;
  int64_t synchronisations;  // where the host waited before the end of the run
  int64_t bytes_to_device, bytes_to_host;
};

struct Device {
  Api api;
  Handle context, device, queue, program, arena, weights;
  size_t arena_bytes;
  int64_t weights_start;  // bytes
  bool owned;             // context and queue are ours
  bool part;              // the weights are not
  bool states_lost;       // by a run that failed
  Counts counts;
};

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
  bool fp64, fp16;       // arithmetic in doubles, in halves
  size_t work_group;     // work-items
  size_t work_items[3];  // of a work-group, along a dimension
  size_t local_bytes;
  size_t image_width, image_height;      // texels of the largest images; 0: there are none
  uint32_t images_read, images_written;  // by one kernel, at most
};

// A function of the program, and the work-items of its largest work-groups.
struct Function {
  const char* name;
  size_t work_group;
};
struct Program {
  const char* const* sources;  // every text once: helpers first
  uint32_t source_count;
  const Function* functions;
  int32_t function_count;
};

}  // namespace BURIN_RT_TREE
}  // namespace burin_cl

#endif  // BURIN_RT_OPENCL_CONTEXT_H
