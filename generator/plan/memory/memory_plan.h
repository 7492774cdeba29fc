// The memory plan: where every internal value lies while it is live (SoD2 4.4.1, certified).
//
// All of it is one arena. Values share bytes where that is free: a view of what a copy would copy,
// a part of the buffer that a concatenation would fill, the place of an operand that ends where the
// value starts. What is left is packed (plan/packing/buffer_packing.h): exactly where sizes are
// constant; where they depend on symbols, an order of stacking (what lies below what), good at many
// sizes, makes every offset an expression that holds for all of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "plan/packing/buffer_packing.h"

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

// Scratch of the kernel at a position: worker w has [offset + w * stride, offset + w * stride +
// bytes); a stride of 0: all have one.
struct ScratchPlacement {
  int position = 0;
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
  std::vector<ScratchPlacement> scratch;  // by position
  std::vector<int> dropped;               // positions of copies that need not run, ascending
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

// Scratch that the step at `position` needs, for each of so many calls that may run at the same
// time. (What a procedure declares is added by itself.)
struct ScratchNeed {
  int position = 0;
  Dim bytes;
  Dim workers = 1;
};

struct MemoryOptions {
  int64_t alignment = 1;       // of buffers, from the hardware
  int64_t view_alignment = 1;  // where a view or part may start inside a buffer, in bytes
  bool share = true;           // views, parts, in place
  bool fixed_offsets = false;  // offsets for the largest sizes instead of expressions
  std::vector<int> no_alias;   // positions of kernels whose schedule uses the memory of the result
                               // before it has read its operands: not in place
  std::map<int, int>
      row_alias;  // position of a kernel, and the let that it makes for whole rows,
                  // and reads back from memory, before it writes anything else of them
  int row_alias_at(int position) const {
    const auto found = row_alias.find(position);
    return found == row_alias.end() ? -1 : found->second;
  }
  std::vector<ValueId> own_memory;  // sorted: values that have a memory of their own, as images
  std::vector<std::vector<int>>
      concurrent;  // positions, consecutive, of steps that run at the same
                   // time: one step for lifetimes; none of them is dropped
  PackOptions pack;
};

// Refuses a size that nothing bounds ("unbounded-size").
MemoryPlan plan_memory(const KernelGraph& graph, const std::vector<ScratchNeed>& scratch,
                       const MemoryOptions& options);

// All decisions, one per line; and the same as a table for people, with names.
std::string to_string(const MemoryPlan& plan);
std::string memory_map(const MemoryPlan& plan, const KernelGraph& graph);

// Numbers at given sizes: `size` answers for param symbols, named sizes are worked out.
int64_t evaluate(const MemoryPlan& plan, const Dim& dim,
                 const std::function<int64_t(const Symbol&)>& size);

}  // namespace burin
