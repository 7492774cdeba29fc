#include "ops/api/bounded_sequence.h"

#include <algorithm>

#include "kernel/size_bound.h"
#include "ops/api/facts.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// What bounds both; one that nothing bounds is the largest.
Dim larger(const Dim& a, const Dim& b) {
  return a.is_constant(kUnbounded) || b.is_constant(kUnbounded) ? Dim(kUnbounded) : max(a, b);
}

Dim most_along(const ItemForm& form, int axis) {
  return form.axis == axis ? form.most : bound_of_extent(form.shape[static_cast<size_t>(axis)]);
}

[[noreturn]] void refuse_ragged(int a, int b) {
  refuse("dynamic-shape",
         "tensors of a sequence whose length only the run knows differ in dimensions " +
             std::to_string(std::min(a, b)) + " and " + std::to_string(std::max(a, b)) +
             "; they may differ in one");
}

// `index` of all dimensions of an item but `axis`.
Indices without_axis(Indices at, int axis) {
  at.erase(at.begin() + axis);
  return at;
}

// A place in rows: `row`, then the dimensions of the item but `axis`.
Indices row_place(const Index& row, const Indices& at, int axis) {
  Indices place = axis < 0 ? at : without_axis(at, axis);
  place.insert(place.begin(), row);
  return place;
}

// A place in an item from one in rows.
Indices item_place(const Indices& rows, const Index& along, int axis) {
  Indices at(rows.begin() + 1, rows.end());
  if (axis >= 0) at.insert(at.begin() + axis, along);
  return at;
}

Shape rows_shape(const ItemForm& form, const Dim& rows) {
  Shape shape = form.shape;
  if (form.axis >= 0) shape.erase(shape.begin() + form.axis);
  shape.insert(shape.begin(), rows);
  return shape;
}

Bounded declared(OpContext& op, const ItemForm& form, const Dim& length, const Dim& total) {
  Bounded made;
  made.axis = form.axis;
  made.rows = op.temporary("items", form.type, rows_shape(form, form.axis < 0 ? length : total));
  if (form.axis < 0) return made;
  made.most = form.most;
  made.ends = op.temporary("ends", Type::i64, {length});
  return made;
}

// Extent of an item along the first dimension of rows.
Dim extent_along(const Operand& item, int axis) { return axis < 0 ? Dim(1) : item.dim(axis); }

// Values side by side: parts[k] from begins[k] on, to the end of the last one.
Expr in_parts(const Index& at, const std::vector<Dim>& begins, const std::vector<Expr>& parts) {
  std::vector<Expr::Case> cases;
  for (size_t k = 0; k + 1 < parts.size(); ++k) {
    if (!(begins[k] == begins[k + 1]))
      cases.push_back({{{at, begins[k], begins[k + 1]}}, parts[k]});
  }
  return Expr::cases(std::move(cases), parts.back());
}

Bounded from_items(OpContext& op, const std::vector<Operand>& items, const ItemForm& form) {
  std::vector<Dim> begins;
  Dim total = 0;
  for (const Operand& item : items) {
    begins.push_back(total);
    total += extent_along(item, form.axis);
  }
  const auto length = static_cast<int64_t>(items.size());
  const Bounded made = declared(op, form, length, total);
  if (items.empty()) {  // nothing to write, but written
    op.map(made.rows, [&](const Indices&) { return made.rows.zero(); });
    if (made.ends) op.map(made.ends, [&](const Indices&) { return made.ends.zero(); });
    return made;
  }
  op.map(made.rows, [&](const Indices& at) {
    std::vector<Expr> parts;
    for (size_t k = 0; k < items.size(); ++k)
      parts.push_back(items[k].at(item_place(at, at[0] - begins[k], form.axis)));
    return in_parts(at[0], begins, parts);
  });
  if (form.axis < 0) return made;
  std::vector<Dim> numbers;
  std::vector<Expr> ends;
  for (size_t k = 0; k < items.size(); ++k) {
    numbers.emplace_back(static_cast<int64_t>(k));
    ends.push_back(Expr::index(k + 1 < items.size() ? begins[k + 1] : total));
  }
  op.map(made.ends, [&](const Indices& at) { return in_parts(at[0], numbers, ends); });
  return made;
}

// Tensors of one shape as such that may differ along form.axis.
Bounded loosened(OpContext& op, const Operand& rows, const ItemForm& form) {
  const Dim& length = rows.shape()[0];
  const Dim extent = rows.dim(form.axis + 1);
  const Bounded made = declared(op, form, length, length * extent);
  op.map(made.rows, [&](const Indices& at) {
    Indices from = item_place(at, mod(at[0], extent), form.axis);
    from.insert(from.begin(), floordiv(at[0], extent));
    return rows.at(std::move(from));
  });
  op.map(made.ends, [&](const Indices& at) { return Expr::index((at[0] + 1) * extent); });
  return made;
}

