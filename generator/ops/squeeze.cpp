// Squeeze: the dimensions in axes, which must be 1, are dropped; without axes, every dimension that
// is 1. axes is an input since opset 13, whose contents may be known only to the run. Where open
// sizes may be 1 or not and the output is declared with all of them, they are not, as the run
// checks.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "kernel/index/index_node.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/size_facts.h"
#include "ops/api/movement/dynamic_axes.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin::squeeze_op {
namespace {

void drop_dynamic_axes(OpContext& op, const Operand& x, const DynamicAxes& axes) {
  const std::vector<Dim> marks = marked(op, axes, x.rank());
  for (int d = 0; d < x.rank(); ++d) {
    const Dim& mark = marks[static_cast<size_t>(d)];
    op.require({{mark * (x.dim(d) - 1), 0, 1}}, "squeezed dimension " + std::to_string(d));
  }
  const Shape shape = without_marked(op, x.shape(), marks, axes.count);
  op.require_equal(product(shape), product(x.shape()), "number of elements");
  map_reshape(op, x, shape);
}

bool is_open(const Dim& dim) { return !dim.is_constant() && !proven_ne(dim, 1); }

// The least size of the one symbol that a dimension grows with, c*size + rest, from which on it is
// not 1; nullopt: it is made otherwise.
std::optional<std::pair<Symbol, int64_t>> least_of_one(const Dim& dim) {
  const std::vector<Index::Term> terms = dim.terms();
  if (terms.size() != 1 || terms[0].coefficient < 1 || terms[0].atoms.size() != 1 ||
      terms[0].atoms[0].kind() != IndexKind::symbol)
    return std::nullopt;
  const int64_t least = -floor_divide(dim.constant_term() - 2, terms[0].coefficient);
  return std::pair(terms[0].atoms[0].as_symbol(), least);
}

// One number for all sizes of the conditions at which these hold: the first that usual windows fit
// in; nullopt: none of those tried.
std::optional<std::map<std::string, int64_t>> usual_sizes(const Guard& wanted) {
  for (const int64_t number : {64, 128, 256, 1024, 32, 16, 8, 4, 3, 2}) {
    std::map<std::string, int64_t> sizes;
    const auto size = [&](const Index& leaf) {
      const SymbolInfo& symbol = *leaf.as_symbol();
      const int64_t most = std::max(symbol.min, symbol.max);
      return sizes[symbol.name] = std::clamp(number, symbol.min, most);
    };
    const bool fits = std::all_of(wanted.begin(), wanted.end(), [&](const Condition& one) {
      return one.index.evaluate(size) >= 2;
    });
    if (fits) return sizes;
  }
  return std::nullopt;
}

// Flags that decide of every dimension whether it is 1; empty: only the run can. A size that a
// dimension is made of alone is given a range, others numbers at which what the graph has required
// so far holds, too.
std::string deciding_flags(const OpContext& op, const Shape& shape) {
  Guard wanted;
  bool in_ranges = true;
  for (const Dim& dim : shape) {
    if (!is_open(dim)) continue;
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    // A dynamic size can have a range, but no number.
    const auto of_caller = [&](const Symbol& one) {
      return one->origin == SymbolOrigin::param ||
             (one->origin == SymbolOrigin::run && least_of_one(dim));
    };
    if (!std::all_of(symbols.begin(), symbols.end(), of_caller)) return {};
    wanted.push_back({dim, 2, kUnbounded});
    in_ranges = in_ranges && least_of_one(dim);
  }
  std::optional<std::map<std::string, int64_t>> sizes;
  if (!in_ranges) sizes = sizes_of(op).sizes_with(wanted);
  if (!in_ranges && !sizes) sizes = usual_sizes(wanted);
  if (!in_ranges && !sizes) return {};
  std::map<std::string, int64_t> leasts;  // of ranges
  std::map<std::string, std::string> flags;
  for (const Dim& dim : shape) {
    if (!is_open(dim)) continue;
    if (const auto one = least_of_one(dim)) {
      const auto& [symbol, least] = *one;
      int64_t& from = leasts.try_emplace(symbol->name, symbol->min).first->second;
      from = std::max(from, least);
      const std::string end = symbol->max == kUnbounded ? "" : std::to_string(symbol->max);
      const std::string range = std::to_string(from) + (symbol->max > from ? ".." + end : "");
      flags[symbol->name] = dim_flag(symbol->name, range);
    }
  }
  // Numbers decide wherever else the size is, too.
  for (const Dim& dim : shape) {
    if (!is_open(dim) || least_of_one(dim)) continue;
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    for (const Symbol& symbol : symbols)
      flags[symbol->name] = dim_flag(symbol->name, std::to_string(sizes->at(symbol->name)));
  }
  std::string out;
  for (const auto& [name, flag] : flags) out += " " + flag;
  return out;
}

// Which dimensions are 1; the run checks that open ones are not. That one is always 1 contradicts
// its being open, whatever the file declares.
std::vector<bool> ones_of(OpContext& op, const Operand& x) {
  std::vector<bool> ones;
  std::vector<int> open;
  for (int d = 0; d < x.rank(); ++d) {
    ones.push_back(x.dim(d).is_constant(1));
    if (is_open(x.dim(d))) open.push_back(d);
  }
  if (open.empty()) return ones;
  const auto most = static_cast<int>(std::count(ones.begin(), ones.end(), false));
  if (op.declared_rank(0) != most) {
    const std::string flags = deciding_flags(op, x.shape());
    const int d = open.front();
    refuse("dynamic-shape",
           "dimension " + std::to_string(d) + " is " + to_string(x.dim(d)) +
               ", which may be 1, and axes are not given",
           "give the axes" + (flags.empty() ? "" : ", or sizes that decide it, such as" + flags));
  }
  for (const int d : open) {
    const Dim& dim = x.dim(d);
    op.require({{min(max(dim - 1, Dim(1) - dim), 1), 1, 2}},
               "dimension " + std::to_string(d) + " that is not squeezed");
  }
  return ones;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (const std::optional<DynamicAxes> run = dynamic_axes(op, 1, x.rank()))
    return drop_dynamic_axes(op, x, *run);
  const std::optional<std::vector<int64_t>> axes = constant_list(op, "axes", 1);
  std::vector<bool> dropped(static_cast<size_t>(x.rank()));
  if (axes) {
    for (const int axis : normalize_axes(*axes, x.rank())) {
      op.require_equal(x.dim(axis), 1, "squeezed dimension");
      dropped[static_cast<size_t>(axis)] = true;
    }
  } else {
    dropped = ones_of(op, x);
  }
  std::vector<int> kept;
  for (int d = 0; d < x.rank(); ++d) {
    if (!dropped[static_cast<size_t>(d)]) kept.push_back(d);
  }
  map_dimensions(op, x, kept);
}

}  // namespace

OpDef definition() {
  return {.name = "Squeeze",
          .inputs = {{"data", types::tensors}, {"axes", types::i64, Arity::optional, since(13)}},
          .outputs = {{"squeezed"}},
          .attributes = {{"axes", AttributeKind::integers, false, until(12)}},
          .lower = lower};
}

}  // namespace burin::squeeze_op
