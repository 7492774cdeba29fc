// Squeeze: the dimensions in axes, which must be 1, are dropped; without axes, every dimension that
// is 1. axes is an input since opset 13, whose contents may be known only to the run.
#include <algorithm>
#include <map>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
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

// Flags that decide of every dimension whether it is 1; empty: only the run can. A size by itself
// is given a range without 1, those that a dimension is made of numbers.
std::string deciding_flags(const Shape& shape) {
  std::map<std::string, std::string> flags;
  const auto add = [&](const SymbolInfo& symbol, bool alone) {
    const int64_t least = std::max<int64_t>(symbol.min, alone ? 2 : 1);
    const std::string end = symbol.max == kUnbounded ? "" : std::to_string(symbol.max);
    const bool range = alone && symbol.max > 2;
    std::string flag = dim_flag(symbol.name, std::to_string(least) + (range ? ".." + end : ""));
    // Numbers decide wherever else the size is, too.
    if (!alone || !flags.contains(symbol.name)) flags[symbol.name] = std::move(flag);
  };
  for (const Dim& dim : shape) {
    if (dim.is_constant() || proven_ne(dim, 1)) continue;
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) {
      if (symbol->origin != SymbolOrigin::param) return {};
      add(*symbol, dim.kind() == IndexKind::symbol);
    }
  }
  std::string out;
  for (const auto& [name, flag] : flags) out += " " + flag;
  return out;
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
    const std::string flags = deciding_flags(x.shape());
    for (int d = 0; d < x.rank(); ++d) {
      if (!x.dim(d).is_constant() && !proven_ne(x.dim(d), 1)) {
        refuse(
            "dynamic-shape",
            "dimension " + std::to_string(d) + " is " + to_string(x.dim(d)) +
                ", which may be 1, and axes are not given",
            "give the axes" + (flags.empty() ? "" : ", or sizes that decide it, such as" + flags));
      }
      dropped[static_cast<size_t>(d)] = x.dim(d).is_constant(1);
    }
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
          .inputs = {{"data"}, {"axes", types::i64, Arity::optional, since(13)}},
          .outputs = {{"squeezed"}},
          .attributes = {{"axes", AttributeKind::integers, false, until(12)}},
          .lower = lower};
}

}  // namespace burin::squeeze_op
