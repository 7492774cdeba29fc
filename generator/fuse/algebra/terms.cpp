#include "fuse/algebra/terms.h"

#include <algorithm>
#include <cmath>

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "kernel/expr/expr_table.h"

namespace burin {
namespace {

constexpr size_t kMostTerms = 16;
constexpr int64_t kMostTermElements = 65536;  // of a constant that is computed now
// exp(a + b) has the rounding of a + b in its exponent: 2^-24 of it for f32.
constexpr double kMostExponent = 16;

bool is(const Expr& expr, Binary op) {
  return expr.kind() == ExprKind::binary && expr->binary() == op;
}
bool is(const Expr& expr, Unary op) {
  return expr.kind() == ExprKind::unary && expr->unary() == op;
}

struct Term {
  bool minus = false;
  Expr expr;
};

void flatten_sum(const Expr& expr, bool minus, std::vector<Term>& out) {
  if (is(expr, Binary::add) || is(expr, Binary::sub)) {
    flatten_sum(expr->operands[0], minus, out);
    flatten_sum(expr->operands[1], minus != is(expr, Binary::sub), out);
  } else if (is(expr, Unary::neg)) {
    flatten_sum(expr->operands[0], !minus, out);
  } else {
    out.push_back({minus, expr});
  }
}

Expr sum_of(const std::vector<Term>& terms) {
  Expr out;
  for (const Term& term : terms) {
    if (!out)
      out = term.minus ? -term.expr : term.expr;
    else
      out = term.minus ? out - term.expr : out + term.expr;
  }
  return out;
}

// a * b / c ... as factors above and below; integers are not divided.
struct Factors {
  std::vector<Expr> above, below;
};

void flatten_product(const Expr& expr, bool below, Factors& out) {
  if (is(expr, Binary::mul)) {
    flatten_product(expr->operands[0], below, out);
    flatten_product(expr->operands[1], below, out);
  } else if (is(expr, Binary::div) && is_float(expr.type())) {
    flatten_product(expr->operands[0], below, out);
    flatten_product(expr->operands[1], !below, out);
  } else if (!expr.is_constant(1)) {
    (below ? out.below : out.above).push_back(expr);
  }
}

Factors factors_of(const Expr& expr) {
  Factors out;
  flatten_product(expr, false, out);
  return out;
}

Expr product_of(const std::vector<Expr>& factors, Type type) {
  Expr out = Expr::constant(type, 1);
  for (const Expr& factor : factors) out = out * factor;
  return out;
}

Expr quotient_of(const Factors& factors, Type type) {
  Expr out = product_of(factors.above, type);
  for (const Expr& factor : factors.below) out = out / factor;
  return out;
}

std::vector<Expr> all_of(const Factors& factors) {
  std::vector<Expr> out = factors.above;
  out.insert(out.end(), factors.below.begin(), factors.below.end());
  return out;
}

}  // namespace

// --- Work ---

bool Work::is_folded(const Expr& expr) {
  if (!known_.is_known(expr)) return false;
  double points = 1;
  for (const int axis : axes_of(expr)) {
    const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
    if (!extent.is_constant()) return false;
    points *= static_cast<double>(extent.constant());
  }
  std::vector<Symbol> symbols;
  visit_indices(expr, [&](const Index& index) { index.collect_symbols(symbols); });
  return symbols.empty() && points <= static_cast<double>(kMostTermElements);
}

double Work::of(const Expr& expr) {
  ExprSet seen;
  double total = 0;
  const auto walk = [&](const auto& self, const Expr& one) -> void {
    if (!seen.insert(one).second || is_folded(one)) return;
    const bool works = one.kind() == ExprKind::unary || one.kind() == ExprKind::binary ||
                       one.kind() == ExprKind::select;
    if (works) {
      double points = 1;
      for (const int axis : axes_of(one))
        points *= static_cast<double>(
            std::max<int64_t>(1, at_hints(kernel_.axes[static_cast<size_t>(axis)].extent)));
      const bool function = one.kind() == ExprKind::unary && is_function(one->unary());
      total += points * (function ? function_operations_ : 1);
    }
    for (const Expr& operand : one->operands) self(self, operand);
    for (const Expr::Case& other : one->cases) self(self, other.value);
  };
  walk(walk, expr);
  return total;
}

double Work::of(const Kernel& kernel) {
  double total = 0;
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) total += of(body);
  }
  for (const Write& write : kernel.writes) total += of(write.value);
  return total;
}

// --- Rules ---

