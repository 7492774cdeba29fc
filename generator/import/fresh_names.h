// Names that nothing else has.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace burin {

class FreshNames {
 public:
  void reserve(std::string name) { taken_.insert(std::move(name)); }

  // `base`, or base<separator>2, base<separator>3 ...
  std::string make(const std::string& base, std::string_view separator) {
    if (taken_.insert(base).second) return base;
    for (int& next = next_.emplace(base, 2).first->second;; ++next) {
      std::string name = base + std::string(separator) + std::to_string(next);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_;
};

}  // namespace burin
