// What a size is at most, as linear forms of other sizes: the arithmetic under bounds of growth.
//
// A bound is the largest of several forms, because sizes have maxima and branches; and there are
// several bounds to choose from, because sizes have minima: `n + 1 - max(n - 3, 0)`, the length of
// the last four of n + 1, is at most n + 1 and at most 4. Both come out of the same sum only if n
// is subtracted before anything is estimated, so forms keep their signs until the end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/index/index.h"

namespace burin {

// At most (sum of coefficients[v] * v + rest) / denominator. Variables are sizes: none is negative.
struct LinearForm {
  std::map<int, int64_t> coefficients = {};  // by variable; none is 0
  Dim rest = 0;
  int64_t denominator = 1;
};

// `form` times factor / divisor, and a + b; nullopt: a number in it would be too large.
std::optional<LinearForm> scaled(const LinearForm& form, int64_t factor, int64_t divisor);
std::optional<LinearForm> sum(LinearForm a, LinearForm b);

using LargestOf = std::vector<LinearForm>;

struct LinearScope {
  std::map<std::string, int> variables;  // by name of the symbol
  std::map<std::string, LinearForm>
      bounds;  // of symbols that are no variables: what they are at most
  // Symbols that may not stand in a form: what is known of them is their own bound.
  std::function<bool(const Symbol&)> replaced;
};

// The bounds of `dim`; none: nothing bounds it. The work is limited: what is dropped is never the
// only bound that was found.
std::vector<LargestOf> linear_bounds(const Dim& dim, const LinearScope& scope);

}  // namespace burin
