// The body of <name>_run: steps in order, conditions and sizes where they stand, a call for each
// kernel with the ONNX nodes that it stands for.
//
// How the host reaches a value, and how a kernel runs, is the target's: functions, which a backend
// gives.
#pragma once

#include <functional>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/vocabulary.h"
#include "render/printed_code.h"
#include "render/printer.h"

namespace burin::cpp {

struct PrintedSchedule {
  Code body;               // indented as the body of a function
  print::Headers headers;  // of runtime_min that the body needs
};

// What has been printed of it so far.
struct ScheduleText {
  Printer out;
  print::Headers headers;
};

struct ScheduleTarget {
  // The pointer to a value's first element, as the host sees it.
  std::function<Code(ValueId)> pointer;
  // An element of a value, which the host decides by.
  std::function<std::string(ValueId, const std::string& index)> element;
  // In front of every step; false: nothing is to be done for it. May be empty.
  std::function<bool(const Step&, ScheduleText&)> before;
  // The kernel of a step.
  std::function<void(StepId, ScheduleText&)> call;
  std::vector<Code> open, close;  // around statements that use pointers
  // Where the scratch of a step starts, as such statements know it.
  std::function<Code(StepId)> scratch;
  int depth = 1;  // of the body, in steps of indentation
};

// A target whose kernels are functions of the program that the body is in. What it is made of lives
// as long as it does.
ScheduleTarget host_target(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels);
// The pointer to a value there: of an input, an output, a constant or a place in the arena.
Code host_pointer(const ModelPlan& plan, const TreeNames& names, ValueId id);

PrintedSchedule print_schedule(const ModelPlan& plan, const TreeNames& names,
                               const KernelSet& kernels, const ScheduleTarget& target);

}  // namespace burin::cpp
