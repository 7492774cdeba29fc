#include "ops/api/loops/linear_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace burin {
namespace {

using Bounds = std::vector<LargestOf>;

constexpr size_t kMostBounds = 8, kMostForms = 8;
constexpr int64_t kMostNumber = int64_t{1} << 31;  // of coefficients and denominators
constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

// Both over one denominator.
bool align(LinearForm& a, LinearForm& b) {
  const int64_t common = std::lcm(a.denominator, b.denominator);
  if (common >= kMostNumber) return false;
  for (LinearForm* one : {&a, &b}) {
    const int64_t factor = common / one->denominator;
    for (auto& [variable, coefficient] : one->coefficients) {
      if (__builtin_mul_overflow(coefficient, factor, &coefficient)) return false;
    }
    one->rest *= factor;
    one->denominator = common;
  }
  return true;
}

}  // namespace

std::optional<LinearForm> scaled(const LinearForm& form, int64_t factor, int64_t divisor) {
  const int64_t common = std::gcd(factor, form.denominator * divisor);
  const int64_t up = common == 0 ? 0 : factor / common;
  LinearForm out;
  out.denominator = common == 0 ? 1 : form.denominator * divisor / common;
  if (out.denominator >= kMostNumber) return std::nullopt;
  for (const auto& [variable, coefficient] : form.coefficients) {
    int64_t product;
    if (__builtin_mul_overflow(coefficient, up, &product) || std::abs(product) >= kMostNumber)
      return std::nullopt;
    if (product != 0) out.coefficients[variable] = product;
  }
  out.rest = form.rest * up;
  return out;
}

std::optional<LinearForm> sum(LinearForm a, LinearForm b) {
  if (!align(a, b)) return std::nullopt;
  for (const auto& [variable, coefficient] : b.coefficients) {
    int64_t& to = a.coefficients[variable];
    to += coefficient;
    if (std::abs(to) >= kMostNumber) return std::nullopt;
    if (to == 0) a.coefficients.erase(variable);
  }
  a.rest += b.rest;
  return a;
}

namespace {

// No variable is negative, so larger coefficients are enough.
bool below(LinearForm a, LinearForm b) {
  if (!align(a, b)) return false;
  for (const auto& [variable, coefficient] : a.coefficients) {
    const auto other = b.coefficients.find(variable);
    if (coefficient > (other == b.coefficients.end() ? 0 : other->second)) return false;
  }
  for (const auto& [variable, coefficient] : b.coefficients) {
    if (coefficient < 0 && !a.coefficients.contains(variable)) return false;
  }
  return proven_le(a.rest, b.rest);
}

std::optional<LinearForm> above_both(LinearForm a, LinearForm b) {
  if (!align(a, b)) return std::nullopt;
  LinearForm out{.rest = max(a.rest, b.rest), .denominator = a.denominator};
  for (const auto* one : {&a, &b}) {
    for (const auto& [variable, coefficient] : one->coefficients) {
      int64_t& to = out.coefficients[variable];
      to = std::max(to, coefficient);
    }
  }
  std::erase_if(out.coefficients, [](const auto& one) { return one.second == 0; });
  return out;
}

bool add_form(LargestOf& forms, const LinearForm& form) {
  if (std::any_of(forms.begin(), forms.end(), [&](const auto& one) { return below(form, one); }))
    return true;
  std::erase_if(forms, [&](const auto& one) { return below(one, form); });
  if (forms.size() < kMostForms) {
    forms.push_back(form);
    return true;
  }
  const std::optional<LinearForm> both = above_both(forms.back(), form);
  if (both) forms.back() = *both;
  return both.has_value();
}

void add_bound(Bounds& bounds, LargestOf forms) {
  if (bounds.size() < kMostBounds) bounds.push_back(std::move(forms));
}

// What `combine` makes of each form of `a` and each of `b`; a bound for which it gives nothing is
// left out.
template <class Combine>
Bounds combined(const Bounds& a, const Bounds& b, const Combine& combine) {
  Bounds out;
  for (const LargestOf& left : a) {
    for (const LargestOf& right : b) {
      LargestOf forms;
      bool fits = true;
      for (const LinearForm& x : left) {
        for (const LinearForm& y : right) {
          const std::optional<LinearForm> both = combine(x, y);
          fits = fits && both && add_form(forms, *both);
        }
      }
      if (fits) add_bound(out, std::move(forms));
    }
  }
  return out;
}

Bounds sums(const Bounds& a, const Bounds& b) {
  return combined(a, b, [](const LinearForm& x, const LinearForm& y) { return sum(x, y); });
}

// The largest of what `a` and what `b` bounds.
Bounds unions(const Bounds& a, const Bounds& b) {
  Bounds out;
  for (const LargestOf& left : a) {
    for (const LargestOf& right : b) {
      LargestOf forms = left;
      const bool fits = std::all_of(right.begin(), right.end(),
                                    [&](const auto& one) { return add_form(forms, one); });
      if (fits) add_bound(out, std::move(forms));
    }
  }
  return out;
}

template <class Change>
Bounds changed(const Bounds& bounds, const Change& change) {
  Bounds out;
  for (const LargestOf& one : bounds) {
    LargestOf forms;
    bool fits = true;
    for (const LinearForm& form : one) {
      const std::optional<LinearForm> now = change(form);
      fits = fits && now && add_form(forms, *now);
    }
    if (fits) add_bound(out, std::move(forms));
  }
  return out;
}

Bounds exactly(const Dim& dim) { return {{LinearForm{.rest = dim}}}; }

class Bounding {
 public:
  explicit Bounding(const LinearScope& scope) : scope_(scope) {}

