// Printers decide nothing: what they print of a program they print of its text, read back. Of what
// a policy chose they have that text, the width of indices, parts of threads and launches.
#include "backends/cpp/cpp_language.h"
#include "backends/opencl/launch_printer.h"
#include "differential/support/programs_of.h"
#include "print/kernel_printer.h"
#include "select/device/launch_walk.h"

namespace burin::programs_test {
namespace {

// With nothing of what chose it but its program's text: no verbs, no reason, no family.
KernelSchedule read_back(const KernelSchedule& schedule) {
  KernelSchedule out = schedule;
  out.program = std::make_shared<const loops::Program>(
      loops::parse(loops::to_string(*schedule.program), isa::all_rows()));
  out.verbs.clear();
  out.reason.clear();
  out.family.clear();
  out.versions = 1;
  out.packed = 0;
  return out;
}

void expect_same_print(const print::PrintedKernel& once, const print::PrintedKernel& twice,
                       const std::string& where) {
  EXPECT_EQ(once.body, twice.body) << where;
  EXPECT_EQ(once.signature, twice.signature) << where;
  EXPECT_EQ(once.headers, twice.headers) << where;
  EXPECT_EQ(once.formula, twice.formula) << where;
}

int print_all_twice(const ModelPlan& plan, const std::string& where) {
  int printed = 0;
  const std::vector<Value>& values = plan.graph.values;
  for (const auto& [step, schedule] : plan.kernels) {
    const std::string at = where + ": " + schedule.kernel.name;
    const KernelSchedule again = read_back(schedule);
    if (schedule.launches.empty()) {
      ++printed;
      expect_same_print(print::print_kernel(schedule, values, {}, cpp::cpp_language()),
                        print::print_kernel(again, values, {}, cpp::cpp_language()), at);
      continue;
    }
    for (size_t i = 0; i < launches_of(schedule.launches).size(); ++i) {
      ++printed;
      const auto print = [&](const KernelSchedule& one) {
        return opencl::print_launch(one, i, values, plan.images.maps, plan.sizes, false, {});
      };
      expect_same_print(print(schedule), print(again), at);
    }
  }
  return printed;
}

void expect_printed_twice(const std::string& name, MemoryUse memory, int least) {
  int printed = 0;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    CompileOptions options;
    options.model = folder + "/model.onnx";
    options.memory = memory;
    if (folder.ends_with("/loop")) options.import.dims = {{.name = "trips", .min = 0, .max = 64}};
    Hardware hardware = project_hardware(name);
    if (memory == MemoryUse::buffers) hardware.threads_max = 5;
    try {
      printed += print_all_twice(compile(options, hardware).plan, name + ", " + folder);
    } catch (const Refused&) {
      // The description lacks what the model takes: that it is refused is tested elsewhere.
    }
  }
  EXPECT_GT(printed, least);
}

TEST(PrintedTwice, OfVectors) { expect_printed_twice("x86-64-v4-vnni", MemoryUse::buffers, 400); }
TEST(PrintedTwice, OfArm) { expect_printed_twice("armv8-neoverse-n1", MemoryUse::buffers, 400); }
TEST(PrintedTwice, OfHexagon) { expect_printed_twice("hexagon-v68", MemoryUse::buffers, 400); }
TEST(PrintedTwice, OfScalars) { expect_printed_twice("cortex-m7", MemoryUse::buffers, 300); }
TEST(PrintedTwice, OfADevice) { expect_printed_twice("pocl", MemoryUse::selected, 400); }
TEST(PrintedTwice, OfImages) { expect_printed_twice("adreno-740", MemoryUse::images, 400); }

}  // namespace
}  // namespace burin::programs_test
