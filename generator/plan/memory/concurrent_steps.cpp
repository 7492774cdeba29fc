#include "plan/memory/concurrent_steps.h"

#include <algorithm>

#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

bool touches(const Position& step, ValueId value) {
  return std::binary_search(step.reads.begin(), step.reads.end(), value) ||
         std::binary_search(step.writes.begin(), step.writes.end(), value);
}

}  // namespace

std::vector<Interval> concurrent_intervals(const AliasRules& rules,
                                           const std::vector<Position>& positions) {
  std::vector<Interval> out;
  for (const Concurrent& rule : rules_of<Concurrent>(rules)) {
    const auto first = std::find_if(positions.begin(), positions.end(), [&](const Position& one) {
      return one.step->id == rule.steps.front();
    });
    const auto left = static_cast<size_t>(positions.end() - first);
    BURIN_CHECK(left >= rule.steps.size() &&
                    std::equal(rule.steps.begin(), rule.steps.end(), first,
                               [](StepId id, const Position& one) { return one.step->id == id; }),
                "steps that run at the same time do not follow each other");
    const auto at_first = static_cast<int>(first - positions.begin());
    out.push_back({at_first, at_first + static_cast<int>(rule.steps.size()) - 1});
  }
  return out;
}

void hold_concurrent(const std::vector<Interval>& groups, const std::vector<Position>& positions,
                     std::vector<Lifetime>& lives) {
  for (const Interval& group : groups) {
    const auto in_group = [&](const auto& holds) {
      for (int p = group.first; p <= group.last; ++p) {
        if (holds(p)) return true;
      }
      return false;
    };
    for (size_t v = 0; v < lives.size(); ++v) {
      Lifetime& life = lives[v];
      if (!in_group([&](int p) { return life.held[at(p)]; })) continue;
      const bool after = life.after[at(group.last)];
      for (int position = group.first; position <= group.last; ++position) {
        life.held.set(at(position));
        life.after.set(at(position), after || in_group([&](int other) {
                                       return other != position && touches(positions[at(other)],
                                                                           static_cast<ValueId>(v));
                                     }));
      }
    }
  }
}

Interval group_at(const std::vector<Interval>& groups, int position) {
  for (const Interval& group : groups) {
    if (position >= group.first && position <= group.last) return group;
  }
  return {position, position};
}

}  // namespace burin