  Bounds of(const Dim& dim) {
    Dim kept = dim.constant_term();
    Bounds out = {{LinearForm{}}};
    for (const Index::Term& term : dim.terms()) {
      Dim product = term.coefficient;
      for (const Index& atom : term.atoms) product *= atom;
      if (is_kept(product)) {
        kept += product;
      } else {
        out = sums(out, of_term(term));
      }
    }
    return sums(out, exactly(kept));
  }

 private:
  bool is_open(const Symbol& symbol) const {
    return scope_.variables.contains(symbol->name) || scope_.bounds.contains(symbol->name) ||
           scope_.replaced(symbol);
  }

  bool is_kept(const Dim& dim) const {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    return !dim.has_data() && std::none_of(symbols.begin(), symbols.end(),
                                           [&](const auto& one) { return is_open(one); });
  }

  Bounds of_term(const Index::Term& term) {
    if (term.atoms.size() > 1) return of_product(term);
    const bool up = term.coefficient > 0;
    return changed(of_atom(term.atoms[0], up), [&](const LinearForm& form) {
      return scaled(form, std::abs(term.coefficient), 1);
    });
  }

  // One factor may depend on variables, if what it is multiplied by is a number.
  Bounds of_product(const Index::Term& term) {
    if (std::any_of(term.atoms.begin(), term.atoms.end(),
                    [](const Index& atom) { return atom.range().lo < 0; }))
      return {};
    if (term.coefficient < 0) return exactly(0);
    if (const std::optional<Bounds> cut = of_multiple(term)) return *cut;
    Bounds out = exactly(term.coefficient);
    for (const Index& atom : term.atoms) out = products(out, of_atom(atom, true));
    return out;
  }

  // d * (x // d) is at most x.
  std::optional<Bounds> of_multiple(const Index::Term& term) {
    for (size_t q = 0; q < term.atoms.size(); ++q) {
      if (term.atoms[q].kind() != IndexKind::floordiv) continue;
      const std::vector<Index>& parts = term.atoms[q].operands();
      Dim rest = term.coefficient;
      bool found = false;
      for (size_t a = 0; a < term.atoms.size(); ++a) {
        if (a == q) continue;
        if (!found && term.atoms[a] == parts[1]) {
          found = true;
        } else {
          rest *= term.atoms[a];
        }
      }
      if (found) return of(rest * parts[0]);
    }
    return std::nullopt;
  }

  static Bounds products(const Bounds& a, const Bounds& b) { return combined(a, b, product_of); }

