#include "plan/memory/bytes.h"

#include <algorithm>
#include <array>
#include <functional>

#include "kernel/place_of.h"
#include "support/dim_flag.h"

namespace burin {

namespace {

constexpr size_t kLongestSize = 120;  // in characters, to be printed as it is

// An example of a range that begins there, for one of so many sizes: what depends on all of them is
// not more than a machine has.
std::string range_text(int64_t min, size_t sizes) {
  const int64_t most = sizes < 2 ? 1024 : std::max<int64_t>(16, int64_t{1} << 20 / sizes);
  if (min < 0) return ".." + std::to_string(most);
  return std::to_string(min) + ".." + std::to_string(std::max(min, most));
}

// The size, unless it is longer than anyone reads.
std::string named(const Dim& dim, std::string_view what) {
  if (!what.empty()) return std::string(what);
  const std::string text = size_text(dim);
  return text.size() <= kLongestSize ? "the size " + quoted(text) : "a size";
}

// What a size that is not printed is computed from.
std::string sources_of(const Dim& dim, std::string_view what) {
  if (what.empty() && size_text(dim).size() <= kLongestSize) return "";
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  std::string list;
  for (const Symbol& symbol : symbols) list += quoted(symbol->name) + ", ";
  return " that is computed from " + list + "and data of the run";
}

}  // namespace

// Where the bound of one depends on such sizes, these, and so on: how far a state grows depends on
// the trips of its loop.
void collect_open(const Dim& dim, std::vector<Symbol>& open) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  for (const Symbol& symbol : symbols) {
    if (is_bounded_before_run(Index::symbol(symbol))) continue;
    std::vector<Symbol> before;
    if (symbol->most) collect_open(*symbol->most, before);
    if (before.empty()) before.push_back(symbol);
    for (const Symbol& one : before) {
      const bool there = std::any_of(open.begin(), open.end(),
                                     [&](const Symbol& other) { return other->name == one->name; });
      if (!there) open.push_back(one);
    }
  }
}

std::string size_text(const Index& size) {
  std::vector<Index> nameless;
  const Index named = size.map_leaves([&](const Index& leaf) {
    if (leaf.kind() == IndexKind::symbol) return leaf;
    const auto met = std::find(nameless.begin(), nameless.end(), leaf);
    const auto number = std::to_string(met - nameless.begin() + 1);
    if (met == nameless.end()) nameless.push_back(leaf);
    const std::string kind = leaf.kind() == IndexKind::axis ? "position" : "element";
    const Range range = leaf.range();
    return Index::symbol(std::make_shared<const SymbolInfo>(SymbolInfo{
        number == "1" ? kind : kind + number, SymbolOrigin::run, range.lo, range.hi, 0}));
  });
  return to_string(named);
}

Dim bound_of(const Dim& dim, std::string_view what, const std::vector<Symbol>& others) {
  if (const std::optional<Dim> bound = bound_before_run(dim)) return *bound;
  std::vector<Symbol> open;
  collect_open(dim, open);
  if (!open.empty()) {
    const bool itself = dim == Index::symbol(open[0]);
    for (const Symbol& other : others) collect_open(Index::symbol(other), open);
    std::string flags;
    for (const Symbol& one : open)
      flags += " " + dim_flag(one->name, range_text(one->min, open.size()));
    refuse("unbounded-size",
           named(dim, what) + (itself ? std::string(" is dynamic and nothing bounds it")
                                      : " depends on " + quoted(open[0]->name) +
                                            ", which is dynamic and nothing bounds"),
           (open.size() == 1 ? "give a bound with" : "give bounds with") + flags +
               (open.size() == 1 ? " or another end" : " or other ends"));
  }
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  std::string flags;
  for (const Symbol& symbol : symbols) {
    if (symbol->max != kUnbounded || symbol->origin != SymbolOrigin::param) continue;
    flags += " " + dim_flag(symbol->name, range_text(symbol->min, symbols.size()));
  }
  refuse("unbounded-size", "nothing bounds " + named(dim, what) + sources_of(dim, what),
         flags.empty() ? "" : "give bounds with" + flags + " or other ends");
}

