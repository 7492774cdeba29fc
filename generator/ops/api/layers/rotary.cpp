#include "ops/api/layers/rotary.h"

namespace burin {

Expr rotated(const Rotation& rotation, const std::function<Expr(const Index& e)>& x, const Index& b,
             const Index& i, const Index& e) {
  const Dim half = floordiv(rotation.size, 2);
  const auto turned = [&](const Index& pair, const Index& first, const Index& second,
                          bool is_first) {
    const Expr cos = rotation.cos(b, i, pair), sin = rotation.sin(b, i, pair);
    return is_first ? x(first) * cos - x(second) * sin : x(first) * sin + x(second) * cos;
  };
  if (rotation.interleaved) {
    const Index pair = floordiv(e, 2), side = e - pair * 2;
    return Expr::cases({{{{e, rotation.size, e + 1}}, x(e)},
                        {{{side, 0, 1}}, turned(pair, pair * 2, pair * 2 + 1, true)}},
                       turned(pair, pair * 2, pair * 2 + 1, false));
  }
  return Expr::cases({{{{e, 0, half}}, turned(e, e, e + half, true)},
                      {{{e, half, rotation.size}}, turned(e - half, e - half, e, false)}},
                     x(e));
}

}  // namespace burin
