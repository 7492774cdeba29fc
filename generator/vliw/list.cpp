// Top-down list scheduling, O(packets * ready units * packet check).
#include <algorithm>

#include "support/check.h"
#include "vliw/policy.h"

namespace burin::vliw {

std::vector<int> heights(const Graph& graph) {
  std::vector<int> height(graph.out.size(), 0);
  for (size_t e = graph.edges.size(); e-- > 0;) {
    const Edge& edge = graph.edges[e];
    const int step = edge.within == Within::kNever ? std::max(1, edge.latency) : 0;
    int& h = height[static_cast<size_t>(edge.from)];
    h = std::max(h, height[static_cast<size_t>(edge.to)] + step);
  }
  return height;
}

Schedule pack_list(const BlockProblem& problem) {
  const Graph& graph = problem.graph;
  const size_t n = problem.block.units.size();
  const std::vector<int> height = heights(graph);
  std::vector<int> waiting(n, 0), ready_at(n, 0), packet_of(n, -1);
  for (const Edge& edge : graph.edges) ++waiting[static_cast<size_t>(edge.to)];
  std::vector<int> ready;
  for (size_t u = 0; u < n; ++u) {
    if (waiting[u] == 0) ready.push_back(static_cast<int>(u));
  }
  // More height first, then more that waits for it, then block order.
  const auto before = [&](int a, int b) {
    const auto x = static_cast<size_t>(a), y = static_cast<size_t>(b);
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
