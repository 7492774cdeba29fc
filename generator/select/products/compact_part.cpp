#include "select/products/compact_part.h"

#include <numeric>

#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
#include "support/at.h"

namespace burin {
namespace {

// The greatest step of an axis within which an index does not change; 1: it does at every point.
int64_t step_of(const Index& index, int axis) {
  if (!index.uses_axis(axis)) return 0;
  const auto of_all = [axis](const std::vector<Index>& parts) {
    int64_t step = 0;
    for (const Index& part : parts) step = std::gcd(step, step_of(part, axis));
    return step;
  };
  switch (index.kind()) {
    case IndexKind::floordiv: {
      const std::vector<Index>& operands = index.operands();
      if (operands[0].kind() == IndexKind::axis && operands[1].is_constant())
        return operands[1].constant();
      return of_all(operands);
    }
    case IndexKind::mod:
    case IndexKind::min:
    case IndexKind::max:
      return of_all(index.operands());
    case IndexKind::polynomial: {
      int64_t step = 0;
      for (const Index::Term& term : index.terms()) step = std::gcd(step, of_all(term.atoms));
      return step;
    }
    default:
      return 1;
  }
}

int64_t extent_of(const Kernel& kernel, int axis) {
  return axis < 0 ? 1 : kernel.axes[at(axis)].extent.constant();
}

Value panel_value(const PartPoints& points, const Kernel& kernel, int64_t blocks, int64_t rows,
                  int width, Type type) {
  Value out;
  out.kind = ValueKind::constant;
  out.type = type;
  for (const int axis : points.batch) out.shape.push_back(kernel.axes[at(axis)].extent);
  out.shape.insert(out.shape.end(), {blocks, rows, width});
  return out;
}

// Where a number lies in panels of words, [depth][lanes], and at which place of its word.
struct PlaceInWords {
  Index depth, lane, number;
};
PlaceInWords place_in_words(const Index& depth, const Index& lane, const Digits& digits) {
  const int64_t each = digits.each();
  if (digits.along == Neighbours::depth) return {floordiv(depth, each), lane, mod(depth, each)};
  return {depth, floordiv(lane, each), mod(lane, each)};
}
// Words along the depth and the lanes.
std::pair<int64_t, int64_t> words_of(int64_t depth, int64_t lanes, const Digits& digits) {
  int64_t& shared = digits.along == Neighbours::depth ? depth : lanes;
  shared = (shared + digits.each() - 1) / digits.each();
  return {depth, lanes};
}
Type word_type(const Digits& digits) {
  return digits.word_bits == 32 ? Type::u32 : digits.word_bits == 16 ? Type::u16 : Type::u8;
}

// Panels of integers as panels of words, the lowest byte first; what lies beyond the end is
// whatever fits.
Constant as_words(const Constant& panels, Type type, const Digits& digits, int64_t matrices,
                  int64_t depth, int width) {
  const auto [rows, columns] = words_of(depth, width, digits);
  const int64_t each = digits.each();
  const LoadFunction load = load_function(type);
  const int64_t word_bytes = digits.word_bits / 8;
  std::vector<std::byte> bytes(static_cast<size_t>(matrices * rows * columns * word_bytes));
  const uint32_t mask = (uint32_t{1} << digits.bits) - 1;
  const bool down = digits.along == Neighbours::depth;
  for (int64_t m = 0; m < matrices; ++m) {
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t r = 0; r < width; ++r) {
        const int64_t word =
            down ? (m * rows + k / each) * columns + r : (m * rows + k) * columns + r / each;
        const int64_t bit = (down ? k : r) % each * digits.bits;
        const int64_t number = load(panels.data, (m * depth + k) * width + r).integer;
        const uint32_t cut = static_cast<uint32_t>(number - digits.offset) & mask;
        bytes[static_cast<size_t>(word * word_bytes + bit / 8)] |=
            static_cast<std::byte>(cut << (bit % 8));
      }
    }
  }
  return make_constant(std::move(bytes));
}

// A number of a word: shifted down and cut off, or up against the sign and down again.
Expr out_of_word(const Expr& word, const Index& number, const Digits& digits) {
  if (digits.each() == 1) return Expr::cast(Type::i32, word);
  const auto shift = [](Binary way, const Expr& expr, const Index& by) {
    return Expr::binary(way, expr, Expr::cast(expr.type(), Expr::index(by)));
  };
  const Index place = number * digits.bits;
  if (digits.negative) {
    const Expr top = shift(Binary::shift_left, word, Index(32 - digits.bits) - place);
    return shift(Binary::shift_right, Expr::cast(Type::i32, top), 32 - digits.bits);
  }
  const Expr down = shift(Binary::shift_right, word, place);
  return Expr::cast(Type::i32, Expr::binary(Binary::bit_and, down,
                                            Expr::constant(Type::u32, (1 << digits.bits) - 1)));
}

}  // namespace

