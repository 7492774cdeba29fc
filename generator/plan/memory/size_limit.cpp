#include "plan/memory/size_limit.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>

#include "kernel/expr/expr.h"
#include "kernel/index/index_magnitude.h"
#include "kernel/index/size_bound.h"
#include "kernel/place_of.h"
#include "plan/memory/bytes.h"
#include "support/check.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int kMostBits = 60;
constexpr int64_t kMost = int64_t{1} << kMostBits;
// Ranges that are suggested leave room for what later stages add: alignment, padding, scratch.
constexpr int64_t kRoom = 16;

// The most that sizes of the caller are: those without a bound, some of these, and all of them.
struct Caps {
  int64_t open = kMost, all = kMost;
  std::map<std::string, int64_t> own = {};
};

class Limits {
 public:
  Limits(const std::vector<ComputedSize>& sizes, const std::vector<NamedSize>& named,
         int pointer_bits)
      : sizes_(sizes),
        named_(named),
        reach_(pointer_bits == 64 ? kMost : int64_t{1} << (pointer_bits - 1)) {}

  // What a size must stay below.
  int64_t most_of(const ComputedSize& size) const { return size.is_bytes ? reach_ : kMost; }

  // `room`: how many times as much there could be.
  bool fits(const Caps& caps, int64_t room = 1) {
    begin(caps);
    int64_t memory = 0;
    return std::all_of(sizes_.begin(), sizes_.end(), [&](const ComputedSize& size) {
      const int64_t part = part_of(size.index);
      if (size.is_memory) memory = std::min(kMost, memory + part);
      return part < most_of(size) / room && memory < kMost / room;
    });
  }

  // What is beyond its limit, or else the largest.
  const ComputedSize& worst(const Caps& caps) {
    begin(caps);
    const auto key = [&](const ComputedSize& size) {
      const int64_t part = part_of(size.index);
      return std::pair(part >= most_of(size), part);
    };
    return *std::max_element(sizes_.begin(), sizes_.end(),
                             [&](const auto& a, const auto& b) { return key(a) < key(b); });
  }

  int64_t part_of(const Index& index) const {
    return std::min(kMost, largest_part(without_quotients(index),
                                        [&](const Index& leaf) { return most_of(leaf); }));
  }

 private:
  void begin(const Caps& caps) {
    caps_ = caps;
    values_.clear();
    uppers_.clear();
    for (const NamedSize& size : named_) {
      values_[size.symbol->name] = part_of(size.value);
      uppers_.clear();  // they may have been found without it
    }
  }

  int64_t most_of(const Index& leaf) const {
    // What data may say is bounded where it is read.
    if (leaf.kind() != IndexKind::symbol) {
      if (!leaf.range().bounded()) return 0;
      const int64_t said =
          leaf.kind() == IndexKind::data ? magnitude_of(Expr(leaf.as_data())) : kMost;
      return std::min(magnitude(leaf.range()), said);
    }
    const SymbolInfo& symbol = *leaf.as_symbol();
    return std::max(upper_of(symbol), magnitude({symbol.min, symbol.min}));
  }

  // Whether every number of one integer type is one of another.
  static bool holds(Type type, Type other) {
    if (type == other) return true;
    return lowest(type) <= lowest(other) && other != Type::u64 &&
           (type == Type::u64 || highest(other) <= highest(type));
  }

