#include "ops/api/sequences/packing.h"

#include "ops/api/movement/movement.h"
#include "ops/api/sequences/sequence.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Own = std::map<int, Dim>;

// Tensors without elements have no place that would be divided.
Dim divisor(const Dim& extent) { return max(extent, 1); }

Index number_at(const Expr& number, const Dim& most) {
  return Index::data(max(number, Expr::constant(Type::i64, 0)).ptr(), {0, most.range().hi});
}

void write_ends_and_extents(
    OpContext& op, const Bounded& made, const std::function<Expr(const Index& item)>& end,
    const std::function<Expr(const Index& item, const Index& number)>& extent) {
  if (made.ends) op.map(made.ends, [&](const Indices& at) { return end(at[0]); });
  if (made.extents) op.map(made.extents, [&](const Indices& at) { return extent(at[0], at[1]); });
}

Bounded from_items(OpContext& op, const std::vector<Operand>& items, const ItemForm& form) {
  std::vector<Dim> begins, ends;
  std::vector<std::vector<Dim>> extents;
  Dim total = 0;
  for (const Operand& item : items) {
    extents.push_back(own_extents(item.shape(), form.most));
    begins.push_back(total);
    total += product(extents.back());
    ends.push_back(total);
  }
  const Bounded made = declare_packed(op, form, static_cast<int64_t>(items.size()), total);
  if (items.empty()) {  // nothing to write, but written
    for (const Operand& tensor : tensors_of(made))
      op.map(tensor, [&](const Indices&) { return tensor.zero(); });
    return made;
  }
  op.map(made.rows, [&](const Indices& at) {
    std::vector<Expr> parts;
    for (size_t k = 0; k < items.size(); ++k)
      parts.push_back(items[k].at(place_in_item(at, at[0] - begins[k], form.most, extents[k])));
    return in_parts(at[0], begins, parts);
  });
  const auto extent = [&](const Index& item, const Index& number) {
    std::vector<Dim> numbers;
    std::vector<Expr> each;
    for (size_t k = 0; k < items.size(); ++k) {
      numbers.emplace_back(static_cast<int64_t>(k));
      each.push_back(one_of(number, extents[k]));
    }
    return in_parts(item, numbers, each);
  };
  write_ends_and_extents(
      op, made, [&](const Index& item) { return one_of(item, ends); }, extent);
  return made;
}

// Tensors of one shape as such that may differ.
Bounded loosened(OpContext& op, const Operand& rows, const ItemForm& form) {
  const Dim& length = rows.shape()[0];
  const std::vector<Dim> extents =
      own_extents(Shape(rows.shape().begin() + 1, rows.shape().end()), form.most);
  const Dim each = product(extents);
  const Bounded made = declare_packed(op, form, length, length * each);
  op.map(made.rows, [&](const Indices& at) {
    Indices from = place_in_item(at, mod(at[0], divisor(each)), form.most, extents);
    from.insert(from.begin(), floordiv(at[0], divisor(each)));
    return rows.at(std::move(from));
  });
  write_ends_and_extents(
      op, made, [&](const Index& item) { return Expr::index((item + 1) * each); },
      [&](const Index&, const Index& number) { return one_of(number, extents); });
  return made;
}