PartPoints points_of(const Expr& part, const Contraction& contraction, int lane, int width) {
  const Kernel& kernel = contraction.kernel;
  const std::vector<int> axes = axes_of(part);
  PartPoints out;
  for (const int axis : contraction.schedule.batch) {
    if (!contains(axes, axis)) continue;
    out.batch.push_back(axis);
    out.elements *= extent_of(kernel, axis);
  }
  for (const int axis : contraction.schedule.k) {
    if (!contains(axes, axis)) continue;
    int64_t step = 0;
    visit_indices(part, [&](const Index& index) { step = std::gcd(step, step_of(index, axis)); });
    const int64_t extent = extent_of(kernel, axis);
    out.k.push_back(axis);
    out.strides.push_back(step);
    out.depth *= (extent + step - 1) / step;
  }
  const int64_t lanes = extent_of(kernel, lane);
  out.elements *= (lanes + width - 1) / width * width * out.depth;
  return out;
}

std::optional<Digits> digits_of(int64_t lo, int64_t hi, int64_t count, int most_bits,
                                Neighbours along) {
  for (const int bits : {2, 4, 8}) {
    const int64_t numbers = int64_t{1} << bits;
    if (hi - lo >= numbers || bits > most_bits) continue;
    int word_bits = 32;
    if (along == Neighbours::lanes) {
      while (word_bits > 8 && (bits == 8 || word_bits / bits > count)) word_bits /= 2;
    }
    if (count < word_bits / bits) continue;
    const bool negative = lo < 0 && lo >= -numbers / 2 && hi < numbers / 2;
    return Digits{bits, negative, negative || (lo >= 0 && hi < numbers) ? 0 : lo, word_bits, along};
  }
  return std::nullopt;
}

StoredPart store_part(const Expr& part, const PartPoints& points, const Constant& panels,
                      const std::optional<Digits>& digits, const Kernel& kernel, int lane,
                      int width, ValueId id) {
  const auto point = [&](int axis) { return Index::axis(axis, kernel.axes[at(axis)].extent); };
  const Type held = part.kind() == ExprKind::load ? part->storage : part.type();
  const int64_t blocks = (extent_of(kernel, lane) + width - 1) / width;
  StoredPart out;
  int64_t matrices = blocks;
  std::vector<Index> from;
  for (const int axis : points.batch) {
    from.push_back(point(axis));
    matrices *= extent_of(kernel, axis);
  }
  Index k = 0;
  for (size_t i = 0; i < points.k.size(); ++i) {
    const int64_t step = points.strides[i], extent = extent_of(kernel, points.k[i]);
    k = k * ((extent + step - 1) / step) + floordiv(point(points.k[i]), step);
  }
  const Index n = lane < 0 ? Index(0) : point(lane);
  const Index in_block = mod(n, width);
  if (!digits) {
    from.insert(from.end(), {floordiv(n, width), k, in_block});
    out.value = panel_value(points, kernel, blocks, points.depth, width, held);
    out.value.constant = panels;
    out.at = Expr::load(id, held, std::move(from));
    return out;
  }
  const PlaceInWords place = place_in_words(k, in_block, *digits);
  from.insert(from.end(), {floordiv(n, width), place.depth, place.lane});
  const auto [rows, columns] = words_of(points.depth, width, *digits);
  // A byte alone has its sign.
  const Type type = digits->each() == 1 && digits->negative ? Type::i8 : word_type(*digits);
  out.value = panel_value(points, kernel, blocks, rows, static_cast<int>(columns), type);
  out.value.constant = as_words(panels, held, *digits, matrices, points.depth, width);
  Expr word = Expr::load(id, type, std::move(from));
  if (digits->each() > 1) word = Expr::cast(Type::u32, word);
  out.at = out_of_word(word, place.number, *digits);
  if (digits->offset != 0) out.at = out.at + Expr::constant(Type::i32, digits->offset);
  out.at = Expr::cast(part.type(), out.at);
  return out;
}

}  // namespace burin
