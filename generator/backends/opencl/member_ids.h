// Where a work-item of a joint launch (select/joint/launch_groups.h) is: which of its member's own
// work-groups it belongs to, and its place in that (ParallelFusion, Table 2).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "print/program_printer.h"
#include "select/joint/launch_groups.h"
#include "select/schedule/kernel_schedule.h"

namespace burin::opencl {

struct MemberIds {
  print::ProgramPrinter::Ids ids;
  // Declarations that they, and each other, may use, by name; what has none ends work-items beyond
  // the last.
  struct Line {
    std::string name, text;
  };
  std::vector<Line> lines;
};

// Of a function that knows its work-group, counted from the member's first, as `group`; `text`: of
// a size.
MemberIds member_ids(const Launch& launch, const LaunchMember& member, int items,
                     const std::function<std::string(const Dim&)>& text);

}  // namespace burin::opencl
