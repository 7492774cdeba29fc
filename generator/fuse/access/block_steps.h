// The steps of one block while they are being fused: who reads and who writes each value.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuse/access/shared.h"
#include "kernel/kernel.h"

namespace burin {

class BlockSteps {
 public:
  // Takes the steps out of `steps`. Values, and what others share, must outlive it.
  BlockSteps(Steps& steps, std::vector<Value>& values, const Shared& shared);

  size_t size() const { return steps_.size(); }
  // The kernel at a place; null where there is none (any more).
  Kernel* kernel(int at);
  void replace(int at, Step step);
  void erase(int at);
  Steps take();  // what is left, in order

  const Value& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  std::vector<Value>& values() { return values_; }
  const std::vector<Value>& values() const { return values_; }
  // Places. The set changes with the steps.
  const std::set<int>& readers(ValueId id) const;
  const std::set<int>& writers(ValueId id) const;

  // A tensor that only this block knows of, made by one step.
  bool is_private(ValueId id) const;
  // Everything that the kernel reads keeps its contents for good, and its sizes are the same until
  // what it makes has been read: running it there is the same.
  bool reads_are_stable(const Kernel& kernel) const;
  // The same from the place `at` on: all who write what only this block knows come before.
  bool reads_are_stable_from(int at, const Kernel& kernel) const;
  // No symbol of these gets a value from the place `from` to the one before `to`.
  bool binds_none(const std::vector<Symbol>& symbols, int from, int to) const;
  // Everything that the kernel at `at` reads or takes sizes from is there before the place `to`.
  bool may_run_at(int to, int at);
  // The place of the kernel that makes a private value from what keeps its contents; -1: there is
  // no such kernel. The second has one reader only.
  int maker(ValueId id);
  int only_maker(ValueId id);

  // What does not fit together once is not tried again: the map at `at` in the reader at `reader`,
  // as both are now.
  void keep_apart(int at, int reader);
  bool is_kept_apart(int at, int reader) const;

  bool changed = false;         // since someone cleared it
  bool keeps_siblings = false;  // no epilogue reorders what siblings have in common

 private:
  void add(int at);
  void remove(int at);
  // No symbol that the kernel uses is bound anew between it and the last reader of what it makes:
  // the end of a loop's body binds the extents that its state grows.
  bool sizes_are_stable(const Kernel& kernel) const;

  std::vector<Value>& values_;
  const Shared& shared_;
  std::vector<std::optional<Step>> steps_;
  std::map<ValueId, std::set<int>> readers_, writers_;
  std::vector<int> versions_;            // how often each step has been replaced
  std::set<std::array<int, 4>> apart_;   // places and versions of a map and a reader
  std::map<std::string, std::set<int>> binds_;  // places where symbols get values
};

// Loads of a map's result inside `reader` become its value; its nodes join the reader's.
Kernel inlined(const Kernel& reader, const Kernel& map);
// The same of several at once; what one of them loads from another stays a load.
Kernel inlined(const Kernel& reader, const std::vector<const Kernel*>& maps);

// The nodes of `from` join those of `into`, each once.
void merge_origins(Kernel& into, const Kernel& from, bool first);

}  // namespace burin
