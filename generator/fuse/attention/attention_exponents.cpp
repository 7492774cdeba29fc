#include "fuse/attention/attention_exponents.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "fuse/access/expr_forms.h"
#include "fuse/attention/attention_form.h"
#include "fuse/attention/attention_weights.h"
#include "kernel/let_uses.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostOnes = 65536;
// Factors of an exponent that are one: as far from 1 that no product on the way leaves the numbers
// where the exponential does not.
constexpr double kMostFactor = 0x1p16;

// Within a unit of 1: such a factor is made of numbers of the type, each of them rounded (e, or
// log2 e and ln 2), and changes an exponent by as much as its own rounding.
bool is_one(Type type, double factor) {
  return std::abs(factor - 1) <= (type == Type::f64 ? 0x1p-52 : 0x1p-23);
}

class Speller {
 public:
  Speller(const Kernel& kernel, const std::vector<Value>& values, bool fast_math)
      : values_(values), fast_math_(fast_math), out_(without_maps(kernel)) {}

  std::optional<Kernel> run() {
    spell([&](const Expr& expr) { return without_ones(expr); });
    replace_no_key();
    if (!spell_exponents()) return std::nullopt;
    return changed_ ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  template <class OnExpr>
  void spell(const OnExpr& on_expr) {
    rewrite_exprs(out_, [&](const Expr& expr) -> Expr {
      Expr other = on_expr(expr);
      changed_ = changed_ || other.ptr() != expr.ptr();
      return other;
    });
  }

  // A product with a constant of ones.
  Expr without_ones(const Expr& expr) {
    if (!is_binary(expr, Binary::mul)) return expr;
    for (const size_t k : {size_t{0}, size_t{1}}) {
      const Expr& factor = expr->operands[k];
      if (factor.kind() == ExprKind::load && is_ones(factor->id)) return expr->operands[1 - k];
    }
    return expr;
  }

  bool is_ones(ValueId id) {
    const auto seen = ones_.find(id);
    if (seen != ones_.end()) return seen->second;
    const Value& value = values_[static_cast<size_t>(id)];
    const std::optional<int64_t> elements = product(value.shape).as_constant();
    bool ones = value.kind == ValueKind::constant && is_float(value.type) && elements &&
                *elements <= kMostOnes && value.layout.is_row_major();
    for (int64_t i = 0; ones && i < *elements; ++i)
      ones = load_function(value.type)(value.constant.data, i).number == 1;
    return ones_[id] = ones;
  }

  // x * f by numbers, as x and f; f is exact where its parts were rounded.
  Expr peeled(const Expr& expr, double& factor) const {
    const bool divides = is_binary(expr, Binary::div);
    if (divides || is_binary(expr, Binary::mul)) {
      for (const size_t k : {size_t{0}, size_t{1}}) {
        if (divides && k == 1) break;
        const std::optional<double> number = number_of(expr->operands[1 - k], values_);
        if (!number || !(*number >= 1 / kMostFactor && *number <= kMostFactor)) continue;
        factor = divides ? factor / *number : factor * *number;
        return peeled(expr->operands[k], factor);
      }
    }
    return expr;
  }

  Expr times(const Expr& expr, double by) const {
    double factor = by;
    const Expr inner = peeled(expr, factor);
    return inner * Expr::constant(expr.type(), factor);
  }

  // The x of exp(x * f), where it is written as a power or f is not 1.
  std::optional<Expr> exponent(const Expr& expr, double& factor) const {
    factor = 1;
    if (!is_float_or_double(expr.type())) return std::nullopt;
    if (is_unary(expr, Unary::exp)) {
      const Expr inner = peeled(expr->operands[0], factor);
      return is_one(expr.type(), factor) ? std::nullopt : std::optional(inner);
    }
    if (!is_binary(expr, Binary::pow)) return std::nullopt;
    const std::optional<double> base = number_of(expr->operands[0], values_);
    if (!base || !std::isfinite(*base) || *base <= 1) return std::nullopt;
    factor = std::log(*base);
    return peeled(expr->operands[1], factor);
  }

  int greatest_of(const Expr& shift) const {
    const std::set<int> lets = lets_in(shift);
    if (lets.size() != 1) return -1;
    const int let = *lets.begin();
    if (out_.lets[static_cast<size_t>(let)].op != Combiner::max) return -1;
    if (is_let(shift, let, out_)) return let;
    const bool guarded =
        shift.kind() == ExprKind::select && is_masked_row(shift->operands[0], let, out_, values_) &&
        number_of(shift->operands[1], values_) == 0.0 && is_let(shift->operands[2], let, out_);
    return guarded ? let : -1;
  }

  // f * (S - m) of one let m: what S is, and f.
  struct Scaled {
    Expr score;
    double factor;
  };

  bool spell_exponents() {
    std::map<int, Scaled> scaled;
    bool fits = true;
    const auto on_power = [&](const Expr& expr) -> Expr {
      double factor = 1;
      const std::optional<Expr> inner = exponent(expr, factor);
      if (!inner) return expr;
      if (is_one(expr.type(), factor)) return Expr::unary(Unary::exp, *inner);
      const int let = is_binary(*inner, Binary::sub) ? greatest_of((*inner)->operands[1]) : -1;
      if (let < 0) return Expr::unary(Unary::exp, times(*inner, factor));
      if (!fast_math_) return expr;
      const auto [at, added] = scaled.emplace(let, Scaled{(*inner)->operands[0], factor});
      fits = fits && at->second.score == (*inner)->operands[0] && at->second.factor == factor;
      return Expr::unary(Unary::exp, times((*inner)->operands[0], factor) - (*inner)->operands[1]);
    };
    spell(on_power);
    for (const auto& [number, one] : scaled) {
      Let& let = out_.lets[static_cast<size_t>(number)];
      fits = fits && let.body.size() == 1 && let.body[0] == one.score;
      if (!fits) return false;
      let.body[0] = times(one.score, one.factor);
      if (reads_elsewhere(number, let.body[0])) return false;
    }
    return fits;
  }

  // Whether a greatest score is read but as what exponents are relative to, or whether it is -inf.
  bool reads_elsewhere(int let, const Expr& score) const {
    const std::function<bool(const Expr&)> reads = [&](const Expr& expr) {
      if (is_masked_row(expr, let, out_, values_)) return false;
      if (is_unary(expr, Unary::exp) && is_binary(expr->operands[0], Binary::sub) &&
          expr->operands[0]->operands[0] == score &&
          greatest_of(expr->operands[0]->operands[1]) == let)
        return false;
      if (expr.kind() == ExprKind::let) return expr->id == let;
      for (const Expr& operand : expr->operands) {
        if (reads(operand)) return true;
      }
      for (const Expr::Case& one : expr->cases) {
        if (reads(one.value)) return true;
      }
      return false;
    };
    for (const Let& one : out_.lets) {
      for (const Expr& body : one.body) {
        if (reads(body)) return true;
      }
    }
    return std::any_of(out_.writes.begin(), out_.writes.end(),
                       [&](const Write& write) { return reads(write.value); });
  }

  // What is 1 where a score is -infinity and 0 where it is not, or the other way round (`seen`).
  bool is_indicator(const Expr& expr, const Expr& score, bool& seen) const {
    if (expr.kind() == ExprKind::cast) return is_indicator(expr->operands[0], score, seen);
    if (is_unary(expr, Unary::logical_not)) {
      seen = !seen;
      return is_indicator(expr->operands[0], score, seen);
    }
    if (is_binary(expr, Binary::ne)) seen = !seen;
    if (!is_binary(expr, Binary::ne) && !is_binary(expr, Binary::eq)) return false;
    const auto is_least = [&](const Expr& one) {
      return number_of(one, values_) == -std::numeric_limits<double>::infinity();
    };
    const Expr &one = expr->operands[0], &other = expr->operands[1];
    return (one == score && is_least(other)) || (other == score && is_least(one));
  }

  // Whether a let is no less than 1 where every score of its row is -infinity and 0 elsewhere, or
  // the other way round.
  bool asks_for_all(const Let& let, const Let& greatest, bool& seen) const {
    seen = false;
    if (let.body.size() != 1 || greatest.body.size() != 1 || let.over != greatest.over ||
        let.reduced != greatest.reduced || !is_indicator(let.body[0], greatest.body[0], seen))
      return false;
    const bool all = let.op == Combiner::min || let.op == Combiner::logical_and ||
                     let.op == Combiner::product,
               any = let.op == Combiner::max || let.op == Combiner::logical_or ||
                     let.op == Combiner::sum;
    return seen ? any : all;
  }

  // Lets that ask whether every score is -infinity go: the greatest says it.
  void replace_no_key() {
    for (size_t asks = 0; asks < out_.lets.size(); ++asks) {
      for (size_t greatest = 0; greatest < out_.lets.size(); ++greatest) {
        bool seen = false;
        if (out_.lets[greatest].op != Combiner::max || greatest == asks ||
            !asks_for_all(out_.lets[asks], out_.lets[greatest], seen))
          continue;
        std::optional<Kernel> without =
            without_question(static_cast<int>(asks), static_cast<int>(greatest), seen);
        if (!without) continue;
        out_ = std::move(*without);
        changed_ = true;
        --asks;
        break;
      }
    }
  }

  static Expr without_not(const Expr& expr) {
    const bool chooses = expr.kind() == ExprKind::select;
    if (!chooses && !is_unary(expr, Unary::logical_not)) return expr;
    const Expr& truth = expr->operands[0];
    if (!is_unary(truth, Unary::logical_not)) return expr;
    return chooses ? Expr::select(truth->operands[0], expr->operands[2], expr->operands[1])
                   : truth->operands[0];
  }

  std::optional<Kernel> without_question(int asks, int greatest, bool seen) const {
    Kernel out = out_;
    const Type type = out.lets[static_cast<size_t>(greatest)].accumulator[0];
    const auto is_asked = [&](const Expr& expr) {
      return expr.kind() == ExprKind::let && expr->id == asks;
    };
    const auto is_zero = [&](const Expr& expr) {
      return number_of(expr, values_) == 0.0 || (expr.is_constant() && expr.is_constant(0));
    };
    bool fits = true;
    rewrite_exprs(out, [&](const Expr& expr) -> Expr {
      const bool truth = is_asked(expr) && expr.type() == Type::boolean,
                 cast = expr.kind() == ExprKind::cast && expr.type() == Type::boolean &&
                        is_asked(expr->operands[0]),
                 compared = expr.kind() == ExprKind::binary && is_asked(expr->operands[0]) &&
                            is_zero(expr->operands[1]);
      const bool positive =
                     compared && (expr->binary() == Binary::gt || expr->binary() == Binary::ne),
                 zero = compared && expr->binary() == Binary::eq;
      if (!truth && !cast && !positive && !zero) return expr;
      const Expr& read = truth ? expr : expr->operands[0];
      const Expr masked = compare(Binary::eq, Expr::let(greatest, type, read->at),
                                  Expr::constant(type, -std::numeric_limits<double>::infinity()));
      return seen == zero ? masked : Expr::unary(Unary::logical_not, masked);
    });
    // Nobody asks any more, and who did comes behind the greatest.
    const auto scan = [&](const Expr& expr, int at) {
      const std::set<int> lets = lets_in(expr);
      fits = fits && !lets.contains(asks) && (at > greatest || !lets.contains(greatest));
    };
    for (size_t i = 0; i < out.lets.size(); ++i) {
      for (const Expr& body : out.lets[i].body) scan(body, static_cast<int>(i));
    }
    for (const Write& write : out.writes) scan(write.value, static_cast<int>(out.lets.size()));
    if (!fits) return std::nullopt;
    out.lets.erase(out.lets.begin() + asks);
    rewrite_exprs(out, [&](const Expr& expr) -> Expr {
      if (expr.kind() == ExprKind::let && expr->id > asks)
        return Expr::let(expr->id - 1, expr.type(), expr->at, expr->component);
      return without_not(expr);
    });
    return out;
  }

  const std::vector<Value>& values_;
  const bool fast_math_;
  Kernel out_;
  std::map<ValueId, bool> ones_;
  bool changed_ = false;
};

}  // namespace

std::optional<Kernel> with_plain_exponents(const Kernel& kernel, const std::vector<Value>& values,
                                           bool fast_math) {
  return Speller(kernel, values, fast_math).run();
}

}  // namespace burin
