#include "select/bytes/digit_op.h"

#include <algorithm>
#include <cmath>

#include "isa/all_rows.h"
#include "isa/digit_rows.h"
#include "kernel/tensor.h"
#include "select/bytes/exact_bytes.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int kDigitBits = 7, kMostShift = 7, kLeastShift = 4;
constexpr int64_t kDigit = 1 << kDigitBits, kUnsignedBytes = 256;
constexpr int64_t kMostPoints = kMostCombinations / (kUnsignedBytes * kUnsignedBytes);
constexpr int64_t kPairsToOneInDoubt = 64;  // of the pairs that are looked at
constexpr int64_t kLeast16 = -32768, kGreatest16 = 32767;

// floor(a / 2^bits) * 2^bits is what is left out.
int64_t low_part(int64_t a, int bits) { return a & ((int64_t{1} << bits) - 1); }

// A line at a point, of unsigned bytes.
struct DigitLine {
  int shift = 0;
  int64_t digits[isa::kDigitLevels][2] = {};
  int64_t offset = 0;  // in units of the second level
  int64_t reach = 0;
  int64_t least = 0, greatest = 0;  // of the byte

  int fraction() const { return shift + 2 * kDigitBits; }
  int64_t sum(int level, int64_t u, int64_t v) const {
    return digits[level][0] * u + digits[level][1] * v;
  }
  int64_t position(int64_t u, int64_t v) const {
    return offset + sum(1, u, v) + 2 * (sum(0, u, v) >> 8) + sum(2, u, v) * kDigit +
           sum(3, u, v) * kDigit * kDigit;
  }
};

// The least and the greatest sum of a level.
std::pair<int64_t, int64_t> range_of_level(const DigitLine& line, int level) {
  int64_t lo = 0, hi = 0;
  for (const int64_t digit : line.digits[level]) (digit < 0 ? lo : hi) += 255 * digit;
  return {lo, hi};
}

class DigitFinder {
 public:
  DigitFinder(const RealForm& form, ByteOp op, const Expr& value, const Kernel& kernel,
              const std::vector<int>& axes, std::vector<Value>& values)
      : form_(form),
        op_(std::move(op)),
        value_(value),
        kernel_(kernel),
        axes_(axes),
        values_(values) {}

  std::optional<SaidByteOp> run(const std::map<Expr, Expr>& said) {
    const auto points = static_cast<int64_t>(form_.offset.size());
    if (op_.operands.size() != 2 || points > kMostPoints || !find_stages()) return std::nullopt;
    for (size_t p = 0; p < form_.offset.size(); ++p) {
      if (!add_point(p)) return std::nullopt;
    }
    if (!settle()) return std::nullopt;
    for (const DigitLine& line : lines_) {
      if (!add_parts(line)) return std::nullopt;
    }
    return as_op(said);
  }

 private:
  // Each byte is added once; limits come last, where they are limits of the byte.
  bool find_stages() {
    for (size_t s = 0; s < form_.stages.size(); ++s) {
      const int operand = form_.stages[s].operand;
      if (operand < 0 && s + 1 < form_.stages.size()) return false;
      int& place = operand < 0 ? limits_ : stage_of_[at(operand)];
      if (place >= 0) return false;
      place = static_cast<int>(s);
    }
    return stage_of_[0] >= 0 && stage_of_[1] >= 0;
  }
  // false: floats may stray over the end of a byte at a limit.
  bool set_limits(DigitLine& line, size_t p) const {
    line.least = form_.least[p];
    line.greatest = form_.greatest[p];
    if (limits_ < 0) return true;
    const RealStage& stage = form_.stages[at(limits_)];
    for (const double limit : {stage.least[p], stage.greatest[p]}) {
      if (std::isfinite(limit) && std::abs(limit - std::nearbyint(limit)) <= form_.error[p])
        return false;
    }
    const auto byte_at = [&](double limit) {
      const double byte = std::floor(limit);
      return static_cast<int64_t>(
          std::min(std::max(byte, double(line.least)), double(line.greatest)));
    };
    const int64_t least = byte_at(stage.least[p]), greatest = byte_at(stage.greatest[p]);
    line.least = least;
    line.greatest = std::max(least, greatest);
    return true;
  }
  int64_t bias(size_t operand) const { return lowest(op_.operands[operand].type()); }

