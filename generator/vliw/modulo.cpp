#include "vliw/modulo.h"

#include <algorithm>
#include <tuple>

#include "vliw/policy.h"

namespace burin::vliw {
namespace {

int least_gap(const LoopEdge& edge) { return edge.forward ? 0 : edge.latency; }

int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

int resource_bound(const std::vector<Instruction>& body, const std::vector<int>& readers,
                   const Machine& machine) {
  Block block = block_of(body);
  for (size_t u = 0; u < body.size(); ++u) block.units[u].readers = readers[u];
  return std::max(1, counting_bound(block.units, machine));
}

int recurrence_bound(const LoopGraph& graph, int instructions, bool names, int most) {
  LoopGraph some = graph;
  if (!names) {
    std::erase_if(some.edges, [](const LoopEdge& e) { return e.reg >= 0 && !e.flow; });
  }
  std::vector<int> cycle;
  for (int ii = 1; ii <= most; ++ii) {
    if (longest_ways(some, instructions, ii, cycle)) return ii;
  }
  return most + 1;
}

std::optional<std::vector<std::vector<int>>> longest_ways(const LoopGraph& graph, int instructions,
                                                          int ii, std::vector<int>& cycle) {
  const auto n = static_cast<size_t>(instructions);
  std::vector<std::vector<int>> way(n, std::vector<int>(n, kNoWay));
  std::vector<std::vector<int>> via(n, std::vector<int>(n, -1));    // a middle, or
  std::vector<std::vector<int>> first(n, std::vector<int>(n, -1));  // the edge itself
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    const LoopEdge& edge = graph.edges[e];
    const auto u = static_cast<size_t>(edge.from), v = static_cast<size_t>(edge.to);
    const int length = least_gap(edge) - edge.distance * ii;
    if (length <= way[u][v]) continue;
    way[u][v] = length;
    first[u][v] = static_cast<int>(e);
  }
  const auto collect = [&](auto&& self, size_t u, size_t v) -> void {
    if (cycle.size() > 4 * n) return;
    if (via[u][v] < 0) {
      if (first[u][v] >= 0) cycle.push_back(first[u][v]);
      return;
    }
    const auto k = static_cast<size_t>(via[u][v]);
    self(self, u, k);
    self(self, k, v);
  };
  const auto bad = [&]() -> bool {
    for (size_t u = 0; u < n; ++u) {
      if (way[u][u] <= 0) continue;
      cycle.clear();
      collect(collect, u, u);
      return true;
    }
    return false;
  };
  if (bad()) return std::nullopt;
  for (size_t k = 0; k < n; ++k) {
    for (size_t u = 0; u < n; ++u) {
      if (way[u][k] == kNoWay) continue;
      for (size_t v = 0; v < n; ++v) {
        if (way[k][v] == kNoWay || way[u][k] + way[k][v] <= way[u][v]) continue;
        way[u][v] = way[u][k] + way[k][v];
        via[u][v] = static_cast<int>(k);
        if (u != v || way[u][u] <= 0) continue;
        cycle.clear();
        collect(collect, u, u);
        return std::nullopt;
      }
    }
  }
  return way;
}

std::optional<Packet> ModuloPackets::make(std::vector<Member> members, bool last,
                                          const std::vector<Instruction>& body) const {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::pair(a.iteration, a.unit) < std::pair(b.iteration, b.unit);
  });
  std::vector<Instruction> instructions;
  for (const Member& m : members) instructions.push_back(body[static_cast<size_t>(m.unit)]);
  Block block = block_of(instructions);
  for (size_t m = 0; m < members.size(); ++m)
    block.units[m].readers = readers_[static_cast<size_t>(members[m].unit)];
  Graph graph;
  graph.out.resize(members.size());
  graph.in.resize(members.size());
  std::vector<int> all;
  for (size_t a = 0; a < members.size(); ++a) {
    all.push_back(static_cast<int>(a));
    for (size_t b = 0; b < members.size(); ++b) {
      for (const LoopEdge& edge : graph_.edges) {
        if (edge.from != members[a].unit || edge.to != members[b].unit ||
            (!edge.flow && !edge.in_order) ||
            edge.distance != members[b].iteration - members[a].iteration)
          continue;
        Edge inside = edge.pair ? *edge.pair : Edge{};
        if (!edge.forward) inside.within = Within::kNever;
        if (edge.in_order) {
          inside.within = Within::kFree;
          inside.in_order = inside.soft = true;
        }
        inside.from = static_cast<int>(a);
        inside.to = static_cast<int>(b);
        for (Forward& f : inside.forwards) f.unit = static_cast<int>(f.unit == 0 ? a : b);
        const int number = static_cast<int>(graph.edges.size());
        graph.out[a].push_back(number);
        graph.in[b].push_back(number);
        graph.edges.push_back(std::move(inside));
      }
    }
  }
  const PacketMaker maker(block, graph, resources_);
  return maker.make(all, {last, false}, true);
}