// Tensors that differ in some dimensions as such that may differ in more: an item keeps its place
// in the order, but its elements are others' neighbours, so every row looks up whose it is.
Bounded rearranged(OpContext& op, const Bounded& from, const ItemForm& form) {
  const ItemForm before = form_of(from);
  const std::vector<Dim> declared = own_extents(before.shape, form.most);
  Dim factor = 1;  // rows become so many
  size_t number = 0;
  for (const auto& [axis, most] : form.most) {
    if (!from.most.contains(axis)) factor *= declared[number];
    ++number;
  }
  const Dim length = length_of(from), total = from.rows.dim(0) * factor;
  const Bounded made = declare_packed(op, form, length, total);
  const auto extent_of = [&](const Index& item, int axis, const Dim& all) {
    const auto own = from.most.find(axis);
    if (own == from.most.end()) return Expr::index(all);
    return extent_at(from, item, static_cast<size_t>(std::distance(from.most.begin(), own)));
  };
  write_ends_and_extents(
      op, made, [&](const Index& item) { return from.ends.at({item}) * Expr::index(factor); },
      [&](const Index& item, const Index& which) {
        std::vector<Dim> numbers;
        std::vector<Expr> each;
        for (const auto& [axis, most] : form.most) {
          each.push_back(extent_of(item, axis, declared[each.size()]));
          numbers.emplace_back(static_cast<int64_t>(numbers.size()));
        }
        return in_parts(which, numbers, each);
      });
  const Operand items = range_of_places(op, made.ends, total);
  op.map(made.rows, [&](const Indices& at) {
    const Index item = data_index(items.at({at[0]}), length);
    std::vector<Dim> extents, own;
    for (const auto& [axis, most] : form.most) {
      extents.push_back(number_at(extent_of(item, axis, declared[extents.size()]), most));
      if (from.most.contains(axis)) own.push_back(extents.back());
    }
    const Index begin = number_at(end_before(from.ends, item), from.rows.dim(0));
    const Indices in_item = place_in_item(at, at[0] - begin * factor, form.most, extents);
    const Index row = begin + row_in_item(in_item, from.most, own);
    return from.rows.at(place_in_rows(row, in_item, from.most));
  });
  return made;
}

Bounded packed(OpContext& op, const Operand& sequence, const ItemForm& form) {
  const Tuple& tuple = *sequence.tuple();
  if (!tuple.bounded) return from_items(op, tuple.items, form);
  const Bounded& given = *tuple.bounded;
  if (given.most.empty() && !form.most.empty()) return loosened(op, given.rows, form);
  if (given.most.size() < form.most.size()) return rearranged(op, given, form);
  Bounded same = given;
  same.most = form.most;
  return same;
}

}  // namespace

Dim length_of(const Bounded& sequence) {
  return sequence.ends ? sequence.ends.dim(0) : sequence.rows.dim(0);
}

std::vector<Dim> own_extents(const Shape& shape, const Own& most) {
  std::vector<Dim> extents;
  for (const auto& [axis, bound] : most) extents.push_back(shape[static_cast<size_t>(axis)]);
  return extents;
}

Index row_in_item(const Indices& at, const Own& most, const std::vector<Dim>& extents) {
  Index row = 0;
  size_t k = 0;
  for (const auto& [axis, bound] : most) row = row * extents[k++] + at[static_cast<size_t>(axis)];
  return row;
}

Indices place_in_rows(const Index& row, const Indices& at, const Own& most) {
  Indices place = {row};
  for (int d = 0; d < static_cast<int>(at.size()); ++d) {
    if (!most.contains(d)) place.push_back(at[static_cast<size_t>(d)]);
  }
  return place;
}

Indices place_in_item(const Indices& place, const Index& row, const Own& most,
                      const std::vector<Dim>& extents) {
  if (most.empty()) return {place.begin() + 1, place.end()};
  Indices own(extents.size());
  own[0] = row;
  for (size_t k = extents.size(); k-- > 1;) {
    own[k] = mod(own[0], divisor(extents[k]));
    own[0] = floordiv(own[0], divisor(extents[k]));
  }
  Indices at(place.begin() + 1, place.end());
  size_t k = 0;
  for (const auto& [axis, bound] : most) at.insert(at.begin() + axis, own[k++]);
  return at;
}

Expr end_before(const Operand& ends, const Index& place) {
  const Expr there = ends.at({max(place - 1, 0)});
  return Expr::cases({{{{place, 0, 1}}, Expr::constant(Type::i64, 0)}}, there);
}

Expr extent_at(const Bounded& sequence, const Index& place, size_t k) {
  if (sequence.extents) return sequence.extents.at({place, static_cast<int64_t>(k)});
  return sequence.ends.at({place}) - end_before(sequence.ends, place);
}

