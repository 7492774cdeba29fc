// DFT: the discrete Fourier transform along an axis of a tensor of real ([..., 1]) or complex
// ([..., 2]) numbers, from its definition. The axis is an attribute until opset 19 and an input
// since 20; where it is dynamic, every dimension is the axis or not by a dynamic size
// that is 1 or 0. Onesided and inverse, the bins above the half are the conjugates of those below,
// and the samples are real. Since opset 17.
#include <algorithm>

#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/math/fourier.h"
#include "ops/api/movement/dynamic_axes.h"
#include "support/diagnostics.h"

namespace burin::dft_op {
namespace {

// For each dimension but the last whether it is the axis: 1 or 0, or a dynamic size.
std::vector<Dim> axis_of(OpContext& op, int rank) {
  int64_t axis = -2;
  if (op.version() < 20) {
    axis = op.integer("axis", 1);
  } else if (op.has_input(2)) {
    op.require_equal(product(op.input(2).shape()), 1, "elements of axis");
    const std::optional<int64_t> known = known_number(op.known(2));
    if (!known) {
      std::vector<Dim> marks = marked(op, {1, op.input(2)}, rank);
      op.require({{marks.back(), 0, 1}}, "the axis, which is not that of the complex numbers");
      marks.pop_back();
      return marks;
    }
    axis = *known;
  }
  const int place = normalize_axis(axis, rank);
  if (place == rank - 1) refuse("bad-attribute", "the axis is that of the complex numbers");
  std::vector<Dim> marks(static_cast<size_t>(rank - 1), Dim(0));
  marks[static_cast<size_t>(place)] = 1;
  return marks;
}

// a where `mark` is 0, b where it is 1.
Index either(const Dim& mark, const Index& a, const Index& b) { return a + mark * (b - a); }

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() > 0 && !x.dim(-1).is_constant()) {
    refuse("dynamic-shape", "whether the numbers are complex is not known before the run");
  }
  if (x.rank() < 2) refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()));
  const bool complex = x.dim(-1).is_constant(2);
  if (!complex && !x.dim(-1).is_constant(1))
    refuse("shape-mismatch", "the last dimension is " + to_string(x.shape()) + ", not 1 or 2");
  const std::vector<Dim> marks = axis_of(op, x.rank());
  const bool inverse = op.integer("inverse", 0) != 0, onesided = op.integer("onesided", 0) != 0;
  const bool to_real = inverse && onesided;
  if (to_real && !complex)
    refuse("shape-mismatch",
           "the inverse of one side takes complex numbers, the last dimension of " +
               to_string(x.shape()) + " is not 2");
  Dim given = 0;  // elements of x along the axis
  for (size_t d = 0; d < marks.size(); ++d) given += marks[d] * x.shape()[d];
  Dim length = to_real ? (given - 1) * 2 : given;
  if (op.has_input(1)) {
    op.require_equal(product(op.input(1).shape()), 1, "elements of dft_length");
    length = op.elements(1, {1, kUnbounded})[0];
    op.require({{length, 1, length + 1}}, "dft_length");
  }
  const Dim half = floordiv(length, 2) + 1;
  const Dim results = onesided && !inverse ? half : length;
  Shape shape = x.shape();
  for (size_t d = 0; d < marks.size(); ++d) {
    const Dim extent = either(marks[d], shape[d], results);
    shape[d] = marks[d].is_constant()
                   ? extent
                   : op.run_size("extent " + std::to_string(d), {0, max(shape[d], results)},
                                 Expr::index(extent));
  }
  shape.back() = to_real ? 1 : 2;
  const Operand y = op.output(0, x.type(), shape);
  const bool fixed =
      std::all_of(marks.begin(), marks.end(), [](const Dim& mark) { return mark.is_constant(); });
  emit_transform(op, y,
                 {.length = length,
                  .inverse = inverse,
                  .bin =
                      [&](const Indices& at) {
                        Index k = 0;
                        for (size_t d = 0; d < marks.size(); ++d) k += marks[d] * at[d];
                        return k;
                      },
                  .bins = fixed ? results : Dim(kUnbounded),
                  .sample =
                      [&](const Indices& at, const Index& t) {
                        const auto part = [&](int64_t number, const Index& from) {
                          Indices place = at;
                          for (size_t d = 0; d < marks.size(); ++d)
                            place[d] = either(marks[d], at[d], from);
                          place.push_back(number);
                          return Expr::cases({{{{from, 0, given}}, x.at(place)}}, x.zero());
                        };
                        if (!to_real) return Complex{part(0, t), complex ? part(1, t) : Expr()};
                        const Index mirrored = length - t;
                        const Guard below = {{t, 0, half}};
                        return Complex{Expr::cases({{below, part(0, t)}}, part(0, mirrored)),
                                       Expr::cases({{below, part(1, t)}}, -part(1, mirrored))};
                      }});
}

}  // namespace

OpDef definition() {
  return {.name = "DFT",
          .since = 17,
          .inputs = {{"input", types::floats},
                     {"dft_length", types::indices, Arity::optional},
                     {"axis", types::i64, Arity::optional, since(20)}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer, false, until(19)},
                         {"inverse", AttributeKind::integer},
                         {"onesided", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::dft_op