bool ModuloPackets::fits(std::vector<Member> members, bool last) {
  std::sort(members.begin(), members.end());
  std::string key(1, last ? 'l' : 'm');
  for (const Member& m : members) {
    key += static_cast<char>(m.unit);
    key += static_cast<char>(m.iteration - members[0].iteration + 64);
  }
  const auto [at, fresh] = known_.try_emplace(std::move(key), false);
  if (fresh) at->second = make(members, last, body_).has_value();
  return at->second;
}

namespace {

class Search {
 public:
  Search(const std::vector<std::vector<int>>& ways, const LoopGraph& graph, ModuloPackets& packets,
         int instructions, int ii, int64_t limit)
      : ways_(ways), packets_(packets), n_(instructions), ii_(ii), limit_(limit) {
    edges_.resize(static_cast<size_t>(n_));
    for (const LoopEdge& edge : graph.edges) {
      if (!edge.forward) continue;
      edges_[static_cast<size_t>(edge.from)].push_back(&edge);
      edges_[static_cast<size_t>(edge.to)].push_back(&edge);
    }
    start_.assign(static_cast<size_t>(n_), kUnplaced);
    tied_.assign(static_cast<size_t>(n_), false);
    slots_.resize(static_cast<size_t>(ii_));
  }

  int64_t tries() const { return tries_; }

  // Those that start together with another go first, while there is room for them in a packet;
  // false: there are none.
  bool tied_first() {
    bool any = false;
    for (int u = 0; u < n_; ++u) {
      bool tied = false;
      for (int v = 0; v < n_; ++v) tied = tied || (u != v && way(u, v) == 0 && way(v, u) == 0);
      tied_[static_cast<size_t>(u)] = tied;
      any = any || tied;
    }
    return any;
  }

  std::optional<ModuloSchedule> run() {
    if (!place(0)) return std::nullopt;
    const int least = *std::min_element(start_.begin(), start_.end());
    const int shift = floor_div(least, ii_) * ii_;
    ModuloSchedule schedule;
    schedule.ii = ii_;
    int most = 0;
    for (const int s : start_) {
      schedule.start.push_back(s - shift);
      most = std::max(most, s - shift);
    }
    schedule.stages = most / ii_ + 1;
    return schedule;
  }

 private:
  static constexpr int kUnplaced = -(1 << 22), kFar = 1 << 20;
  struct Window {
    int low = -kFar, high = kFar;
  };

  Window window(int u) const {
    Window w;
    for (int v = 0; v < n_; ++v) {
      const auto k = static_cast<size_t>(v);
      if (start_[k] == kUnplaced) continue;
      const int to = ways_[k][static_cast<size_t>(u)], from = ways_[static_cast<size_t>(u)][k];
      if (to != kNoWay) w.low = std::max(w.low, start_[k] + to);
      if (from != kNoWay) w.high = std::min(w.high, start_[k] - from);
    }
    return w;
  }