Operand running_sums(OpContext& op, const Dim& length, const Dim& most,
                     const std::function<Expr(const Index& at)>& number) {
  const Operand sums = op.temporary("ends", Type::i64, {length});
  KernelBuilder kernel;
  const Index k = kernel.axis(length, {}, AxisKind::sequential);
  const Expr over = Expr::index(most) + Expr::constant(Type::i64, 1);
  const Expr before = Expr::let(kernel.next_let(), Type::i64, {k - 1});
  const auto own = [&](const Index& at) {
    return min(max(number(at), Expr::constant(Type::i64, 0)), over);
  };
  kernel.write(
      sums, {k},
      kernel.let({k}, Expr::cases({{{{k, 1, length}}, min(before + own(k), over)}}, own(k))));
  op.emit(kernel);
  return sums;
}

Operand checked_ends(OpContext& op, const Dim& length, const Dim& total, std::string_view what,
                     const std::function<Expr(const Index& at)>& number) {
  const Operand ends = running_sums(op, length, total, number);
  const Symbol sum = op.run_symbol("sum", {0, total});
  op.bind(sum, end_before(ends, length));
  op.require_equal(Index::symbol(sum), total, what);
  return ends;
}

Operand range_of_places(OpContext& op, const Operand& ends, const Dim& total) {
  const Operand ranges = op.temporary("places", Type::i64, {total});
  KernelBuilder kernel;
  const Index place = kernel.axis(total), k = kernel.reduce_axis(ends.dim(0));
  const Expr one = Expr::constant(Type::i64, 1), none = Expr::constant(Type::i64, 0);
  const Expr behind = compare(Binary::le, ends.at({k}), Expr::index(place));
  kernel.write(ranges, {place}, kernel.reduce(Combiner::sum, {k}, Expr::select(behind, one, none)));
  op.emit(kernel);
  return ranges;
}

Bounded declare_packed(OpContext& op, const ItemForm& form, const Dim& length, const Dim& total) {
  Bounded made;
  made.most = form.most;
  Shape shape = place_in_rows(form.most.empty() ? length : total, form.shape, form.most);
  made.rows = op.temporary("items", form.type, std::move(shape));
  if (form.most.empty()) return made;
  made.ends = op.temporary("ends", Type::i64, {length});
  if (form.most.size() > 1) {
    made.extents =
        op.temporary("extents", Type::i64, {length, static_cast<int64_t>(form.most.size())});
  }
  return made;
}

Bounded to_bounded(OpContext& op, const Operand& sequence, const ItemForm& form) {
  if (!form.nested) return packed(op, sequence, form);
  const Tuple& optional = *sequence.tuple();
  const bool known = !optional.bounded, holds = known && !optional.items.empty();
  Bounded made = packed(op, holds ? optional.items[0] : sequence, form);
  made.holds =
      known ? constant_scalar(op, "holds", Type::i64, holds ? 1 : 0) : optional.bounded->holds;
  return made;
}

Bounded bounded_of(const ItemForm& form, const std::vector<Operand>& tensors) {
  Bounded made{tensors.at(0), form.most};
  size_t next = 1;
  if (!form.most.empty()) made.ends = tensors.at(next++);
  if (form.most.size() > 1) made.extents = tensors.at(next++);
  if (form.nested) made.holds = tensors.at(next++);
  BURIN_CHECK(next == tensors.size());
  return made;
}

Expr in_parts(const Index& at, const std::vector<Dim>& begins, const std::vector<Expr>& parts) {
  std::vector<Expr::Case> cases;
  for (size_t k = 0; k + 1 < parts.size(); ++k) {
    if (!(begins[k] == begins[k + 1]))
      cases.push_back({{{at, begins[k], begins[k + 1]}}, parts[k]});
  }
  return Expr::cases(std::move(cases), parts.back());
}

Expr one_of(const Index& number, const std::vector<Dim>& numbers) {
  std::vector<Dim> places;
  std::vector<Expr> each;
  for (const Dim& one : numbers) {
    places.emplace_back(static_cast<int64_t>(places.size()));
    each.push_back(Expr::index(one));
  }
  return in_parts(number, places, each);
}

}  // namespace burin