  // What data are clipped to may be sizes, whose limit is not in the range of the index. kMost:
  // nothing is said.
  int64_t magnitude_of(const Expr& expr) const {
    const auto integer = [](const Expr& e) { return is_integer(e.type()); };
    const ExprNode& node = *expr;
    if (!integer(expr)) return kMost;
    switch (node.kind) {
      case ExprKind::constant:
        return node.integer == std::numeric_limits<int64_t>::min() ? kMost : std::abs(node.integer);
      case ExprKind::index:
        return part_of(node.index);
      case ExprKind::cast:
        return integer(node.operands[0]) && holds(expr.type(), node.operands[0].type())
                   ? magnitude_of(node.operands[0])
                   : kMost;
      case ExprKind::binary:
        break;
      default:
        return kMost;
    }
    const Expr &a = node.operands[0], &b = node.operands[1];
    const int64_t first = magnitude_of(a), second = magnitude_of(b);
    if (node.binary() == Binary::add || node.binary() == Binary::sub) {
      // What wraps around is as large as its type.
      const int64_t most = std::min(kMost, first + second);
      const bool wraps =
          expr.type() != Type::i64 && ((node.binary() == Binary::sub && lowest(expr.type()) == 0) ||
                                       most > highest(expr.type()));
      return wraps ? kMost : most;
    }
    if (node.binary() != Binary::max && node.binary() != Binary::min) return kMost;
    // Clipped from both sides: no more than the larger of the ends.
    const Binary other = node.binary() == Binary::max ? Binary::min : Binary::max;
    if (first == kMost && a->kind == ExprKind::binary && a->binary() == other)
      return std::max(second, std::min(magnitude_of(a->operands[0]), magnitude_of(a->operands[1])));
    return std::max(first, second);
  }

  int64_t upper_of(const SymbolInfo& symbol) const {
    if (const auto known = uppers_.find(symbol.name); known != uppers_.end()) return known->second;
    const int64_t upper = computed_upper_of(symbol);
    uppers_.emplace(symbol.name, upper);
    return upper;
  }

  int64_t computed_upper_of(const SymbolInfo& symbol) const {
    if (const auto named = values_.find(symbol.name); named != values_.end()) return named->second;
    const bool of_caller = symbol.origin == SymbolOrigin::param;
    // A bound that stands for none may have lost a little in a sum.
    const bool open = of_caller ? symbol.max == kUnbounded : symbol.max >= kMost;
    // Counters of parts of an axis: it is bounded by the extents of that, which are computed too.
    if (symbol.origin == SymbolOrigin::iter && open && !symbol.most) return 0;
    int64_t most = open ? caps_.open : symbol.max;
    if (const auto own = caps_.own.find(symbol.name); own != caps_.own.end()) most = own->second;
    if (symbol.most) {
      const int64_t bound = std::min(part_of(*symbol.most), upper_of(*symbol.most));
      most = open ? bound : std::min(most, bound);
    }
    return of_caller ? std::min(most, caps_.all) : most;
  }

  // What a bound is at most, where parts of it may be far below zero: pads that remove.
  int64_t upper_of(const Index& bound) const {
    const Index capped = bound.map_leaves([&](const Index& leaf) {
      if (leaf.kind() != IndexKind::symbol) return leaf;
      SymbolInfo info = *leaf.as_symbol();
      info.max = std::max(info.min, upper_of(info));
      info.most = {};
      return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
    });
    return std::max<int64_t>(capped.range().hi, 0);
  }

  const std::vector<ComputedSize>& sizes_;
  const std::vector<NamedSize>& named_;
  const int64_t reach_;  // of pointers
  Caps caps_;
  std::map<std::string, int64_t> values_;  // of named sizes
  // Of symbols, as long as the caps stay: bounds name symbols whose bounds name others.
  mutable std::map<std::string, int64_t> uppers_;
};

// The largest power of two, at least 1, that holds; 0: none does.
template <class Holds>
int64_t largest_power(const Holds& holds) {
  int bits = -1;
  for (int step = 32; step > 0; step /= 2) {
    if (bits + step <= kMostBits && holds(int64_t{1} << (bits + step))) bits += step;
  }
  return bits < 0 ? 0 : int64_t{1} << bits;
}

// The flags that make all sizes fit; empty where the least sizes do not.
std::string ranges_to_give(Limits& limits, const std::vector<Symbol>& params) {
  int64_t fits = 0, too_much = kMost;
  while (too_much - fits > 1) {
    const int64_t middle = fits + (too_much - fits) / 2;
    (limits.fits({middle, middle, {}}, kRoom) ? fits : too_much) = middle;
  }
  std::string flags;
  for (const Symbol& symbol : params) {
    if (symbol->min > fits) return {};
    if (symbol->max == kUnbounded || symbol->max <= fits) continue;
    flags +=
        " " + dim_flag(symbol->name, std::to_string(symbol->min) + ".." + std::to_string(fits));
  }
  return flags.empty() ? "" : "ranges that fit are" + flags;
}