  int way(int u, int v) const { return ways_[static_cast<size_t>(u)][static_cast<size_t>(v)]; }

  // The unplaced instruction with the fewest times left; among the unbounded, the one that the
  // longest way starts from.
  int next() const {
    int best = -1;
    std::tuple<bool, int, int> score{};
    for (int u = 0; u < n_; ++u) {
      if (start_[static_cast<size_t>(u)] != kUnplaced) continue;
      const Window w = window(u);
      const bool low = w.low > -kFar, high = w.high < kFar;
      const int width = low && high   ? std::min(w.high - w.low + 1, 4 * ii_)
                        : low || high ? 4 * ii_ + 1
                                      : 4 * ii_ + 2;
      int height = 0;
      for (int v = 0; v < n_; ++v)
        height = std::max(height, ways_[static_cast<size_t>(u)][static_cast<size_t>(v)]);
      const std::tuple<bool, int, int> mine{!tied_[static_cast<size_t>(u)], width, -height};
      if (best < 0 || mine < score) {
        best = u;
        score = mine;
      }
    }
    return best;
  }

  // Forwarded dependences: together, or at least their latency apart.
  bool gaps_hold(int u) const {
    for (const LoopEdge* edge : edges_[static_cast<size_t>(u)]) {
      const int from = start_[static_cast<size_t>(edge->from)];
      const int to = start_[static_cast<size_t>(edge->to)];
      if (from == kUnplaced || to == kUnplaced) continue;
      const int gap = to + edge->distance * ii_ - from;
      if (gap != 0 && gap < edge->latency) return false;
    }
    return true;
  }

  bool place(int placed) {
    if (placed == n_) return true;
    const int u = next();
    const Window w = window(u);
    int from = w.low > -kFar ? w.low : w.high < kFar ? w.high - ii_ + 1 : 0;
    int to = w.high < kFar ? w.high : from + ii_ - 1;
    to = std::min(to, from + ii_ - 1);
    // without anything before it, as late as possible: short lifetimes
    const bool down = w.low <= -kFar && w.high < kFar;
    for (int k = 0; k <= to - from; ++k) {
      const int time = down ? to - k : from + k;
      if (++tries_ > limit_) return false;
      const auto slot = static_cast<size_t>(time - floor_div(time, ii_) * ii_);
      std::vector<ModuloPackets::Member> members = slots_[slot];
      members.push_back({u, -floor_div(time, ii_)});
      if (members.size() > 4) continue;
      start_[static_cast<size_t>(u)] = time;
      if (gaps_hold(u) && packets_.fits(members, slot + 1 == slots_.size())) {
        slots_[slot].push_back(members.back());
        if (place(placed + 1)) return true;
        slots_[slot].pop_back();
      }
      start_[static_cast<size_t>(u)] = kUnplaced;
      if (tries_ > limit_) return false;
    }
    return false;
  }

  const std::vector<std::vector<int>>& ways_;
  ModuloPackets& packets_;
  int n_, ii_;
  int64_t limit_, tries_ = 0;
  std::vector<std::vector<const LoopEdge*>> edges_;
  std::vector<int> start_;
  std::vector<bool> tied_;
  std::vector<std::vector<ModuloPackets::Member>> slots_;
};

}  // namespace

std::optional<ModuloSchedule> modulo_schedule(const std::vector<std::vector<int>>& ways,
                                              const LoopGraph& graph, ModuloPackets& packets,
                                              int instructions, int ii, bool tied_first,
                                              int64_t limit, int64_t& tries) {
  tries = 0;
  Search search(ways, graph, packets, instructions, ii, limit);
  if (tied_first && !search.tied_first()) return std::nullopt;
  std::optional<ModuloSchedule> schedule = search.run();
  tries = search.tries();
  return schedule;
}

}  // namespace burin::vliw
