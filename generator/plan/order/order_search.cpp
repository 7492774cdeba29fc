#include "plan/order/order_search.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "plan/order/order_part.h"
#include "plan/packing/regret.h"
#include "support/at.h"

namespace burin {
namespace {

// Live bytes while each node runs, in a given order.
std::vector<int64_t> profile_of(const OrderProblem& problem, const std::vector<int>& order,
                                size_t point) {
  const std::vector<int64_t>& sizes = problem.sizes[point];
  const size_t steps = order.size();
  std::vector<int> first(sizes.size(), -1);
  std::vector<int> last(sizes.size(), -1);
  for (size_t i = 0; i < steps; ++i) {
    for (const int value : problem.touches[at(order[i])]) {
      if (first[at(value)] < 0) first[at(value)] = static_cast<int>(i);
      last[at(value)] = static_cast<int>(i);
    }
  }
  std::vector<int64_t> change(steps + 1, 0);
  for (size_t v = 0; v < sizes.size(); ++v) {
    if (first[v] < 0) continue;
    change[at(first[v])] += sizes[v];
    change[at(last[v] + 1)] -= sizes[v];
  }
  std::vector<int64_t> profile(steps);
  int64_t live = 0;
  for (size_t i = 0; i < steps; ++i) {
    live += change[i];
    profile[i] = live + problem.extra[point][at(order[i])];
  }
  return profile;
}

// Ends of the parts of the given order: a node that is before or after every other one ends a part.
// All nodes before one lead to it where each of them has a successor no later than that one,
// because then no way from them ends earlier; what comes after follows likewise.
std::vector<int> part_ends(const OrderProblem& problem) {
  const int n = problem.nodes;
  std::vector<int> next(at(n), n),
      previous(at(n), -1);  // the first successor, the last predecessor
  for (int node = 0; node < n; ++node) {
    for (const int earlier : problem.after[at(node)]) {
      next[at(earlier)] = std::min(next[at(earlier)], node);
      previous[at(node)] = std::max(previous[at(node)], earlier);
    }
  }
  std::vector<bool> follows(at(n), true);  // everything later comes after it
  for (int node = n - 1, least = n; node >= 0; --node) {
    follows[at(node)] = least >= node;
    least = std::min(least, previous[at(node)]);
  }
  std::vector<int> ends;
  for (int node = 0, most = 0; node < n; ++node) {
    if (node == n - 1 || (most <= node && follows[at(node)])) ends.push_back(node + 1);
    most = std::max(most, next[at(node)]);
  }
  return ends;
}

constexpr size_t kSearched = 5;  // points; the others only judge
constexpr int kProvable = 64;    // nodes of a part whose orders are compared by proofs

struct SearchedPart {
  int first, end;
  std::vector<int64_t> given;  // peaks by point
  // Millionths of the highest peak that it stays below, at the point where that is least.
  int64_t below = std::numeric_limits<int64_t>::max();
};

struct Candidate {
  std::vector<int> order;      // of the part
  std::vector<int64_t> peaks;  // by point, no less than those of other parts
};

class ListSearch {
 public:
  ListSearch(const OrderProblem& problem, const OrderLimits& limits)
      : p_(problem), limits_(limits), floors_(problem.sizes.size(), 0) {}

  OrderSolution run() {
    solution_.order.resize(at(p_.nodes));
    std::iota(solution_.order.begin(), solution_.order.end(), 0);
    solution_.optimal = limits_.search;
    std::vector<SearchedPart> parts = parts_of();
    for (SearchedPart& part : parts) solution_.parts.push_back(described(part));
    std::vector<size_t> turns(parts.size());
    std::iota(turns.begin(), turns.end(), size_t{0});
    std::stable_sort(turns.begin(), turns.end(),
                     [&](size_t a, size_t b) { return parts[a].below < parts[b].below; });
    for (const size_t turn : turns) improve(parts[turn], solution_.parts[turn].method);
    for (size_t k = 0; k < points(); ++k)
      solution_.peaks.push_back(peak_of(p_, solution_.order, k));
    return std::move(solution_);
  }

 private:
  size_t points() const { return p_.sizes.size(); }

