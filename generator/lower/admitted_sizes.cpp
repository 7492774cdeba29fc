#include "lower/admitted_sizes.h"

#include <algorithm>
#include <optional>
#include <string>

#include "kernel/place_of.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int64_t kMostTried = 4096;       // sizes of one dimension
constexpr int64_t kMostWork = 10'000'000;  // sizes times checks, of all dimensions

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string range_text(const SymbolInfo& symbol) {
  return symbol.max == kUnbounded
             ? std::to_string(symbol.min) + " on"
             : std::to_string(symbol.min) + " to " + std::to_string(symbol.max);
}

[[noreturn]] void refuse_all_but(const SymbolInfo& symbol, int64_t value) {
  refuse("shape-mismatch",
         "dimension " + quoted(symbol.name) + " can only be " + std::to_string(value) +
             " in this model, and is given as " + range_text(symbol),
         "say so with " + dim_flag(symbol.name, std::to_string(value)));
}

class GivenSize {
 public:
  GivenSize(const SymbolInfo& symbol, const Steps& steps) : symbol_(symbol) {
    for (const Step& step : steps) {
      const auto* check = std::get_if<Check>(&step);
      const Symbol about = check ? only_symbol(*check) : nullptr;
      if (about && about->name == symbol.name) checks_.push_back(&step);
    }
  }

  void check(int64_t& work) const {
    if (checks_.empty()) return;
    std::optional<int64_t> nearest;
    const int64_t count = symbol_.max == kUnbounded ? kUnbounded : symbol_.max - symbol_.min + 1;
    if (count <= kMostTried && count <= work / static_cast<int64_t>(checks_.size())) {
      work -= count * static_cast<int64_t>(checks_.size());
      int64_t admitted = 0;
      const auto from_hint = [&](int64_t size) { return std::abs(size - symbol_.hint); };
      for (int64_t size = symbol_.min; size <= symbol_.max; ++size) {
        if (first_against(size)) continue;
        ++admitted;
        if (!nearest || from_hint(size) < from_hint(*nearest)) nearest = size;
      }
      if (admitted == 0) refuse_all();
      if (admitted == 1 && symbol_.min != symbol_.max) {
        const int64_t other = *nearest == symbol_.min ? symbol_.max : symbol_.min;
        located(place_of(*first_against(other)), [&] { refuse_all_but(symbol_, *nearest); });
      }
    }
    if (symbol_.hint != 0 && first_against(symbol_.hint)) refuse_hint(nearest);
  }

 private:
  // The first that does not hold; null: all do.
  const Step* first_against(int64_t size) const {
    const auto found = std::find_if(checks_.begin(), checks_.end(), [&](const Step* step) {
      return !admits(std::get<Check>(*step), size);
    });
    return found == checks_.end() ? nullptr : *found;
  }

  [[noreturn]] void refuse_at(const Step& step, const std::string& why,
                              const std::string& hint) const {
    throw Refused(Diagnostic{place_of(step), "shape-mismatch",
                             why + " (" + std::get<Check>(step).what + ")", hint});
  }

  [[noreturn]] void refuse_all() const {
    refuse_at(*first_against(symbol_.min),
              "no size of dimension " + quoted(symbol_.name) + " from " + range_text(symbol_) +
                  " is one that the model takes",
              "");
  }

  [[noreturn]] void refuse_hint(std::optional<int64_t> nearest) const {
    const std::string ends = std::to_string(symbol_.min) + ".." +
                             (symbol_.max == kUnbounded ? "" : std::to_string(symbol_.max));
    refuse_at(
        *first_against(symbol_.hint),
        "dimension " + quoted(symbol_.name) + " cannot be " + std::to_string(symbol_.hint) +
            ", the size to optimise for",
        nearest ? "give " + dim_flag(symbol_.name, ends + "@" + std::to_string(*nearest)) : "");
  }

  const SymbolInfo& symbol_;
  std::vector<const Step*> checks_;
};

}  // namespace

bool can_be_evaluated(const Index& index) {
  switch (index.kind()) {
    case IndexKind::constant:
    case IndexKind::symbol:
      return true;
    case IndexKind::axis:
    case IndexKind::data:
      return false;
    case IndexKind::polynomial: {
      const std::vector<Index::Term> terms = index.terms();
      return std::all_of(terms.begin(), terms.end(), [](const Index::Term& term) {
        return std::all_of(term.atoms.begin(), term.atoms.end(), can_be_evaluated);
      });
    }
    case IndexKind::floordiv:
    case IndexKind::mod:
      if (index.operands()[1].range().lo < 1) return false;
      break;
    default:
      break;
  }
  return std::all_of(index.operands().begin(), index.operands().end(), can_be_evaluated);
}

Symbol only_symbol(const Check& check) {
  std::vector<Symbol> symbols;
  for (const Condition& condition : check.guard) {
    for (const Index* index : {&condition.index, &condition.lo, &condition.hi}) {
      if (!can_be_evaluated(*index)) return nullptr;
      index->collect_symbols(symbols);
    }
  }
  return symbols.size() == 1 ? symbols[0] : nullptr;
}

bool admits(const Check& check, int64_t size) {
  const auto at = [&](const Index& index) {
    return index.evaluate([&](const Index&) { return size; });
  };
  return std::all_of(check.guard.begin(), check.guard.end(), [&](const Condition& condition) {
    const int64_t value = at(condition.index);
    return value >= at(condition.lo) && value < at(condition.hi);
  });
}

void refuse_range_of_one(const SymbolInfo& symbol, int64_t value,
                         const std::vector<std::string>& given) {
  if (contains(given, symbol.name)) refuse_all_but(symbol, value);
}

void check_given_sizes(const Steps& steps, const std::vector<Symbol>& params,
                       const std::vector<std::string>& given) {
  int64_t work = kMostWork;
  for (const Symbol& symbol : params) {
    if (contains(given, symbol->name)) GivenSize(*symbol, steps).check(work);
  }
}

}  // namespace burin