std::optional<Expr> TermRules::apply(const Expr& expr, bool exact, Rewrites& made) {
  if (expr.kind() != ExprKind::binary) return std::nullopt;
  const Type type = expr.type();
  if (!is_float(type) && !is_integer(type)) return std::nullopt;
  const bool sum = is(expr, Binary::add) || is(expr, Binary::sub);
  const bool product = is(expr, Binary::mul) || is(expr, Binary::div);
  exact = exact || !options_.fast_math;
  const bool rounds = is_float(type) && exact;
  if (options_.associative && (sum || product)) {
    std::optional<Expr> out;
    if (!rounds) out = accepted(expr, sum ? gathered_sum(expr) : gathered_product(expr));
    if (!out && !rounds && sum && is_float(type)) out = accepted(expr, one_logarithm(expr));
    if (!out && product && is_float(type)) out = accepted(expr, one_function(expr, exact));
    if (!out && !rounds && product && is_float(type)) out = accepted(expr, one_quotient(expr));
    if (out) {
      ++made.associative;
      return out;
    }
  }
  if (options_.distributive && sum && !rounds) {
    if (std::optional<Expr> out = accepted(expr, factored(expr))) {
      ++made.distributive;
      return out;
    }
  }
  return std::nullopt;
}

std::optional<Expr> TermRules::accepted(const Expr& old, const std::optional<Expr>& made) const {
  return made && work_.of(*made) < work_.of(old) ? made : std::nullopt;
}

bool TermRules::alike(const Expr& a, const Expr& b, const std::vector<Expr>& leaves) {
  return stays_in_range(a, leaves, bounds_) && stays_in_range(b, leaves, bounds_);
}

// Known terms that are added one after the other are one. A term that is infinite would meet the
// rest's infinity in another place.
std::optional<Expr> TermRules::gathered_sum(const Expr& expr) {
  std::vector<Term> known;
  Expr rest = expr;
  bool minus = false;
  while (is(rest, Binary::add) || is(rest, Binary::sub)) {
    const Expr a = rest->operands[0], b = rest->operands[1];
    const bool difference = is(rest, Binary::sub);
    if (work_.is_folded(b)) {
      known.push_back({minus != difference, b});
      rest = a;
    } else if (work_.is_folded(a)) {
      known.push_back({minus, a});
      minus = minus != difference;
      rest = b;
    } else {
      break;
    }
  }
  if (known.size() < 2 || known.size() > kMostTerms) return std::nullopt;
  std::reverse(known.begin(), known.end());
  const Expr constant = sum_of(known);
  Expr out = minus ? constant - rest : rest + constant;
  if (constant.is_constant(0)) out = minus ? -rest : rest;
  if (!is_float(expr.type())) return out;
  for (const Term& term : known) {
    if (!bounds_.of(term.expr).is_finite()) return std::nullopt;
  }
  return alike(expr, out, {rest}) ? std::optional(out) : std::nullopt;
}

std::optional<Expr> TermRules::gathered_product(const Expr& expr) {
  Factors known;
  Expr rest = expr;
  const bool floats = is_float(expr.type());
  while (true) {
    if (is(rest, Binary::mul) && work_.is_folded(rest->operands[1])) {
      known.above.push_back(rest->operands[1]);
      rest = rest->operands[0];
    } else if (is(rest, Binary::mul) && work_.is_folded(rest->operands[0])) {
      known.above.push_back(rest->operands[0]);
      rest = rest->operands[1];
    } else if (floats && is(rest, Binary::div) && work_.is_folded(rest->operands[1])) {
      known.below.push_back(rest->operands[1]);
      rest = rest->operands[0];
    } else {
      break;
    }
  }
  const size_t count = known.above.size() + known.below.size();
  if (count < 2 || count > kMostTerms) return std::nullopt;
  std::reverse(known.above.begin(), known.above.end());
  std::reverse(known.below.begin(), known.below.end());
  const Expr constant = quotient_of(known, expr.type());
  const Expr out = constant.is_constant(1) ? rest : rest * constant;
  if (!floats) return out;
  for (const Expr& factor : all_of(known)) {
    if (!bounds_.of(factor).is_finite()) return std::nullopt;
  }
  // What underflow takes of the constant, it takes of every result.
  const FloatBounds one = bounds_.of(constant);
  if (one.lost > 0 || (one.zero && one.least == 0)) return std::nullopt;
  return alike(expr, out, {rest}) ? std::optional(out) : std::nullopt;
}

// Infinity times two numbers, one of them negative, is NaN as a sum and may be none as a product;
// a zero below is the same.
bool TermRules::distributes(const Expr& common, bool below, const Expr& x, const Expr& y,
                            bool same) {
  const FloatBounds &its = bounds_.of(common), &a = bounds_.of(x), &b = bounds_.of(y);
  if (below ? !its.zero : its.is_finite()) return true;
  const double sign = same ? 1 : -1;
  return (a.lo > 0 && sign * (same ? b.lo : b.hi) > 0) ||
         (a.hi < 0 && sign * (same ? b.hi : b.lo) < 0);
}

