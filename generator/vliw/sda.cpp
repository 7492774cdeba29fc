// GCD2 section IV-C: soft-dependence-aware packing (Algorithm 1, Equation 4), as the algorithm
// works once its misprints are mended: the seed of a packet is the last unit of the critical path
// of what is left; a unit is free when every successor that is left is in the open packet and
// reached by soft edges only; nothing leaves the work list before its packet is closed, so that no
// hard predecessor of an open packet becomes free. Ties go to the later unit in block order.
// O(packets * (edges + free units * packet check)).
#include <algorithm>
#include <cmath>

#include "support/check.h"
#include "vliw/policy.h"

namespace burin::vliw {
namespace {

class Sda {
 public:
  Sda(const BlockProblem& problem, Policy policy, double w)
      : problem_(problem),
        graph_(problem.graph),
        policy_(policy),
        w_(w),
        n_(static_cast<int>(problem.block.units.size())) {
    left_.assign(static_cast<size_t>(n_), true);
    order_.assign(static_cast<size_t>(n_), 0);
    latency_.assign(static_cast<size_t>(n_), 1);
    path_.assign(static_cast<size_t>(n_), 0);
    open_successors_.assign(static_cast<size_t>(n_), 0);
    for (const Edge& edge : graph_.edges) {  // sorted by `from`, so distances come out in one sweep
      order_[static_cast<size_t>(edge.to)] = std::max(order_[static_cast<size_t>(edge.to)],
                                                      order_[static_cast<size_t>(edge.from)] + 1);
      latency_[static_cast<size_t>(edge.from)] =
          std::max(latency_[static_cast<size_t>(edge.from)], edge.latency);
      path_[static_cast<size_t>(edge.to)] =
          std::max(path_[static_cast<size_t>(edge.to)],
                   path_[static_cast<size_t>(edge.from)] + edge.latency);
      ++open_successors_[static_cast<size_t>(edge.from)];
    }
    for (int u = 0; u < n_; ++u) {
      if (open_successors_[static_cast<size_t>(u)] == 0) sinks_.push_back(u);
    }
  }

  Schedule run() {
    Schedule backwards;
    for (int packed = 0; packed < n_;) {
      std::vector<int> packet = {seed()};
      const PacketShape shape = backwards.empty() ? problem_.last : PacketShape{};
      while (true) {
        const int next = select(packet, shape);
        if (next < 0) break;
        packet.insert(std::upper_bound(packet.begin(), packet.end(), next), next);
      }
      for (const int u : packet) retire(u);
      packed += static_cast<int>(packet.size());
      backwards.push_back(std::move(packet));
    }
    std::reverse(backwards.begin(), backwards.end());
    return backwards;
  }

 private:
  // The end of the critical path is the sink with the longest way from the entry: paths only grow.
  int seed() const {
    int best = -1;
    for (const int u : sinks_) {
      if (best < 0 || key(u) > key(best)) best = u;
    }
    BURIN_CHECK(best >= 0);
    return best;
  }
  std::pair<int, int> key(int u) const {
    return {path_[static_cast<size_t>(u)] + latency_[static_cast<size_t>(u)], u};
  }

  // Free: every successor left is in the packet and the edge there allows sharing.
  bool free_with(int u, const std::vector<int>& packet) const {
    for (const int e : graph_.out[static_cast<size_t>(u)]) {
      const Edge& edge = graph_.edges[static_cast<size_t>(e)];
      if (!left_[static_cast<size_t>(edge.to)]) continue;
      if (std::find(packet.begin(), packet.end(), edge.to) == packet.end()) return false;
      if (edge.within == Within::kNever || (edge.soft && policy_ == Policy::kSoftToHard))
        return false;
    }
    return true;
  }

  int select(const std::vector<int>& packet, const PacketShape& shape) const {
    if (static_cast<int>(packet.size()) >= problem_.machine.instructions) return -1;
    int highest = 0;
    for (const int u : packet) highest = std::max(highest, latency_[static_cast<size_t>(u)]);
    std::vector<int> candidates;
    for (const int u : sinks_) candidates.push_back(u);
    for (const int v : packet) {
      for (const int e : graph_.in[static_cast<size_t>(v)])
        candidates.push_back(graph_.edges[static_cast<size_t>(e)].from);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    int best = -1;
    double best_score = 0;
    for (const int u : candidates) {
      if (!left_[static_cast<size_t>(u)] ||
          std::find(packet.begin(), packet.end(), u) != packet.end() || !free_with(u, packet))
        continue;
      const double score = score_of(u, packet, highest);
      if (best >= 0 && score < best_score) continue;
      std::vector<int> wider = packet;
      wider.insert(std::upper_bound(wider.begin(), wider.end(), u), u);
      if (!problem_.maker.fits(wider, shape, policy_ != Policy::kSoftToHard)) continue;
      best = u;
      best_score = score;
    }
    return best;
  }

  // Equation 4 and lines 27 and 28.
  double score_of(int u, const std::vector<int>& packet, int highest) const {
    const auto at = static_cast<size_t>(u);
    const double order = order_[at], predecessors = static_cast<double>(graph_.in[at].size());
    double score = (order + predecessors) * w_ - std::abs(highest - latency_[at]) * (1 - w_);
    if (policy_ == Policy::kSoftToNone) return score;
    double penalty = 0;
    for (const int e : graph_.out[at]) {
      const Edge& edge = graph_.edges[static_cast<size_t>(e)];
      if (std::find(packet.begin(), packet.end(), edge.to) != packet.end())
        penalty = std::max(penalty, edge.penalty);
    }
    return score - problem_.machine.sda_p * penalty;
  }

  void retire(int u) {
    left_[static_cast<size_t>(u)] = false;
    std::erase(sinks_, u);
    for (const int e : graph_.in[static_cast<size_t>(u)]) {
      const int from = graph_.edges[static_cast<size_t>(e)].from;
      if (--open_successors_[static_cast<size_t>(from)] == 0 && left_[static_cast<size_t>(from)])
        sinks_.push_back(from);
    }
  }

  const BlockProblem& problem_;
  const Graph& graph_;
  Policy policy_;
  double w_;
  int n_;
  std::vector<bool> left_;
  std::vector<int> order_, latency_, path_, open_successors_;
  std::vector<int> sinks_;  // units whose successors are all packed
};

}  // namespace

Schedule pack_sda(const BlockProblem& problem, Policy policy, double w) {
  return Sda(problem, policy, w).run();
}

}  // namespace burin::vliw
