// Reshape: the same elements under another shape. An entry 0 takes the input's dimension at the
// same place (unless allowzero, since opset 14), one entry -1 takes what is left. The shape is an
// input since opset 5; its entries may be known only to the run.
#include "kernel/index/size_bound.h"
#include "ops/api/core/known_elements.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::reshape_op {
namespace {

constexpr double kMostProduct = 4e18;  // that 64 bits hold

Expr number(int64_t value) { return Expr::constant(Type::i64, value); }

// The shape's elements. A dynamic one becomes the extent that it stands for, or -1,
// which the run refuses, where it stands for none.
std::vector<Dim> wanted_shape(OpContext& op, const Operand& x, bool allow_zero) {
  if (op.version() < 5) {
    const std::vector<int64_t> given = op.integers("shape");
    return {given.begin(), given.end()};
  }
  const Operand shape = op.input(1);
  if (shape.rank() != 1) {
    refuse("shape-mismatch",
           "the shape has shape " + to_string(shape.shape()) + "; it must have one dimension");
  }
  // No entry is larger, not even where another one is 0.
  Dim most = 1;
  for (const Dim& dim : x.shape()) most = most * max(dim, 1);
  // Entries that are known before the run, where not all are, stand for themselves.
  std::vector<std::optional<Dim>> stands = elements_of(op).known_elements(1);
  int solved = -1;
  Dim left_of = most;
  for (size_t k = 0; k < stands.size(); ++k) {
    if (stands[k] && stands[k]->is_constant(-1)) solved = static_cast<int>(k);
    if (stands[k] && stands[k]->is_constant(0) && !allow_zero && static_cast<int>(k) < x.rank())
      stands[k] = x.dim(static_cast<int>(k));
    if (!stands[k] || !proven_le(1, *stands[k])) stands[k].reset();
    if (stands[k] && floordiv(left_of, *stands[k]) * *stands[k] == left_of)
      left_of = floordiv(left_of, *stands[k]);
  }
  const Dim total = product(x.shape());
  const auto copied = [&](int64_t k, const Expr& e) {
    if (allow_zero || k >= x.rank()) return e;
    return Expr::select(compare(Binary::eq, e, number(0)), Expr::index(x.dim(static_cast<int>(k))),
                        e);
  };
  const auto meant = [&](int64_t k, const Expr& e) {
    // The product of the others, and the same where it cannot overflow.
    Expr others = number(1), magnitude = Expr::constant(Type::f64, 1.0);
    for (int64_t j = 0; j < shape.dim(0).constant(); ++j) {
      if (j == k) continue;
      const Expr other = copied(j, Expr::cast(Type::i64, shape.at({Index(j)})));
      others = others * other;
      magnitude = magnitude * max(Expr::unary(Unary::abs, Expr::cast(Type::f64, other)),
                                  Expr::constant(Type::f64, 1.0));
    }
    const Expr solvable = compare(Binary::gt, others, number(0));
    const Expr left =
        Expr::select(solvable, Expr::index(total) / max(others, number(1)), number(-1));
    const Expr given = compare(Binary::ne, e, number(-1));
    const Expr extent = Expr::select(given, copied(k, e), left);
    const Expr sane = compare(Binary::lt, magnitude, Expr::constant(Type::f64, kMostProduct));
    return Expr::select(sane, extent, number(-1));
  };
  const bool is_known = op.known(1).has_value();
  std::vector<SizeRange> ranges;
  for (size_t k = 0; k < stands.size(); ++k) {
    ranges.push_back({0, stands[k] ? most : left_of});
    // Of an empty tensor an entry may be more than that, beside a 0; then what it is made of says.
    if (proven_lt(0, total) || is_known) continue;
    const auto number = static_cast<int64_t>(k);
    const Expr entry = meant(number, Expr::cast(Type::i64, shape.at({Index(number)})));
    if (const std::optional<Dim> own = elements_of(op).most(entry))
      ranges[k].most = max(ranges[k].most, *own);
  }
  if (ranges.empty()) ranges.push_back({0, most});
  std::vector<Dim> extents = op.elements_within(1, ranges, meant);
  for (size_t k = 0; k < stands.size(); ++k) {
    // An entry 0 has been read as the input's dimension.
    const bool copies = extents[k].is_constant(0) && !allow_zero && static_cast<int>(k) < x.rank();
    if (copies) extents[k] = x.dim(static_cast<int>(k));
    if (!stands[k]) continue;
    if (!copies)
      op.require_equal(extents[k], *stands[k], "entry " + std::to_string(k) + " of the shape");
    extents[k] = *stands[k];
  }
  // A dynamic one of several is what the others leave, -1 or the last: so the product
  // of all has the bound that the elements have, where each for itself could be all of them.
  std::vector<size_t> open;
  Dim settled = 1, others = 1;
  for (size_t k = 0; k < extents.size(); ++k) {
    if (is_known_before_run(extents[k])) {
      settled = settled * extents[k];
    } else {
      open.push_back(k);
    }
  }
  // Nothing, in shapes of which the run says several entries, has no such quotient.
  if (open.size() < 2 || !proven_lt(0, settled) || !proven_lt(0, total)) return extents;
  const size_t last = solved >= 0 ? static_cast<size_t>(solved) : open.back();
  const Dim all = floordiv(total, settled);
  for (const size_t k : open) {
    if (k == last) continue;
    if (!others.is_constant(1)) {
      // No more than those before it leave, of which the product says so, too.
      const Symbol share =
          op.run_symbol("share" + std::to_string(k), {0, floordiv(all, max(others, 1))});
      op.bind(share, Expr::index(extents[k]));
      extents[k] = Index::symbol(share);
    }
    others = others * extents[k];
  }
  const Dim left = floordiv(all, max(others, 1));
  op.require_equal(extents[last], left, "entry " + std::to_string(last) + " of the shape");
  extents[last] = left;
  return extents;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const bool allow_zero = op.integer("allowzero", 0) != 0;
  Shape shape = wanted_shape(op, x, allow_zero);
  int solved = -1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d].is_constant(-1)) {
      if (solved >= 0) refuse("shape-mismatch", "the shape has two entries -1");
      solved = static_cast<int>(d);
      shape[d] = 1;
    } else if (shape[d].is_constant(0) && !allow_zero) {
      if (static_cast<int>(d) >= x.rank()) {
        refuse("shape-mismatch", "entry " + std::to_string(d) +
                                     " of the shape is 0 and the input has rank " +
                                     std::to_string(x.rank()));
      }
      shape[d] = x.dim(static_cast<int>(d));
    } else if (proven_lt(shape[d], 0)) {
      refuse("shape-mismatch", "the shape has the entry " + to_string(shape[d]));
    }
  }
  const Dim total = product(x.shape()), given = product(shape);
  if (solved >= 0) {
    if (given.is_constant(0))
      refuse("shape-mismatch", "the entry -1 cannot be told: the other entries have product 0");
    shape[static_cast<size_t>(solved)] = floordiv(total, given);
  }
  op.require_equal(product(shape), total, "number of elements");
  map_reshape(op, x, shape);
}

}  // namespace

OpDef definition() {
  return {.name = "Reshape",
          .inputs = {{"data", types::tensors}, {"shape", types::i64, Arity::required, since(5)}},
          .outputs = {{"reshaped"}},
          .attributes = {{"allowzero", AttributeKind::integer, false, since(14)},
                         {"shape", AttributeKind::integers, false, until(4)},
                         {"consumed_inputs", AttributeKind::integers, false, until(4)}},
          .lower = lower};
}

}  // namespace burin::reshape_op