  bool add_point(size_t p) {
    double factors[2], offset = form_.offset[p];
    double lo = 0, hi = 0;
    for (size_t k = 0; k < 2; ++k) {
      factors[k] = form_.stages[at(stage_of_[k])].factor[p];
      offset += factors[k] * static_cast<double>(bias(k));
      (factors[k] < 0 ? lo : hi) += 255 * factors[k];
    }
    const double most = std::max(std::abs(lo + offset), std::abs(hi + offset));
    DigitLine line;
    if (!set_limits(line, p)) return false;
    line.shift = kMostShift;
    const auto too_large = [&](double least, double greatest) {
      const double one = std::ldexp(1.0, line.shift);
      return !(least * one + 4 <= static_cast<double>(kGreatest16) && greatest * one <= kDigit - 1);
    };
    const double steepest = std::max(std::abs(factors[0]), std::abs(factors[1]));
    while (line.shift >= kLeastShift && too_large(most, steepest)) --line.shift;
    if (line.shift < kLeastShift) return false;
    const double one = std::ldexp(1.0, line.fraction());
    for (size_t k = 0; k < 2; ++k) set_digits(line, k, std::llround(factors[k] * one * kDigit));
    // A sum of the third level with what it is carried stays within 16 bits.
    if (line.digits[2][0] == -kDigit / 2 && line.digits[2][1] == -kDigit / 2) {
      line.digits[2][0] += kDigit;
      line.digits[3][0] -= 1;
    }
    line.offset = std::llround(offset * one);
    // Of factors, of what is cut off below the second level, of the offset.
    const double strays = form_.error[p] * one * 1.01 + 255.0 / kDigit + 2 + 1;
    line.reach = static_cast<int64_t>(std::ceil(strays));
    if (static_cast<double>(line.reach) * 8 >= one) return false;
    lines_.push_back(line);
    return true;
  }
  static void set_digits(DigitLine& line, size_t operand, int64_t factor) {
    const auto take = [&](int level, int64_t digit) {
      line.digits[level][operand] = digit;
      factor = (factor - digit) >> kDigitBits;
    };
    take(0, low_part(factor, kDigitBits));
    for (const int level : {1, 2})
      take(level, low_part(factor + kDigit / 2, kDigitBits) - kDigit / 2);
    line.digits[3][operand] = factor;
  }

  // Moves the offsets so that all pairs are right; false: there are none such.
  bool settle() {
    std::vector<ByteCombination> near;
    std::vector<int64_t> places;
    const size_t most = lines_.size() * (kUnsignedBytes * kUnsignedBytes / kPairsToOneInDoubt);
    for (size_t p = 0; p < lines_.size(); ++p) {
      for (int64_t u = 0; u < kUnsignedBytes; ++u) {
        for (int64_t v = 0; v < kUnsignedBytes; ++v) {
          const int64_t place = lines_[p].position(u, v);
          if (!is_near(p, place)) continue;
          near.push_back({p, {u + bias(0), v + bias(1)}});
          places.push_back(place);
        }
      }
      if (near.size() > most) return false;
    }
    if (near.empty()) return true;
    const std::vector<int64_t> wanted =
        exact_bytes(value_, kernel_, axes_, op_.operands, near, values_);
    std::vector<int64_t> least, greatest;
    for (const DigitLine& line : lines_) {
      least.push_back(-line.reach);
      greatest.push_back(line.reach);
    }
    for (size_t n = 0; n < near.size(); ++n) {
      const size_t p = near[n].point;
      const int fraction = lines_[p].fraction();
      // Limits make the first and the last byte half lines.
      if (wanted[n] > lines_[p].least)
        least[p] = std::max(least[p], wanted[n] * (int64_t{1} << fraction) - places[n]);
      if (wanted[n] < lines_[p].greatest)
        greatest[p] =
            std::min(greatest[p], (wanted[n] + 1) * (int64_t{1} << fraction) - 1 - places[n]);
    }
    for (size_t p = 0; p < lines_.size(); ++p) {
      if (least[p] > greatest[p]) return false;
      lines_[p].offset += std::min(std::max<int64_t>(0, least[p]), greatest[p]);
    }
    return true;
  }
  // Whether it is in doubt, or would be with an offset that is moved by the reach.
  bool is_near(size_t p, int64_t place) const {
    const DigitLine& line = lines_[p];
    if (low_part(place + 2 * line.reach, line.fraction()) > 4 * line.reach) return false;
    // The end of a byte that limits leave no choice at is none.
    const int64_t byte = (place + 2 * line.reach) >> line.fraction();
    return byte > line.least && byte <= line.greatest;
  }

