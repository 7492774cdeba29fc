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
constexpr int64_t kReachOfTrials = 4;  // factors of three levels are sought so far around their own
constexpr int64_t kDigit = 1 << kDigitBits, kUnsignedBytes = 256;
constexpr int64_t kMostPoints = kMostCombinations / (kUnsignedBytes * kUnsignedBytes);
constexpr int64_t kPairsToOneInDoubt = 64;  // of the pairs that are looked at
constexpr int64_t kLeast16 = -32768, kGreatest16 = 32767;

// floor(a / 2^bits) * 2^bits is what is left out.
int64_t low_part(int64_t a, int bits) { return a & ((int64_t{1} << bits) - 1); }

// A line at a point, of unsigned bytes. Its factors and its offset count positions: of four levels
// in units of the second one, so that a factor has a digit below, of three in those of the first.
struct DigitLine {
  int levels = 0, shift = 0;
  int64_t factors[2] = {};
  int64_t digits[isa::kMostDigitLevels][2] = {};
  int64_t offset = 0;
  int64_t reach = 0;
  int64_t least = 0, greatest = 0;  // of the byte

  bool is_short() const { return levels == isa::kLeastDigitLevels; }
  // Bits of a position that the last level lacks, below a byte.
  int below_last() const { return is_short() ? kDigitBits + 8 : 2 * kDigitBits; }
  int fraction() const { return shift + below_last(); }
  int level_of_offset() const { return is_short() ? 0 : 1; }
  int64_t sum(int level, int64_t u, int64_t v) const {
    return digits[level][0] * u + digits[level][1] * v;
  }
  int64_t position(int64_t u, int64_t v) const {
    if (is_short()) return offset + factors[0] * u + factors[1] * v;
    return offset + sum(1, u, v) + 2 * (sum(0, u, v) >> 8) + sum(2, u, v) * kDigit +
           sum(3, u, v) * kDigit * kDigit;
  }
  void set_digits() {
    for (int k = 0; k < 2; ++k) {
      int64_t rest = factors[k];
      const auto take = [&](int level, int bits, bool centred) {
        const int64_t half = centred ? int64_t{1} << (bits - 1) : 0;
        digits[level][k] = low_part(rest + half, bits) - half;
        rest = (rest - digits[level][k]) >> bits;
      };
      take(0, is_short() ? 8 : kDigitBits, is_short());
      for (int level = 1; level + 1 < levels; ++level) take(level, kDigitBits, true);
      digits[levels - 1][k] = rest;
    }
    // A sum of the level before the last with what it is carried stays within 16 bits.
    int64_t(&before)[2] = digits[levels - 2], (&last)[2] = digits[levels - 1];
    if (before[0] == -kDigit / 2 && before[1] == -kDigit / 2) {
      before[0] += kDigit;
      last[0] -= 1;
    }
  }
};

// The least and the greatest sum of a level.
std::pair<int64_t, int64_t> range_of_level(const DigitLine& line, int level) {
  int64_t lo = 0, hi = 0;
  for (const int64_t digit : line.digits[level]) (digit < 0 ? lo : hi) += 255 * digit;
  return {lo, hi};
}

// Where the level that has the offset starts, so that it does not leave 16 bits, and the last one;
// nullopt: there are no such.
std::optional<std::pair<int64_t, int64_t>> starts_of(const DigitLine& line) {
  const auto [lo, hi] = range_of_level(line, line.level_of_offset());
  const auto [lo_before, hi_before] = range_of_level(line, line.levels - 2);
  const int64_t step = int64_t{1} << line.below_last();
  int64_t start = low_part(line.offset, line.below_last());
  while (start - step + lo >= kLeast16) start -= step;
  while (start + lo < kLeast16) start += step;
  const int64_t last = (line.offset - start) / step;
  const int64_t carried = line.is_short() ? 0 : 2 * 255;
  const int bits = line.is_short() ? 8 : kDigitBits;
  if (start + hi + carried > kGreatest16 || lo_before + (kLeast16 >> bits) < kLeast16 ||
      hi_before + (kGreatest16 >> bits) > kGreatest16 || last < 2 * kLeast16 ||
      last > 2 * kGreatest16)
    return std::nullopt;
  for (const auto& digits : line.digits) {
    for (const int64_t digit : digits) {
      if (digit < -kDigit || digit >= kDigit) return std::nullopt;
    }
  }
  return std::pair(start, last);
}

