// Integer products of two rows of constants at a time (isa/pair_rows.h).
#pragma once

#include <optional>

#include "select/integers/integer_sum.h"
#include "select/integers/row_choice.h"
#include "select/tiles/window.h"

namespace burin {

// `half` does one of both rows; its numbers are bytes without a sign. `timing`: of single products,
// as pairs do them. What is taken off the numbers is where sums begin: products by `starts` with a
// group that says so.
struct PairChoice {
  RowChoice half;
  RowTiming timing;
  const isa::Instruction *pair = nullptr, *whole = nullptr, *starts = nullptr;
};

// Instead of `single`, which fits the same factors. nullopt: the description has none that numbers
// of a fit, or tiles with what their sums begin with take as many cycles.
std::optional<PairChoice> choose_pair(const IntegerSum& found, const RowChoice& single,
                                      const FactorNumbers& numbers_a, const Hardware& hardware);

// Whether vectors of a window are rather aligned as a whole: rows take whole vectors, and columns'
// taps read copies of the plane, each a position further. Loads take no unit of products then.
bool whole_vectors_pay(const SlidingWindow& window, int lanes, int64_t rows);
// How many copies that are.
int64_t copies_of(const SlidingWindow& window);

}  // namespace burin
