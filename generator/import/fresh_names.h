// Names that nothing else has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace burin {

class FreshNames {
 public:
  void reserve(std::string_view name) { taken_.emplace(name); }

  // `base`, or base<separator>2, base<separator>3 ...
  std::string make(const std::string& base, std::string_view separator) {
    if (taken_.insert(base).second) return base;
    for (int& next = next_.emplace(base, 2).first->second;; ++next) {
      std::string name = base + std::string(separator) + std::to_string(next);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int> next_;
};

}  // namespace burin
