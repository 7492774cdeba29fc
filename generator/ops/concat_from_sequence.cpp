// ConcatFromSequence: the tensors of a sequence one after the other along axis, or side by side
// along a new one. Since opset 11.
#include "ops/api/movement/concatenate.h"
#include "ops/api/movement/movement.h"
#include "ops/api/sequences/bounded_sequence.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin::concat_from_sequence_op {
namespace {

void lower_items(OpContext& op, const std::vector<Operand>& parts, bool fresh) {
  if (parts.empty()) refuse("shape-mismatch", "the sequence is empty");
  const int axis = normalize_axis(op.integer("axis"), parts[0].rank() + (fresh ? 1 : 0));
  const Type type = parts[0].type();
  if (fresh) {
    map_stacked(op, op.output(0, type, stacked_shape(op, parts, axis)), parts, axis);
  } else {
    map_concatenated(op, op.output(0, type, concatenated_shape(op, parts, axis)), parts, axis);
  }
}

// The first index of `at` moved from dimension `axis`.
Indices row_first(Indices at, int axis, const Index& row) {
  at.erase(at.begin() + axis);
  at.insert(at.begin(), row);
  return at;
}

// Tensors of one shape: [length, shape of each] with its first dimension elsewhere.
void lower_alike(OpContext& op, const Operand& rows, bool fresh) {
  const int axis = normalize_axis(op.integer("axis"), rows.rank() - (fresh ? 0 : 1));
  const Dim length = rows.dim(0);
  Shape shape(rows.shape().begin() + 1, rows.shape().end());
  if (fresh) {
    shape.insert(shape.begin() + axis, length);
    return op.map(op.output(0, rows.type(), shape), [&](const Indices& at) {
      return rows.at(row_first(at, axis, at[static_cast<size_t>(axis)]));
    });
  }
  const Dim each = shape[static_cast<size_t>(axis)];
  shape[static_cast<size_t>(axis)] = length * each;
  op.map(op.output(0, rows.type(), shape), [&](Indices at) {
    Index& along = at[static_cast<size_t>(axis)];
    const Index row = floordiv(along, each);
    along = mod(along, each);
    at.insert(at.begin(), row);
    return rows.at(std::move(at));
  });
}

// A number that kernel `made` reduces `each` to, over all tensors.
Dim reduced(OpContext& op, const Dim& length, std::string_view what, const SizeRange& range,
            Combiner how, const std::function<Expr(const Index& item)>& each) {
  const Operand number = op.temporary(what, Type::i64, {});
  KernelBuilder kernel;
  const Index item = kernel.reduce_axis(length);
  kernel.write(number, {}, kernel.reduce(how, {item}, each(item)));
  op.emit(kernel);
  const Symbol symbol = op.run_symbol(what, range);
  op.bind(symbol, number.scalar());
  return Index::symbol(symbol);
}

Dim most_joined(const Dim& length, const Dim& most) {
  return most.is_constant(kUnbounded) ? most : length * most;
}

// Tensors that have extents of their own along some dimensions. They must agree in these, which the
// run checks, but in the one along which they are put together.
void lower_rows(OpContext& op, const Bounded& sequence, bool fresh) {
  const ItemForm form = form_of(sequence);
  const Dim length = length_of(sequence), total = sequence.rows.dim(0);
  const int axis =
      normalize_axis(op.integer("axis"), static_cast<int>(form.shape.size()) + (fresh ? 1 : 0));
  const size_t along = static_cast<size_t>(axis);
  const bool joined = !fresh && form.most.contains(axis);
  Shape shape = form.shape;
  std::vector<Dim> extents;
  size_t of_axis = 0;
  for (const auto& [d, most] : form.most) {
    const size_t k = extents.size();
    const auto extent = [&](const Index& item) { return extent_at(sequence, item, k); };
    Dim& all = shape[static_cast<size_t>(d)];
    if (joined && d == axis) {
      of_axis = k;
      all = form.most.size() == 1 ? total
                                  : reduced(op, length, "joined", {0, most_joined(length, most)},
                                            Combiner::sum, extent);
    } else {
      all = reduced(op, length, "extent", {0, most}, Combiner::min, extent);
      const Dim largest = reduced(op, length, "largest", {0, most}, Combiner::max, extent);
      op.require_equal(largest, all, "extents of dimension " + std::to_string(d));
    }
    extents.push_back(all);
  }
  const auto from_rows = [&](const Indices& at, const Index& item_begin) {
    const Index row = item_begin + row_in_item(at, form.most, extents);
    return sequence.rows.at(place_in_rows(row, at, form.most));
  };
  const auto output = [&] { return op.output(0, form.type, shape); };
  if (joined && of_axis == 0) {  // items in rows are one after the other as they are to be
    return op.map(output(), [&](const Indices& at) { return from_rows(at, 0); });
  }
  if (joined) {
    const Operand ends = running_sums(op, length, shape[along], [&](const Index& item) {
      return extent_at(sequence, item, of_axis);
    });
    const Operand items = range_of_places(op, ends, shape[along]);
    return op.map(output(), [&](const Indices& at) {
      const Index item = data_index(items.at({at[along]}), length);
      Indices own = at;
      own[along] -= data_index(end_before(ends, item), shape[along] + 1);
      std::vector<Dim> each = extents;
      each[of_axis] = data_index(extent_at(sequence, item, of_axis), form.most.at(axis) + 1);
      const Index begin = data_index(end_before(sequence.ends, item), total + 1);
      const Index row = begin + row_in_item(own, form.most, each);
      return sequence.rows.at(place_in_rows(row, own, form.most));
    });
  }
  const Dim each = product(extents);
  if (fresh) {
    shape.insert(shape.begin() + axis, length);
    return op.map(output(), [&](Indices at) {
      const Index item = at[along];
      at.erase(at.begin() + axis);
      return from_rows(at, item * each);
    });
  }
  const Dim one = shape[along];
  shape[along] *= length;
  op.map(output(), [&](Indices at) {
    const Index item = floordiv(at[along], max(one, 1));
    at[along] = mod(at[along], max(one, 1));
    return from_rows(at, item * each);
  });
}

void lower(OpContext& op) {
  const Operand sequence = op.input(0);
  const bool fresh = op.integer("new_axis", 0) != 0;
  if (const std::vector<Operand>* parts = sequence_items(sequence))
    return lower_items(op, *parts, fresh);
  const Bounded& bounded = *sequence.tuple()->bounded;
  const Dim length = length_of(bounded);
  op.require({{length, 1, length + 1}}, "length of the sequence");
  if (bounded.most.empty()) return lower_alike(op, bounded.rows, fresh);
  lower_rows(op, bounded, fresh);
}

}  // namespace

OpDef definition() {
  return {
      .name = "ConcatFromSequence",
      .since = 11,
      .inputs = {{"input_sequence", types::sequence}},
      .outputs = {{"concat_result"}},
      .attributes = {{"axis", AttributeKind::integer, true}, {"new_axis", AttributeKind::integer}},
      .lower = lower};
}

}  // namespace burin::concat_from_sequence_op
