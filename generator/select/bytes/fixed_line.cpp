#include "select/bytes/fixed_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/at.h"

namespace burin {
namespace {

constexpr int kMostFraction = 23, kLeastFraction = 18;  // 16 and what is shifted then
// Of those looked at, and of those that a tree may meet: one by one takes as long as hundreds.
constexpr int64_t kDoubtIsRare = 64, kDoubtIsRareAtRun = 256;

class FixedLines {
 public:
  FixedLines(const RealForm& form, const std::vector<Expr>& operands)
      : form_(form), operands_(operands), points_(form.offset.size()) {}

  std::optional<FixedLine> run(const ExactBytes& exact) {
    lay_out();
    if (!choose_fraction()) return std::nullopt;
    for (size_t p = 0; p < points_; ++p) {
      if (!add_point(p)) return std::nullopt;
    }
    int64_t combinations = static_cast<int64_t>(points_);
    for (size_t k = 0; k < operands_.size() && combinations <= kMostCombinations; ++k)
      combinations *= 256;
    if (combinations <= kMostCombinations) {
      if (!find_near(combinations)) return std::nullopt;
      out_.sure = settle(exact);
      if (out_.sure) return out_;
    }
    if (*std::max_element(reach_.begin(), reach_.end()) * 2 * kDoubtIsRareAtRun > one())
      return std::nullopt;
    for (size_t p = 0; p < points_; ++p) *part(p, out_.near) = static_cast<int32_t>(reach_[p]);
    return out_;
  }

 private:
  int64_t one() const { return int64_t{1} << out_.fraction; }
  int32_t* part(size_t p, int number) {
    return out_.parts.data() + p * static_cast<size_t>(out_.size) + number;
  }

  void lay_out() {
    out_.size = 1;
    for (const RealStage& stage : form_.stages) {
      out_.stages.push_back({stage.operand, out_.size});
      out_.size += stage.operand < 0 ? 2 : 1;
    }
    out_.near = out_.size;
    out_.end = out_.size + 2;
    out_.size += 5;
    out_.parts.assign(points_ * static_cast<size_t>(out_.size), 0);
  }

  bool choose_fraction() {
    double most = 1;
    for (size_t p = 0; p < points_; ++p) {
      // Every stage of it, and every sum on the way within one.
      double all = std::abs(form_.offset[p]);
      for (size_t s = 0; s <= form_.stages.size(); ++s) {
        most = std::max(most, range_of(form_, p, s, operands_).most());
        if (s == form_.stages.size() || form_.stages[s].operand < 0) continue;
        all = std::max(all, std::abs(form_.stages[s].factor[p]) * 255);
      }
      most = std::max(most, all);
    }
    // Roundings of factors, and what is added to see what is near.
    out_.fraction =
        std::min(kMostFraction, static_cast<int>(std::floor(std::log2(0x1p31 / (most + 2)))));
    return out_.fraction >= kLeastFraction;
  }

  bool add_point(size_t p) {
    const double scale = std::ldexp(1.0, out_.fraction);
    const auto whole = [&](double x) {
      const double all = std::nearbyint(x * scale);
      return static_cast<int32_t>(std::min(
          std::max(all, -0x1p31), static_cast<double>(std::numeric_limits<int32_t>::max())));
    };
    double strays = form_.error[p] * scale * 1.01 + 2;
    *part(p, 0) = whole(form_.offset[p]);
    for (size_t s = 0; s < form_.stages.size(); ++s) {
      const RealStage& stage = form_.stages[s];
      const int number = out_.stages[s].part;
      if (stage.operand < 0) {
        *part(p, number) = whole(stage.least[p]);
        *part(p, number + 1) = whole(stage.greatest[p]);
        strays += 1;
        continue;
      }
      *part(p, number) = whole(stage.factor[p]);
      const Type type = operands_[at(stage.operand)].type();
      strays += 0.5 * static_cast<double>(std::max(-lowest(type), highest(type)));
    }
    const double reach = std::ceil(strays);
    if (reach * 8 >= scale) return false;
    reach_.push_back(static_cast<int64_t>(reach));
    *part(p, out_.near + 1) = 32 - out_.fraction;
    *part(p, out_.end) = out_.fraction - 16;
    *part(p, out_.end + 1) = form_.least[p];
    *part(p, out_.end + 2) = form_.greatest[p];
    return true;
  }

