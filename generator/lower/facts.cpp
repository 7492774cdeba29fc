#include "lower/facts.h"

#include <algorithm>

#include "kernel/index/size_bound.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kShownElements = 16;

void count(const TensorFacts& facts, LatticeCounts& counts) {
  for (const Dim& dim : facts.shape) {
    switch (lattice_of(dim)) {
      case Lattice::constant:
        ++counts.constant;
        break;
      case Lattice::symbolic:
        ++counts.symbolic;
        break;
      case Lattice::inferred:
        ++counts.inferred;
        break;
      case Lattice::nac:
        ++counts.nac;
        break;
      case Lattice::undefined:
        ++counts.undefined;
        break;
    }
  }
}

}  // namespace

std::string_view to_string(Lattice element) {
  constexpr std::string_view kNames[] = {"undef", "constant", "symbolic", "inferred", "nac"};
  return kNames[static_cast<size_t>(element)];
}

Lattice lattice_of(const Dim& dim) {
  if (dim.is_constant()) return Lattice::constant;
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  const auto has = [&](SymbolOrigin origin) {
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& symbol) { return symbol->origin == origin; });
  };
  if (has(SymbolOrigin::run)) return Lattice::nac;
  if (has(SymbolOrigin::unknown)) return Lattice::undefined;
  return dim.kind() == IndexKind::symbol ? Lattice::symbolic : Lattice::inferred;
}

LatticeCounts count_lattice(const std::vector<TensorFacts>& inputs,
                            const std::vector<NodeFacts>& nodes) {
  LatticeCounts counts;
  for (const TensorFacts& input : inputs) count(input, counts);
  for (const NodeFacts& node : nodes) {
    for (const TensorFacts& output : node.outputs) count(output, counts);
  }
  return counts;
}

std::string to_string(const TensorFacts& facts) {
  std::string out = burin::quoted(facts.name) + " " + std::string(to_string(facts.type)) +
                    " rank " + std::to_string(facts.shape.size()) + " [";
  for (size_t d = 0; d < facts.shape.size(); ++d) {
    const Dim& dim = facts.shape[d];
    const Lattice element = lattice_of(dim);
    out += (d ? ", " : "") + to_string(dim) + " " + std::string(to_string(element));
    if (element != Lattice::nac) continue;
    const std::optional<Dim> bound = bound_before_run(dim);
    out += bound ? " <= " + to_string(*bound) : " unbounded";
  }
  out += "]";
  if (facts.elements.empty()) return out;
  out += " = {";
  for (size_t i = 0; i < facts.elements.size() && i < kShownElements; ++i)
    out += (i ? ", " : "") + to_string(facts.elements[i]);
  return out + (facts.elements.size() > kShownElements ? ", ...}" : "}");
}

std::string facts_text(const std::vector<TensorFacts>& inputs, const std::vector<NodeFacts>& nodes,
                       int passes) {
  std::string out =
      "propagation: " + std::to_string(passes) + (passes == 1 ? " pass\n" : " passes\n");
  for (const TensorFacts& input : inputs) out += "input " + to_string(input) + "\n";
  for (const NodeFacts& node : nodes) {
    for (const TensorFacts& output : node.outputs) {
      out += node.op + " " + node.dynamism_class + " " + to_string(output) +
             (node.folded ? " folded" : "") + "\n";
    }
  }
  return out;
}

}  // namespace burin
