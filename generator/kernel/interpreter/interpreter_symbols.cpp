// Solving declared input shapes for the symbols in them.
//
// A dimension with one unknown symbol S is solved where it is a*S + b; others are left until more
// is known. What no equation determines is refused, what several determine must agree.
#include <algorithm>

#include "kernel/interpreter/interpreter.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

struct Equation {
  std::string where;  // "input 'x' dimension 0"
  Dim dim;
  int64_t extent;
};

[[noreturn]] void refuse_extent(const Equation& equation) {
  refuse("shape-mismatch", equation.where + " is " + std::to_string(equation.extent) +
                               ", the model has " + to_string(equation.dim));
}

std::vector<Equation> equations_of(const KernelGraph& graph,
                                   const std::vector<std::vector<int64_t>>& input_shapes,
                                   const std::map<size_t, std::vector<Dim>>& instead) {
  if (input_shapes.size() != graph.inputs.size()) {
    refuse("input-count", std::to_string(input_shapes.size()) +
                              " inputs are given, the model has " +
                              std::to_string(graph.inputs.size()));
  }
  std::vector<Equation> equations;
  for (size_t i = 0; i < input_shapes.size(); ++i) {
    const Value& value = graph.values[static_cast<size_t>(graph.inputs[i])];
    const auto other = instead.find(i);
    const std::vector<Dim>& declared = other == instead.end() ? value.shape : other->second;
    const std::string name = "input " + quoted(value.name);
    if (input_shapes[i].size() != declared.size()) {
      refuse("shape-mismatch", name + " has " + std::to_string(input_shapes[i].size()) +
                                   " dimensions, the model has " + to_string(declared));
    }
    for (size_t d = 0; d < declared.size(); ++d) {
      equations.push_back(
          {name + " dimension " + std::to_string(d), declared[d], input_shapes[i][d]});
    }
  }
  return equations;
}

// Says the limits that there are, and the flag that moves the one which was broken.
[[noreturn]] void refuse_range(const SymbolInfo& symbol, int64_t value, const Equation& equation) {
  const bool of_model = value < symbol.min ? symbol.least_of_model : symbol.most_of_model;
  const bool open = symbol.max == kUnbounded;
  const std::string end = open ? "" : std::to_string(std::max(value, symbol.max));
  refuse("out-of-range",
         equation.where + " makes " + quoted(symbol.name) + " " + std::to_string(value) +
             (open ? ", which is less than " + std::to_string(symbol.min)
                   : ", which is not between " + std::to_string(symbol.min) + " and " +
                         std::to_string(symbol.max)),
         value < 0 || of_model
             ? ""
             : "allow it with " +
                   dim_flag(symbol.name, std::to_string(std::min(value, symbol.min)) + ".." + end));
}

// The value of the only symbol of a*S + b; nullopt when `dim` is not of this form.
std::optional<int64_t> solve(const Dim& dim, int64_t extent, const Equation& equation) {
  const std::vector<Index::Term> terms = dim.terms();
  if (terms.size() != 1 || terms[0].atoms.size() != 1 ||
      terms[0].atoms[0].kind() != IndexKind::symbol) {
    return std::nullopt;
  }
  const int64_t rest = extent - dim.constant_term(), coefficient = terms[0].coefficient;
  if (rest % coefficient != 0) refuse_extent(equation);
  return rest / coefficient;
}

Dim substitute(const Dim& dim, const std::map<std::string, int64_t>& known) {
  return dim.map_leaves([&](const Index& leaf) -> Index {
    const auto at = known.find(leaf.as_symbol()->name);
    return at == known.end() ? leaf : Index(at->second);
  });
}

}  // namespace

std::map<std::string, int64_t> bind_symbols(const KernelGraph& graph,
                                            const std::vector<std::vector<int64_t>>& input_shapes,
                                            const std::map<size_t, std::vector<Dim>>& instead) {
  std::vector<Equation> equations = equations_of(graph, input_shapes, instead);
  std::map<std::string, int64_t> known;
  for (bool again = true; again;) {
    again = false;
    for (const Equation& equation : equations) {
      const Dim dim = substitute(equation.dim, known);
      const auto value = solve(dim, equation.extent, equation);
      if (!value) continue;
      const Symbol symbol = dim.terms()[0].atoms[0].as_symbol();
      if (*value < symbol->min || *value > symbol->max) {
        refuse_range(*symbol, *value, equation);
      }
      known[symbol->name] = *value;
      again = true;
    }
  }
  for (const Symbol& symbol : graph.symbols) {
    if (known.contains(symbol->name)) continue;
    if (symbol->min == symbol->max) {
      known[symbol->name] = symbol->min;
    } else {
      refuse("unbound-dimension", "the inputs do not determine " + quoted(symbol->name),
             "give it with " +
                 dim_flag(symbol->name, std::to_string(std::max<int64_t>(1, symbol->min))) +
                 " or another number");
    }
  }
  for (const Equation& equation : equations) {
    const Dim dim = substitute(equation.dim, known);
    if (!dim.is_constant(equation.extent)) refuse_extent(equation);
  }
  return known;
}

}  // namespace burin