// Where a tensor of its own extent lies in rows.
struct Span {
  Dim begin, extent;
};

Expr end_before(const Operand& ends, const Dim& place) {
  const Expr there = ends.at({max(place - 1, 0)});
  return Expr::cases({{{{place, 0, 1}}, Expr::constant(Type::i64, 0)}}, there);
}

Dim begin_of(OpContext& op, const Bounded& sequence, const Dim& place) {
  if (place == length_of(sequence)) return sequence.rows.dim(0);
  if (place.is_constant(0)) return 0;
  const Symbol begin = op.run_symbol("begin", {0, sequence.rows.dim(0)});
  op.bind(begin, end_before(sequence.ends, place));
  return Index::symbol(begin);
}

Span span_of(OpContext& op, const Bounded& sequence, const Dim& place) {
  const Dim begin = begin_of(op, sequence, place);
  const Symbol extent = op.run_symbol("extent", {0, sequence.most});
  op.bind(extent, sequence.ends.at({place}) - Expr::index(begin));
  return {begin, Index::symbol(extent)};
}

}  // namespace

Dim bound_of_extent(const Dim& extent) {
  const auto keep = [](const Symbol& symbol) {
    return symbol->origin == SymbolOrigin::param || symbol->origin == SymbolOrigin::unknown;
  };
  return bound_over(extent, keep).value_or(kUnbounded);
}

ItemForm form_of_tensor(const Operand& tensor) {
  if (tensor.tuple()) {
    refuse("dynamic-value",
           "a sequence of sequences or optionals has a length that only the run knows");
  }
  return {tensor.type(), tensor.shape()};
}

std::optional<ItemForm> form_of(const Operand& sequence) {
  const Tuple& tuple = *sequence.tuple();
  if (tuple.bounded) {
    const Bounded& bounded = *tuple.bounded;
    const Shape& rows = bounded.rows.shape();
    ItemForm form{bounded.rows.type(), Shape(rows.begin() + 1, rows.end()), bounded.axis,
                  bounded.most};
    if (form.axis >= 0) form.shape.insert(form.shape.begin() + form.axis, form.most);
    return form;
  }
  std::optional<ItemForm> form;
  for (const Operand& item : tuple.items) {
    const ItemForm one = form_of_tensor(item);
    form = form ? common_form(*form, one) : one;
  }
  return form;
}

ItemForm common_form(const ItemForm& a, const ItemForm& b) {
  if (a.type != b.type) {
    refuse("type-mismatch", "a sequence of " + std::string(to_string(a.type)) +
                                " gets a tensor of " + std::string(to_string(b.type)));
  }
  if (a.shape.size() != b.shape.size()) {
    refuse("dynamic-rank", "a sequence whose length only the run knows holds tensors of shapes " +
                               to_string(a.shape) + " and " + to_string(b.shape) +
                               "; they must have one rank");
  }
  ItemForm form = a;
  form.axis = -1;
  const auto differ = [&](int axis) {
    if (form.axis >= 0 && form.axis != axis) refuse_ragged(form.axis, axis);
    form.axis = axis;
    form.most = larger(most_along(a, axis), most_along(b, axis));
  };
  for (int d = 0; d < static_cast<int>(a.shape.size()); ++d) {
    const auto at = static_cast<size_t>(d);
    if (d == a.axis || d == b.axis || !(a.shape[at] == b.shape[at])) differ(d);
  }
  return form;
}

ItemForm with_varying(ItemForm form, const std::function<bool(const Dim&)>& varies) {
  for (int d = 0; d < static_cast<int>(form.shape.size()); ++d) {
    const Dim& extent = form.shape[static_cast<size_t>(d)];
    if (d == form.axis || !varies(extent)) continue;
    if (form.axis >= 0) refuse_ragged(form.axis, d);
    form.axis = d;
    form.most = bound_of_extent(extent);
  }
  return form;
}

Bounded to_bounded(OpContext& op, const Operand& sequence, const ItemForm& form) {
  const Tuple& tuple = *sequence.tuple();
  if (!tuple.bounded) return from_items(op, tuple.items, form);
  if (tuple.bounded->axis < 0 && form.axis >= 0) return loosened(op, tuple.bounded->rows, form);
  Bounded same = *tuple.bounded;
  same.most = form.most;
  return same;
}

Dim length_of(const Bounded& sequence) {
  return sequence.axis < 0 ? sequence.rows.dim(0) : sequence.ends.dim(0);
}

Dim length_of(const Operand& sequence) {
  const Tuple& tuple = *sequence.tuple();
  return tuple.bounded ? length_of(*tuple.bounded) : Dim(static_cast<int64_t>(tuple.items.size()));
}