  // false: a level leaves 16 bits.
  bool add_parts(const DigitLine& line) {
    const auto [lo, hi] = range_of_level(line, 1);
    const int64_t step = kDigit * kDigit;
    // What the second level starts with, so that it does not leave them; the rest is the last's.
    int64_t start = low_part(line.offset, 2 * kDigitBits);
    while (start - step + lo >= kLeast16) start -= step;
    while (start + lo < kLeast16) start += step;
    const int64_t last = (line.offset - start) / step;
    const auto [lo2, hi2] = range_of_level(line, 2);
    if (start + hi + 2 * 255 > kGreatest16 || lo2 + (kLeast16 >> kDigitBits) < kLeast16 ||
        hi2 + (kGreatest16 >> kDigitBits) > kGreatest16 || last < 2 * kLeast16 ||
        last > 2 * kGreatest16)
      return false;
    for (const auto& digits : line.digits) {
      for (const int64_t digit : digits) {
        if (digit < -kDigit || digit >= kDigit) return false;
      }
      parts_.push_back((digits[0] & 255) | (digits[1] & 255) << 8);
    }
    for (const int64_t part : {start, last, int64_t{line.shift}, line.least, line.greatest})
      parts_.push_back(part);
    return true;
  }

  SaidByteOp as_op(const std::map<Expr, Expr>& said) {
    const Type to = op_.exact.type();
    const bool whole = std::all_of(lines_.begin(), lines_.end(), [to](const DigitLine& line) {
      return line.least == lowest(to) && line.greatest == highest(to);
    });
    op_.digits =
        isa::find_row(isa::digit_name(op_.operands[0].type(), op_.operands[1].type(), to, whole));
    std::vector<int64_t> shape;
    for (const int axis : axes_) shape.push_back(kernel_.axes[at(axis)].extent.constant());
    shape.push_back(isa::kDigitParts);
    op_.constant = add_constant(values_, kernel_.name + "/digits", Type::i32, shape,
                                to_constant(make_tensor(Type::i32, shape, parts_)));
    SaidByteOp out;
    out.said = isa::byte_of_digits(
        said.at(op_.operands[0]), said.at(op_.operands[1]),
        [&](int part) {
          std::vector<Index> place = op_.point;
          place.emplace_back(part);
          return Expr::load(op_.constant, Type::i32, place);
        },
        to, whole);
    out.op = std::move(op_);
    return out;
  }

  const RealForm& form_;
  ByteOp op_;
  const Expr& value_;
  const Kernel& kernel_;
  const std::vector<int>& axes_;
  std::vector<Value>& values_;
  int stage_of_[2] = {-1, -1}, limits_ = -1;
  std::vector<DigitLine> lines_;
  std::vector<int64_t> parts_;
};

}  // namespace

std::optional<SaidByteOp> find_digit_op(const RealForm& form, ByteOp op, const Expr& value,
                                        const Kernel& kernel, const std::vector<int>& axes,
                                        const std::map<Expr, Expr>& said,
                                        std::vector<Value>& values) {
  return DigitFinder(form, std::move(op), value, kernel, axes, values).run(said);
}

}  // namespace burin
