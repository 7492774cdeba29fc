#include "plan/memory/sharing.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "kernel/index/size_bound.h"
#include "plan/memory/address.h"
#include "plan/memory/bytes.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

// Copies that are left may raise the largest sum of live bytes by one part in so many.
constexpr int64_t kGrowth = 4;

// 0 where nothing may lie inside: constants, what no step touches, and an output whose capacity
// only the caller knows.
Dim bytes_to_share(const KernelGraph& graph, ValueId id, const Lifetime& life) {
  const Value& value = graph.values[at(id)];
  if (value.kind == ValueKind::constant) return 0;
  if (value.kind == ValueKind::internal) {
    return life.held.empty() ? Dim(0) : memory_bytes(graph, id);
  }
  return is_bounded_before_run(product(value.shape)) ? memory_bytes(graph, id) : Dim(0);
}

// A number for each position, and the largest of them, which a change of a few finds again.
class LiveSums {
 public:
  explicit LiveSums(const std::vector<int64_t>& sums) : sums_(sums) {
    for (const int64_t sum : sums_) ++counts_[sum];
  }

  int64_t largest() const { return counts_.empty() ? 0 : counts_.rbegin()->first; }
  void add(size_t position, int64_t bytes) {
    const auto old = counts_.find(sums_[position]);
    if (--old->second == 0) counts_.erase(old);
    ++counts_[sums_[position] += bytes];
  }

 private:
  std::vector<int64_t> sums_;
  std::map<int64_t, size_t> counts_;  // how many there are of each
};

class Sharer {
 public:
  Sharer(const KernelGraph& graph, const std::vector<Position>& positions,
         const std::vector<Lifetime>& lives, std::vector<int64_t> other_bytes,
         const MemoryOptions& options)
      : graph_(graph),
        positions_(positions),
        lives_(lives),
        options_(options),
        rules_(options.rules),
        sums_(other_bytes) {
    const size_t count = graph.values.size();
    dropped_.assign(positions.size(), false);
    writes_.resize(count);
    for (size_t p = 0; p < positions.size(); ++p) {
      for (const ValueId value : positions[p].writes) {
        writes_[at(value)].push_back(static_cast<int>(p));
      }
    }
    result_.sharing.assign(count, Sharing::none);
    result_.base.assign(count, kNoValue);
    for (size_t v = 0; v < count; ++v) {
      const Value& value = graph.values[v];
      const auto id = static_cast<ValueId>(v);
      bytes_.push_back(bytes_to_share(graph, id, lives[v]));
      Group group{{{id, 0}}, kNoValue, bytes_.back(), lives[v].held};
      if (value.kind != ValueKind::internal) {
        group.external = id;
      } else if (!group.held.empty()) {
        result_.sharing[v] = Sharing::own;
      }
      group_of_.push_back(static_cast<int>(v));
      add_sum(group, 1);
      groups_.push_back(std::move(group));
    }
  }

  SharedBytes run() {
    if (options_.share) {
      for (size_t p = 0; p < positions_.size(); ++p) share_copy(static_cast<int>(p));
      for (size_t p = 0; p < positions_.size(); ++p) share_in_place(static_cast<int>(p));
      // A copy in each run is worse than a little more memory.
      most_ = sums_.largest() / kGrowth * (kGrowth + 1);
      for (size_t p = 0; p < positions_.size(); ++p) {
        if (!dropped_[p]) share_copy(static_cast<int>(p));
      }
    }
    for (Group& group : groups_) {
      if (!group.members.empty()) result_.groups.push_back(std::move(group));
    }
    for (size_t p = 0; p < dropped_.size(); ++p) {
      if (dropped_[p]) result_.dropped.insert(positions_[p].step->id);
    }
    return std::move(result_);
  }

 private:
  // Groups that are about to become one.
  struct Draft {
    std::vector<std::pair<int, Dim>> parts;  // group, distance of its start from that of the draft
    Group merged;
  };

