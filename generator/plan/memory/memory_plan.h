// The memory plan: where every internal value lies while it is live (SoD2 4.4.1, certified).
//
// All of it is one arena. Values share bytes where that is free: a view of what a copy would copy,
// a part of the buffer that a concatenation would fill, the place of an operand that ends where the
// value starts. What is left is packed (plan/packing/buffer_packing.h): exactly where sizes are
// constant; where they depend on symbols, an order of stacking (what lies below what), good at many
// sizes, makes every offset an expression that holds for all of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "plan/memory/alias_rules.h"
#include "plan/packing/buffer_packing.h"
#include "plan/packing/position_set.h"

namespace burin {

enum class Sharing : uint8_t {
  none,      // not placed: input, output, constant, or never touched
  own,       // bytes of its own
  in_place,  // over an operand `base` that ends where this value starts
  view,      // the bytes of `base`, from which a dropped copy would have made it
  part,      // inside `base`, into which a dropped copy would have put it
};
std::string_view to_string(Sharing sharing);

struct Placement {
  Sharing sharing = Sharing::none;
  ValueId base = kNoValue;     // in_place, view, part: the value whose bytes it shares
  ValueId root = kNoValue;     // kNoValue: in the arena; else inside this input or output
  Dim offset;                  // bytes from the start of the arena, or of `root`
  Dim bytes;                   // that it may take
  std::vector<Interval> live;  // positions (plan/memory/lifetime.h)
  bool operator==(const Placement&) const = default;
};

// Scratch of a step: worker w has [offset + w * stride, offset + w * stride + bytes); a stride of
// 0: all have one.
struct ScratchPlacement {
  StepId step = kNoStep;
  Dim offset, stride, bytes;
  Dim workers = 1;
  bool operator==(const ScratchPlacement&) const = default;
};

// A size that several offsets use, named so that they stay short.
struct NamedSize {
  Symbol symbol;  // "arena.0", "arena.1" ...
  Dim value;      // over param symbols and the named sizes before it
  bool operator==(const NamedSize& other) const {
    return symbol->name == other.symbol->name && value == other.value;
  }
};

// What was packed: bytes that several values may share, or scratch.
struct PlannedBuffer {
  Dim bytes, offset;
  std::vector<Interval> live;
  bool operator==(const PlannedBuffer&) const = default;
};

// What another planner would need for the same buffers, at the hints.
struct Baseline {
  std::string name;
  int64_t bytes = 0;
  bool operator==(const Baseline&) const = default;
};

struct MemoryPlan {
  std::vector<Placement> values;          // by ValueId
  std::vector<ScratchPlacement> scratch;  // in the order of the steps
  std::set<StepId> dropped;               // copies that need not run
  std::vector<NamedSize> named;           // to be evaluated in this order, before the offsets
  int64_t alignment = 1;                  // of the arena and of all buffers in it, in bytes
  Dim arena_bytes;                        // over param symbols and named sizes
  std::optional<int64_t> arena_bound;     // for all sizes, where every symbol is bounded
  std::vector<std::string> open_sizes;    // else those that are not, and that arena_bytes needs
  Dim lower_bound;                        // no plan with these lifetimes takes less
  Dim naive_bytes;                        // every value and scratch by itself
  bool optimal = false;                   // arena_bytes == lower_bound (at the hints, with symbols)
  std::string method;                     // what found the packing
  int64_t nodes = 0;                      // that its search visited
  std::vector<PlannedBuffer> buffers;     // in the order of their first member
  std::vector<Baseline> baselines;        // the two greedy rules of the papers
  bool operator==(const MemoryPlan&) const = default;
};

// Scratch that a step needs, for each of so many calls that may run at the same time. (What a
// procedure declares is added by itself.)
struct ScratchNeed {
  StepId step = kNoStep;
  Dim bytes;
  Dim workers = 1;
};

struct MemoryOptions {
  int64_t alignment = 1;       // of buffers, from the hardware
  int64_t view_alignment = 1;  // where a view or part may start inside a buffer, in bytes
  bool share = true;           // views, parts, in place
  bool fixed_offsets = false;  // offsets for the largest sizes instead of expressions
  AliasRules rules;
  // Copies that may be dropped, where that is decided; else all that need not run are.
  std::optional<std::set<StepId>> droppable;
  std::set<ValueId> rooms;  // outputs in which others may lie before they do (plan/memory/guests.h)
  BufferPackingOptions packing;
};

struct Member {
  ValueId value = kNoValue;
  Dim offset;  // bytes from the start of the group
  bool operator==(const Member&) const = default;
};

struct Group {
  std::vector<Member> members;
  ValueId external =
      kNoValue;      // the input or output that holds the group; else it lies in the arena
  Dim bytes;         // of the whole
  PositionSet held;  // where some member is
};

struct SharedBytes {
  std::vector<Group> groups;
  std::set<StepId> dropped;      // copies that need not run
  std::vector<Sharing> sharing;  // by value
  std::vector<ValueId> base;     // by value, as in Placement
};

// Everything but where the bytes lie: which values share bytes, and which copies need not run.
struct SharedMemory {
  SharedBytes bytes;
  std::vector<ScratchPlacement> scratch;    // not placed yet
  std::vector<Interval> scratch_live;       // of each of these
  std::vector<std::vector<Interval>> live;  // by value
};

// Refuses a size that nothing bounds ("unbounded-size").
SharedMemory share_memory(const KernelGraph& graph, const std::vector<ScratchNeed>& scratch,
                          const MemoryOptions& options);
MemoryPlan pack_memory(const KernelGraph& graph, SharedMemory shared, const MemoryOptions& options);

// Both.
MemoryPlan plan_memory(const KernelGraph& graph, const std::vector<ScratchNeed>& scratch,
                       const MemoryOptions& options);

std::string to_string(const SharedMemory& shared);  // who shares with whom; what is dropped
// All decisions, one per line; and the same as a table for people, with names.
std::string to_string(const MemoryPlan& plan);
std::string memory_map(const MemoryPlan& plan, const KernelGraph& graph);

// Numbers at given sizes: `size` answers for param symbols, named sizes are worked out.
int64_t evaluate(const MemoryPlan& plan, const Dim& dim,
                 const std::function<int64_t(const Symbol&)>& size);

}  // namespace burin