  // What is bounded is not negative, so a form that may be is 0 then.
  static std::optional<LinearForm> product_of(const LinearForm& a, const LinearForm& b) {
    if (!a.coefficients.empty() && !b.coefficients.empty()) return std::nullopt;
    const LinearForm &number = a.coefficients.empty() ? a : b, &other = &number == &a ? b : a;
    const int64_t denominator = a.denominator * b.denominator;
    if (denominator >= kMostNumber) return std::nullopt;
    const Dim factor = max(number.rest, 0);
    if (other.coefficients.empty())
      return LinearForm{.rest = factor * max(other.rest, 0), .denominator = denominator};
    const int64_t most = factor.range().hi;
    if (most >= kMostNumber) return std::nullopt;
    LinearForm clipped = other;
    std::erase_if(clipped.coefficients, [](const auto& one) { return one.second < 0; });
    clipped.rest = max(clipped.rest, 0);
    return scaled(clipped, most, number.denominator);
  }

  // What `atom` is at most, or, `up` false, what its negative is at most.
  Bounds of_atom(const Index& atom, bool up) {
    const Dim same = up ? atom : -atom;
    if (is_kept(atom)) return exactly(same);
    switch (atom.kind()) {
      case IndexKind::symbol:
        return of_symbol(atom.as_symbol(), up);
      case IndexKind::floordiv:
        return of_quotient(atom, up);
      case IndexKind::mod:
        return of_remainder(atom, up);
      case IndexKind::min:
      case IndexKind::max:
        return of_extremum(atom, up);
      default:
        return of_range(atom.range(), up);
    }
  }

  static Bounds of_range(Range range, bool up) {
    if (up) return range.hi == kUnbounded ? Bounds{} : exactly(range.hi);
    return range.lo == kLowest ? Bounds{} : exactly(-range.lo);
  }

  Bounds of_symbol(const Symbol& symbol, bool up) {
    const auto variable = scope_.variables.find(symbol->name);
    const bool varies = variable != scope_.variables.end();
    if (varies) {
      const LinearForm itself{.coefficients = {{variable->second, up ? 1 : -1}}};
      return {{itself}};
    }
    if (!up) return of_range({symbol->min, symbol->max}, false);
    if (const auto known = scope_.bounds.find(symbol->name); known != scope_.bounds.end())
      return {{known->second}};
    // A chain of sizes is followed once: each may be in several places of the next.
    const auto before = of_symbols_.find(symbol->name);
    if (before != of_symbols_.end()) return before->second;
    Bounds out = of_range({symbol->min, symbol->max}, true);
    if (symbol->most) {
      for (LargestOf& one : of(*symbol->most)) add_bound(out, std::move(one));
    }
    of_symbols_.emplace(symbol->name, out);
    return out;
  }

  // (x - d + 1) / d <= x // d <= x / d
  Bounds of_quotient(const Index& atom, bool up) {
    const Index &x = atom.operands()[0], &d = atom.operands()[1];
    const std::optional<int64_t> by = d.as_constant();
    if (d.range().lo <= 0 || (by && *by >= kMostNumber)) return {};
    const bool positive = x.range().lo >= 0;
    if (!by) {
      if (!positive) return {};
      return up ? of(x) : exactly(0);
    }
    return changed(up ? of(x) : of(-x + (*by - 1)),
                   [&](const LinearForm& form) { return scaled(form, 1, *by); });
  }

  Bounds of_remainder(const Index& atom, bool up) {
    const Index &x = atom.operands()[0], &d = atom.operands()[1];
    if (d.range().lo <= 0) return {};
    if (!up) return exactly(0);
    Bounds out = of(d - 1);
    if (x.range().lo >= 0) {
      for (LargestOf& one : of(x)) add_bound(out, std::move(one));
    }
    return out;
  }

  Bounds of_extremum(const Index& atom, bool up) {
    const bool all = (atom.kind() == IndexKind::max) == up;
    std::optional<Bounds> out;
    for (const Index& operand : atom.operands()) {
      Bounds one = of(up ? operand : -operand);
      if (!out) {
        out = std::move(one);
      } else if (all) {
        out = unions(*out, one);
      } else {
        for (LargestOf& forms : one) add_bound(*out, std::move(forms));
      }
    }
    return *out;
  }

  const LinearScope& scope_;
  std::map<std::string, Bounds> of_symbols_;
};

}  // namespace

std::vector<LargestOf> linear_bounds(const Dim& dim, const LinearScope& scope) {
  return Bounding(scope).of(dim);
}

}  // namespace burin
