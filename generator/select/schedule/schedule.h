// KernelSchedule: how one kernel becomes loops. Decided here, printed by a backend without further
// choice.
//
// The generic schedule handles every kernel of any family, layout and type; families with faster
// code (select/products/contraction.h) get a schedule of their own beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/kernel.h"
#include "loops/program.h"
#include "select/products/attention.h"
#include "select/products/contraction.h"
#include "select/products/sum_tiles.h"
#include "select/tiles/group_tile.h"
#include "select/verbs/verbs.h"

namespace burin {

// Where the result of a let lives while the kernel runs.
struct LetPlace {
  bool scalar = true;       // one variable per component, inside the loops that share its axes
  std::vector<int> axes;    // otherwise: the axes that its scratch array spans, in order
  int sequential_rows = 0;  // 2: rows t and t - 1 of the sequential axis are kept
  int panel_rows = 0;       // the first of two axes in panels of so many: [blocks][second][rows]
  bool combined =
      false;  // there, element by element: its loops are vectorised along the outer axis
  std::vector<Dim> offset;  // of each component, in bytes from the kernel's scratch
  bool operator==(const LetPlace&) const = default;
};

struct LoopNode;
using LoopNodes = std::vector<LoopNode>;

struct ForLoop {
  ForLoop(int over, Index from, Index to, LoopNodes inside);
  int axis = 0;
  Index begin = 0, end = 0;  // over outer axes and symbols
  LoopNodes nodes;
  bool by_texels = false;  // four points at a time: components of the texels that it reads or
                           // writes (layout/image_launches.h)
  // Where all `strides` are 1, `unit_stride` runs for every point instead
  // (select/schedule/unit_stride.h).
  std::vector<Index> strides;
  LoopNodes unit_stride;
};
struct BeginLet {  // accumulators start at the identity of the combiner
  int let = 0;
};
struct Accumulate {  // combines `body` into the accumulators, where `when` holds
  int let = 0;
  std::vector<Expr> body;
  Guard when;
};
struct LaneLoop {  // a loop around Accumulate, in partial results that are combined at its end
  int axis = 0;
  Index begin = 0, end = 0;
  int lanes = 1;  // a power of two
  int let = 0;
  std::vector<Expr> body;  // of Accumulate
  int64_t block = 0;       // points whose partial results are combined before the next ones; 0: all
  Guard when = {};         // of the whole row
};
struct EndLet {  // the accumulators go to their scratch
  int let = 0;
};
struct Define {  // a map let: nothing to combine
  int let = 0;
};
struct Store {
  int write = 0;
  Expr value;
  Guard when;
};

// One element of a window's staged operand.
struct Fill {
  Expr value;
  Index at;
};

struct LoopNode {
  std::variant<ForLoop, BeginLet, Accumulate, LaneLoop, EndLet, Define, Store, Fill> node;
};

// Here, where a LoopNode is complete.
inline ForLoop::ForLoop(int over, Index from, Index to, LoopNodes inside)
    : axis(over), begin(std::move(from)), end(std::move(to)), nodes(std::move(inside)) {}

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

// How threads share a kernel. A call computes the points [first, last) of one parallel axis, where
// first and last are multiples of `grain` or the end of the axis; its loops run between these two
// symbols. It may have a part of a second axis alike. Calls for different points may run at the
// same time, each with a scratch of its own, and compute what one call for all points computes
// (select/threads/parallel.h).
struct CutAxis {
  int axis = 0;
  Dim extent;         // of the axis
  int64_t grain = 1;  // points of the axis in one chunk, the least that a thread is given
  Dim chunks() const { return ceildiv(extent, grain); }
  bool operator==(const CutAxis&) const = default;
};
struct Cut : CutAxis {
  int workers = 1;  // that may call at the same time
  std::optional<CutAxis> across = {};
  std::vector<CutAxis> axes() const {
    return across ? std::vector<CutAxis>{*this, *across} : std::vector<CutAxis>{*this};
  }
  Dim calls() const { return chunks() * (across ? across->chunks() : Dim(1)); }
  bool operator==(const Cut&) const = default;
};

// Launches: a schedule for a device that runs one function for every point of an index space
// (select/device/launches.h). Work-items run in any order; launches run one after the other.

// One dimension of an index space: axes of the kernel, flattened, the last one moving fastest.
struct Dimension {
  std::vector<int> axes;
  Dim extent = 1;
  int local = 1;  // points in a work-group
  bool operator==(const Dimension&) const = default;
};
// One factor of a product on a device: staged element by element, or read from panels.
struct StagedFactor {
  Expr element;
  ValueId panels = kNoValue;  // a packed constant, [batch][blocks][depth][lanes]
  bool along_depth = false;   // neighbours in memory are neighbours in the depth
  bool by_texels = false;     // it is read by texels: four neighbours in that direction at a time
};
// A let that work-groups compute in tiles (select/device/device_product.h): the sum of a * b over
// depth = step * tile.depth + within. Dimensions of its launch are n, m and batch.
struct Product {
  GroupTile tile;
  int let = 0;
  std::vector<int> batch;  // axes, the parts of a split depth among them
  int part = -1;           // that one; -1: the depth is not split
  int m = -1, n = -1;      // -1: one point
  int step = 0, within = 0;
  Dim depth = 1;     // of the points that are summed
  int partial = -1;  // of factors that are fp16: the let that sums a step, in fp16; else -1
  StagedFactor a, b;
};
// Attention in blocks of queries and keys (select/device/device_attention.h). Dimensions of its
// launch are queries and batch.
struct GroupAttention {
  int items = 1, queries = 1, keys = 1;  // of a work-group
  int depth = 4, elements = 4;           // floats of a row of Q or K, and of V, padded
  // Of a work-group: queries, keys, values; scores and weights.
  int64_t local_bytes() const {
    return 4 * (int64_t{queries} * depth + int64_t{keys} * (depth + 4 + elements) +
                int64_t{2} * queries * (keys + 1));
  }
  AttentionSchedule form;
};
// How the work-items of a group share what a launch does, where a group has a part of it.
struct Launch {
  std::vector<Dimension> dimensions;  // fastest first, at most three; none: one work-item
  std::vector<int> host_axes;         // sequential ones that the host counts, outermost first
  LoopNodes nodes;                    // what happens at one point
  int cooperative =
      0;            // work-items that share the loops of each point; 0: a work-item has the point
  int texels = -1;  // the axis of which a work-item has neighbouring points, side by side: four
                    // where it writes whole texels of images; -1: it has one of each
  int lanes = 4;    // that many
  int coarsening = 1;  // points of the first dimension that a work-item has one after the other
  int unroll = 0;      // rounds of innermost loops that are written out; 0: as the compiler likes
  std::optional<Product> product;           // a work-group has a tile of points
  std::optional<GroupAttention> attention;  // a work-group has a block of queries
};
// Launches that the host repeats for the points of a sequential axis, in order.
struct LaunchNode;
struct LaunchLoop {
  int axis = 0;
  Index begin = 0, end = 0;
  std::vector<LaunchNode> nodes;
};
struct LaunchNode {
  std::variant<Launch, LaunchLoop> node;
};
using LaunchNodes = std::vector<LaunchNode>;

struct KernelSchedule {
  // All of the kernel's loops: what is printed of every kernel of a CPU. Of products and attention
  // it is made of what stands below (select/programs/).
  std::shared_ptr<const loops::Program> program;
  std::optional<ContractionSchedule> contraction;  // then `loops` is only the fused copies
  std::optional<ContractionSchedule> second;   // back to back with it (select/rows/back_to_back.h)
  std::optional<AttentionSchedule> attention;  // then too (select/threads/fused_copies.h)
  std::optional<OuterAxis> outer_axis;         // how `loops` take rows
  Kernel kernel;                               // with the axes that the loops really have
  std::vector<LetPlace> places;                // by let
  LoopNodes loops;
  std::vector<SumTile> tiles;  // lets whose sums `loops` make in tiles
  LoopNodes row_lets;          // of a contraction: the lets before its product, for one row
  LoopNodes row_epilogue;      // of a contraction: what is made of one row of its results
  LoopNodes fill;              // of a contraction with a window: stage a band
  LaunchNodes launches;        // for such a device: `loops`, split among work-items
  Dim scratch_bytes = 0;       // of one call
  std::optional<Cut> cut;      // none: one call computes everything
  int index_bits = 64;         // of indices and loop counters: 32 where all are proven to fit
  int images_read = 0, images_written = 0;  // of its tensors
  bool no_alias = false;  // results are written before all operands have been read
  Verbs verbs;            // what was chosen
  std::string family;     // "elementwise", "reduction", "contraction" ...
  std::string reason;     // why these loops; for comments and reports

