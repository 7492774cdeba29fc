// "did you mean": the known name that is nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

// The candidate with the smallest edit distance (insert, delete, replace, swap of neighbours), when
// it is at most a third of the name's length and at least 1 letter is right; the first of equals;
// empty when there is none. O(total length of the candidates * length of the name).
std::string_view closest_name(std::string_view name, const std::vector<std::string>& candidates);

// "did you mean 'x'?", or empty: a hint for a refusal.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace burin
