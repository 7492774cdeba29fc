#include "kernel/index/size_bound.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kernel/index/index_node.h"

namespace burin {
namespace {

bool is_param(const Symbol& symbol) { return symbol->origin == SymbolOrigin::param; }

// The divisor's factors; of max(d, 1) those of d.
std::optional<std::vector<Index>> factors_of(const Index& divisor) {
  if (divisor.kind() == IndexKind::max && divisor.operands().size() == 2) {
    const std::vector<Index>& of = divisor.operands();
    if (of[0].is_constant(1)) return factors_of(of[1]);
    if (of[1].is_constant(1)) return factors_of(of[0]);
    return std::nullopt;
  }
  const std::vector<Index::Term> terms = divisor.terms();
  if (terms.size() != 1 || terms[0].coefficient != 1 || divisor.constant_term() != 0)
    return std::nullopt;
  return terms[0].atoms;
}

// x // y, or a size that is no more than that.
std::optional<Index> quotient_above(const Index& atom) {
  if (atom.kind() == IndexKind::floordiv) return atom;
  if (atom.kind() != IndexKind::symbol || !atom.as_symbol()->most) return std::nullopt;
  const Dim& most = *atom.as_symbol()->most;
  return most.kind() == IndexKind::floordiv ? std::optional<Index>(most) : std::nullopt;
}

// A term with x in the place of x // y and all factors of y; nullopt: they are not in it.
std::optional<Dim> with_quotient_undone(const Index::Term& term) {
  if (term.coefficient < 0 ||
      !std::all_of(term.atoms.begin(), term.atoms.end(), proven_nonnegative))
    return std::nullopt;
  for (size_t q = 0; q < term.atoms.size(); ++q) {
    const std::optional<Index> quotient = quotient_above(term.atoms[q]);
    if (!quotient) continue;
    const std::optional<std::vector<Index>> factors = factors_of(quotient->operands()[1]);
    if (!factors) continue;
    std::vector<Index> left = term.atoms;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(q));
    const bool all = std::all_of(factors->begin(), factors->end(), [&](const Index& factor) {
      const auto at = std::find(left.begin(), left.end(), factor);
      if (at == left.end()) return false;
      left.erase(at);
      return true;
    });
    if (!all) continue;
    Dim out = quotient->operands()[0] * term.coefficient;
    for (const Index& one : left) out = out * one;
    return out;
  }
  return std::nullopt;
}

}  // namespace

Dim without_quotients(const Dim& dim) {
  Dim out = dim.constant_term();
  bool any = false;
  for (const Index::Term& term : dim.terms()) {
    const std::optional<Dim> undone = with_quotient_undone(term);
    any = any || undone;
    Dim whole = undone ? without_quotients(*undone) : Dim(term.coefficient);
    for (size_t i = 0; !undone && i < term.atoms.size(); ++i) whole = whole * term.atoms[i];
    out += whole;
  }
  return any ? out : dim;
}

bool is_known_before_run(const Dim& dim) {
  if (dim.has_axes() || dim.has_data()) return false;
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  return std::all_of(symbols.begin(), symbols.end(), is_param);
}

namespace {

// Bounds of sizes that are bounded by others: each is found once, however many ask for it.
class Bounds {
 public:
  explicit Bounds(const std::function<bool(const Symbol&)>& keep) : keep_(keep) {}

  std::optional<Dim> of(const Dim& size) {
    std::vector<Symbol> symbols;
    size.collect_symbols(symbols);
    symbols.erase(std::remove_if(symbols.begin(), symbols.end(), keep_), symbols.end());
    if (symbols.empty()) return size;
    const Dim dim = without_quotients(size);
    // A symbol in [min, bound] takes the values of min + axis: the bound over axes is known.
    int axis = 0;
    Dim over_axes = dim;
    for (const Symbol& symbol : symbols) {
      const std::optional<Dim> bound = of_symbol(*symbol);
      if (!bound) return std::nullopt;
      over_axes = over_axes.substitute_symbol(
          symbol->name, Index::axis(axis++, *bound - symbol->min + 1) + symbol->min);
    }
    if (std::optional<Dim> bound = over_axes.upper_bound()) return bound;
    const int64_t highest = dim.range().hi;
    return highest == kUnbounded ? std::nullopt : std::optional(Dim(highest));
  }

 private:
  // Of one symbol that is not kept.
  std::optional<Dim> of_symbol(const SymbolInfo& symbol) {
    if (const auto at = known_.find(symbol.name); at != known_.end()) return at->second;
    std::optional<Dim> bound = symbol.most ? of(*symbol.most) : std::nullopt;
    if (!bound && symbol.max != kUnbounded) bound = Dim(symbol.max);
    known_.emplace(symbol.name, bound);
    return bound;
  }

  const std::function<bool(const Symbol&)>& keep_;
  std::map<std::string, std::optional<Dim>> known_;  // by name
};

}  // namespace

std::optional<Dim> bound_over(const Dim& size, const std::function<bool(const Symbol&)>& keep) {
  return Bounds(keep).of(size);
}

std::optional<Dim> bound_before_run(const Dim& dim) { return bound_over(dim, is_param); }

bool is_bounded_before_run(const Dim& dim) { return bound_before_run(dim).has_value(); }

bool has_bound_of_caller(const SymbolInfo& symbol) {
  if (!symbol.most) return false;
  std::vector<Symbol> symbols;
  symbol.most->collect_symbols(symbols);
  return std::all_of(symbols.begin(), symbols.end(), is_param);
}

}  // namespace burin
