// What the bytes of all values hold while the checker of memory plans follows the steps.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// In the order in which two ways meet.
enum class Content : uint8_t { nothing, intact, clobbered };

// What all values hold. Those that are intact are few at any time, and are all that a write can
// spoil.
class PlacedContents {
 public:
  explicit PlacedContents(size_t values) : content_(values, Content::nothing) {}
  Content of(ValueId value) const { return content_[static_cast<size_t>(value)]; }
  const std::set<ValueId>& intact() const { return intact_; }
  void set(ValueId value, Content content) {
    content_[static_cast<size_t>(value)] = content;
    content == Content::intact ? void(intact_.insert(value)) : void(intact_.erase(value));
  }
  // Where two ways meet.
  void join(const PlacedContents& other) {
    for (size_t v = 0; v < content_.size(); ++v) {
      if (other.content_[v] > content_[v]) set(static_cast<ValueId>(v), other.content_[v]);
    }
  }
  bool operator==(const PlacedContents& other) const { return content_ == other.content_; }

 private:
  std::vector<Content> content_;  // by value
  std::set<ValueId> intact_;
};

}  // namespace burin