[[noreturn]] void refuse_sizes(Limits& limits, const std::vector<Symbol>& params) {
  const Caps declared = {1, kMost, {}};
  const ComputedSize& size = limits.worst(declared);
  const int64_t limit = limits.most_of(size);
  const std::string most = "2^" + std::to_string(std::countr_zero(static_cast<uint64_t>(limit)));
  const bool alone = limits.part_of(size.index) >= limit;
  const std::string reach = limit == kMost ? "" : ", more than pointers of the hardware reach";
  const std::string what = !size.is_bytes ? "a number that is computed can exceed " + most
                           : alone
                               ? "it can take more than " + most + " bytes" + reach
                               : "this and all other tensors can take more than " + most + " bytes";
  at_place(size.where, [&] {
    bound_of(size.index);  // what nothing bounds is said first
    const std::string sizes = params.empty() ? ": " : " with sizes in the declared ranges: ";
    refuse("limit", what + sizes + quoted(size_text(size.index)), ranges_to_give(limits, params));
  });
  BURIN_CHECK(false);
}

// What all other open sizes may be at most.
int64_t most_with(Limits& limits, const std::map<std::string, int64_t>& own) {
  return largest_power([&](int64_t open) { return limits.fits({open, kMost, own}); });
}

bool is_open(const SymbolInfo& symbol) { return symbol.max == kUnbounded; }

// The least that a limit of its own must leave.
int64_t wanted_of(const SymbolInfo& symbol) {
  return std::max({int64_t{1}, symbol.min, symbol.hint});
}

// Of the open sizes the one that, kept small, leaves the others most; it is kept no smaller than
// they need to be as long as images, sentences and recordings are, nor at a handful for more than
// many of the others.
SizeLimits with_own_limit(Limits& limits, int64_t most, const std::vector<Symbol>& params) {
  constexpr int64_t kMany = int64_t{1} << 20, kHandful = 32;
  SizeLimits best = {most, {}};
  Symbol small;
  for (const Symbol& symbol : params) {
    if (!is_open(*symbol) || wanted_of(*symbol) > most) continue;
    const int64_t left = most_with(limits, {{symbol->name, wanted_of(*symbol)}});
    if (left <= best.most) continue;
    best = {left, {{symbol->name, wanted_of(*symbol)}}};
    small = symbol;
  }
  if (best.most <= kFewSizes) return {most, {}};
  int64_t& own = best.own.begin()->second;
  while (own * 2 < most) {
    const int64_t left = most_with(limits, {{small->name, own * 2}});
    if (left < (own < kHandful ? 2 * kFewSizes : std::min(best.most, kMany))) break;
    own *= 2;
  }
  best.most = most_with(limits, best.own);
  return best;
}

}  // namespace

int64_t SizeLimits::of(const SymbolInfo& symbol) const {
  const auto one = own.find(symbol.name);
  return one == own.end() ? most : one->second;
}

int64_t SizeLimits::usual(const Symbol& symbol) const {
  const int64_t usual = at_hints(Index::symbol(symbol));
  return symbol->max == kUnbounded ? std::min(usual, of(*symbol)) : usual;
}

SizeLimits size_limits(const std::vector<ComputedSize>& sizes, const std::vector<NamedSize>& named,
                       const std::vector<Symbol>& params, int pointer_bits) {
  Limits limits(sizes, named, pointer_bits);
  const int64_t most = most_with(limits, {});
  const bool enough = std::all_of(params.begin(), params.end(), [&](const Symbol& symbol) {
    return !is_open(*symbol) || std::max(symbol->min, symbol->hint) <= most;
  });
  if (most == 0 || !enough) refuse_sizes(limits, params);
  // Where images and sentences fit, that all have one limit is best for one that comes in a high
  // power and is the longest, too.
  const int64_t plenty = pointer_bits == 64 ? 256 : 16;
  return most >= plenty ? SizeLimits{most, {}} : with_own_limit(limits, most, params);
}

}  // namespace burin