Dim position_of(OpContext& op, int i, const Dim& length, const Dim& ends) {
  op.require_equal(product(op.input(i).shape()), 1, "elements of position");
  constexpr int64_t kMost = int64_t{1} << 40;  // tensors: no memory holds more
  const int64_t most = std::min(length.range().hi, kMost);
  const Dim given = op.elements(i, {-most, ends - 1})[0];
  op.require({{given, -length, ends}}, "position in the sequence");
  // A negative one counts from the end.
  return given + length * min(max(-given, 0), 1);
}

Operand item_at(OpContext& op, const Bounded& sequence, const Dim& place, const Declare& declare) {
  const Operand& rows = sequence.rows;
  Shape shape(rows.shape().begin() + 1, rows.shape().end());
  Span span{place, 1};
  if (sequence.axis >= 0) {
    span = span_of(op, sequence, place);
    shape.insert(shape.begin() + sequence.axis, span.extent);
  }
  const Operand item = declare(rows.type(), std::move(shape));
  op.map(item, [&](const Indices& at) {
    const Index row =
        sequence.axis < 0 ? place : span.begin + at[static_cast<size_t>(sequence.axis)];
    return rows.at(row_place(row, at, sequence.axis));
  });
  return item;
}

Bounded with_item(OpContext& op, const Operand& before, const Operand& item,
                  const std::function<Dim(const Dim& length)>& place_in) {
  const std::optional<ItemForm> held = form_of(before);
  const ItemForm own = form_of_tensor(item), form = held ? common_form(*held, own) : own;
  const Bounded sequence = to_bounded(op, before, form);
  const Operand& rows = sequence.rows;
  const int axis = sequence.axis;
  const Dim length = length_of(sequence), total = rows.dim(0), extent = extent_along(item, axis);
  const Dim place = place_in(length);
  const Dim begin = axis < 0 ? place : begin_of(op, sequence, place);
  const Bounded made = declared(op, form, length + 1, total + extent);
  const auto moved = [](Indices at, const Dim& by) {
    at[0] -= by;
    return at;
  };
  op.map(made.rows, [&](const Indices& at) {
    std::vector<Dim> begins = {0, begin};
    std::vector<Expr> parts = {rows.at(at), item.at(item_place(at, at[0] - begin, axis))};
    if (!(begin == total)) {
      begins.push_back(begin + extent);
      parts.push_back(rows.at(moved(at, extent)));
    }
    return in_parts(at[0], begins, parts);
  });
  if (axis < 0) return made;
  op.map(made.ends, [&](const Indices& at) {
    std::vector<Dim> begins = {0, place};
    std::vector<Expr> parts = {sequence.ends.at(at), Expr::index(begin + extent)};
    if (!(place == length)) {
      begins.push_back(place + 1);
      parts.push_back(sequence.ends.at(moved(at, 1)) + Expr::index(extent));
    }
    return in_parts(at[0], begins, parts);
  });
  return made;
}

Bounded without_item(OpContext& op, const Bounded& sequence, const Dim& place) {
  const Operand& rows = sequence.rows;
  const Dim length = length_of(sequence);
  const Span span = sequence.axis < 0 ? Span{place, 1} : span_of(op, sequence, place);
  const ItemForm form = *form_of(Operand(Tuple{.bounded = sequence}));
  const Bounded made = declared(op, form, length - 1, rows.dim(0) - span.extent);
  const auto behind = [](Indices at, const Dim& by) {
    at[0] += by;
    return at;
  };
  op.map(made.rows, [&](const Indices& at) {
    return in_parts(at[0], {0, span.begin}, {rows.at(at), rows.at(behind(at, span.extent))});
  });
  if (sequence.axis < 0) return made;
  op.map(made.ends, [&](const Indices& at) {
    return in_parts(
        at[0], {0, place},
        {sequence.ends.at(at), sequence.ends.at(behind(at, 1)) - Expr::index(span.extent)});
  });
  return made;
}

Operand with_last(OpContext& op, const Operand& sequence, const Operand& item) {
  return to_operand(op, with_item(op, sequence, item, [](const Dim& length) { return length; }));
}

Operand to_operand(OpContext& op, Bounded sequence, Tuple::Kind kind) {
  const Dim length = length_of(sequence);
  if (!length.is_constant()) return Operand(Tuple{.kind = kind, .bounded = std::move(sequence)});
  Tuple tuple{.kind = kind};
  const auto declare = [&](Type type, Shape shape) {
    return op.temporary("item", type, std::move(shape));
  };
  for (int64_t k = 0; k < length.constant(); ++k)
    tuple.items.push_back(item_at(op, sequence, k, declare));
  return Operand(std::move(tuple));
}

}  // namespace burin
