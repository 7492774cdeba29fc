// Pad: elements added before and after each dimension (or removed, where a pad is negative): a
// constant, the nearest edge, the mirror image without the edge, or the other end (wrap, since
// opset 19). Pads are an attribute until opset 10 and an input from 11 on, where they may be known
// only to the run; axes (since opset 18) must be known.
#include <algorithm>

#include "kernel/index/size_bound.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/size_facts.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::pad_op {
namespace {

struct Pads {
  std::vector<Dim> before, after;  // per dimension
};

// What is left of a dimension where pads are negative: the modes that repeat the tensor repeat
// this, as onnxruntime has it; the specification is silent.
struct Cropped {
  Dim first, extent;
};

Cropped crop(const Dim& extent, const Dim& before, const Dim& after) {
  return {-min(before, 0), extent + min(before, 0) + min(after, 0)};
}

Pads pads_of(OpContext& op, const Operand& x) {
  std::vector<Dim> given;
  if (op.version() < 11) {
    const char* name = op.version() < 2 ? "paddings" : "pads";
    const std::vector<int64_t> list = op.integers(name);
    given.assign(list.begin(), list.end());
  } else {
    // What is removed is no more than is there.
    int64_t removed = 0;
    for (const Dim& extent : x.shape()) removed = std::max(removed, extent.range().hi);
    removed = std::min(removed, -lowest(Type::i32));
    given = op.elements(1, {-removed, kUnbounded});
    // Nor is more added than 64 bits hold of all of it.
    for (const Dim& pad : given) {
      if (!pad.is_constant()) op.require({{pad, -removed, int64_t{1} << 60}}, "pads");
    }
  }
  std::vector<int64_t> axes;
  for (int d = 0; d < x.rank(); ++d) axes.push_back(d);
  if (op.version() >= 18) axes = constant_list(op, "axes", 3).value_or(axes);
  const std::vector<int> dims = normalize_axes(axes, x.rank(), false);
  if (given.size() != 2 * dims.size()) {
    refuse("shape-mismatch", std::to_string(given.size()) + " pads for " +
                                 std::to_string(dims.size()) + " dimensions");
  }
  const size_t rank = static_cast<size_t>(x.rank());
  Pads pads{std::vector<Dim>(rank, Dim(0)), std::vector<Dim>(rank, Dim(0))};
  for (size_t k = 0; k < dims.size(); ++k) {
    pads.before[static_cast<size_t>(dims[k])] = given[k];
    pads.after[static_cast<size_t>(dims[k])] = given[dims.size() + k];
  }
  return pads;
}

// Position i of a line of `extent` points that is mirrored at its ends, without repeating them.
// `inside`: i is at most one mirror image away.
Index reflected(const Index& i, const Dim& extent, bool inside) {
  if (extent.is_constant(1)) return 0;
  const Dim last = extent - 1;
  if (inside) {
    const Index folded = max(i, -i);
    return min(folded, last * 2 - folded);
  }
  const Dim period = max(last * 2, 1);
  const Index phase = mod(i, period);
  return min(phase, period - phase);
}

// What there is and what is added, which data may say is removed. A name where they do: sizes are
// products of extents, and products of what may be far below zero bound nothing.
Dim extent_of(OpContext& op, size_t d, const Dim& there, const Dim& before, const Dim& after) {
  const Dim sum = there + before + after;
  require_nonnegative(op, sum, "extent of the result");
  const bool numbers = before.is_constant() && after.is_constant();
  if (numbers || sum.range().lo >= 0 || is_known_before_run(sum) || there.is_constant()) return sum;
  const Symbol symbol = op.run_symbol("extent" + std::to_string(d), {0, sum});
  op.bind(symbol, Expr::index(sum));
  return Index::symbol(symbol);
}

Expr fill_value(OpContext& op, const Operand& x) {
  if (op.version() < 11) return constant_of(x.type(), op.real_or_nan("value", 0), "value");
  if (!op.has_input(2)) return x.zero();
  const Operand value = op.input(2);
  if (value.type() != x.type()) {
    refuse("type-mismatch", "constant_value has type " + std::string(to_string(value.type())) +
                                ", data has " + std::string(to_string(x.type())));
  }
  op.require_equal(product(value.shape()), 1, "elements of constant_value");
  return value.scalar();
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const std::string mode = op.text("mode", "constant");
  if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap")
    refuse("bad-attribute", "mode is " + quoted(mode));
  if (mode == "wrap" && op.version() < 19) refuse("bad-attribute", "mode wrap needs opset 19");
  const Pads pads = pads_of(op, x);
  Shape shape;
  for (size_t d = 0; d < pads.before.size(); ++d) {
    shape.push_back(extent_of(op, d, x.shape()[d], pads.before[d], pads.after[d]));
    const bool grows = !pads.before[d].is_constant(0) || !pads.after[d].is_constant(0);
    if (mode != "constant" && grows)
      op.require({{crop(x.shape()[d], pads.before[d], pads.after[d]).extent, 1, kUnbounded}},
                 "extent of a dimension that is padded by itself");
  }
  const Expr fill = fill_value(op, x);
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from;
    Guard inside;
    for (size_t d = 0; d < at.size(); ++d) {
      if (mode == "constant") {
        const Index i = at[d] - pads.before[d];
        inside.push_back({i, 0, x.shape()[d]});
        from.push_back(i);
        continue;
      }
      const auto [first, extent] = crop(x.shape()[d], pads.before[d], pads.after[d]);
      const Index i = at[d] - max(pads.before[d], 0);
      if (mode == "edge") {
        from.push_back(first + max(min(i, extent - 1), 0));
      } else if (mode == "wrap") {
        from.push_back(first + (extent.is_constant(0) ? Index(0) : mod(i, extent)));
      } else {
        const bool near = proven_lt(pads.before[d], extent) && proven_lt(pads.after[d], extent);
        from.push_back(first + reflected(i, extent, near));
      }
    }
    if (mode != "constant") return x.at(std::move(from));
    return Expr::cases({{std::move(inside), x.at(std::move(from))}}, fill);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Pad",
          .inputs = {{"data", types::all, Arity::required, until(12)},
                     {"data", types::tensors, Arity::required, since(13)},
                     {"pads", types::i64, Arity::required, since(11)},
                     {"constant_value", types::tensors, Arity::optional, since(11)},
                     {"axes", types::indices, Arity::optional, since(18)}},
          .outputs = {{"output"}},
          .attributes = {{"mode", AttributeKind::text},
                         {"pads", AttributeKind::integers, true, {2, 10}},
                         {"paddings", AttributeKind::integers, true, until(1)},
                         {"value", AttributeKind::real, false, until(10)}},
          .lower = lower};
}

}  // namespace burin::pad_op
