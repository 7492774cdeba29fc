// Optimal packing of a block by branch and bound: packets are chosen from the front, cycle by
// cycle.
//
// At a cycle the units whose operands are ready form packets; only packets that cannot be widened
// are tried, because moving a ready unit into a free place of an earlier packet never hurts: its
// own operands are ready, its readers only gain, and old values that others read stay old. Waiting
// for one cycle is tried as well, because it can save a packet. Cut off when even the bound of the
// rest (longest chain, counting of slots) does not beat the best found, or when the same units were
// already done no later with no more packets and no more waiting left. Exponential in the worst
// case, hence the limit.
#include <algorithm>
#include <unordered_map>

#include "support/check.h"
#include "vliw/policy.h"

namespace burin::vliw {
namespace {

class Search {
 public:
  Search(const BlockProblem& problem, const Schedule& incumbent, int64_t limit)
      : problem_(problem),
        graph_(problem.graph),
        n_(static_cast<int>(problem.block.units.size())),
        limit_(limit) {
    height_ = heights(graph_);
    const Cost cost = cost_of(incumbent, graph_);
    best_ = incumbent;
    best_cycles_ = static_cast<int>(cost.cycles);
    best_packets_ = cost.packets;
    issue_.assign(static_cast<size_t>(n_), -1);
    demands();
  }

  ExactResult run() {
    descend(0, 0);
    ExactResult result;
    result.schedule = best_;
    result.optimal = nodes_ < limit_ && !truncated_;
    result.nodes = nodes_;
    return result;
  }

 private:
  // For counting bounds: per unit and set of slots, how many of its demands fit nowhere else.
  void demands() {
    const Machine& machine = problem_.machine;
    const uint32_t sets = 1u << machine.slots;
    slot_demand_.assign(static_cast<size_t>(n_), std::vector<uint8_t>(sets, 0));
    words_.assign(static_cast<size_t>(n_), 0);
    for (int u = 0; u < n_; ++u) {
      const Unit& unit = problem_.block.units[static_cast<size_t>(u)];
      if (unit.closed) {
        words_[static_cast<size_t>(u)] = machine.words;
        continue;
      }
      for (const Instruction& instruction : unit.instructions) {
        words_[static_cast<size_t>(u)] += words_of(instruction);
        for (const uint32_t mask :
             machine.classes[static_cast<size_t>(instruction.form->timing)].slots) {
          for (uint32_t set = 1; set < sets; ++set) {
            slot_demand_[static_cast<size_t>(u)][set] = static_cast<uint8_t>(
                slot_demand_[static_cast<size_t>(u)][set] + ((mask & ~set) == 0 ? 1 : 0));
          }
        }
      }
    }
  }

  bool scheduled(int u) const { return (mask_ >> u) & 1; }

  int earliest(int u) const {
    int at = 0;
    for (const int e : graph_.in[static_cast<size_t>(u)]) {
      const Edge& edge = graph_.edges[static_cast<size_t>(e)];
      if (scheduled(edge.from))
        at = std::max(at, issue_[static_cast<size_t>(edge.from)] +
                              std::max(edge.latency, edge.within == Within::kNever ? 1 : 0));
    }
    return at;
  }

  // Fewest packets for what is left, by counting.
  int packets_left() const {
    const uint32_t sets = 1u << problem_.machine.slots;
    std::vector<int> total(sets, 0);
    int words = 0;
    for (int u = 0; u < n_; ++u) {
      if (scheduled(u)) continue;
      words += words_[static_cast<size_t>(u)];
      for (uint32_t set = 1; set < sets; ++set)
        total[set] += slot_demand_[static_cast<size_t>(u)][set];
    }
    int packets = (words + problem_.machine.words - 1) / problem_.machine.words;
    for (uint32_t set = 1; set < sets; ++set) {
      const int size = __builtin_popcount(set);
      packets = std::max(packets, (total[set] + size - 1) / size);
    }
    return packets;
  }

  bool hopeless(int cycles, int packets) const {
    return cycles > best_cycles_ || (cycles == best_cycles_ && packets >= best_packets_);
  }

