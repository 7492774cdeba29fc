// DFT: the discrete Fourier transform along an axis of a tensor of real ([..., 1]) or complex
// ([..., 2]) numbers, from its definition. The axis is an attribute until opset 19 and an input
// since 20. Since opset 17.
#include "ops/api/fourier.h"
#include "ops/api/op_def.h"
#include "ops/api/scalars.h"
#include "support/diagnostics.h"

namespace burin::dft_op {
namespace {

int64_t axis_of(OpContext& op) {
  if (op.version() < 20) return op.integer("axis", 1);
  if (!op.has_input(2)) return -2;
  const std::optional<int64_t> known = known_number(op.known(2));
  if (!known) refuse("dynamic-shape", "the axis is not known before the run");
  return *known;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() > 0 && !x.dim(-1).is_constant()) {
    refuse("dynamic-shape", "whether the numbers are complex is not known before the run");
  }
  if (x.rank() < 2) refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()));
  const bool complex = x.dim(-1).is_constant(2);
  if (!complex && !x.dim(-1).is_constant(1))
    refuse("shape-mismatch", "the last dimension is " + to_string(x.shape()) + ", not 1 or 2");
  const int axis = normalize_axis(axis_of(op), x.rank());
  if (axis == x.rank() - 1) refuse("bad-attribute", "the axis is that of the complex numbers");
  const bool inverse = op.integer("inverse", 0) != 0, onesided = op.integer("onesided", 0) != 0;
  if (inverse && onesided) refuse("bad-attribute", "inverse and onesided exclude each other");
  const size_t along = static_cast<size_t>(axis);
  Dim length = x.dim(axis);
  if (op.has_input(1)) {
    op.require_equal(product(op.input(1).shape()), 1, "elements of dft_length");
    length = op.elements(1, {1, kUnbounded})[0];
    op.require({{length, 1, length + 1}}, "dft_length");
  }
  Shape shape = x.shape();
  shape[along] = onesided ? floordiv(length, 2) + 1 : length;
  shape.back() = 2;
  const Operand y = op.output(0, x.type(), shape);
  KernelBuilder kernel;
  Indices at = kernel.axes(Shape(shape.begin(), shape.end() - 1));
  const Complex sum = transform(kernel, at[along], length, inverse, [&](const Index& t) {
    Indices from = at;
    from[along] = t;
    const auto part = [&](int64_t number) {
      Indices place = from;
      place.push_back(number);
      return Expr::cases({{{{t, 0, x.dim(axis)}}, x.at(place)}}, x.zero());
    };
    return Complex{part(0), complex ? part(1) : Expr()};
  });
  const Expr count = Expr::cast(y.compute(), Expr::index(length));
  at.push_back(0);
  kernel.write(y, at, inverse ? sum.real / count : sum.real);
  at.back() = 1;
  kernel.write(y, at, inverse ? sum.imaginary / count : sum.imaginary);
  op.emit(kernel);
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
