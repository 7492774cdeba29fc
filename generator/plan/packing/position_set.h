// A set of positions of a program (plan/memory/lifetime.h), as ranges that do not touch. Most
// values live from one place to another, so that a set is a range or two however long the program
// is.
#pragma once

#include <cstddef>
#include <vector>

namespace burin {

class PositionSet {
 public:
  PositionSet() = default;
  // None of so many positions, or all.
  explicit PositionSet(size_t positions, bool all = false) : size_(positions) {
    if (all) set(0, positions, true);
  }

  size_t size() const { return size_; }  // positions, in the set or not
  bool operator[](size_t position) const;
  bool empty() const { return ranges_.empty(); }
  bool meets(const PositionSet& other) const;  // requires the same size
  // Of the first member; size() where there is none.
  size_t first() const { return ranges_.empty() ? size_ : ranges_.front().first; }

  void set(size_t position, bool in = true) { set(position, position + 1, in); }
  void set(size_t first, size_t end, bool in);
  PositionSet& operator|=(const PositionSet& other);  // requires the same size
  PositionSet& operator&=(const PositionSet& other);  // requires the same size

  struct Range {
    size_t first = 0, end = 0;
  };
  const std::vector<Range>& ranges() const { return ranges_; }  // in ascending order

  // In ascending order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Range& range : ranges_) {
      for (size_t position = range.first; position < range.end; ++position) visit(position);
    }
  }

 private:
  size_t size_ = 0;
  std::vector<Range> ranges_;
};

}  // namespace burin
