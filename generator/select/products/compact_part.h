// Parts of a constant factor (compact.h): what of it is stored, in how many bits.
#pragma once

#include <optional>

#include "select/products/contraction.h"

namespace burin {

// Where the elements of a part lie: of the axes that it depends on, each by strides of so many
// points at which it changes; a scale of a block of 32 is a part with one point of 32.
struct PartPoints {
  std::vector<int> batch, k;
  std::vector<int64_t> strides;  // of k
  int64_t depth = 1;             // points of k, in strides
  int64_t elements = 1;          // panels, padding included
};
PartPoints points_of(const Expr& part, const Contraction& contraction, int lane, int width);

// How an integer is stored: less `offset`, in so many bits of a word of 32, as an unsigned number
// or in two's complement. A word holds neighbours along the depth, so that all lanes of a row are
// taken out of their words by the same shifts.
struct Digits {
  int bits = 8;
  bool negative = false;
  int64_t offset = 0;
  int each() const { return 32 / bits; }
  bool operator==(const Digits&) const = default;
};

// Of numbers from `lo` to `hi`, of which `depth` lie along the depth, where they take less than
// `most_bits` each; nullopt: as they are.
std::optional<Digits> digits_of(int64_t lo, int64_t hi, int64_t depth, int most_bits);

// A part as panels, [batch][blocks][depth][width], and its expression at a point of the kernel.
struct StoredPart {
  Value value;  // without a name
  Expr at;      // loads the value of number `id`
};
// `panels`: of the part's own type, or of its storage where it is a load.
StoredPart store_part(const Expr& part, const PartPoints& points, const Constant& panels,
                      const std::optional<Digits>& digits, const Kernel& kernel, int lane,
                      int width, ValueId id);

}  // namespace burin