  const Kernel* kernel_at(int position) const {
    return std::get_if<Kernel>(positions_[at(position)].step);
  }

  bool is_internal(ValueId value) const {
    return graph_.values[at(value)].kind == ValueKind::internal && !has_own_memory(value);
  }
  bool has_own_memory(ValueId value) const { return rules_.own_memory.contains(value); }

  void share_copy(int position) {
    const Kernel* kernel = kernel_at(position);
    const StepId step = positions_[at(position)].step->id;
    if (!kernel || rules_.concurrent.contains(step)) return;
    if (options_.droppable && !options_.droppable->contains(step)) return;
    const std::optional<std::vector<Move>> moves = moves_of(*kernel, graph_.values);
    const bool here = moves && std::none_of(moves->begin(), moves->end(), [&](const Move& move) {
                        return has_own_memory(move.from) || has_own_memory(move.to);
                      });
    if (!here) return;
    dropped_[at(position)] = true;
    std::vector<const Move*> joining;
    if (!merge(*moves, joining)) {
      dropped_[at(position)] = false;
      return;
    }
    for (const Move* move : joining) {
      const auto into = std::count_if(moves->begin(), moves->end(),
                                      [&](const Move& other) { return other.to == move->to; });
      if (into == 1 && proven_nonnegative(move->delta) &&
          result_.sharing[at(move->to)] == Sharing::own) {
        label(move->to, Sharing::view, move->from);
      } else {
        label(move->from, Sharing::part, move->to);
      }
    }
  }

  void share_in_place(int position) {
    const Kernel* kernel = kernel_at(position);
    if (!kernel || dropped_[at(position)]) return;
    const Position& here = positions_[at(position)];
    for (const ValueId to : here.writes) {
      if (!is_internal(to)) continue;
      // An operand of the same size first: nothing of it stays behind unused.
      std::vector<ValueId> operands = here.reads;
      std::stable_partition(operands.begin(), operands.end(),
                            [&](ValueId operand) { return bytes_[at(operand)] == bytes_[at(to)]; });
      for (const ValueId from : operands) {
        if (!is_internal(from) || group_of_[at(from)] == group_of_[at(to)]) continue;
        const std::optional<Dim>& delta = exact(position, to, from);
        if (!delta) continue;
        std::vector<const Move*> joining;
        const std::vector<Move> moves = {{from, to, *delta}};
        if (!merge(moves, joining)) continue;
        if (result_.sharing[at(to)] == Sharing::own) {
          label(to, Sharing::in_place, from);
        } else {
          label(from, Sharing::in_place, to);
        }
        break;
      }
    }
  }

  void label(ValueId value, Sharing sharing, ValueId base) {
    if (result_.sharing[at(value)] != Sharing::own) return;
    result_.sharing[at(value)] = sharing;
    result_.base[at(value)] = base;
  }

  // Joins the groups of all moves, or leaves everything as it is. `joining` gets the moves that
  // were needed to connect them.
  bool merge(const std::vector<Move>& moves, std::vector<const Move*>& joining) {
    std::vector<Draft> drafts;
    std::map<int, std::pair<size_t, Dim>> placed;  // group: its draft, its distance
    for (const Move& move : moves) {
      if (!known(move.from) || !known(move.to)) return false;
      const int from = group_of_[at(move.from)];
      const int to = group_of_[at(move.to)];
      if (!placed.count(from) && !placed.count(to)) {
        placed[from] = {drafts.size(), 0};
        drafts.push_back({{{from, 0}}, {}});
      }
      // Where the first byte of the group of `to` lies, seen from that of `from`.
      const Dim distance = offset_of(move.from) + move.delta - offset_of(move.to);
      if (placed.count(from) && placed.count(to)) {
        const auto& [draft_a, start_a] = placed[from];
        const auto& [draft_b, start_b] = placed[to];
        if (draft_a != draft_b || !(start_a + distance == start_b)) return false;
        continue;
      }
      const bool forward = placed.count(from) != 0;
      const auto [draft, start] = placed[forward ? from : to];
      const int added = forward ? to : from;
      const Dim shift = forward ? start + distance : start - distance;
      placed[added] = {draft, shift};
      drafts[draft].parts.emplace_back(added, shift);
      joining.push_back(&move);
    }
    for (Draft& draft : drafts) {
      if (!assemble(draft)) return false;
    }
    const int64_t before = sums_.largest();
    for (const Draft& draft : drafts) add_sums(draft, 1);
    if (sums_.largest() > std::max(most_, before)) {
      for (const Draft& draft : drafts) add_sums(draft, -1);
      return false;
    }
    for (Draft& draft : drafts) {
      const int target = draft.parts.front().first;
      for (const auto& [group, shift] : draft.parts) groups_[at(group)].members.clear();
      for (const Member& member : draft.merged.members) group_of_[at(member.value)] = target;
      groups_[at(target)] = std::move(draft.merged);
    }
    return true;
  }

