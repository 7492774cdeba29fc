// What an index may be at most: 64 bits, and so many terms (index.cpp). One that would be more is
// refused, unless somebody asked within_index_limits(): then what is asked is not known, or not
// done.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "support/diagnostics.h"

namespace burin {

class IndexLimit : public Refused {
 public:
  using Refused::Refused;
};

// What `make` returns; nullopt where it comes upon the limits. Of one that returns nothing: whether
// it did not. It must leave everything as it was until all of its indices are made.
template <class Make>
auto within_index_limits(Make&& make) {
  using Result = decltype(make());
  if constexpr (std::is_void_v<Result>) {
    try {
      std::forward<Make>(make)();
      return true;
    } catch (const IndexLimit&) {
      return false;
    }
  } else {
    try {
      return std::optional<Result>(std::forward<Make>(make)());
    } catch (const IndexLimit&) {
      return std::optional<Result>();
    }
  }
}

}  // namespace burin
