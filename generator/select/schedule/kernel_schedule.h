// KernelSchedule: how one kernel runs. Decided here, printed by a backend without further choice.
//
// Of loops it has the program alone (loops/): how a policy came to it is a LoopPlan
// (select/schedule/loop_plan.h), which nobody outside of select/ sees.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "loops/program.h"
#include "select/schedule/cut.h"
#include "select/schedule/launch.h"
#include "select/verbs/verbs.h"

namespace burin {

struct KernelSchedule {
  Kernel kernel;  // with the axes that the loops really have
  // All of the kernel's loops. Of a device it is made when it is known which tensors are images.
  std::shared_ptr<const loops::Program> program;
  LaunchNodes launches;          // of a device: what its work-items share
  std::vector<LetPlace> places;  // of a device, by let

  Dim scratch_bytes = 0;   // of one call
  Dim scratches = 1;       // that calls need at the same time
  std::optional<Cut> cut;  // none: one call computes everything
  int index_bits = 64;     // of indices and loop counters: 32 where all are proven to fit
  int images_read = 0, images_written = 0;  // of its tensors

  // Which of its results may lie over which of its operands.
  bool no_alias = false;  // results are written before all operands have been read
  int rows_first = -1;    // the let that is made for whole rows before anything else of them is
                          // written; -1: none

  Verbs verbs;         // what was chosen
  std::string family;  // "elementwise", "reduction", "contraction" ...
  std::string reason;  // why these loops; for comments and reports
  int versions = 1;    // of its code, of which a run takes one
  int packed = 0;      // operands that it brings into panels or windows for itself as it runs
  // Of fewer products (select/products/winograd_matrices.h): which share of the kernel's they are,
  // and what they add to roundings, as a share of a result's usual size.
  double products = 1, added_error = 0;
};

}  // namespace burin