  // Next packet at `time` or later; `packets` are done.
  void descend(int time, int packets) {
    if (++nodes_ >= limit_) return;
    if (static_cast<int>(current_units_) == n_) {
      if (!hopeless(time, packets)) {
        best_ = current_;
        best_cycles_ = time;
        best_packets_ = packets;
      }
      return;
    }
    const int left = packets_left();
    int chain = 0;
    std::vector<int> soonest(static_cast<size_t>(n_), 0);
    std::string key(reinterpret_cast<const char*>(&mask_), sizeof mask_);
    for (int u = 0; u < n_; ++u) {
      if (scheduled(u)) continue;
      const int at = std::max(time, earliest(u));
      soonest[static_cast<size_t>(u)] = at;
      chain = std::max(chain, at + height_[static_cast<size_t>(u)] + 1);
      if (at > time) {
        key += static_cast<char>(u);
        key += static_cast<char>(at - time);
      }
    }
    if (hopeless(std::max(chain, time + left), packets + left)) return;
    const auto [seen, fresh] = seen_.try_emplace(std::move(key), std::pair(time, packets));
    if (!fresh) {
      if (seen->second.first <= time && seen->second.second <= packets) return;
      if (seen->second.first >= time && seen->second.second >= packets)
        seen->second = {time, packets};
    }
    std::vector<std::vector<int>> choices;
    std::vector<int> packet;
    collect(0, time, soonest, packet, choices);
    const auto weight = [&](const std::vector<int>& units) {
      int sum = 0;
      for (const int u : units) sum += 4 + 3 * height_[static_cast<size_t>(u)];
      return sum;
    };
    std::stable_sort(choices.begin(), choices.end(),
                     [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
    for (const std::vector<int>& choice : choices) {
      take(choice, time);
      descend(time + 1, packets + 1);
      undo(choice);
      if (nodes_ >= limit_) return;
    }
    // Wait, if something becomes ready by it.
    int next = 1 << 30;
    for (int u = 0; u < n_; ++u) {
      if (!scheduled(u) && soonest[static_cast<size_t>(u)] > time)
        next = std::min(next, soonest[static_cast<size_t>(u)]);
    }
    if (next < 1 << 30) descend(next, packets);
  }

  void take(const std::vector<int>& units, int time) {
    for (const int u : units) {
      mask_ |= uint64_t{1} << u;
      issue_[static_cast<size_t>(u)] = time;
    }
    current_.push_back(units);
    current_units_ += units.size();
  }

  void undo(const std::vector<int>& units) {
    for (const int u : units) mask_ &= ~(uint64_t{1} << u);
    current_.pop_back();
    current_units_ -= units.size();
  }

  // May u, with everything before it decided, be in this packet? Predecessors are done or in it.
  bool candidate(int u, int time, const std::vector<int>& soonest,
                 const std::vector<int>& packet) const {
    if (scheduled(u) || soonest[static_cast<size_t>(u)] > time) return false;
    for (const int e : graph_.in[static_cast<size_t>(u)]) {
      const Edge& edge = graph_.edges[static_cast<size_t>(e)];
      if (scheduled(edge.from)) continue;
      if (edge.within == Within::kNever ||
          std::find(packet.begin(), packet.end(), edge.from) == packet.end())
        return false;
    }
    return true;
  }

  bool fits(const std::vector<int>& packet) const {
    const bool last = current_units_ + packet.size() == static_cast<size_t>(n_);
    return problem_.maker.fits(packet, last ? problem_.last : PacketShape{}, true);
  }

  void collect(int from, int time, const std::vector<int>& soonest, std::vector<int>& packet,
               std::vector<std::vector<int>>& out) {
    if (out.size() >= kWidest) {
      truncated_ = true;
      return;
    }
    if (static_cast<int>(packet.size()) < problem_.machine.instructions) {
      for (int u = from; u < n_; ++u) {
        if (!candidate(u, time, soonest, packet)) continue;
        packet.push_back(u);
        // The last packet's rules are stricter: a packet that breaks only those is not last.
        if (fits(packet)) collect(u + 1, time, soonest, packet, out);
        packet.pop_back();
      }
    }
    if (packet.empty() || !fits(packet)) return;
    for (int u = 0; u < n_ && static_cast<int>(packet.size()) < problem_.machine.instructions;
         ++u) {
      if (std::find(packet.begin(), packet.end(), u) != packet.end() ||
          !candidate(u, time, soonest, packet))
        continue;
      std::vector<int> wider = packet;
      wider.insert(std::upper_bound(wider.begin(), wider.end(), u), u);
      if (fits(wider)) return;  // not maximal
    }
    out.push_back(packet);
  }

  static constexpr size_t kWidest = 400;  // choices per node
  const BlockProblem& problem_;
  const Graph& graph_;
  int n_;
  int64_t limit_, nodes_ = 0;
  std::vector<int> height_, issue_, words_;
  std::vector<std::vector<uint8_t>> slot_demand_;
  bool truncated_ = false;
  uint64_t mask_ = 0;
  Schedule current_, best_;
  size_t current_units_ = 0;
  int best_cycles_ = 0, best_packets_ = 0;
  std::unordered_map<std::string, std::pair<int, int>> seen_;  // looked up only, never walked
};

}  // namespace

ExactResult pack_exact(const BlockProblem& problem, const Schedule& incumbent, int64_t node_limit) {
  if (problem.block.units.size() > 64 || problem.block.units.empty()) return {incumbent, false, 0};
  return Search(problem, incumbent, node_limit).run();
}

}  // namespace burin::vliw
