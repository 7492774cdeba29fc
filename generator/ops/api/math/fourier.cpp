#include "ops/api/math/fourier.h"

#include <cmath>
#include <numbers>

#include "kernel/tensor.h"
#include "ops/api/math/sums_of_products.h"

namespace burin {
namespace {

constexpr int64_t kMostWaves = int64_t{5} << 18;  // of a matrix of waves: 5 MB of f32

// What a sample's real and imaginary part count in part `part` of a bin, `turn` turns ahead.
double wave(bool inverse, int64_t part, bool of_imaginary, double turn) {
  const double angle = 2 * std::numbers::pi * turn;
  const double sine = inverse ? std::sin(angle) : -std::sin(angle);
  if (!of_imaginary) return part == 0 ? std::cos(angle) : sine;
  return part == 0 ? -sine : std::cos(angle);
}

// [part, bin, sample]
Operand matrix(OpContext& op, Type type, bool inverse, bool of_imaginary, int64_t bins,
               int64_t length) {
  std::vector<double> waves;
  for (int64_t part = 0; part < 2; ++part) {
    for (int64_t k = 0; k < bins; ++k) {
      for (int64_t t = 0; t < length; ++t)
        waves.push_back(wave(inverse, part, of_imaginary,
                             static_cast<double>(k * t % length) / static_cast<double>(length)));
    }
  }
  const std::vector<int64_t> shape = {2, bins, length};
  return op.constant_operand(of_imaginary ? "wave matrix of imaginary parts" : "wave matrix",
                             {type, shape, to_constant(make_tensor(type, shape, waves)), {}});
}

// [part, place]: one turn, made by the run.
Operand circle(OpContext& op, Type type, bool inverse, bool of_imaginary, const Dim& length) {
  const Operand out =
      op.temporary(of_imaginary ? "waves of imaginary parts" : "waves", type, {2, max(length, 1)});
  op.map(out, [&](const Indices& at) {
    const Expr turn = Expr::cast(Type::f64, Expr::index(at[1])) /
                      Expr::cast(Type::f64, Expr::index(max(length, 1)));
    const Expr angle = turn * (2 * std::numbers::pi);
    const Expr cosine = Expr::unary(Unary::cos, angle);
    const Expr up = Expr::unary(Unary::sin, angle);
    const Expr sine = inverse ? up : -up;
    const Expr first = compare(Binary::eq, Expr::index(at[0]), Expr::constant(Type::i64, 0));
    return in_type(type, of_imaginary ? Expr::select(first, -sine, cosine)
                                      : Expr::select(first, cosine, sine));
  });
  return out;
}

}  // namespace

void emit_transform(OpContext& op, const Operand& y, const Transform& transform) {
  KernelBuilder kernel;
  const Indices at = kernel.axes(y.shape());
  const Indices row(at.begin(), at.end() - 1);
  const Index t = kernel.reduce_axis(transform.length, "sample"), k = transform.bin(row);
  const Complex sample = transform.sample(row, t);
  const Type type = sample.real.type();
  const bool known = transform.bins.is_constant() && !transform.bins.is_constant(kUnbounded) &&
                     transform.length.is_constant() && transform.length.constant() > 0 &&
                     transform.bins.constant() < kMostWaves &&
                     2 * transform.bins.constant() <= kMostWaves / transform.length.constant();
  const auto waves = [&](bool of_imaginary) {
    if (known) {
      return matrix(op, type, transform.inverse, of_imaginary, transform.bins.constant(),
                    transform.length.constant())
          .at({at.back(), k, t});
    }
    return circle(op, type, transform.inverse, of_imaginary, transform.length)
        .at({at.back(), mod(k * t, max(transform.length, 1))});
  };
  Expr term = sample.real * waves(false);
  if (sample.imaginary) term = term + sample.imaginary * waves(true);
  const Expr sum = kernel.reduce(Combiner::sum, {t}, term);
  const Expr count = Expr::cast(type, Expr::index(transform.length));
  kernel.write(y, at, transform.inverse ? sum / count : sum);
  op.emit(kernel);
}

}  // namespace burin
