// SPDX-License-Identifier: MIT-0
// Boxes that survive greedy suppression: per batch and class the highest scores first, dropping
// each box that overlaps a kept one by more than a threshold (intersection over union).
//
// reads      0: boxes, float[batches, boxes, 4]; 1: scores, float[batches, classes, boxes];
//            2: thresholds, float[2]: of the overlap (in [0, 1]), of the score
// writes     0: selected, int64[count, 3] of (batch, class, box); room for `capacity` rows
// arguments  0: capacity, 1: batches, 2: classes, 3: boxes, 4: most boxes per batch and class,
//            5: whether that of the score applies, 6: boxes are (x, y, width, height) about the
//            centre (1) or two opposite corners (y, x, y, x) (0)
// results    0: count
// scratch    8*boxes bytes
// Equal scores: lower box first. A score must exceed the threshold; NaN scores are dropped. A box
// without area suppresses nothing. O(boxes * (log(boxes) + kept)) per batch and class.
#ifndef BURIN_RT_PROCEDURES_NON_MAX_SUPPRESSION_H
#define BURIN_RT_PROCEDURES_NON_MAX_SUPPRESSION_H

#include "../fma.h"
#include "../tree.h"
#include "call.h"
#include "order.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t non_max_suppression_scratch_bytes(const int64_t* arguments) {
  return arguments[3] > 0 ? 8 * arguments[3] : 0;
}

namespace detail {

template <class T>
struct Box {
  T x_low, y_low, x_high, y_high;
};

template <class T>
static inline Box<T> box_from(const T* p, bool centred) {
  if (centred) {
    const T half_width = p[2] * static_cast<T>(0.5);
    const T half_height = p[3] * static_cast<T>(0.5);
    return {p[0] - half_width, p[1] - half_height, p[0] + half_width, p[1] + half_height};
  }
  return {p[1] < p[3] ? p[1] : p[3], p[0] < p[2] ? p[0] : p[2], p[1] < p[3] ? p[3] : p[1],
          p[0] < p[2] ? p[2] : p[0]};
}

template <class T>
static inline bool overlaps_more_than(const Box<T>& a, const Box<T>& b, T threshold) {
  const T x_low = a.x_low > b.x_low ? a.x_low : b.x_low;
  const T y_low = a.y_low > b.y_low ? a.y_low : b.y_low;
  const T x_high = a.x_high < b.x_high ? a.x_high : b.x_high;
  const T y_high = a.y_high < b.y_high ? a.y_high : b.y_high;
  if (!(x_low < x_high) || !(y_low < y_high)) return false;
  const T common = product(x_high - x_low, y_high - y_low);
  const T area_a = product(a.x_high - a.x_low, a.y_high - a.y_low);
  const T area_b = product(b.x_high - b.x_low, b.y_high - b.y_low);
  const T either = area_a + area_b - common;
  return area_a > 0 && area_b > 0 && either > 0 && common / either > threshold;
}

// The boxes that count, by descending scores; gives how many they are.
template <class T>
static inline int64_t list_candidates(int64_t* list, const T* score, int64_t boxes,
                                      bool limit_scores, T limit) {
  int64_t candidates = 0;
  for (int64_t i = 0; i < boxes; ++i) {
    const bool wanted = limit_scores ? score[i] > limit : score[i] == score[i];
    if (wanted) list[candidates++] = i;
  }
  if (kHasRank<T>) {  // known while compiling; C++14 has no other word for it
    if (boxes <= kMostPlaces) {
      for (int64_t i = 0; i < candidates; ++i) list[i] = ranked(rank_of(score[list[i]]), list[i]);
      sort_indices(list, candidates, RankedFirst{});
      for (int64_t i = 0; i < candidates; ++i) list[i] = place_of(list[i]);
      return candidates;
    }
  }
  sort_indices(list, candidates, [score](int64_t a, int64_t b) {
    return score[a] != score[b] ? score[a] > score[b] : a < b;
  });
  return candidates;
}

}  // namespace detail

template <class T>
static inline int32_t non_max_suppression(const ProcedureCall& call) {
  const int64_t capacity = call.arguments[0];
  const int64_t batches = call.arguments[1];
  const int64_t classes = call.arguments[2];
  const int64_t boxes = call.arguments[3];
  const int64_t most = call.arguments[4];
  const bool limit_scores = call.arguments[5] != 0;
  const bool centred = call.arguments[6] != 0;
  call.results[0] = 0;
  if (capacity < 0 || !detail::sizes_are_sane(batches, classes, boxes, 32) ||
      !detail::sizes_are_sane(batches, boxes, 4, 32)) {
    return kInvalidArgument;
  }
  const T* thresholds = static_cast<const T*>(call.reads[2]);
  if (thresholds == nullptr) return kNullArgument;
  const T overlap_limit = thresholds[0], score_limit = thresholds[1];
  if (!(overlap_limit >= static_cast<T>(0) && overlap_limit <= static_cast<T>(1)))
    return kInvalidArgument;
  if (batches * classes * boxes == 0 || most <= 0) return kOk;
  const T* corners = static_cast<const T*>(call.reads[0]);
  const T* scores = static_cast<const T*>(call.reads[1]);
  int64_t* selected = static_cast<int64_t*>(call.writes[0]);
  int64_t* list = static_cast<int64_t*>(call.scratch);
  if (corners == nullptr || scores == nullptr || list == nullptr) return kNullArgument;

  int64_t count = 0;
  for (int64_t batch = 0; batch < batches; ++batch) {
    const T* box = corners + batch * boxes * 4;
    for (int64_t c = 0; c < classes; ++c) {
      const T* score = scores + (batch * classes + c) * boxes;
      const int64_t candidates =
          detail::list_candidates(list, score, boxes, limit_scores, score_limit);
      int64_t kept = 0;  // list[0, kept) are the boxes kept so far
      for (int64_t i = 0; i < candidates && kept < most; ++i) {
        const detail::Box<T> candidate = detail::box_from(box + list[i] * 4, centred);
        bool suppressed = false;
        for (int64_t j = 0; j < kept && !suppressed; ++j) {
          const detail::Box<T> other = detail::box_from(box + list[j] * 4, centred);
          suppressed = detail::overlaps_more_than(candidate, other, overlap_limit);
        }
        if (suppressed) continue;
        if (count == capacity) return kCapacityExceeded;
        if (selected == nullptr) return kNullArgument;
        selected[3 * count] = batch;
        selected[3 * count + 1] = c;
        selected[3 * count + 2] = list[i];
        ++count;
        list[kept++] = list[i];
      }
    }
  }
  call.results[0] = count;
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_NON_MAX_SUPPRESSION_H