  // --- Combinations in doubt ---
  int64_t position(size_t p, const std::vector<int64_t>& bytes) {
    int64_t at_stage = *part(p, 0);
    for (const FixedLine::Stage& stage : out_.stages) {
      if (stage.operand < 0) {
        at_stage = std::min<int64_t>(std::max<int64_t>(at_stage, *part(p, stage.part)),
                                     *part(p, stage.part + 1));
      } else {
        at_stage += int64_t{*part(p, stage.part)} * bytes[at(stage.operand)];
      }
    }
    return at_stage;
  }
  // false: too many. The byte of the last stage runs innermost, where that is all it does.
  bool find_near(int64_t combinations) {
    const auto most = static_cast<size_t>(combinations / kDoubtIsRare);
    const int last = out_.stages.empty() ? -1 : out_.stages.back().operand;
    const auto uses =
        std::count_if(out_.stages.begin(), out_.stages.end(),
                      [&](const FixedLine::Stage& one) { return one.operand == last; });
    inner_ = uses == 1 ? last : -1;
    ByteCombination now;
    now.bytes.resize(operands_.size());
    for (now.point = 0; now.point < points_; ++now.point) {
      for (size_t k = 0; k < operands_.size(); ++k) now.bytes[k] = lowest(operands_[k].type());
      do {
        look_along(now);
        if (near_.size() > most) return false;
      } while (next(now.bytes));
    }
    return true;
  }
  // All of the innermost byte, or this one.
  void look_along(ByteCombination& now) {
    int64_t place = position(now.point, now.bytes);
    if (inner_ < 0) {
      if (is_near(now.point, place)) near_.push_back(now);
      return;
    }
    const Type type = operands_[at(inner_)].type();
    const int64_t step = *part(now.point, out_.stages.back().part);
    for (int64_t byte = lowest(type); byte <= highest(type); ++byte, place += step) {
      if (!is_near(now.point, place)) continue;
      near_.push_back(now);
      near_.back().bytes[at(inner_)] = byte;
    }
  }
  bool next(std::vector<int64_t>& bytes) const {
    for (size_t k = bytes.size(); k-- > 0;) {
      if (static_cast<int>(k) == inner_) continue;
      if (bytes[k] < highest(operands_[k].type())) {
        ++bytes[k];
        return true;
      }
      bytes[k] = lowest(operands_[k].type());
    }
    return false;
  }
  // Whether it is in doubt, or would be with an offset that is moved by the reach.
  bool is_near(size_t p, int64_t place) const {
    const int64_t reach = 2 * reach_[p];
    const int64_t within = (place + reach) & (one() - 1);
    if (within > 2 * reach) return false;
    // The end of a byte that limits leave no choice at is none.
    const int64_t byte = (place + reach) >> out_.fraction;
    return byte > form_.least[p] && byte <= form_.greatest[p];
  }

  // Moves the offsets so that all those are right; false: there is none.
  bool settle(const ExactBytes& exact) {
    if (near_.empty()) return true;
    const std::vector<int64_t> wanted = exact(near_);
    std::vector<int64_t> least(points_), greatest(points_);
    for (size_t p = 0; p < points_; ++p) {
      least[p] = -reach_[p];
      greatest[p] = reach_[p];
    }
    for (size_t n = 0; n < near_.size(); ++n) {
      const size_t p = near_[n].point;
      const int64_t place = position(p, near_[n].bytes);
      // Limits make the first and the last byte half lines.
      if (wanted[n] > form_.least[p])
        least[p] = std::max(least[p], (wanted[n] << out_.fraction) - place);
      if (wanted[n] < form_.greatest[p])
        greatest[p] = std::min(greatest[p], ((wanted[n] + 1) << out_.fraction) - 1 - place);
    }
    std::vector<int64_t> by(points_);
    for (size_t p = 0; p < points_; ++p) {
      if (least[p] > greatest[p]) {
        narrow_reach(wanted);
        return false;
      }
      by[p] = std::min(std::max<int64_t>(0, least[p]), greatest[p]);
    }
    // Limits on the way move with the offset.
    const auto move = [](int32_t& number, int64_t change) {
      number = static_cast<int32_t>(
          std::min<int64_t>(std::max<int64_t>(number + change, std::numeric_limits<int32_t>::min()),
                            std::numeric_limits<int32_t>::max()));
    };
    for (size_t p = 0; p < points_; ++p) {
      move(*part(p, 0), by[p]);
      for (const FixedLine::Stage& stage : out_.stages) {
        if (stage.operand >= 0) continue;
        move(*part(p, stage.part), by[p]);
        move(*part(p, stage.part + 1), by[p]);
      }
    }
    return true;
  }

  // Everything in doubt was looked at: no more is near than reaches to the bytes that are wrong.
  void narrow_reach(const std::vector<int64_t>& wanted) {
    std::vector<int64_t> needed(points_, 1);
    for (size_t n = 0; n < near_.size(); ++n) {
      const size_t p = near_[n].point;
      const int64_t place = position(p, near_[n].bytes);
      const int64_t byte = std::min<int64_t>(
          std::max<int64_t>(place >> out_.fraction, form_.least[p]), form_.greatest[p]);
      if (byte == wanted[n]) continue;
      // The end of a byte that is next to it.
      const int64_t above = place & (one() - 1), distance = std::min(above, one() - above);
      needed[p] = std::max(needed[p], distance + 1);
    }
    for (size_t p = 0; p < points_; ++p) reach_[p] = std::min(reach_[p], needed[p]);
  }

  const RealForm& form_;
  const std::vector<Expr>& operands_;
  const size_t points_;
  FixedLine out_;
  std::vector<int64_t> reach_;
  std::vector<ByteCombination> near_;
  int inner_ = -1;  // the operand that runs innermost
};

}  // namespace

std::optional<FixedLine> fixed_line_of(const RealForm& form, const std::vector<Expr>& operands,
                                       const ExactBytes& exact) {
  return FixedLines(form, operands).run(exact);
}

}  // namespace burin
