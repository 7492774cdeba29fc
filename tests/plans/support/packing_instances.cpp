#include "plans/support/packing_instances.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace burin::test {

uint64_t Numbers::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::vector<LiveBuffer> random_buffers(Numbers& numbers, int count, int positions,
                                       int64_t max_size) {
  std::vector<LiveBuffer> buffers;
  for (int i = 0; i < count; ++i) {
    const int first = static_cast<int>(numbers.below(positions));
    const int last = first + static_cast<int>(numbers.below(std::max(2, positions / 3)));
    LiveBuffer buffer{numbers.between(1, max_size), {{first, last}}};
    if (numbers.one_in(5)) {
      const int again = last + 2 + static_cast<int>(numbers.below(2));
      buffer.live.push_back({again, again + static_cast<int>(numbers.below(3))});
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

namespace {

struct Rectangle {
  int from, to;  // positions, exclusive at the end
  int64_t low, high;
};

void cut(Numbers& numbers, const Rectangle& r, int count, std::vector<LiveBuffer>& buffers) {
  const int width = r.to - r.from;
  const int64_t height = r.high - r.low;
  if (count <= 1 || (width <= 1 && height <= 1)) {
    buffers.push_back({height, {{r.from, r.to - 1}}});
    return;
  }
  const int left = 1 + static_cast<int>(numbers.below(count - 1));
  Rectangle a = r;
  Rectangle b = r;
  if (width > 1 && (height <= 1 || numbers.one_in(2))) {
    a.to = b.from = r.from + std::clamp(width * left / count, 1, width - 1);
  } else {
    a.high = b.low = r.low + std::clamp<int64_t>(height * left / count, 1, height - 1);
  }
  cut(numbers, a, left, buffers);
  cut(numbers, b, count - left, buffers);
}

}  // namespace

std::vector<LiveBuffer> cut_buffers(Numbers& numbers, int count, int positions, int64_t capacity,
                                    int removed_percent) {
  std::vector<LiveBuffer> all;
  cut(numbers, {0, positions, 0, capacity}, count, all);
  std::vector<LiveBuffer> kept;
  for (LiveBuffer& buffer : all) {
    if (numbers.below(100) >= removed_percent) kept.push_back(std::move(buffer));
  }
  for (size_t i = kept.size(); i > 1; --i) {
    std::swap(kept[i - 1], kept[static_cast<size_t>(numbers.below(static_cast<int64_t>(i)))]);
  }
  return kept;
}

int64_t least_height(const std::vector<LiveBuffer>& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  int64_t least = std::numeric_limits<int64_t>::max();
  do {
    std::vector<int64_t> tops(buffers.size(), -1);
    int64_t height = 0;
    for (const size_t b : order) {
      int64_t offset = 0;
      for (size_t other = 0; other < buffers.size(); ++other) {
        if (tops[other] >= 0 && lives_overlap(buffers[b], buffers[other])) {
          offset = std::max(offset, tops[other]);
        }
      }
      tops[b] = offset + buffers[b].size;
      height = std::max(height, tops[b]);
    }
    least = std::min(least, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

}  // namespace burin::test
