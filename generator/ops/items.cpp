// Items, of burin's own: a sequence or an optional that the caller gives, of as many tensors as it
// says (graph/items.h). That the extents are those of what it gives is checked.
#include "graph/items.h"

#include "ops/api/core/op_def.h"
#include "ops/api/sequences/bounded_sequence.h"
#include "support/diagnostics.h"

namespace burin::items_op {
namespace {

constexpr int kHolds = 2;

// Of extents [length] or [length, axes], which lie in the range that `made` has for them.
void check_extents(OpContext& op, const Operand& extents, const Dim& total) {
  const auto extreme = [&](Combiner how, std::string_view what) {
    KernelBuilder kernel;
    Indices at;
    for (const Dim& extent : extents.shape()) at.push_back(kernel.reduce_axis(extent));
    const Operand found = op.temporary(what, Type::i64, {});
    kernel.write(found, {}, kernel.reduce(how, at, extents.at(at)));
    op.emit(kernel);
    return found.scalar();
  };
  const Expr none = Expr::constant(Type::i64, 0);
  op.bind(op.run_symbol("negative_extent", {0, 0}), min(extreme(Combiner::min, "smallest"), none));
  op.bind(op.run_symbol("largest_extent", {0, total}),
          max(extreme(Combiner::max, "largest"), none));
}

// Rows of the tensor at `item`; one more than `total` where they are more.
Expr rows_of(const Bounded& made, const Operand& extents, const Index& item, const Dim& total) {
  if (!made.extents) return extents.at({item});
  const Expr none = Expr::constant(Type::i64, 0), one = Expr::constant(Type::i64, 1);
  const Expr most = Expr::index(total), over = most + one;
  Expr rows = one;
  for (size_t k = 0; k < made.most.size(); ++k) {
    const Expr extent = extents.at({item, static_cast<int64_t>(k)});
    // No product of what a caller gives may leave 64 bits.
    const Expr fits = compare(Binary::le, rows, most / max(extent, one));
    rows = Expr::select(compare(Binary::le, extent, none), none,
                        Expr::select(fits, rows * extent, over));
  }
  return rows;
}

void lower(OpContext& op) {
  const Operand rows = op.input(0);
  if (rows.rank() == 0) refuse("shape-mismatch", "the tensor of all items has no dimension");
  Bounded made{rows};
  const std::vector<int64_t> axes = op.integers(kItemsAxes, {});
  for (const int axis : normalize_axes(axes, rows.rank() - 1 + static_cast<int>(axes.size()), true))
    made.most[axis] = rows.dim(0);
  if (!axes.empty()) {
    const Operand extents = op.input(1);
    const Shape wanted = axes.size() > 1 ? Shape{extents.dim(0), static_cast<int64_t>(axes.size())}
                                         : Shape{extents.dim(0)};
    if (extents.shape() != wanted) {
      refuse("shape-mismatch",
             "the extents have shape " + to_string(extents.shape()) + ", not " + to_string(wanted));
    }
    const Dim length = extents.dim(0), total = rows.dim(0);
    if (axes.size() > 1) made.extents = extents;
    check_extents(op, extents, total);
    made.ends = checked_ends(op, length, total, "sum of the extents", [&](const Index& item) {
      return rows_of(made, extents, item, total);
    });
  }
  if (op.has_input(kHolds)) {
    made.holds = op.input(kHolds);
    if (made.holds.rank() != 0) refuse("shape-mismatch", "holds is no scalar");
    op.bind(op.run_symbol("holds", {0, 1}), made.holds.scalar());
  }
  const bool optional = op.integer(kItemsOptional, 0) != 0;
  if (made.holds && !optional) refuse("bad-attribute", "only an optional holds a sequence");
  if (optional && !made.holds)
    op.require({{length_of(made), 0, 2}}, "tensors that the optional holds");
  op.forward(
      0, to_operand(op, std::move(made), optional ? Tuple::Kind::optional : Tuple::Kind::sequence));
}

}  // namespace

OpDef definition() {
  return {.name = kItemsOp,
          .domain = kOwnDomain,
          .since = 1,
          .until = 1,
          .inputs = {{"items", types::all},
                     {"extents", types::i64, Arity::optional},
                     {"holds", types::i64, Arity::optional}},
          .outputs = {{"output"}},
          .attributes = {{kItemsAxes, AttributeKind::integers},
                         {kItemsOptional, AttributeKind::integer}},
          .lower = lower,
          .note = "made by import: a sequence or an optional that the caller gives"};
}

}  // namespace burin::items_op
