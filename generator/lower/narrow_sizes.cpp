#include "lower/narrow_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "kernel/index/index_node.h"
#include "kernel/place_of.h"
#include "lower/admitted_point.h"
#include "lower/admitted_sizes.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int kMostSweeps = 16;
constexpr int64_t kMostAtEnds = 4096;            // sizes at an end of a range, and around a hint
constexpr int64_t kMostLooked = 1'000'000;       // conditions that are looked at, in all
constexpr int64_t kMostEnd = int64_t{1} << 60;   // ends beyond say nothing
constexpr int64_t kMostOpen = int64_t{1} << 46;  // bounds of open sizes beyond say nothing either
constexpr int64_t kNoEnd = std::numeric_limits<int64_t>::min();

class Narrowing {
 public:
  Narrowing(const std::vector<Check>& checks, const std::vector<Symbol>& params) {
    for (const Symbol& param : params) sizes_.insert({param->name, {param, *param}});
    checks_ = checks_of_sizes(checks, params);
  }

  NarrowedSizes run() {
    for (int sweep = 0; sweep < kMostSweeps && sweep_once(); ++sweep) replace();
    NarrowedSizes out;
    choose_hints();
    for (const auto& [name, size] : sizes_) {
      const SymbolInfo &was = *size.given, &is = size.now;
      if (was.min == is.min && was.max == is.max && was.hint == is.hint) continue;
      out.sizes.push_back({size.given, value_of(is), 0});
      if (is.min == is.max)
        out.notes.push_back(only_one_left(is, is.min, place_of(size.by->origins), size.by->what));
    }
    return out;
  }

 private:
  struct Size {
    Symbol given;
    SymbolInfo now;
    const Check* by = nullptr;  // that left less of it last
  };

  static Dim value_of(const SymbolInfo& info) {
    return info.min == info.max ? Dim(info.min)
                                : Index::symbol(std::make_shared<const SymbolInfo>(info));
  }

  bool sweep_once() {
    bool changed = false;
    for (const Check& check : checks_) {
      for (const Condition& condition : check.guard) {
        if (--work_ < 0) return false;
        changed |= tighten(condition.index - condition.lo, check);
        if (condition.hi.range().hi < kMostEnd)
          changed |= tighten(condition.hi - 1 - condition.index, check);
      }
      changed |= try_ends(check);
    }
    return changed;
  }

