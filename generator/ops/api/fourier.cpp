#include "ops/api/fourier.h"

#include <numbers>

namespace burin {

Complex transform(KernelBuilder& kernel, const Index& k, const Dim& length, bool inverse,
                  const std::function<Complex(const Index&)>& x) {
  const Index t = kernel.reduce_axis(length, "sample");
  const Complex sample = x(t);
  const Type type = sample.real.type();
  // The phase as an exact fraction of a turn.
  const Expr turn = Expr::cast(type, Expr::index(mod(k * t, max(length, 1)))) /
                    Expr::cast(type, Expr::index(max(length, 1)));
  const Expr angle = turn * (2 * std::numbers::pi);
  const Expr cosine = Expr::unary(Unary::cos, angle);
  const Expr wave = Expr::unary(Unary::sin, angle);
  const Expr sine = inverse ? wave : -wave;
  Expr real = sample.real * cosine, imaginary = sample.real * sine;
  if (sample.imaginary) {
    real = real - sample.imaginary * sine;
    imaginary = imaginary + sample.imaginary * cosine;
  }
  return {kernel.reduce(Combiner::sum, {t}, real), kernel.reduce(Combiner::sum, {t}, imaginary)};
}

}  // namespace burin
