// SplitToSequence: the input cut along axis into parts of one size (the last may be smaller), of
// given sizes, or of size 1, whose dimension keepdims = 0 drops. Since opset 11.
#include <algorithm>

#include "ops/api/core/known_elements.h"
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin::split_to_sequence_op {
namespace {

constexpr int64_t kMostParts = 4096;

// How the dimension is cut: into parts of `sizes`, or, where it is dynamic how many, into
// parts of `size`, or of the sizes in `list`.
struct Cut {
  std::vector<Dim> sizes = {};
  Dim size = 1;
  Operand list = {};
  bool counted = true;  // sizes are all
};

Cut known_parts(OpContext& op, const Dim& extent) {
  Cut cut;
  cut.sizes = op.elements(1, {0, extent});
  Dim sum = 0;
  for (const Dim& one : cut.sizes) {
    if (proven_lt(one, 0)) refuse("shape-mismatch", "a part has size " + to_string(one));
    sum += one;
  }
  op.require_equal(sum, extent, "sum of the sizes");
  return cut;
}

// Sizes that are all the same need no table of ends: exporters of repeat_interleave cut into ones.
Cut listed_parts(OpContext& op, const Operand& list, const Dim& extent) {
  const std::optional<int64_t> each = elements_of(op).filled_with(1);
  if (!each || *each < 1) return {.list = list, .counted = false};
  op.require_equal(list.dim(0) * *each, extent, "sum of the sizes");
  return {.size = *each, .counted = false};
}

Cut cut_of(OpContext& op, const Dim& extent) {
  Cut cut;
  if (op.has_input(1)) {
    const Operand split = op.input(1);
    if (split.rank() > 1)
      refuse("shape-mismatch", "split has rank " + std::to_string(split.rank()));
    if (split.rank() == 1 && split.dim(0).is_constant()) return known_parts(op, extent);
    if (split.rank() == 1) return listed_parts(op, split, extent);
    // A part that is larger than all is all, so that no number is too large.
    const Dim whole = max(extent, 1);
    cut.size = op.elements(
        1, {1, whole}, [&](int64_t, const Expr& size) { return min(size, Expr::index(whole)); })[0];
    if (proven_lt(cut.size, 1))
      refuse("shape-mismatch", "the parts have size " + to_string(cut.size));
  }
  cut.counted = extent.is_constant() && cut.size.is_constant();
  if (!cut.counted) return cut;
  const int64_t whole = extent.constant(), size = cut.size.constant();
  if (whole / size >= kMostParts) {
    refuse("limit", "the input is cut into more than " + std::to_string(kMostParts) + " parts");
  }
  for (int64_t begin = 0; begin < whole; begin += size)
    cut.sizes.emplace_back(std::min(size, whole - begin));
  return cut;
}

// Parts that are known one by one.
void lower_parts(OpContext& op, const Operand& x, const std::vector<Dim>& sizes, int axis,
                 bool keep) {
  const size_t along = static_cast<size_t>(axis);
  std::vector<Operand> parts;
  Dim begin = 0;
  for (const Dim& size : sizes) {
    Shape shape = x.shape();
    shape[along] = size;
    if (!keep) shape.erase(shape.begin() + axis);
    parts.push_back(op.temporary("part" + std::to_string(parts.size()), x.type(), shape));
    op.map(parts.back(), [&](const Indices& at) {
      Indices from = at;
      if (!keep) from.insert(from.begin() + axis, Index(0));
      from[along] += begin;
      return x.at(std::move(from));
    });
    begin += size;
  }
  forward_sequence(op, 0, std::move(parts));
}

// Where the parts end whose sizes are in a list, which the run checks.
Operand ends_of(OpContext& op, const Operand& list, const Dim& extent) {
  const Dim length = list.dim(0);
  const auto size = [&](const Index& at) { return Expr::cast(Type::i64, list.at({at})); };
  const Operand least = op.temporary("least", Type::i64, {});
  KernelBuilder smallest;
  const Index j = smallest.reduce_axis(length);
  smallest.write(least, {}, smallest.reduce(Combiner::min, {j}, size(j)));
  op.emit(smallest);
  const Expr none = Expr::constant(Type::i64, 0);
  op.bind(op.run_symbol("negative_part", {0, 0}), min(least.scalar(), none));
  return checked_ends(op, length, extent, "sum of the sizes", size);
}

// As many parts as the run finds: rows of the input along axis, which are parts already where each
// is one of them.
void lower_rows(OpContext& op, const Operand& x, const Cut& cut, int axis, bool keep) {
  const Dim extent = x.dim(axis);
  Shape shape = x.shape();
  shape.erase(shape.begin() + axis);
  const bool single = !cut.list && cut.size.is_constant(1);
  Bounded parts;
  if (single && keep) shape.insert(shape.begin() + axis, 1);
  shape.insert(shape.begin(), extent);
  parts.rows = op.temporary("parts", x.type(), shape);
  op.map(parts.rows, [&](Indices at) {
    const Index row = at[0];
    at.erase(at.begin());
    if (single && keep) at.erase(at.begin() + axis);
    at.insert(at.begin() + axis, row);
    return x.at(std::move(at));
  });
  if (!single) {
    parts.most[axis] = !cut.list && cut.size.is_constant() ? cut.size : bound_of_extent(extent);
    if (cut.list) {
      parts.ends = ends_of(op, cut.list, extent);
    } else {
      Dim length = ceildiv(extent, cut.size);
      if (!cut.size.is_constant()) {  // there are no more of them than there are rows
        const Symbol count = op.run_symbol("parts", {0, extent});
        op.bind(count, Expr::index(length));
        length = Index::symbol(count);
      }
      parts.ends = op.temporary("ends", Type::i64, {length});
      op.map(parts.ends,
             [&](const Indices& at) { return Expr::index(min((at[0] + 1) * cut.size, extent)); });
    }
  }
  op.forward(0, to_operand(op, std::move(parts)));
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int axis = normalize_axis(op.integer("axis", 0), x.rank());
  const bool keep = op.has_input(1) || op.integer("keepdims", 1) != 0;
  const Cut cut = cut_of(op, x.dim(axis));
  if (cut.counted) return lower_parts(op, x, cut.sizes, axis, keep);
  lower_rows(op, x, cut, axis, keep);
}

}  // namespace

OpDef definition() {
  return {.name = "SplitToSequence",
          .since = 11,
          .inputs = {{"input", types::tensors}, {"split", types::indices, Arity::optional}},
          .outputs = {{"output_sequence"}},
          .attributes = {{"axis", AttributeKind::integer}, {"keepdims", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::split_to_sequence_op
