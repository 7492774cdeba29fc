#include "plan/packing/position_set.h"

#include <algorithm>

namespace burin {

bool PositionSet::operator[](size_t position) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), position,
                       [](size_t at, const Range& range) { return at < range.first; });
  return after != ranges_.begin() && position < std::prev(after)->end;
}

bool PositionSet::meets(const PositionSet& other) const {
  for (size_t a = 0, b = 0; a < ranges_.size() && b < other.ranges_.size();) {
    const Range &mine = ranges_[a], &its = other.ranges_[b];
    if (mine.first < its.end && its.first < mine.end) return true;
    ++(mine.end <= its.first ? a : b);
  }
  return false;
}

void PositionSet::set(size_t first, size_t end, bool in) {
  if (first >= end) return;
  // Those that the range meets; to be in, those that it touches as well.
  const size_t reach = in ? 1 : 0;
  const auto from = std::partition_point(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    return range.end + reach <= first;
  });
  const auto to = std::partition_point(
      from, ranges_.end(), [&](const Range& range) { return range.first < end + reach; });
  std::vector<Range> now;
  if (in) {
    now.push_back({first, end});
    if (from != to) now[0] = {std::min(first, from->first), std::max(end, std::prev(to)->end)};
  } else if (from != to) {
    if (from->first < first) now.push_back({from->first, first});
    if (std::prev(to)->end > end) now.push_back({end, std::prev(to)->end});
  }
  const auto place = ranges_.erase(from, to);
  ranges_.insert(place, now.begin(), now.end());
}

PositionSet& PositionSet::operator|=(const PositionSet& other) {
  for (const Range& range : other.ranges_) set(range.first, range.end, true);
  return *this;
}

PositionSet& PositionSet::operator&=(const PositionSet& other) {
  std::vector<Range> both;
  for (size_t a = 0, b = 0; a < ranges_.size() && b < other.ranges_.size();) {
    const Range &mine = ranges_[a], &its = other.ranges_[b];
    const Range part{std::max(mine.first, its.first), std::min(mine.end, its.end)};
    if (part.first < part.end) both.push_back(part);
    ++(mine.end <= its.end ? a : b);
  }
  ranges_ = std::move(both);
  return *this;
}

}  // namespace burin
