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

// Which neighbours share a word: those along the depth, so that all lanes of a row are taken out of
// their words by the same shifts, or those along the lanes, so that one point of the depth needs no
// other.
enum class Neighbours : uint8_t { depth, lanes };

// How an integer is stored: less `offset`, in so many bits of a word, as an unsigned number or in
// two's complement.
struct Digits {
  int bits = 8;
  bool negative = false;
  int64_t offset = 0;
  int word_bits = 32;
  Neighbours along = Neighbours::depth;
  int each() const { return word_bits / bits; }
  bool operator==(const Digits&) const = default;
};

// Of numbers from `lo` to `hi`, of which `count` are neighbours, where they take less than
// `most_bits` each; nullopt: as they are. Bytes share no word along the lanes.
std::optional<Digits> digits_of(int64_t lo, int64_t hi, int64_t count, int most_bits,
                                Neighbours along = Neighbours::depth);

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