  std::vector<SearchedPart> parts_of() const {
    std::vector<SearchedPart> parts;
    int first = 0;
    for (const int end : part_ends(p_)) {
      parts.push_back({.first = first, .end = end, .given = {}});
      first = end;
    }
    for (size_t k = 0; k < points(); ++k) {
      const std::vector<int64_t> profile = profile_of(p_, solution_.order, k);
      const int64_t peak = *std::max_element(profile.begin(), profile.end());
      for (SearchedPart& part : parts) {
        part.given.push_back(
            *std::max_element(profile.begin() + part.first, profile.begin() + part.end));
        part.below =
            std::min(part.below, -millionths_above(part.given.back(), std::max<int64_t>(1, peak)));
      }
    }
    return parts;
  }

  OrderedPart described(const SearchedPart& part) const {
    OrderedPart out{part.first, part.end - part.first, PartClass::constant, "as given"};
    for (int node = part.first; node < part.end; ++node)
      out.part_class = std::max(out.part_class, p_.classes[at(node)]);
    return out;
  }

  // Pieces of the part, each searched by itself.
  std::vector<int> in_pieces(const SearchedPart& part, size_t point) const {
    // As many sets for all of them as for a search of the whole.
    const int64_t pieces = (part.end - part.first) / limits_.piece + 1;
    const int64_t budget = limits_.state_budget / pieces;
    std::vector<int> order;
    for (int first = part.first; first < part.end;) {
      int end = first + 1;
      while (end < part.end && end - first < limits_.piece && !p_.cuts[at(end - 1)]) ++end;
      const PartOrder piece =
          order_part(p_, {first, end, point, floors_[point], part.given[point], budget});
      for (int node = first; node < end; ++node)
        order.push_back(piece.order.empty() ? node : piece.order[at(node - first)]);
      first = end;
    }
    return order;
  }

  std::vector<int64_t> peaks_with(const SearchedPart& part, const std::vector<int>& order) const {
    std::vector<int> whole = solution_.order;
    std::copy(order.begin(), order.end(), whole.begin() + part.first);
    std::vector<int64_t> peaks;
    for (size_t k = 0; k < points(); ++k) {
      const std::vector<int64_t> profile = profile_of(p_, whole, k);
      peaks.push_back(std::max(
          floors_[k], *std::max_element(profile.begin() + part.first, profile.begin() + part.end)));
    }
    return peaks;
  }

  // Sums of live bytes while each node of the part runs.
  std::vector<Dim> sums_with(const SearchedPart& part, const std::vector<int>& order) const {
    std::vector<int> whole = solution_.order;
    std::copy(order.begin(), order.end(), whole.begin() + part.first);
    std::vector<int> first(p_.bytes.size(), p_.nodes);
    std::vector<int> last(p_.bytes.size(), -1);
    for (int i = 0; i < p_.nodes; ++i) {
      for (const int value : p_.touches[at(whole[at(i)])]) {
        first[at(value)] = std::min(first[at(value)], i);
        last[at(value)] = i;
      }
    }
    std::vector<Dim> sums(at(part.end - part.first), Dim(0));
    for (size_t v = 0; v < p_.bytes.size(); ++v) {
      for (int i = std::max(first[v], part.first); i <= std::min(last[v], part.end - 1); ++i)
        sums[at(i - part.first)] += p_.bytes[v];
    }
    return sums;
  }

  bool is_provable(const SearchedPart& part) const {
    if (part.end - part.first > kProvable) return false;
    for (int node = part.first; node < part.end; ++node) {
      if (p_.extra[0][at(node)] > 0) return false;
    }
    return true;
  }

  // Whether each is proven to be at most one of the others.
  static bool are_below(const std::vector<Dim>& lower, const std::vector<Dim>& higher) {
    return std::all_of(lower.begin(), lower.end(), [&](const Dim& sum) {
      return std::any_of(higher.begin(), higher.end(),
                         [&](const Dim& other) { return proven_le(sum, other); });
    });
  }

  bool dominates(const SearchedPart& part, const Candidate& a, const Candidate& b) const {
    if (!is_provable(part)) return false;
    for (size_t k = 0; k < points(); ++k) {
      if (a.peaks[k] > b.peaks[k]) return false;
    }
    return are_below(sums_with(part, a.order), sums_with(part, b.order));
  }

  // Whether no order has a lower peak at any size: while a node runs, what it touches is live, and
  // no sum of live bytes is above that of some node.
  bool is_least(const SearchedPart& part, const Candidate& candidate) const {
    if (!is_provable(part)) return false;
    Dim across = 0;  // live all the time
    for (size_t v = 0; v < p_.bytes.size(); ++v) {
      const auto touches = [&](int first, int end) {
        return std::any_of(p_.touches.begin() + first, p_.touches.begin() + end,
                           [&](const auto& values) {
                             return std::binary_search(values.begin(), values.end(), int(v));
                           });
      };
      if (touches(0, part.first) && touches(part.end, p_.nodes)) across += p_.bytes[v];
    }
    std::vector<Dim> needs;
    for (int node = part.first; node < part.end; ++node) {
      Dim need = across;
      for (const int value : p_.touches[at(node)]) need += p_.bytes[at(value)];
      needs.push_back(std::move(need));
    }
    return are_below(sums_with(part, candidate.order), needs);
  }

