#include "ops/api/movement/movement.h"

#include <algorithm>

#include "support/check.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {

Indices reshape_index(const Indices& at, const Shape& to, const Shape& from) {
  BURIN_CHECK(at.size() == to.size());
  Indices out(from.size(), Index(0));
  // Runs [t0, t) of `to` and [f0, f) of `from`, with the products so far.
  size_t t0 = 0, f0 = 0;
  while (f0 < from.size()) {
    size_t t = t0, f = f0;
    Dim to_product = 1, from_product = 1;
    // Dimensions of 1 take no part: they would end a run at once.
    const auto take = [](const Shape& shape, size_t& at_dim, Dim& all) {
      if (at_dim < shape.size()) all = all * shape[at_dim++];
    };
    take(from, f, from_product);
    if (from_product.is_constant(1)) {
      f0 = f;
      continue;
    }
    while (t < to.size() && to[t].is_constant(1)) ++t;
    t0 = t;
    take(to, t, to_product);
    while (to_product != from_product && (t < to.size() || f < from.size())) {
      const bool grow_to =
          f == from.size() || (t < to.size() && !proven_le(from_product, to_product));
      grow_to ? take(to, t, to_product) : take(from, f, from_product);
    }
    if (to_product != from_product) {  // not visibly equal: all that is left is one run
      t = to.size();
      f = from.size();
    }
    const auto slice = [](const auto& list, size_t begin, size_t end) {
      return std::vector<Index>(list.begin() + static_cast<std::ptrdiff_t>(begin),
                                list.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const Index linear = linearize(slice(at, t0, t), slice(to, t0, t));
    const Indices part = delinearize(linear, slice(from, f0, f));
    std::copy(part.begin(), part.end(), out.begin() + static_cast<std::ptrdiff_t>(f0));
    t0 = t;
    f0 = f;
  }
  return out;
}

void map_reshape(OpContext& op, const Operand& x, const Shape& shape) {
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) { return x.at(reshape_index(at, shape, x.shape())); });
}

void map_dimensions(OpContext& op, const Operand& x, const std::vector<int>& kept) {
  Shape shape;
  for (const int d : kept) shape.push_back(d < 0 ? Dim(1) : x.dim(d));
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from(static_cast<size_t>(x.rank()), Index(0));
    for (size_t d = 0; d < kept.size(); ++d) {
      if (kept[d] >= 0) from[static_cast<size_t>(kept[d])] = at[d];
    }
    return x.at(std::move(from));
  });
}

void map_transpose(OpContext& op, const Operand& x, const std::vector<int>& permutation) {
  map_dimensions(op, x, permutation);
}

namespace {

// The first axes, for a list that the caller gives: it can be fixed.
std::string axes_to_fix(const OpContext& op, const Operand& list, int input) {
  const std::string name = op.name_of_caller(input);
  if (name.empty()) return {};
  constexpr int64_t kMost = 8;
  const int64_t count = list.rank() == 1 && list.dim(0).is_constant() ? list.dim(0).constant() : 1;
  std::string numbers;
  for (int64_t i = 0; i < std::clamp<int64_t>(count, 1, kMost); ++i)
    numbers += (i > 0 ? "," : "") + std::to_string(i);
  return ", or give it with " + input_flag(name, numbers) + " or other numbers";
}

}  // namespace

std::optional<std::vector<int64_t>> constant_list(OpContext& op, std::string_view attribute,
                                                  int input) {
  if (op.has(attribute)) return op.integers(attribute);
  if (!op.has_input(input)) return std::nullopt;
  const Operand list = op.input(input);
  if (list.rank() > 1) {
    refuse("shape-mismatch", "the list of " + std::string(attribute) + " has shape " +
                                 to_string(list.shape()) + "; it must have one dimension");
  }
  const std::optional<std::vector<Dim>> known = op.known(input);
  std::vector<int64_t> out;
  if (known) {
    for (const Dim& dim : *known) {
      if (!dim.is_constant()) break;
      out.push_back(dim.constant());
    }
  }
  if (!known || out.size() != known->size()) {
    refuse("dynamic-shape",
           "the list of " + std::string(attribute) + " is not known before the run",
           "fold it into the model as a constant" +
               (attribute == "axes" ? axes_to_fix(op, list, input) : ""));
  }
  return out;
}

Index data_index(const Expr& element, const Dim& extent) {
  const Expr raw = Expr::cast(Type::i64, element);
  const Expr size = Expr::index(extent), zero = Expr::constant(Type::i64, 0);
  const Expr wrapped = Expr::select(compare(Binary::lt, raw, zero), raw + size, raw);
  const Expr last = size - Expr::constant(Type::i64, 1);
  const Expr clipped = max(min(wrapped, last), zero);
  const int64_t most = extent.range().hi;
  return Index::data(clipped.ptr(),
                     {0, most == kUnbounded ? kUnbounded : std::max<int64_t>(most - 1, 0)});
}

void require_pickable(OpContext& op, const Dim& count, const Dim& extent) {
  if (proven_le(1, extent)) return;
  op.require({{min(count, 1), 0, extent + 1}}, "an index into an empty dimension");
}

}  // namespace burin
