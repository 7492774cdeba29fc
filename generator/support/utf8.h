// Where a text stops being UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above
// U+10FFFF).
#pragma once

#include <cstddef>
#include <string_view>

namespace burin {

// Offset of the first byte of the first ill-formed sequence; text.size() when there is none.
// O(bytes).
size_t first_bad_utf8(std::string_view text);

}  // namespace burin