namespace {

// Checks that run before everything else say it of the caller's sizes.
bool is_checked_first(const Dim& extent, const KernelGraph& graph) {
  for (const Step& step : graph.steps) {
    const Check* const check = std::get_if<Check>(&step);
    if (!check) return false;
    for (const Condition& condition : check->guard) {
      if (condition.index == extent && proven_nonnegative(condition.lo)) return true;
    }
  }
  return false;
}

// As a size of memory: what could be negative, in a branch that is not taken, takes nothing.
Dim room_of(const Dim& extent, const KernelGraph& graph) {
  if (extent.range().lo >= 0 || proven_nonnegative(extent) || is_checked_first(extent, graph))
    return extent;
  return max(extent, 0);
}

}  // namespace

Dim memory_bytes(const KernelGraph& graph, ValueId id, const std::vector<Symbol>& others) {
  return at_place([&] { return place_of(graph, id); },
                  [&] {
                    const Value& value = graph.values[static_cast<size_t>(id)];
                    const int bits = size_bits(value.type);
                    Dim elements = 1;
                    for (const Dim& extent : value.shape)
                      elements = elements * room_of(extent, graph);
                    elements = bound_of(elements, {}, others);
                    return bits % 8 == 0 ? elements * int64_t{bits / 8}
                                         : ceildiv(elements * int64_t{bits}, 8);
                  });
}

Dim align_up(const Dim& bytes, int64_t alignment) { return ceildiv(bytes, alignment) * alignment; }

namespace {

// At the hints, the lowest and high sizes (at most 4096 where the hint is lower, so that products
// of several symbols stay within 64 bits).
constexpr int kSamples = 3;

int64_t sample_size(const SymbolInfo& symbol, int sample) {
  constexpr int64_t kHigh = 4096;
  switch (sample) {
    case 0:
      return at_hints(Index::symbol(std::make_shared<const SymbolInfo>(symbol)));
    case 1:
      return symbol.min;
    default:
      return std::min(symbol.max, std::max({symbol.min, kHigh, symbol.hint}));
  }
}

int64_t evaluate_sample(const Dim& dim, int sample) {
  return dim.evaluate([&](const Index& leaf) { return sample_size(*leaf.as_symbol(), sample); });
}

}  // namespace

Dim largest_of(std::vector<Dim> dims) {
  std::sort(dims.begin(), dims.end());
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  // What is larger somewhere is not proven to be less or equal, and a proof costs more than a look.
  std::vector<std::array<int64_t, kSamples>> samples(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    for (int s = 0; s < kSamples; ++s) {
      samples[i][static_cast<size_t>(s)] = evaluate_sample(dims[i], s);
    }
  }
  const auto may_reach = [&](size_t a, size_t b) {
    return std::equal(samples[a].begin(), samples[a].end(), samples[b].begin(),
                      std::less_equal<>());
  };
  std::vector<bool> dropped(dims.size(), false);
  for (size_t a = 0; a < dims.size(); ++a) {
    for (size_t b = 0; b < dims.size() && !dropped[a]; ++b) {
      if (a == b || dropped[b] || !may_reach(a, b)) continue;
      if (proven_le(dims[a], dims[b])) dropped[a] = true;
    }
  }
  Dim largest = 0;
  bool first = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dropped[i]) continue;
    largest = first ? dims[i] : max(largest, dims[i]);
    first = false;
  }
  return largest;
}

int text_size(const Dim& dim, int limit) {
  int size = 1;
  for (const Index::Term& term : dim.terms()) {
    for (const Index& atom : term.atoms) {
      ++size;
      if (atom.kind() == IndexKind::symbol || size >= limit) continue;
      for (const Index& operand : atom.operands()) size += text_size(operand, limit - size);
    }
    if (size >= limit) return limit;
  }
  return size;
}

}  // namespace burin
