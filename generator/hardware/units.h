// Units that end the names of fields: "size_bytes", "fma_latency_cycles".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

// For an unknown key that is a known key but for its unit ("l2_kib", "l2"), that known key; else
// empty.
std::string_view same_but_for_unit(std::string_view key, const std::vector<std::string>& known);

// The unit at the end of a name, in words ("bytes", "MB per s"); empty when there is none.
std::string unit_in_words(std::string_view name);

}  // namespace burin
