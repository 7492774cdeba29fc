// Packing: buffers with sizes and times into one arena of the least height (dynamic storage
// allocation; NP-complete, hence a search under a certificate).
//
//   offset            time ->  0  1  2  3
//   3             +-----+               buffers: A 1 high, live 0..3
//   2       +-----|  C  |                        B 1 high, live 0..1
//   1       |  B  +-----+                        C 2 high, live 2..3
//   0       |  A        |               lower bound 3 = height: optimal
//           +-----------+
//
// The largest sum of live sizes bounds every solution from below; where the greedy rules reach it
// the answer is certified and no search is made. Otherwise branch and bound
// (plan/packing/packing_search.h), first at the lower bound, then bisecting. Budgets count nodes,
// so the same input gives the same answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace burin {

// Positions of the step tree, both ends inclusive.
struct Interval {
  int first = 0;
  int last = 0;
  bool operator==(const Interval&) const = default;
};

struct LiveBuffer {
  int64_t size = 0;            // in any unit; at least 0
  std::vector<Interval> live;  // sorted, disjoint; branches of an If leave gaps
  bool operator==(const LiveBuffer&) const = default;
};

// How to pack: as well as is known, or as one of the two baselines does (one greedy pass).
enum class BufferPackingRule : uint8_t {
  searched,      // greedy rules, then search where they are not certified
  peak_outward,  // SoD2 4.4.1: from the position of the peak outward, best fit
  best_fit,      // as MNN: in the order of time, the smallest free block that is large enough
};
std::string_view to_string(BufferPackingRule rule);

struct BufferPackingOptions {
  BufferPackingRule rule = BufferPackingRule::searched;
  int64_t node_budget = 60000;  // of the search, for the whole problem; 0: greedy only
  int64_t give_up_height = 0;   // a solution of at most this height is good enough
};

struct BufferPacking {
  std::vector<int64_t> offsets;  // by buffer
  int64_t height = 0;
  int64_t lower_bound = 0;  // proven: no solution is lower
  bool optimal = false;     // height == lower_bound
  int64_t nodes = 0;        // visited by the search
  std::string method;       // "best fit by size", "search": what found it
  bool operator==(const BufferPacking&) const = default;
};

bool lives_overlap(const std::vector<Interval>& a, const std::vector<Interval>& b);
inline bool lives_overlap(const LiveBuffer& a, const LiveBuffer& b) {
  return lives_overlap(a.live, b.live);
}

// The largest sum of sizes over all positions.
int64_t live_sum_bound(const std::vector<LiveBuffer>& buffers);

// One baseline by itself.
BufferPacking pack_buffers_by(const std::vector<LiveBuffer>& buffers, BufferPackingRule rule);

// All greedy rules: best fit and first fit, each by size, by area, by lifetime, from the peak
// outward and in the order of time. O(rules * n * conflicts * log).
std::vector<BufferPacking> pack_buffers_by_all(const std::vector<LiveBuffer>& buffers);

// The best of them, certified where it reaches the bound.
BufferPacking pack_buffers_greedily(const std::vector<LiveBuffer>& buffers);

// Greedy, then search where greedy is not certified. Never worse than pack_buffers_greedily.
BufferPacking pack_buffers(const std::vector<LiveBuffer>& buffers,
                           const BufferPackingOptions& options = {});

// Independent of the solver, from the definition, O(n^2): the first fault found, or empty.
std::string check_buffer_packing(const std::vector<LiveBuffer>& buffers,
                                 const BufferPacking& solution);

}  // namespace burin
