#include "ops/api/sequences/bounded_sequence.h"

#include <algorithm>

#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Where a tensor lies in rows, and its extents along the dimensions in which they differ.
struct Span {
  Dim begin, rows;
  std::vector<Dim> extents = {};
};

Dim begin_of(OpContext& op, const Bounded& sequence, const Dim& place) {
  if (sequence.most.empty()) return place;
  if (place == length_of(sequence)) return sequence.rows.dim(0);
  if (place.is_constant(0)) return 0;
  const Symbol begin = op.run_symbol("begin", {0, sequence.rows.dim(0)});
  op.bind(begin, end_before(sequence.ends, place));
  return Index::symbol(begin);
}

Span span_of(OpContext& op, const Bounded& sequence, const Dim& place) {
  Span span{begin_of(op, sequence, place), 1};
  for (const auto& [axis, most] : sequence.most) {
    const Symbol extent = op.run_symbol("extent", {0, most});
    op.bind(extent, sequence.extents
                        ? sequence.extents.at({place, static_cast<int64_t>(span.extents.size())})
                        : sequence.ends.at({place}) - Expr::index(span.begin));
    span.extents.push_back(Index::symbol(extent));
  }
  span.rows = product(span.extents);
  return span;
}

}  // namespace

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
  const Span span = span_of(op, sequence, place);
  Shape shape(rows.shape().begin() + 1, rows.shape().end());
  size_t k = 0;
  for (const auto& [axis, most] : sequence.most)
    shape.insert(shape.begin() + axis, span.extents[k++]);
  const Operand item = declare(rows.type(), std::move(shape));
  op.map(item, [&](const Indices& at) {
    const Index row = span.begin + row_in_item(at, sequence.most, span.extents);
    return rows.at(place_in_rows(row, at, sequence.most));
  });
  return item;
}

Bounded with_item(OpContext& op, const Operand& before, const Operand& item,
                  const std::function<Dim(const Dim& length)>& place_in) {
  const std::optional<ItemForm> held = form_of(before);
  const ItemForm own = form_of_tensor(item), form = held ? common_form(*held, own) : own;
  const Bounded sequence = to_bounded(op, before, form);
  const Operand& rows = sequence.rows;
  const std::vector<Dim> extents = own_extents(item.shape(), form.most);
  const Dim length = length_of(sequence), total = rows.dim(0), added = product(extents);
  const Dim place = place_in(length), begin = begin_of(op, sequence, place);
  const Bounded made = declare_packed(op, form, length + 1, total + added);
  const auto moved = [](Indices at, const Dim& by) {
    at[0] -= by;
    return at;
  };
  op.map(made.rows, [&](const Indices& at) {
    std::vector<Dim> begins = {0, begin};
    std::vector<Expr> parts = {rows.at(at),
                               item.at(place_in_item(at, at[0] - begin, form.most, extents))};
    if (!(begin == total)) {
      begins.push_back(begin + added);
      parts.push_back(rows.at(moved(at, added)));
    }
    return in_parts(at[0], begins, parts);
  });
  // `own` for the item, between those before it and, `by` more, those behind it.
  const auto list = [&](const Operand& old, const Operand& to, const auto& of_item,
                        const Expr& by) {
    op.map(to, [&](const Indices& at) {
      std::vector<Dim> begins = {0, place};
      std::vector<Expr> parts = {old.at(at), of_item(at)};
      if (!(place == length)) {
        begins.push_back(place + 1);
        parts.push_back(old.at(moved(at, 1)) + by);
      }
      return in_parts(at[0], begins, parts);
    });
  };
  if (made.ends) {
    list(
        sequence.ends, made.ends, [&](const Indices&) { return Expr::index(begin + added); },
        Expr::index(added));
  }
  if (made.extents) {
    list(
        sequence.extents, made.extents, [&](const Indices& at) { return one_of(at[1], extents); },
        Expr::constant(Type::i64, 0));
  }
  return made;
}

Bounded without_item(OpContext& op, const Bounded& sequence, const Dim& place) {
  const Operand& rows = sequence.rows;
  const Dim length = length_of(sequence);
  const Span span = span_of(op, sequence, place);
  const Bounded made = declare_packed(op, form_of(sequence), length - 1, rows.dim(0) - span.rows);
  const auto behind = [](Indices at, const Dim& by) {
    at[0] += by;
    return at;
  };
  op.map(made.rows, [&](const Indices& at) {
    return in_parts(at[0], {0, span.begin}, {rows.at(at), rows.at(behind(at, span.rows))});
  });
  const auto list = [&](const Operand& old, const Operand& to, const Dim& by) {
    op.map(to, [&](const Indices& at) {
      return in_parts(at[0], {0, place}, {old.at(at), old.at(behind(at, 1)) - Expr::index(by)});
    });
  };
  if (made.ends) list(sequence.ends, made.ends, span.rows);
  if (made.extents) list(sequence.extents, made.extents, 0);
  return made;
}

Operand with_last(OpContext& op, const Operand& sequence, const Operand& item) {
  return to_operand(op, with_item(op, sequence, item, [](const Dim& length) { return length; }));
}

Operand to_operand(OpContext& op, Bounded sequence, Tuple::Kind kind) {
  const Dim length = length_of(sequence);
  if (!length.is_constant() || sequence.holds)
    return Operand(Tuple{.kind = kind, .bounded = std::move(sequence)});
  Tuple tuple{.kind = kind};
  const auto declare = [&](Type type, Shape shape) {
    return op.temporary("item", type, std::move(shape));
  };
  for (int64_t k = 0; k < length.constant(); ++k)
    tuple.items.push_back(item_at(op, sequence, k, declare));
  return Operand(std::move(tuple));
}

}  // namespace burin