  std::string how_known(const SearchedPart& part, const std::vector<Candidate>& candidates,
                        size_t best) const {
    if (is_least(part, candidates[best])) return ", least at all sizes";
    const std::string number = std::to_string(points());
    if (candidates.size() == 1) return ", given order, judged at " + number + " points";
    for (size_t c = 0; c < candidates.size(); ++c) {
      if (c != best && !dominates(part, candidates[best], candidates[c]))
        return ", compared at " + number + " points";
    }
    return ", never above the " + std::to_string(candidates.size() - 1) + " others";
  }

  // The index of the best candidate, and how that is known.
  size_t choose(const SearchedPart& part, const std::vector<Candidate>& candidates,
                const std::vector<int64_t>& least, std::string& method) const {
    size_t best = 0;
    for (size_t c = 1; c < candidates.size(); ++c) {
      if (regret_of(candidates[c].peaks, least) < regret_of(candidates[best].peaks, least))
        best = c;
    }
    if (points() == 1) return best;
    method += how_known(part, candidates, best);
    return best;
  }

  void improve(const SearchedPart& part, std::string& method) {
    std::vector<Candidate> candidates;
    const auto add = [&](std::vector<int> order) {
      for (const Candidate& known : candidates) {
        if (known.order == order) return;
      }
      std::vector<int64_t> peaks = peaks_with(part, order);
      candidates.push_back({std::move(order), std::move(peaks)});
    };
    // What is no higher than the highest part done so far need not change; nor is it compared,
    // which takes a walk over all nodes for each order.
    const auto is_searched = [&](size_t k) { return part.given[k] > floors_[k]; };
    bool searched = false;
    for (size_t k = 0; k < std::min(points(), kSearched); ++k)
      searched = searched || (limits_.search && is_searched(k));
    if (!searched) {
      for (size_t k = 0; k < points(); ++k) floors_[k] = std::max(floors_[k], part.given[k]);
      return;
    }
    std::vector<int> given(at(part.end - part.first));
    std::iota(given.begin(), given.end(), part.first);
    add(std::move(given));
    bool complete = true;
    for (size_t k = 0; k < std::min(points(), kSearched); ++k) {
      if (!is_searched(k)) continue;
      PartOrder found = order_part(
          p_, {part.first, part.end, k, floors_[k], part.given[k], limits_.state_budget});
      if (!found.order.empty()) add(std::move(found.order));
      if (found.complete) continue;
      complete = false;
      if (k == 0) solution_.optimal = false;
      add(in_pieces(part, k));
    }
    std::vector<int64_t> least = candidates[0].peaks;
    for (const Candidate& candidate : candidates) {
      for (size_t k = 0; k < points(); ++k) least[k] = std::min(least[k], candidate.peaks[k]);
    }
    method = complete ? "exhaustive" : "beam and pieces of " + std::to_string(limits_.piece);
    const Candidate& best = candidates[choose(part, candidates, least, method)];
    solution_.optimal = solution_.optimal && best.peaks[0] == least[0];
    std::copy(best.order.begin(), best.order.end(), solution_.order.begin() + part.first);
    floors_ = best.peaks;
  }

  const OrderProblem& p_;
  const OrderLimits& limits_;
  std::vector<int64_t> floors_;  // by point: the highest part that is done
  OrderSolution solution_;
};

}  // namespace

std::string_view to_string(PartClass part_class) {
  static constexpr std::string_view kNames[] = {"constant", "mixed", "nac"};
  return kNames[static_cast<size_t>(part_class)];
}

int64_t peak_of(const OrderProblem& problem, const std::vector<int>& order, size_t point) {
  int64_t peak = 0;
  for (const int64_t live : profile_of(problem, order, point)) peak = std::max(peak, live);
  return peak;
}

OrderSolution search_order(const OrderProblem& problem, const OrderLimits& limits) {
  if (problem.nodes == 0) return {{}, std::vector<int64_t>(problem.sizes.size(), 0), true, {}};
  return ListSearch(problem, limits).run();
}

}  // namespace burin
