#include "backends/opencl/launch_printer.h"

#include "backends/opencl/launch_function.h"
#include "backends/opencl/opencl_language.h"

namespace burin::opencl {
namespace {

constexpr int64_t kVectorBytes = 16;  // local memory is given out in vectors of four floats

}  // namespace

print::PrintedKernel print_launch(const KernelSchedule& schedule, size_t number,
                                  const std::vector<Value>& values, const ImageMaps& images,
                                  const DeviceSizes& sizes, bool gated,
                                  const std::vector<ValueId>& aliased) {
  LaunchFunction function = launch_function({schedule, number, values, images, sizes}, aliased);
  std::string head;
  for (const GroupArray& one : function.arrays)
    head += "  __local " + one.type + " " + one.name + "[" + std::to_string(one.elements) +
            "] __attribute__((aligned(" + std::to_string(kVectorBytes) + ")));\n";
  if (gated) {
    // All work-items of a group alike, so that none waits for others.
    head += "  if (checked[at_checked] == 0) return;\n";
    function.kernel.signature.push_back("__global const long* restrict checked");
    function.kernel.signature.push_back("const ulong at_checked");
  }
  function.kernel.body = head + function.kernel.body;
  return std::move(function.kernel);
}

PrintedPart print_member(const KernelSchedule& schedule, const LaunchMember& member, int items,
                         const std::vector<Value>& values, const ImageMaps& images,
                         const std::vector<ValueId>& aliased) {
  const DeviceSizes none;  // members of joint launches know theirs
  LaunchFunction function = launch_function(
      {schedule, static_cast<size_t>(member.launch), values, images, none, &member, items},
      aliased);
  const int times = items / member.items;
  const std::string room = times > 1 ? "own_room" : "room";
  int64_t vectors = 0;
  std::string arrays;
  for (const GroupArray& one : function.arrays) {
    arrays += "  __local " + one.type + "* const " + one.name + " = (__local " + one.type + "*)(" +
              room + " + " + std::to_string(vectors) + ");\n";
    vectors += (one.bytes + kVectorBytes - 1) / kVectorBytes;
  }
  // Each of a joint group's own groups has its own.
  if (times > 1 && vectors > 0)
    arrays = "  __local float4* const own_room = room + (int)get_local_id(0) / " +
             std::to_string(member.items) + " * " + std::to_string(vectors) + ";\n" + arrays;
  PrintedPart out;
  out.room = vectors * times;
  out.kernel = std::move(function.kernel);
  out.kernel.body = arrays + out.kernel.body;
  return out;
}

}  // namespace burin::opencl
