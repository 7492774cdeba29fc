// What is said of bytes that may be shared, beside what the steps themselves say: by schedules, by
// joint launches, by images. One list; a planner of memory and its checker know nothing else.
#pragma once

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// The schedule of the step uses the memory of its results before it has read its operands: they lie
// over none of these.
struct NeverInPlace {
  StepId step = kNoStep;
  bool operator==(const NeverInPlace&) const = default;
};

// The step makes a let for whole rows, and reads it back from memory, before it writes anything
// else of these rows: what the let reads at its own point may lie under any result of the point.
struct RowsFirst {
  StepId step = kNoStep;
  int let = 0;
  bool operator==(const RowsFirst&) const = default;
};

// The steps run at the same time: one step for lifetimes, and none of them is dropped. They follow
// each other in the order.
struct Concurrent {
  std::vector<StepId> steps;
  bool operator==(const Concurrent&) const = default;
};

// The value has a memory of its own, as an image has.
struct OwnMemory {
  ValueId value = kNoValue;
  bool operator==(const OwnMemory&) const = default;
};

using AliasRule = std::variant<NeverInPlace, RowsFirst, Concurrent, OwnMemory>;
using AliasRules = std::vector<AliasRule>;

std::string to_string(const AliasRules& rules);  // one per line

// The same, by what a planner asks about.
struct AliasIndex {
  explicit AliasIndex(const AliasRules& rules);
  int rows_first(StepId step) const;  // the let; -1: none
  std::set<StepId> never_in_place, concurrent;
  std::map<StepId, int> rows_first_lets;
  std::set<ValueId> own_memory;
};

// All rules of one kind, in their order.
template <class Rule>
std::vector<Rule> rules_of(const AliasRules& rules) {
  std::vector<Rule> out;
  for (const AliasRule& rule : rules) {
    if (const Rule* one = std::get_if<Rule>(&rule)) out.push_back(*one);
  }
  return out;
}

}  // namespace burin