  bool known(ValueId value) const { return graph_.values[at(value)].kind != ValueKind::constant; }

  const Dim& offset_of(ValueId value) const {
    const std::vector<Member>& members = groups_[at(group_of_[at(value)])].members;
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const Member& member) { return member.value == value; });
    BURIN_CHECK(found != members.end());
    return found->offset;
  }

  // Fills in the merged group; false when the rule is broken or the extent cannot be told.
  bool assemble(Draft& draft) {
    // Every merge goes through all members again; a chain of that many results in place has been
    // worth its while.
    constexpr size_t kMostMembers = 256;
    size_t members = 0;
    for (const auto& [group, shift] : draft.parts) members += groups_[at(group)].members.size();
    if (members > kMostMembers) return false;
    Group& merged = draft.merged;
    merged.held = PositionSet(positions_.size());
    for (const auto& [group, shift] : draft.parts) {
      const Group& part = groups_[at(group)];
      if (part.external != kNoValue) {
        if (merged.external != kNoValue) return false;
        merged.external = part.external;
      }
      for (const Member& member : part.members) {
        merged.members.push_back({member.value, member.offset + shift});
      }
      merged.held |= part.held;
    }
    return normalise(merged) && (merged.external == kNoValue || has_room(merged)) &&
           writes_destroy_nothing(draft);
  }

  // Lets the group start at 0.
  bool normalise(Group& group) const {
    const auto lowest =
        std::find_if(group.members.begin(), group.members.end(), [&](const Member& candidate) {
          return std::all_of(group.members.begin(), group.members.end(), [&](const Member& other) {
            return proven_le(candidate.offset, other.offset);
          });
        });
    if (lowest == group.members.end()) return false;
    const Dim start = lowest->offset;
    std::vector<Dim> ends;
    for (Member& member : group.members) {
      member.offset -= start;
      if (!mod(member.offset, options_.view_alignment).is_constant(0)) return false;
      ends.push_back(member.offset + bytes_[at(member.value)]);
    }
    group.bytes = largest_of(std::move(ends));
    return true;
  }

  // In the memory of an input or output: everything lies inside it. Into an input nobody writes,
  // and into an output only where the caller cannot have made it smaller than its bound.
  bool has_room(const Group& group) const {
    const Value& external = graph_.values[at(group.external)];
    const bool writable =
        external.kind == ValueKind::output && is_known_before_run(product(external.shape));
    for (const Member& member : group.members) {
      if (member.value == group.external) {
        if (!member.offset.is_constant(0)) return false;
        continue;
      }
      if (writable) continue;
      // What the run finds out there is room for, not what there may be at most.
      if (!proven_le(member.offset + extent_bytes(member.value), extent_bytes(group.external)))
        return false;
      for (const int position : writes_[at(member.value)]) {
        if (!dropped_[at(position)]) return false;
      }
    }
    return proven_le(group.bytes, bytes_[at(group.external)]);
  }

  Dim extent_bytes(ValueId id) const {
    const Value& value = graph_.values[at(id)];
    return ceildiv(product(value.shape) * size_bits(value.type), 8);
  }

  bool writes_destroy_nothing(const Draft& draft) {
    std::vector<int> part_of;  // by member
    for (size_t i = 0; i < draft.parts.size(); ++i) {
      part_of.insert(part_of.end(), groups_[at(draft.parts[i].first)].members.size(),
                     static_cast<int>(i));
    }
    const std::vector<Member>& members = draft.merged.members;
    for (size_t a = 0; a < members.size(); ++a) {
      for (const int position : writes_[at(members[a].value)]) {
        if (dropped_[at(position)]) continue;
        for (size_t b = 0; b < members.size(); ++b) {
          // Inside one part it held already.
          if (part_of[a] == part_of[b]) continue;
          if (destroys(position, members[a], members[b])) return false;
        }
      }
    }
    return true;
  }

  bool destroys(int position, const Member& written, const Member& other) {
    const Lifetime& life = lives_[at(other.value)];
    if (!life.held[at(position)]) return false;
    // A concatenation's parts are written one by one.
    const auto [first, last] = written_bytes(position, written.value);
    if (proven_le(written.offset + last, other.offset) ||
        proven_le(other.offset + bytes_[at(other.value)], written.offset + first)) {
      return false;
    }
    if (life.after[at(position)]) return true;
    const std::optional<Dim>& delta = exact(position, written.value, other.value);
    return !delta || !(other.offset + *delta == written.offset);
  }

  // The bytes of a value between which a step writes.
  std::pair<Dim, Dim> written_bytes(int position, ValueId to) const {
    const std::pair<Dim, Dim> all{0, bytes_[at(to)]};
    const Kernel* kernel = kernel_at(position);
    return kernel ? written_range(*kernel, to, graph_.values).value_or(all) : all;
  }

  // in_place_delta of the kernel at `position`, remembered.
  const std::optional<Dim>& exact(int position, ValueId to, ValueId from) {
    const auto [found, is_new] = exact_.try_emplace({position, to, from});
    const Kernel* kernel = kernel_at(position);
    const StepId step = positions_[at(position)].step->id;
    if (is_new && kernel && !rules_.never_in_place.contains(step))
      found->second = in_place_delta(*kernel, to, from, graph_.values, rules_.rows_first(step));
    return found->second;
  }

  // What the draft makes of its groups, or back.
  void add_sums(const Draft& draft, int64_t sign) {
    for (const auto& [group, shift] : draft.parts) add_sum(groups_[at(group)], -sign);
    add_sum(draft.merged, sign);
  }

  void add_sum(const Group& group, int64_t sign) {
    if (group.external != kNoValue) return;
    const int64_t bytes = at_hints(align_up(group.bytes, options_.alignment));
    group.held.for_each([&](size_t p) { sums_.add(p, sign * bytes); });
  }

  const KernelGraph& graph_;
  const std::vector<Position>& positions_;
  const std::vector<Lifetime>& lives_;
  const MemoryOptions& options_;
  const AliasIndex rules_;
  std::vector<Dim> bytes_;                // by value
  std::vector<std::vector<int>> writes_;  // by value: positions
  std::vector<bool> dropped_;             // by position
  std::vector<Group> groups_;             // without members once merged into another one
  std::vector<int> group_of_;             // by value
  LiveSums sums_;                         // by position: live bytes at the hints
  int64_t most_ = 0;                      // that they may become for the sake of copies
  std::map<std::tuple<int, ValueId, ValueId>, std::optional<Dim>> exact_;
  SharedBytes result_;
};

}  // namespace

SharedBytes share_bytes(const KernelGraph& graph, const std::vector<Position>& positions,
                        const std::vector<Lifetime>& lives, std::vector<int64_t> other_bytes,
                        const MemoryOptions& options) {
  return Sharer(graph, positions, lives, std::move(other_bytes), options).run();
}

}  // namespace burin