// Two terms with a factor in common.
std::optional<Expr> TermRules::factored(const Expr& expr) {
  std::vector<Term> terms;
  flatten_sum(expr, false, terms);
  if (terms.size() > kMostTerms) return std::nullopt;
  const Type type = expr.type();
  std::vector<Factors> factors;
  std::vector<Expr> leaves;
  for (const Term& term : terms) {
    factors.push_back(factors_of(term.expr));
    const std::vector<Expr> own = all_of(factors.back());
    leaves.insert(leaves.end(), own.begin(), own.end());
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    for (size_t j = i + 1; j < terms.size(); ++j) {
      for (const bool below : {false, true}) {
        const std::vector<Expr>& mine = below ? factors[i].below : factors[i].above;
        for (size_t f = 0; f < mine.size(); ++f) {
          Factors a = factors[i], b = factors[j];
          std::vector<Expr>& from = below ? b.below : b.above;
          const auto other = std::find(from.begin(), from.end(), mine[f]);
          if (other == from.end()) continue;
          const Expr common = mine[f];
          from.erase(other);
          std::vector<Expr>& own = below ? a.below : a.above;
          own.erase(own.begin() + static_cast<std::ptrdiff_t>(f));
          const Expr x = quotient_of(a, type), y = quotient_of(b, type);
          const bool same = terms[i].minus == terms[j].minus;
          if (is_float(type) && !distributes(common, below, x, y, same)) continue;
          const Expr inner = same ? x + y : terms[i].minus ? y - x : x - y;
          std::vector<Term> sum = terms;
          sum[i] = {same && terms[i].minus, below ? inner / common : inner * common};
          sum.erase(sum.begin() + static_cast<std::ptrdiff_t>(j));
          const Expr out = sum_of(sum);
          if (work_.of(out) >= work_.of(expr)) continue;
          if (!is_float(type) || alike(expr, out, leaves)) return out;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<Expr> TermRules::one_logarithm(const Expr& expr) {
  std::vector<Term> terms;
  flatten_sum(expr, false, terms);
  if (terms.size() > kMostTerms) return std::nullopt;
  for (size_t i = 0; i < terms.size(); ++i) {
    for (size_t j = i + 1; j < terms.size(); ++j) {
      if (!is(terms[i].expr, Unary::log) || !is(terms[j].expr, Unary::log)) continue;
      const Expr a = terms[i].expr->operands[0], b = terms[j].expr->operands[0];
      const bool same = terms[i].minus == terms[j].minus;
      std::vector<Term> sum = terms;
      sum[i].expr = Expr::unary(Unary::log, same ? a * b : a / b);
      sum.erase(sum.begin() + static_cast<std::ptrdiff_t>(j));
      std::vector<Expr> leaves{a, b};
      for (const Term& term : terms) {
        if (!is(term.expr, Unary::log)) leaves.push_back(term.expr);
      }
      const Expr out = sum_of(sum);
      if (bounds_.of(a).lo > 0 && bounds_.of(b).lo > 0 && alike(expr, out, leaves)) return out;
    }
  }
  return std::nullopt;
}

std::optional<Expr> TermRules::one_function(const Expr& expr, bool exact) {
  const Factors factors = factors_of(expr);
  if (factors.above.size() > kMostTerms) return std::nullopt;
  for (size_t i = 0; i < factors.above.size(); ++i) {
    for (size_t j = i + 1; j < factors.above.size(); ++j) {
      const Expr &f = factors.above[i], &g = factors.above[j];
      if (f.kind() != ExprKind::unary || g.kind() != ExprKind::unary || f->op != g->op) continue;
      const Unary op = f->unary();
      const Expr a = f->operands[0], b = g->operands[0];
      Expr joint;
      if (op == Unary::abs && factors.above.size() == 2 && factors.below.empty()) {
        return Expr::unary(Unary::abs, a * b);  // rounding knows no signs
      }
      if (exact) continue;
      const FloatBounds &x = bounds_.of(a), &y = bounds_.of(b);
      if (op == Unary::abs) {
        joint = Expr::unary(Unary::abs, a * b);
      } else if (op == Unary::sqrt && x.lo >= 0 && y.lo >= 0) {
        joint = a == b ? a : Expr::unary(Unary::sqrt, a * b);
      } else if (op == Unary::exp && x.magnitude() + y.magnitude() <= kMostExponent) {
        joint = Expr::unary(Unary::exp, a + b);
      } else {
        continue;
      }
      Factors with = factors;
      with.above[i] = joint;
      with.above.erase(with.above.begin() + static_cast<std::ptrdiff_t>(j));
      const Expr out = quotient_of(with, expr.type());
      std::vector<Expr> leaves = all_of(factors);
      std::erase(leaves, f);
      std::erase(leaves, g);
      leaves.push_back(a);
      leaves.push_back(b);
      if (alike(expr, out, leaves)) return out;
    }
  }
  return std::nullopt;
}

std::optional<Expr> TermRules::one_quotient(const Expr& expr) {
  const Factors factors = factors_of(expr);
  const size_t count = factors.above.size() + factors.below.size();
  if (factors.below.size() < 2 || count > kMostTerms) return std::nullopt;
  const Expr out = product_of(factors.above, expr.type()) / product_of(factors.below, expr.type());
  return alike(expr, out, all_of(factors)) ? std::optional(out) : std::nullopt;
}

}  // namespace burin