  // Of a contraction: the product that makes the results.
  const ContractionSchedule& last_product() const { return second ? *second : *contraction; }
};

// The generic schedule. Total work is that of the definition; sequential axes run outermost, axes
// that all lets and writes share come next, and what is left is split into consecutive groups (see
// schedule.cpp).
//
// `pieces`: loops over the points of a write are cut where its conditions are decided.
KernelSchedule schedule_generic(const Kernel& kernel, bool pieces = true);
// The same over the axes as they are: those that accesses divide are not split.
KernelSchedule schedule_loops(const Kernel& kernel, bool pieces = true);
// The same where sums are made in tiles, each in loops of its own (select/products/sum_tiles.h).
KernelSchedule schedule_loops(const Kernel& kernel, std::vector<SumTile> tiles);
// The same, vectorised along the outer axis.
KernelSchedule schedule_loops(const Kernel& kernel, const OuterAxis& outer);

// The generic schedule of what follows let number `first_let` - 1 and is written from write number
// `first_write` on; everything before is there at every point of the axes `around`, which enclose
// all of it. Scratch begins at `scratch_bytes`.
struct Following {
  int first_let = 0, first_write = 0;
  std::vector<int> around;
  Dim scratch_bytes = 0;
};
KernelSchedule schedule_following(const Kernel& kernel, const Following& following);

// The bounds of the points that a call computes, as symbols in the loops of a kernel that is cut.
const Symbol& cut_first();
const Symbol& cut_last();

std::string to_string(const KernelSchedule& schedule);
std::string to_string(const Cut& cut);  // "i1 in chunks of 16 of 197"

}  // namespace burin
