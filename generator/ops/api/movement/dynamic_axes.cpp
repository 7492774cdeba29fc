#include "ops/api/movement/dynamic_axes.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

Expr axis_number(int64_t value) { return Expr::constant(Type::i64, value); }

Expr equal(const Expr& a, int64_t b) { return compare(Binary::eq, a, axis_number(b)); }

// What no extent is above.
Dim largest(const Shape& shape) {
  Dim most = 1;
  for (const Dim& extent : shape) most = max(most, extent);
  return most;
}

Dim extent_of(OpContext& op, int place, const Expr& value, const Dim& most) {
  const Symbol symbol = op.run_symbol("extent " + std::to_string(place), {0, most});
  op.bind(symbol, value);
  return Index::symbol(symbol);
}

// marks[0] + ... + marks[end - 1]
Expr sum_before(const std::vector<Dim>& marks, size_t end) {
  Dim sum = 0;
  for (size_t d = 0; d < end; ++d) sum += marks[d];
  return Expr::index(sum);
}

}  // namespace

std::optional<DynamicAxes> dynamic_axes(const OpContext& op, int input, int64_t most) {
  if (!op.has_input(input) || op.known(input)) return std::nullopt;
  const Operand list = op.input(input);
  if (list.rank() != 1 || !list.dim(0).is_constant()) return std::nullopt;
  const int64_t count = list.dim(0).constant();
  if (count > most) refuse("shape-mismatch", "there are more axes than dimensions");
  return DynamicAxes{static_cast<int>(count), list};
}

std::vector<Dim> marked(OpContext& op, const DynamicAxes& axes, int rank) {
  std::vector<Dim> out;
  Dim sum = 0;
  for (int d = 0; d < rank; ++d) {
    Expr found = Expr::boolean(false);
    for (int k = 0; k < axes.count; ++k) {
      const Expr axis = Expr::cast(
          Type::i64, axes.list.rank() == 0 ? axes.list.scalar() : axes.list.at({Index(k)}));
      const Expr here = Expr::binary(Binary::logical_or, equal(axis, d), equal(axis, d - rank));
      found = Expr::binary(Binary::logical_or, found, here);
    }
    const Symbol symbol = op.run_symbol("axis " + std::to_string(d), {0, 1});
    op.bind(symbol, Expr::select(found, axis_number(1), axis_number(0)));
    out.push_back(Index::symbol(symbol));
    sum += out.back();
  }
  op.require({{sum, axes.count, axes.count + 1}}, "different axes of the tensor");
  return out;
}

Shape without_marked(OpContext& op, const Shape& from, const std::vector<Dim>& marks, int count) {
  Shape out;
  const Dim most = largest(from);
  const int kept = static_cast<int>(from.size()) - count;
  for (int j = 0; j < kept; ++j) {
    // The first dimension that is not marked and has j such before it.
    Expr extent = axis_number(1);
    for (int d = j + count; d >= j; --d) {
      const auto at = static_cast<size_t>(d);
      const Expr is_it = Expr::binary(Binary::logical_and, equal(Expr::index(marks[at]), 0),
                                      equal(sum_before(marks, at), d - j));
      extent = Expr::select(is_it, Expr::index(from[at]), extent);
    }
    out.push_back(extent_of(op, j, extent, most));
  }
  return out;
}

Shape with_ones(OpContext& op, const Shape& from, const std::vector<Dim>& marks) {
  Shape out;
  const Dim most = largest(from);
  const int count = static_cast<int>(marks.size() - from.size());
  for (size_t k = 0; k < marks.size(); ++k) {
    Expr extent = axis_number(1);
    for (int before = 0; before <= std::min(count, static_cast<int>(k)); ++before) {
      const size_t d = k - static_cast<size_t>(before);
      if (d >= from.size()) continue;
      extent = Expr::select(equal(sum_before(marks, k), before), Expr::index(from[d]), extent);
    }
    extent = Expr::select(equal(Expr::index(marks[k]), 1), axis_number(1), extent);
    out.push_back(extent_of(op, static_cast<int>(k), extent, most));
  }
  return out;
}

}  // namespace burin