  // By at_least_0 >= 0: of each size that it is linear in, c*x >= -rest >= -(the most of rest).
  bool tighten(const Dim& at_least_0, const Check& check) {
    bool changed = false;
    for (const Index::Term& term : at_least_0.terms()) {
      if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::symbol) continue;
      const int64_t most = (at_least_0 - term.atoms[0] * term.coefficient).range().hi;
      if (most == kUnbounded || most == kNoEnd) continue;
      Size& size = sizes_.at(term.atoms[0].as_symbol()->name);
      changed |= term.coefficient > 0
                     ? set_least(size, -floor_divide(most, term.coefficient), check)
                     : set_most(size, floor_divide(most, -term.coefficient), check);
    }
    return changed;
  }

  // The ends of a range that a check of this size alone refuses.
  bool try_ends(const Check& check) {
    const Symbol about = only_symbol(check);
    if (!about) return false;
    Size& size = sizes_.at(about->name);
    int64_t least = size.now.min, most = size.now.max, left = std::min(kMostAtEnds, work_);
    if (const std::optional<int64_t> from = refused_from(size.now, check)) most = *from - 1;
    while (left > 0 && least <= most && !admits(check, least)) ++least, --left;
    while (left > 0 && most != kUnbounded && least < most && !admits(check, most)) --most, --left;
    work_ -= std::min(kMostAtEnds, work_) - left;
    const bool less = set_least(size, least, check);
    return set_most(size, most, check) || less;
  }

  // The least power of two within a long range from which on a check of this size alone refuses
  // all, if there is one.
  std::optional<int64_t> refused_from(const SymbolInfo& size, const Check& check) {
    if (size.max <= kMostAtEnds) return std::nullopt;
    for (int64_t from = 2; from <= std::min(size.max, kMostOpen) && --work_ >= 0; from *= 2) {
      if (from <= size.min) continue;
      SymbolInfo behind = size;
      behind.min = from;
      const Index symbol = Index::symbol(std::make_shared<const SymbolInfo>(behind));
      Guard guard = check.guard;
      for (Condition& condition : guard) {
        for (Index* index : {&condition.index, &condition.lo, &condition.hi}) {
          *index = index->map_leaves(
              [&](const Index& leaf) { return leaf.kind() == IndexKind::symbol ? symbol : leaf; });
        }
      }
      if (!simplify(guard)) return from;
    }
    return std::nullopt;
  }

  bool set_least(Size& size, int64_t least, const Check& check) {
    if (least <= size.now.min) return false;
    if (least > size.now.max) refuse_all(size, check);
    size.now.min = least;
    size.now.least_of_model = true;
    return is_less(size, check);
  }
  // An end so far away is no bound: it is where 64 bits end, or a slice that leaves nothing out.
  bool set_most(Size& size, int64_t most, const Check& check) {
    if (most >= size.now.max || (size.now.max == kUnbounded && most > kMostOpen)) return false;
    if (most < size.now.min) refuse_all(size, check);
    size.now.max = most;
    size.now.most_of_model = true;
    return is_less(size, check);
  }

  static bool is_less(Size& size, const Check& check) {
    size.by = &check;
    const int64_t hint = size.now.hint;
    if (hint == 0 || (hint >= size.now.min && hint <= size.now.max)) return true;
    const SymbolInfo& given = *size.given;
    const std::string ends = std::to_string(given.min) + ".." +
                             (given.max == kUnbounded ? "" : std::to_string(given.max));
    const int64_t nearest = std::clamp(hint, size.now.min, size.now.max);
    refuse_at(check,
              "dimension " + quoted(given.name) + " cannot be " + std::to_string(hint) +
                  ", the size to optimise for",
              "give " + dim_flag(given.name, ends + "@" + std::to_string(nearest)));
  }

  [[noreturn]] static void refuse_at(const Check& check, const std::string& why,
                                     const std::string& hint) {
    throw Refused(
        Diagnostic{place_of(check.origins), "shape-mismatch", why + " (" + check.what + ")", hint});
  }

  [[noreturn]] static void refuse_all(const Size& size, const Check& check) {
    const std::string from = std::to_string(size.given->min);
    const std::string range = size.given->max == kUnbounded
                                  ? from + " on"
                                  : from + " to " + std::to_string(size.given->max);
    refuse_at(check,
              "no size of dimension " + quoted(size.given->name) + " from " + range +
                  " is one that the model takes",
              {});
  }

  // What was found out, in the conditions themselves: their ranges are read of them.
  void replace() {
    for (Check& check : checks_) {
      for (Condition& condition : check.guard) {
        for (Index* index : {&condition.index, &condition.lo, &condition.hi}) {
          *index = index->map_leaves([&](const Index& leaf) {
            return leaf.kind() != IndexKind::symbol
                       ? leaf
                       : Index::symbol(std::make_shared<const SymbolInfo>(
                             sizes_.at(leaf.as_symbol()->name).now));
          });
        }
      }
    }
  }

  std::vector<const Check*> against(const SizePoint& sizes) {
    std::vector<const Check*> out;
    for (const Check& check : checks_) {
      --work_;
      if (!holds_at(check, sizes)) out.push_back(&check);
    }
    return out;
  }

  void choose_hints() {
    SizePoint usual;
    for (const auto& [name, size] : sizes_) usual[name] = at_hints(value_of(size.now));
    if (!against(usual).empty()) {
      hint_alone(usual);
      hint_together(usual);
    }
    for (auto& [name, size] : sizes_) {
      if (usual[name] != at_hints(value_of(size.now))) size.now.hint = usual[name];
    }
  }

  // Those that the user leaves to us.
  std::vector<Symbol> free_sizes() const {
    std::vector<Symbol> out;
    for (const auto& entry : sizes_) {
      const Size& size = entry.second;
      if (size.given->hint == 0 && size.now.min != size.now.max)
        out.push_back(std::make_shared<const SymbolInfo>(size.now));
    }
    return out;
  }

  // Each by the checks that are about it alone.
  void hint_alone(SizePoint& usual) {
    std::vector<Check> alone;
    for (const Check& check : checks_) {
      if (only_symbol(check)) alone.push_back(check);
    }
    for (const Symbol& one : free_sizes()) {
      std::vector<Check> own;
      for (const Check& check : alone) {
        if (only_symbol(check)->name == one->name) own.push_back(check);
      }
      if (const auto found = admitted_point(own, {one}, usual, work_)) usual = *found;
    }
  }

  // Those that are in a check which does not hold: all by the same share of their way to the least,
  // or one of them there, or wherever one is found that all checks admit.
  void hint_together(SizePoint& usual) {
    constexpr int64_t kShares = 64;
    const std::vector<const Check*> broken = against(usual);
    if (broken.empty()) return;
    std::vector<Symbol> tied;
    for (const Check* check : broken) {
      for (const Condition& condition : check->guard) {
        for (const Index* index : {&condition.index, &condition.lo, &condition.hi})
          index->collect_symbols(tied);
      }
    }
    for (int64_t share = kShares - 1; share > 0 && work_ > 0; --share) {
      SizePoint less = usual;
      bool all_least = true;
      for (const Symbol& symbol : tied) {
        const Size& size = sizes_.at(symbol->name);
        if (size.given->hint != 0) continue;
        const int64_t way = usual[symbol->name] - size.now.min;
        less[symbol->name] = size.now.min + way / kShares * share + way % kShares * share / kShares;
        all_least = all_least && less[symbol->name] == size.now.min;
      }
      if (all_least) break;
      if (!against(less).empty()) continue;
      usual = std::move(less);
      return;
    }
    // One of them at its least may do.
    for (const Symbol& symbol : tied) {
      const Size& size = sizes_.at(symbol->name);
      if (size.given->hint != 0 || work_ <= 0) continue;
      SizePoint less = usual;
      less[symbol->name] = size.now.min;
      if (!against(less).empty()) continue;
      usual = std::move(less);
      return;
    }
    if (const auto found = admitted_point(checks_, free_sizes(), usual, work_)) usual = *found;
  }

  std::map<std::string, Size> sizes_;
  std::vector<Check> checks_;
  int64_t work_ = kMostLooked;
};

}  // namespace

Diagnostic only_one_left(const SymbolInfo& size, int64_t number, const Location& place,
                         const std::string& rule) {
  const std::string only = std::to_string(number);
  return {place, "shape-mismatch",
          "size " + quoted(size.name) + " is open, and can only be " + only + " (" + rule + ")",
          dim_flag(size.name, only) + " says so"};
}

NarrowedSizes narrowed_sizes(const std::vector<Check>& checks, const std::vector<Symbol>& params) {
  return Narrowing(checks, params).run();
}

}  // namespace burin
