#include "ops/api/math/sums_of_products.h"

#include <cmath>

#include "support/diagnostics.h"

namespace burin {
namespace {

// Rows and columns of a factor, as the product sees them.
struct Sides {
  Dim outer, inner;
  Shape batch;
  bool vector = false;
};

Sides sides(const Operand& x, bool transposed, bool left) {
  if (x.rank() == 0) refuse("shape-mismatch", "a factor of a matrix product is a scalar");
  if (x.rank() == 1) return {1, x.dim(0), {}, true};
  const bool inner_last = left != transposed;
  return {x.dim(inner_last ? -2 : -1), x.dim(inner_last ? -1 : -2),
          Shape(x.shape().begin(), x.shape().end() - 2)};
}

// The point of a factor with its own leading dimensions, cut from those of the result.
Indices point(const Operand& x, const Indices& batch, const Index& row, const Index& column) {
  const size_t own = static_cast<size_t>(x.rank()) - 2, skip = batch.size() - own;
  Indices at;
  for (size_t d = 0; d < own; ++d) at.push_back(min(batch[skip + d], x.shape()[d] - 1));
  at.push_back(row);
  at.push_back(column);
  return at;
}

}  // namespace

Expr Factor::at(const Indices& indices) const {
  const Expr element = operand.at(indices);
  return prepare ? prepare(element, indices) : element;
}

void map_matmul(OpContext& op, const MatrixProduct& product, Type result, const Epilogue& finish) {
  const Operand &a = product.a.operand, &b = product.b.operand;
  const Sides left = sides(a, product.transpose_a, true);
  const Sides right = sides(b, product.transpose_b, false);
  op.require_equal(left.inner, right.inner, "common dimension of a matrix product");
  const Shape batch = broadcast(op, {left.batch, right.batch});
  Shape shape = batch;
  if (!left.vector) shape.push_back(left.outer);
  if (!right.vector) shape.push_back(right.outer);
  const Operand y = op.output(0, result, shape);

  KernelBuilder kernel;
  const Indices lead = kernel.axes(batch);
  const Index m = kernel.axis(left.outer, "row"), n = kernel.axis(right.outer, "column");
  const Index k = kernel.reduce_axis(left.inner, "inner");
  const Indices at_a =
      left.vector ? Indices{k}
                  : point(a, lead, product.transpose_a ? k : m, product.transpose_a ? m : k);
  const Indices at_b =
      right.vector ? Indices{k}
                   : point(b, lead, product.transpose_b ? n : k, product.transpose_b ? k : n);
  const Expr sum = kernel.reduce(Combiner::sum, {k}, product.a.at(at_a) * product.b.at(at_b));
  Indices at = lead;
  if (!left.vector) at.push_back(m);
  if (!right.vector) at.push_back(n);
  kernel.write(y, at, finish(sum, at));
  op.emit(kernel);
}

void map_gemm(OpContext& op, const MatrixProduct& product, Type result, const Epilogue& finish) {
  if (product.a.operand.rank() != 2 || product.b.operand.rank() != 2) {
    refuse("shape-mismatch", "the factors have ranks " + std::to_string(product.a.operand.rank()) +
                                 " and " + std::to_string(product.b.operand.rank()) +
                                 "; both must be 2");
  }
  map_matmul(op, product, result, finish);
}

void require_broadcastable(OpContext& op, const Shape& from, const Shape& to,
                           std::string_view what) {
  if (from.size() > to.size()) {
    refuse("shape-mismatch", std::string(what) + " has shape " + to_string(from) +
                                 ", which cannot be broadcast to " + to_string(to));
  }
  const size_t skip = to.size() - from.size();
  for (size_t d = 0; d < from.size(); ++d) require_one_or_equal(op, from[d], to[skip + d], what);
}

Expr in_type(Type compute, const Expr& x) {
  return x.type() == compute ? x : Expr::cast(compute, x);
}

Expr scaled(const Expr& x, double factor, std::string_view what) {
  if (factor == 1) return x;
  return x * constant_of(x.type(), factor, what);
}

void require_one_type(OpContext& op, std::initializer_list<int> inputs) {
  Type first = Type::none;
  for (const int i : inputs) {
    if (!op.has_input(i)) continue;
    const Type type = op.input(i).type();
    if (first == Type::none) first = type;
    if (type != first)
      refuse("type-mismatch", "input " + std::to_string(i) + " is " + std::string(to_string(type)) +
                                  ", another one is " + std::string(to_string(first)));
  }
}

}  // namespace burin