class DigitFinder {
 public:
  DigitFinder(int levels, const RealForm& form, ByteOp op, const Expr& value, const Kernel& kernel,
              const std::vector<int>& axes, std::vector<Value>& values)
      : levels_(levels),
        form_(form),
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
    for (const DigitLine& line : lines_) add_parts(line);
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
    line.levels = levels_;
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
    for (size_t k = 0; k < 2; ++k)
      line.factors[k] = std::llround(factors[k] * one * (line.is_short() ? 1 : kDigit));
    line.set_digits();
    line.offset = std::llround(offset * one);
    // Of factors, of what is cut off below the second level, of the offset.
    const double strays = form_.error[p] * one * 1.01 + 1 +
                          (line.is_short() ? 255 + 2 * 255 * kReachOfTrials : 255.0 / kDigit + 2);
    line.reach = static_cast<int64_t>(std::ceil(strays));
    if (static_cast<double>(line.reach) * 8 >= one) return false;
    lines_.push_back(line);
    return true;
  }

  // Moves offsets, of three levels factors too, so that all pairs are right; false: there are none
  // such.
  bool settle() {
    std::vector<ByteCombination> near;
    const size_t most = lines_.size() * (kUnsignedBytes * kUnsignedBytes / kPairsToOneInDoubt);
    for (size_t p = 0; p < lines_.size(); ++p) {
      for (int64_t u = 0; u < kUnsignedBytes; ++u) {
        for (int64_t v = 0; v < kUnsignedBytes; ++v) {
          const int64_t place = lines_[p].position(u, v);
          if (!is_near(p, place)) continue;
          near.push_back({p, {u + bias(0), v + bias(1)}});
        }
      }
      if (near.size() > most) return false;
    }
    std::vector<int64_t> wanted;
    if (!near.empty()) wanted = exact_bytes(value_, kernel_, axes_, op_.operands, near, values_);
    size_t first = 0;
    for (size_t p = 0; p < lines_.size(); ++p) {
      std::vector<WantedByte> of_line;
      for (; first < near.size() && near[first].point == p; ++first)
        of_line.push_back(
            {near[first].bytes[0] - bias(0), near[first].bytes[1] - bias(1), wanted[first]});
      if (!settle(lines_[p], of_line)) return false;
    }
    return true;
  }
  struct WantedByte {
    int64_t u = 0, v = 0, byte = 0;
  };
  // The same of one line: the first of its trials that has an offset for all.
  static bool settle(DigitLine& line, const std::vector<WantedByte>& near) {
    const DigitLine own = line;
    const int64_t reach = line.is_short() ? kReachOfTrials : 0;
    // Rings around the factors that are nearest to what they stand for.
    for (int64_t ring = 0; ring <= reach; ++ring) {
      for (int64_t i = -ring; i <= ring; ++i) {
        for (int64_t j = -ring; j <= ring; ++j) {
          if (std::max(std::abs(i), std::abs(j)) != ring) continue;
          line = own;
          line.factors[0] += i;
          line.factors[1] += j;
          line.set_digits();
          if (set_offset(line, near) && starts_of(line)) return true;
        }
      }
    }
    return false;
  }
  static bool set_offset(DigitLine& line, const std::vector<WantedByte>& near) {
    int64_t least = -line.reach, greatest = line.reach;
    const int fraction = line.fraction();
    for (const WantedByte& one : near) {
      const int64_t place = line.position(one.u, one.v);
      // Limits make the first and the last byte half lines.
      if (one.byte > line.least)
        least = std::max(least, one.byte * (int64_t{1} << fraction) - place);
      if (one.byte < line.greatest)
        greatest = std::min(greatest, (one.byte + 1) * (int64_t{1} << fraction) - 1 - place);
    }
    if (least > greatest) return false;
    line.offset += std::min(std::max<int64_t>(0, least), greatest);
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

  void add_parts(const DigitLine& line) {
    const auto [start, last] = *starts_of(line);
    for (int level = 0; level < line.levels; ++level)
      parts_.push_back((line.digits[level][0] & 255) | (line.digits[level][1] & 255) << 8);
    for (const int64_t part : {start, last, int64_t{line.shift}, line.least, line.greatest})
      parts_.push_back(part);
  }

  SaidByteOp as_op(const std::map<Expr, Expr>& said) {
    const Type to = op_.exact.type();
    const bool whole = std::all_of(lines_.begin(), lines_.end(), [to](const DigitLine& line) {
      return line.least == lowest(to) && line.greatest == highest(to);
    });
    op_.digits = isa::find_row(
        isa::digit_name(levels_, op_.operands[0].type(), op_.operands[1].type(), to, whole));
    std::vector<int64_t> shape;
    for (const int axis : axes_) shape.push_back(kernel_.axes[at(axis)].extent.constant());
    shape.push_back(isa::digit_parts(levels_));
    op_.constant = add_constant(values_, kernel_.name + "/digits", Type::i32, shape,
                                to_constant(make_tensor(Type::i32, shape, parts_)));
    SaidByteOp out;
    out.said = isa::byte_of_digits(
        levels_, said.at(op_.operands[0]), said.at(op_.operands[1]),
        [&](int part) {
          std::vector<Index> place = op_.point;
          place.emplace_back(part);
          return Expr::load(op_.constant, Type::i32, place);
        },
        to, whole);
    out.op = std::move(op_);
    return out;
  }

  const int levels_;
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
  std::optional<SaidByteOp> out;
  // The fewer the better.
  for (int levels = isa::kLeastDigitLevels; !out && levels <= isa::kMostDigitLevels; ++levels)
    out = DigitFinder(levels, form, op, value, kernel, axes, values).run(said);
  return out;
}

}  // namespace burin
