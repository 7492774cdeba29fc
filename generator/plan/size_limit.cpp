#include "plan/size_limit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "kernel/place_of.h"

namespace burin {
namespace {

constexpr int kMostBits = 60;
constexpr int kLargestElement = 8;  // bytes

// Values of the sizes that the memory plan names, by name.
using Named = std::map<std::string, double>;

// No smaller than |dim| for any symbols up to `limit`.
double magnitude(const Dim& dim, double limit, const Named& named) {
  switch (dim.kind()) {
    case IndexKind::constant:
      return std::abs(static_cast<double>(dim.constant()));
    case IndexKind::symbol: {
      const SymbolInfo& symbol = *dim.as_symbol();
      const auto known = named.find(symbol.name);
      if (known != named.end()) return known->second;
      if (symbol.most && symbol.max == kUnbounded) return magnitude(*symbol.most, limit, named);
      const double most = symbol.max == kUnbounded ? limit : static_cast<double>(symbol.max);
      return std::max(most, std::abs(static_cast<double>(symbol.min)));
    }
    case IndexKind::floordiv:
      return magnitude(dim.operands()[0], limit, named) + 1;
    case IndexKind::mod:
      return magnitude(dim.operands()[1], limit, named);
    case IndexKind::min:
    case IndexKind::max: {
      double most = 0;
      for (const Index& operand : dim.operands())
        most = std::max(most, magnitude(operand, limit, named));
      return most;
    }
    default:
      break;
  }
  double sum = std::abs(static_cast<double>(dim.constant_term()));
  for (const Index::Term& term : dim.terms()) {
    double product = std::abs(static_cast<double>(term.coefficient));
    for (const Index& atom : term.atoms) product *= magnitude(atom, limit, named);
    sum += product;
  }
  return sum;
}

}  // namespace

int64_t size_limit(const KernelGraph& graph, const MemoryPlan& memory) {
  std::vector<Dim> sizes = {memory.arena_bytes, memory.naive_bytes};
  for (size_t v = 0; v < graph.values.size(); ++v) {
    at_place([&] { return place_of(graph, static_cast<ValueId>(v)); },
             [&] { sizes.push_back(product(graph.values[v].shape) * kLargestElement); });
  }
  const double most = std::ldexp(1.0, kMostBits);
  int bits = kMostBits;
  for (; bits > 0; --bits) {
    const double limit = std::ldexp(1.0, bits);
    Named named;
    bool fits = true;
    for (const NamedSize& size : memory.named) {
      const double value = magnitude(size.value, limit, named);
      named[size.symbol->name] = value;
      fits = fits && value < most;
    }
    fits = fits && std::all_of(sizes.begin(), sizes.end(), [&](const Dim& size) {
             return magnitude(size, limit, named) < most;
           });
    if (fits) break;
  }
  return int64_t{1} << bits;
}

}  // namespace burin
