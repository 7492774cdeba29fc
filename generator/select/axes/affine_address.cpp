#include "select/axes/affine_address.h"

namespace burin {

std::optional<AffineAddress> affine_address(const Index& address, size_t axes) {
  AffineAddress out;
  out.strides.assign(axes, 0);
  out.base = address.constant_term();
  for (const Index::Term& term : address.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis) return std::nullopt;
    out.strides[static_cast<size_t>(term.atoms[0].axis_id())] = term.coefficient;
  }
  return out;
}

}  // namespace burin
