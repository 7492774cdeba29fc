// Integer products of several rows at a time (isa/bundles.h).
#pragma once

#include <optional>

#include "select/integers/bundle.h"
#include "select/integers/integer_sum.h"
#include "select/integers/row_choice.h"
#include "select/integers/tile_choice.h"
#include "select/tiles/window.h"

namespace burin {

// `one_row` does one of its rows. `timing`: of single products, as bundles do them. Where the
// machine has `bundle.starts`, what is taken off the numbers of a is where sums begin: products by
// it with a group that says so.
struct BundleChoice {
  RowChoice one_row;
  RowTiming timing;
  Bundle bundle;
};

// Instead of `single`, which fits the same factors: of the bundles of the description that the
// factors fit, the one whose tiles, with what their sums begin with, take the fewest cycles.
// nullopt: none takes fewer than rows one by one.
std::optional<BundleChoice> choose_bundle(const IntegerSum& found, const RowChoice& single,
                                          const std::optional<FactorNumbers>& numbers_a,
                                          const std::optional<FactorNumbers>& numbers_b,
                                          const Hardware& hardware);

// What a tile of them takes, or without a bundle one of `row`: vectors of b lie anywhere, or are
// aligned as a whole.
TileBundle tile_bundle(const Bundle& bundle, const isa::Instruction& row, bool anywhere);

// Where vectors that lie anywhere take a unit of products (Bundle::whole).
// Whether vectors of a window are rather aligned as a whole: rows take whole vectors, and columns'
// taps read copies of the plane, each a position further. Loads take no unit of products then.
bool whole_vectors_pay(const SlidingWindow& window, int lanes, int64_t rows);
// How many copies that are.
int64_t copies_of(const SlidingWindow& window);

}  // namespace burin
