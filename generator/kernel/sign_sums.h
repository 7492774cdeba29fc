// Sums that count ones of words, the form that products of signs have (fuse/constants/signs.h).
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

inline constexpr int64_t kSignsOfWord = 32;

// The word of which a let sums the ones; empty: it sums something else.
Expr counted_word(const Let& let);

// present & (negative ^ other)
struct SignWords {
  Expr present, negative, other;
};
std::optional<SignWords> sign_words(const Expr& word);

// Whether a let is a sum of products of signs.
bool is_sum_of_signs(const Let& let);

}  // namespace burin
