// How long a line of what is emitted may be.
#pragma once

#include <cstddef>

namespace burin {

inline constexpr size_t kLineColumns = 120;

}  // namespace burin
