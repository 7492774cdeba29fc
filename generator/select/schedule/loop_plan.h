// LoopPlan: what a policy chose for one kernel, on its way to a program (select/program_of.h).
//
// Generic loops handle every kernel of any family, layout and type; families with faster code
// (select/products/contraction.h) have members of their own beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "select/products/attention_schedule.h"
#include "select/products/contraction.h"
#include "select/products/repacked_constant.h"
#include "select/products/sum_tiles.h"
#include "select/schedule/kernel_schedule.h"
#include "select/schedule/loop_nodes.h"

namespace burin {

// Rows that are vectorised along the outer axis (select/rows/outer_axis.h): the innermost loops run
// along `axis`, through `points` of it at a time where there are blocks.
struct OuterAxis {
  int axis = -1;
  int block_axis = -1;  // counts blocks; nothing else of the kernel knows it; -1: there is one
  int64_t points = 0;   // of a block
  // Of an index along `axis`: where the present block keeps it.
  Index in_block(const Index& point, const Kernel& kernel) const;
  Dim points_kept(const Kernel& kernel) const;
};

struct LoopPlan : KernelSchedule {
  std::optional<ContractionSchedule> contraction = {};  // then `loops` is only the fused copies
  std::optional<ContractionSchedule> second = {};       // back to back with it
                                                        // (select/rows/back_to_back.h)
  std::optional<AttentionSchedule> attention = {};      // then too (select/threads/fused_copies.h)
  std::optional<OuterAxis> outer_axis = {};             // how `loops` take rows
  LoopNodes loops = {};
  std::vector<SumTile> tiles = {};  // lets whose sums `loops` make in tiles
  LoopNodes row_lets = {};          // of a contraction: the lets before its product, for one row
  LoopNodes row_epilogue = {};      // of a contraction: what is made of one row of its results
  LoopNodes fill = {};              // of a contraction with a window: stage a band
  std::vector<RepackedConstant> repacked = {};  // constants of which it has panels

  // Of a contraction: the product that makes the results.
  const ContractionSchedule& last_product() const { return second ? *second : *contraction; }
};

// The generic schedule. Total work is that of the definition; sequential axes run outermost, axes
// that all lets and writes share come next, and what is left is split into consecutive groups (see
// loop_plan.cpp).
//
// `pieces`: loops over the points of a write are cut where its conditions are decided.
LoopPlan schedule_generic(const Kernel& kernel, bool pieces = true);
// The same over the axes as they are: those that accesses divide are not split.
LoopPlan schedule_loops(const Kernel& kernel, bool pieces = true);
// The same where sums are made in tiles, each in loops of its own (select/products/sum_tiles.h).
LoopPlan schedule_loops(const Kernel& kernel, std::vector<SumTile> tiles);
// The same, vectorised along the outer axis.
LoopPlan schedule_loops(const Kernel& kernel, const OuterAxis& outer);

// The generic schedule of what follows let number `first_let` - 1 and is written from write number
// `first_write` on; everything before is there at every point of the axes `around`, which enclose
// all of it. Scratch begins at `scratch_bytes`.
struct Following {
  int first_let = 0, first_write = 0;
  std::vector<int> around;
  Dim scratch_bytes = 0;
};
LoopPlan schedule_following(const Kernel& kernel, const Following& following);

std::string to_string(const LoopPlan& plan);

}  // namespace burin
