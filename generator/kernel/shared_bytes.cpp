#include "kernel/shared_bytes.h"

namespace burin {

// Shifted against the top, and down again with the sign that it has there.
Expr out_of_byte(ValueId value, const Index& place, int bits, Type type) {
  const int each = 8 / bits, top = 32 - bits;
  const Expr byte = Expr::cast(type, Expr::load(value, Type::u8, {floordiv(place, each)}));
  const Expr up = Expr::cast(type, Expr::index(top - mod(place, each) * bits));
  return Expr::binary(Binary::shift_right, Expr::binary(Binary::shift_left, byte, up),
                      Expr::constant(type, top));
}

}  // namespace burin
