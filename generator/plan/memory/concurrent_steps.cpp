#include "plan/memory/concurrent_steps.h"

#include <algorithm>

#include "support/at.h"

namespace burin {
namespace {

bool touches(const Position& step, ValueId value) {
  return std::binary_search(step.reads.begin(), step.reads.end(), value) ||
         std::binary_search(step.writes.begin(), step.writes.end(), value);
}

}  // namespace

void hold_concurrent(const std::vector<std::vector<int>>& concurrent,
                     const std::vector<Position>& positions, std::vector<Lifetime>& lives) {
  for (const std::vector<int>& group : concurrent) {
    for (size_t v = 0; v < lives.size(); ++v) {
      Lifetime& life = lives[v];
      const bool held =
          std::any_of(group.begin(), group.end(), [&](int p) { return life.held[at(p)]; });
      if (!held) continue;
      const bool after = life.after[at(group.back())];
      for (const int position : group) {
        life.held.set(at(position));
        life.after.set(at(position),
                       after || std::any_of(group.begin(), group.end(), [&](int other) {
                         return other != position &&
                                touches(positions[at(other)], static_cast<ValueId>(v));
                       }));
      }
    }
  }
}

const std::vector<int>* group_at(const std::vector<std::vector<int>>& concurrent, int position) {
  for (const std::vector<int>& group : concurrent) {
    if (position >= group.front() && position <= group.back()) return &group;
  }
  return nullptr;
}

}  // namespace burin
