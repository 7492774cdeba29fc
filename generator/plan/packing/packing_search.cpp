#include "plan/packing/packing_search.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "support/at.h"

namespace burin {
namespace {

using Ids = std::vector<int>;

// What does not change during a search. Sections are the stretches of time between two changes of
// the live set, numbered in time.
struct Problem {
  int buffers = 0;
  int sections = 0;
  std::vector<int64_t> size;
  std::vector<Ids> sections_of;  // by buffer, ascending
  std::vector<Ids> members;      // by section
  std::vector<Ids> conflicts;    // by buffer
  Ids first, last;               // by buffer: its first and last section
  Ids kind;                      // by buffer: equal for equal size and lifetime
  std::vector<int64_t> load;     // by section: sum of sizes
};

Problem problem_of(const std::vector<LiveBuffer>& buffers) {
  Problem p;
  p.buffers = static_cast<int>(buffers.size());
  std::map<int, int> cuts;  // positions where a section starts
  for (const LiveBuffer& buffer : buffers) {
    for (const Interval& live : buffer.live) {
      cuts[live.first] = 0;
      cuts[live.last + 1] = 0;
    }
  }
  for (auto& [position, section] : cuts) section = p.sections++;
  p.members.resize(at(p.sections));
  p.load.assign(at(p.sections), 0);
  for (int b = 0; b < p.buffers; ++b) {
    const LiveBuffer& buffer = buffers[at(b)];
    p.size.push_back(buffer.size);
    Ids sections;
    for (const Interval& live : buffer.live) {
      for (int s = cuts[live.first]; s < cuts[live.last + 1]; ++s) {
        sections.push_back(s);
        p.members[at(s)].push_back(b);
        p.load[at(s)] += buffer.size;
      }
    }
    p.first.push_back(sections.front());
    p.last.push_back(sections.back());
    p.sections_of.push_back(std::move(sections));
  }
  p.conflicts.resize(at(p.buffers));
  std::map<std::pair<int64_t, Ids>, int> seen;
  for (int a = 0; a < p.buffers; ++a) {
    for (int b = 0; b < a; ++b) {
      if (!lives_overlap(buffers[at(a)], buffers[at(b)])) continue;
      p.conflicts[at(a)].push_back(b);
      p.conflicts[at(b)].push_back(a);
    }
    p.kind.push_back(seen.try_emplace({p.size[at(a)], p.sections_of[at(a)]}, a).first->second);
  }
  return p;
}

// Static preferences; a lower rank is tried earlier. Total: the fullest section that a buffer is
// live in; width: how long it lives; area: width times size.
std::vector<Ids> preorders(const Problem& p) {
  std::vector<double> total(at(p.buffers)), width(at(p.buffers)), area(at(p.buffers)), size;
  for (int b = 0; b < p.buffers; ++b) {
    for (const int s : p.sections_of[at(b)]) {
      total[at(b)] = std::max(total[at(b)], static_cast<double>(p.load[at(s)]));
    }
    width[at(b)] = static_cast<double>(p.sections_of[at(b)].size());
    size.push_back(static_cast<double>(p.size[at(b)]));
    area[at(b)] = width[at(b)] * size[at(b)];
  }
  using Keys = std::vector<const std::vector<double>*>;
  std::vector<Ids> orders;
  for (const Keys& keys : {Keys{&width, &area, &total}, Keys{&total, &area, &width},
                           Keys{&total, &width, &area}, Keys{&total, &size, &width}}) {
    Ids order(at(p.buffers));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      for (const auto* key : keys) {
        if ((*key)[at(a)] != (*key)[at(b)]) return (*key)[at(a)] > (*key)[at(b)];
      }
      return false;
    });
    Ids rank(at(p.buffers));
    for (int i = 0; i < p.buffers; ++i) rank[at(order[at(i)])] = i;
    orders.push_back(std::move(rank));
  }
  return orders;
}

// The same order with every rank moved up by as much as a third of the whole. A search that has
// gone astray high up stays there; many short ones from different starts find a packing sooner
// (heavy tails of backtracking). `noise` is the state of a linear congruential generator.
Ids shaken(const Ids& rank, uint64_t& noise) {
  const auto span = static_cast<uint64_t>(rank.size() / 3 + 1);
  std::vector<std::pair<int, int>> keys;  // new rank, buffer
  for (size_t b = 0; b < rank.size(); ++b) {
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    keys.emplace_back(rank[b] + static_cast<int>((noise >> 33) % span), static_cast<int>(b));
  }
  std::sort(keys.begin(), keys.end());
  Ids result(rank.size());
  for (size_t i = 0; i < keys.size(); ++i) result[at(keys[i].second)] = static_cast<int>(i);
  return result;
}

