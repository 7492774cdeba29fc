#include "plan/memory/symbolic_offsets.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "plan/memory/bytes.h"
#include "support/at.h"

namespace burin {
namespace {

// An expression longer than this gets a name.
constexpr int kLongestText = 48;
// So does a size itself that is longer than this; sizes that have none are compared with others.
constexpr int kLongestSize = 120;

bool overlap(const SymbolicBuffer& a, const SymbolicBuffer& b) {
  return lives_overlap(a.live, b.live);
}

// A start of names that no symbol of the model has.
std::string free_prefix(const std::vector<SymbolicBuffer>& buffers) {
  std::vector<Symbol> symbols;
  for (const SymbolicBuffer& buffer : buffers) buffer.size.collect_symbols(symbols);
  std::string prefix = "arena.";
  while (std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
    return symbol->name.compare(0, prefix.size(), prefix) == 0;
  })) {
    prefix.insert(0, "_");
  }
  return prefix;
}

}  // namespace

SymbolicOffsets symbolic_offsets(const std::vector<SymbolicBuffer>& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return buffers[a].offset < buffers[b].offset; });

  const std::string prefix = free_prefix(buffers);
  SymbolicOffsets result;
  result.offsets.assign(buffers.size(), 0);
  std::vector<Dim> tops(buffers.size(), 0);
  const auto named = [&](const Dim& dim, int longest) -> Dim {
    if (text_size(dim, longest) < longest) return dim;
    for (const NamedSize& one : result.named) {
      if (one.value == dim) return Index::symbol(one.symbol);
    }
    const Range range = dim.range();
    auto symbol = std::make_shared<SymbolInfo>(
        SymbolInfo{prefix + std::to_string(result.named.size()), SymbolOrigin::param,
                   std::max<int64_t>(0, range.lo), range.hi, at_hints(dim)});
    result.named.push_back({symbol, dim});
    return Index::symbol(symbol);
  };

  // Layers repeat, and with them what lies below: each answer is found once.
  std::map<std::vector<Dim>, Dim> known;
  const auto largest = [&](std::vector<Dim> dims) -> Dim {
    std::sort(dims.begin(), dims.end());
    dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
    const auto found = known.find(dims);
    if (found != known.end()) return found->second;
    Dim result = named(largest_of(dims), kLongestText);
    known.emplace(std::move(dims), result);
    return result;
  };

  // below[i]: buffers that lie below number order[i], as numbers in `order`, ascending.
  std::vector<std::vector<int>> below(order.size());
  std::vector<bool> covered(order.size(), false);
  std::vector<bool> is_below(buffers.size(), false);  // something
  for (size_t i = 0; i < order.size(); ++i) {
    const SymbolicBuffer& upper = buffers[order[i]];
    for (size_t j = 0; j < i; ++j) {
      if (overlap(buffers[order[j]], upper)) below[i].push_back(static_cast<int>(j));
    }
    // From the top down: what lies below something that lies below need not be looked at again.
    std::vector<Dim> candidates;
    std::vector<int> seen;
    for (size_t k = below[i].size(); k-- > 0;) {
      const int direct = below[i][k];
      if (covered[at(direct)]) continue;
      candidates.push_back(tops[order[at(direct)]]);
      is_below[order[at(direct)]] = true;
      for (const int lower : below[at(direct)]) {
        if (!covered[at(lower)]) seen.push_back(lower);
        covered[at(lower)] = true;
      }
    }
    for (const int lower : seen) covered[at(lower)] = false;
    result.offsets[order[i]] = largest(std::move(candidates));
    tops[order[i]] = result.offsets[order[i]] + named(upper.size, kLongestSize);
  }
  std::vector<Dim> highest;
  for (size_t b = 0; b < buffers.size(); ++b) {
    if (!is_below[b]) highest.push_back(tops[b]);
  }
  result.height = largest(std::move(highest));
  return result;
}

Dim symbolic_live_sum(const std::vector<SymbolicBuffer>& buffers, const SizePoints& points) {
  int end = 0;
  for (const SymbolicBuffer& buffer : buffers) {
    for (const Interval& live : buffer.live) end = std::max(end, live.last + 1);
  }
  std::vector<Dim> largest;
  for (size_t point = 0; point < points.count(); ++point) {
    std::vector<int64_t> sums(at(end), 0);
    for (const SymbolicBuffer& buffer : buffers) {
      const int64_t size = points.evaluate(buffer.size, point);
      for (const Interval& live : buffer.live) {
        for (int p = live.first; p <= live.last; ++p) sums[at(p)] += size;
      }
    }
    if (sums.empty()) return 0;
    const int peak = static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());
    Dim sum = 0;
    for (const SymbolicBuffer& buffer : buffers) {
      if (lives_overlap(buffer.live, {{peak, peak}})) sum += buffer.size;
    }
    largest.push_back(std::move(sum));
  }
  return largest_of(std::move(largest));
}

}  // namespace burin
