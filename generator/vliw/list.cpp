// Top-down list scheduling, O(packets * ready units * packet check).
#include <algorithm>
#include <array>
#include <optional>

#include "support/check.h"
#include "vliw/effects.h"
#include "vliw/policy.h"

namespace burin::vliw {

namespace {

// in_order: may a load share a packet behind a store that it may touch?
std::vector<int> heights(const Graph& graph, bool in_order) {
  std::vector<int> height(graph.out.size(), 0);
  for (size_t e = graph.edges.size(); e-- > 0;) {
    const Edge& edge = graph.edges[e];
    const bool hard = edge.within == Within::kNever || (edge.in_order && !in_order);
    const int step = hard ? std::max(1, edge.latency) : 0;
    int& h = height[static_cast<size_t>(edge.from)];
    h = std::max(h, height[static_cast<size_t>(edge.to)] + step);
  }
  return height;
}

// Which registers hold a value that is still to be read, as units are taken in any legal order.
class Names {
 public:
  explicit Names(const Block& block) : units_(block.units.size()) {
    // The write that each read sees, and how many reads each write has.
    std::array<int, kRegisterCount> writer;
    writer.fill(-1);
    for (size_t u = 0; u < units_.size(); ++u) {
      RegisterSet reads, writes;
      for (const Instruction& i : block.units[u].instructions) {
        const Effects e = effects_of(i);
        reads |= e.reads;
        writes |= e.writes;
      }
      reads.each([&](int r) {
        const int value = writer[static_cast<size_t>(r)];
        if (value < 0) return;
        units_[u].read.push_back(value);
        ++values_[static_cast<size_t>(value)];
      });
      writes.each([&](int r) {
        writer[static_cast<size_t>(r)] = static_cast<int>(values_.size());
        units_[u].written.push_back(static_cast<int>(values_.size()));
        values_.push_back(0);
      });
    }
  }

  // Names that taking u frees, less those that it takes.
  int gain(int u) const {
    int sum = 0;
    for (const int value : units_[static_cast<size_t>(u)].read)
      sum += values_[static_cast<size_t>(value)] == 1 ? 1 : 0;
    for (const int value : units_[static_cast<size_t>(u)].written)
      sum -= values_[static_cast<size_t>(value)] > 0 ? 1 : 0;
    return sum;
  }

  void take(int u) {
    taken_ -= gain(u);
    for (const int value : units_[static_cast<size_t>(u)].read)
      --values_[static_cast<size_t>(value)];
  }
  int taken() const { return taken_; }

 private:
  struct Unit {
    std::vector<int> read, written;  // values
  };
  std::vector<Unit> units_;
  std::vector<int> values_;  // reads that are left, per value
  int taken_ = 0;
};

}  // namespace

std::vector<int> heights(const Graph& graph) { return heights(graph, true); }

Schedule pack_list(const BlockProblem& problem, const ListOptions& options) {
  constexpr int kMany = 12, kNear = 2;  // names taken; heights that count as the same
  const Graph& graph = problem.graph;
  const size_t n = problem.block.units.size();
  const std::vector<int> height = heights(graph, options.in_order);
  std::vector<int> waiting(n, 0), ready_at(n, 0), packet_of(n, -1);
  for (const Edge& edge : graph.edges) ++waiting[static_cast<size_t>(edge.to)];
  std::vector<int> ready;
  for (size_t u = 0; u < n; ++u) {
    if (waiting[u] == 0) ready.push_back(static_cast<int>(u));
  }
  std::optional<Names> names;
  if (options.pressure) names.emplace(problem.block);
  // More height first, then more that waits for it, then block order.
  const auto before = [&](int a, int b) {
    const auto x = static_cast<size_t>(a), y = static_cast<size_t>(b);
    if (names && names->taken() >= kMany) {
      if (height[x] / kNear != height[y] / kNear) return height[x] > height[y];
      const int mine = names->gain(a), other = names->gain(b);
      if (mine != other) return mine > other;
    }
    if (height[x] != height[y]) return height[x] > height[y];
    if (graph.out[x].size() != graph.out[y].size())
      return graph.out[x].size() > graph.out[y].size();
    return a < b;
  };
  Schedule schedule;
  size_t done = 0;
  for (int time = 0; done < n; ++time) {
    const int number = static_cast<int>(schedule.size());
    std::vector<int> packet;
    const auto joins = [&](int u) {
      if (ready_at[static_cast<size_t>(u)] > time) return false;
      for (const int e : graph.in[static_cast<size_t>(u)]) {
        const Edge& edge = graph.edges[static_cast<size_t>(e)];
        if (packet_of[static_cast<size_t>(edge.from)] == number && edge.within == Within::kNever)
          return false;
      }
      std::vector<int> wider = packet;
      wider.insert(std::upper_bound(wider.begin(), wider.end(), u), u);
      if (!options.in_order && problem.maker.in_order(wider)) return false;
      const bool last = done + wider.size() == n;
      return problem.maker.fits(wider, last ? problem.last : PacketShape{}, true);
    };
    bool grew = true;
    while (grew && static_cast<int>(packet.size()) < problem.machine.instructions) {
      grew = false;
      std::sort(ready.begin(), ready.end(), before);
      for (size_t i = 0; i < ready.size(); ++i) {
        const int u = ready[i];
        if (!joins(u)) continue;
        packet.insert(std::upper_bound(packet.begin(), packet.end(), u), u);
        packet_of[static_cast<size_t>(u)] = number;
        if (names) names->take(u);
        ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(i));
        for (const int e : graph.out[static_cast<size_t>(u)]) {
          const Edge& edge = graph.edges[static_cast<size_t>(e)];
          // inside this packet a soft successor may follow at once; see joins()
          int& at = ready_at[static_cast<size_t>(edge.to)];
          if (edge.within == Within::kNever) at = std::max(at, time + std::max(1, edge.latency));
          if (--waiting[static_cast<size_t>(edge.to)] == 0) ready.push_back(edge.to);
        }
        grew = true;
        break;
      }
    }
    if (packet.empty()) continue;
    done += packet.size();
    for (const int u : packet) {
      for (const int e : graph.out[static_cast<size_t>(u)]) {
        const Edge& edge = graph.edges[static_cast<size_t>(e)];
        if (packet_of[static_cast<size_t>(edge.to)] == number) continue;
        int& at = ready_at[static_cast<size_t>(edge.to)];
        at = std::max(at, time + edge.latency);
      }
    }
    schedule.push_back(std::move(packet));
    BURIN_CHECK(time < 1 << 24);
  }
  return schedule;
}

}  // namespace burin::vliw