class Search {
 public:
  Search(const Problem& problem, const Ids& rank, int64_t capacity, int64_t limit)
      : p_(problem), rank_(rank), capacity_(capacity), limit_(limit) {
    base_.assign(at(p_.buffers), 0);
    start_ = base_;
    placed_.assign(at(p_.buffers), 0);
    rest_ = p_.load;
    floor_.assign(at(p_.sections), 0);
    stamp_of_.assign(at(p_.sections), 0);
  }

  SearchResult run() {
    for (const int64_t load : p_.load) {
      if (load > capacity_) return SearchResult::infeasible;
    }
    Ids all(at(p_.buffers));
    std::iota(all.begin(), all.end(), 0);
    std::stable_sort(all.begin(), all.end(),
                     [&](int a, int b) { return p_.first[at(a)] < p_.first[at(b)]; });
    return solve_parts(all);
  }

  const std::vector<int64_t>& offsets() const { return start_; }
  int64_t nodes() const { return nodes_; }

 private:
  // Splits `unplaced` (by first section) where nothing connects it in time, and solves each part.
  SearchResult solve_parts(const Ids& unplaced) {
    std::vector<Ids> parts;
    int reach = -1;
    for (const int b : unplaced) {
      if (p_.first[at(b)] > reach) parts.emplace_back();
      parts.back().push_back(b);
      reach = std::max(reach, p_.last[at(b)]);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Ids& a, const Ids& b) { return a.size() < b.size(); });
    for (const Ids& part : parts) {
      const SearchResult result = solve(part);
      if (result != SearchResult::solved) return result;
    }
    return SearchResult::solved;
  }

  // Places all of `part`. When it cannot, the caller takes back what was done (trail).
  SearchResult solve(const Ids& part) {
    while (true) {
      if (++nodes_ > limit_) return SearchResult::out_of_nodes;
      const int b = choose(part);
      if (b < 0) return SearchResult::infeasible;
      const size_t mark = trail_.size();
      const int64_t lowest = start_[at(b)];
      if (place(b)) {
        Ids rest;
        for (const int other : part) {
          if (other != b) rest.push_back(other);
        }
        const SearchResult result = solve_parts(rest);
        if (result != SearchResult::infeasible) return result;
      }
      undo(mark);
      // Not there: then it, and what equals it, lies above.
      if (!raise(part, b, lowest + 1)) return SearchResult::infeasible;
    }
  }

  // The buffer to branch on: of the sections that start lowest the one with the least slack, of its
  // lowest buffers the one of least rank. -1 when a buffer would fit below all others (dominance).
  int choose(const Ids& part) const {
    int64_t lowest = std::numeric_limits<int64_t>::max();
    int64_t lowest_top = lowest;
    int first = std::numeric_limits<int>::max();
    int last = 0;
    for (const int b : part) {
      lowest = std::min(lowest, start_[at(b)]);
      lowest_top = std::min(lowest_top, base_[at(b)] + p_.size[at(b)]);
      first = std::min(first, p_.first[at(b)]);
      last = std::max(last, p_.last[at(b)]);
    }
    if (lowest_top <= lowest) return -1;
    int section = -1;
    for (int s = first; s <= last; ++s) {
      if (rest_[at(s)] == 0 || floor_[at(s)] != lowest) continue;
      if (section < 0 || rest_[at(s)] > rest_[at(section)]) section = s;
    }
    int best = -1;
    for (const int b : p_.members[at(section)]) {
      if (placed_[at(b)] || start_[at(b)] != lowest) continue;
      if (best < 0 || rank_[at(b)] < rank_[at(best)]) best = b;
    }
    return best;
  }

  void set_start(int b, int64_t start) {
    trail_.push_back({Change::start, b, start_[at(b)]});
    start_[at(b)] = start;
  }

  // Puts the buffer at its start; false when what is left cannot fit any more.
  bool place(int b) {
    const int64_t top = start_[at(b)] + p_.size[at(b)];
    trail_.push_back({Change::placed, b, 0});
    placed_[at(b)] = 1;
    for (const int s : p_.sections_of[at(b)]) rest_[at(s)] -= p_.size[at(b)];
    ++stamp_;
    Ids touched;
    touch(b, touched);
    for (const int other : p_.conflicts[at(b)]) {
      if (placed_[at(other)]) continue;
      if (base_[at(other)] < top) {
        trail_.push_back({Change::base, other, base_[at(other)]});
        base_[at(other)] = top;
      }
      if (start_[at(other)] >= top) continue;
      if (top + p_.size[at(other)] > capacity_) return false;
      set_start(other, top);
      touch(other, touched);
    }
    return update_floors(touched);
  }

  // Forbids everything below `lowest` to the buffer and its unplaced twins. What does not rest on a
  // placed buffer must rest on one that is still to come.
  bool raise(const Ids& part, int b, int64_t lowest) {
    ++stamp_;
    Ids touched;
    for (const int twin : part) {
      if (p_.kind[at(twin)] != p_.kind[at(b)]) continue;
      int64_t support = std::numeric_limits<int64_t>::max();
      for (const int other : p_.conflicts[at(twin)]) {
        if (!placed_[at(other)])
          support = std::min(support, start_[at(other)] + p_.size[at(other)]);
      }
      if (support == std::numeric_limits<int64_t>::max()) return false;
      const int64_t start = std::max(lowest, support);
      if (start + p_.size[at(twin)] > capacity_) return false;
      set_start(twin, start);
      touch(twin, touched);
    }
    return update_floors(touched);
  }

  void touch(int b, Ids& touched) {
    for (const int s : p_.sections_of[at(b)]) {
      if (stamp_of_[at(s)] == stamp_) continue;
      stamp_of_[at(s)] = stamp_;
      touched.push_back(s);
    }
  }

  bool update_floors(const Ids& touched) {
    for (const int s : touched) {
      if (rest_[at(s)] == 0) continue;
      int64_t floor = std::numeric_limits<int64_t>::max();
      for (const int member : p_.members[at(s)]) {
        if (!placed_[at(member)]) floor = std::min(floor, start_[at(member)]);
      }
      if (floor != floor_[at(s)]) {
        trail_.push_back({Change::floor, s, floor_[at(s)]});
        floor_[at(s)] = floor;
      }
      if (floor + rest_[at(s)] > capacity_) return false;
    }
    return true;
  }

  void undo(size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) {
      const Change& change = trail_.back();
      switch (change.what) {
        case Change::start:
          start_[at(change.id)] = change.old;
          break;
        case Change::base:
          base_[at(change.id)] = change.old;
          break;
        case Change::floor:
          floor_[at(change.id)] = change.old;
          break;
        case Change::placed:
          placed_[at(change.id)] = 0;
          for (const int s : p_.sections_of[at(change.id)]) {
            rest_[at(s)] += p_.size[at(change.id)];
          }
          break;
      }
    }
  }

  struct Change {
    enum What : uint8_t { start, base, floor, placed } what;
    int id;
    int64_t old;
  };

  const Problem& p_;
  const Ids& rank_;
  int64_t capacity_;
  int64_t limit_;
  int64_t nodes_ = 0;
  std::vector<int64_t> base_;  // by buffer: the highest top of what is placed and conflicts with it
  std::vector<int64_t> start_;  // by buffer: the lowest offset left to it; its offset once placed
  std::vector<char> placed_;
  std::vector<int64_t> rest_;      // by section: sum of sizes still to be placed
  std::vector<int64_t> floor_;     // by section: the lowest start of those
  std::vector<int64_t> stamp_of_;  // by section: the last update that touched it
  int64_t stamp_ = 0;
  std::vector<Change> trail_;
};

}  // namespace

SearchOutcome search_buffer_packing(const std::vector<LiveBuffer>& buffers, int64_t capacity,
                                    int64_t node_budget) {
  constexpr int kShakes = 8;  // variants of each order per round
  const Problem problem = problem_of(buffers);
  const std::vector<Ids> orders = preorders(problem);
  uint64_t noise = 1;
  SearchOutcome outcome;
  for (int64_t limit = 500; outcome.nodes < node_budget; limit *= 2) {
    for (int shake = 0; shake < kShakes; ++shake) {
      for (const Ids& order : orders) {
        const int64_t left = node_budget - outcome.nodes;
        if (left <= 0) return outcome;
        const Ids rank = shake == 0 && limit == 500 ? order : shaken(order, noise);
        Search search(problem, rank, capacity, std::min(limit, left));
        outcome.result = search.run();
        outcome.nodes += search.nodes();
        if (outcome.result == SearchResult::out_of_nodes) continue;
        if (outcome.result == SearchResult::solved) outcome.offsets = search.offsets();
        return outcome;
      }
    }
  }
  return outcome;
}

}  // namespace burin
