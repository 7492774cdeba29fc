#include "kernel/shared_bytes.h"

#include <algorithm>

namespace burin {

// Shifted against the top, and down again with the sign that it has there.
Expr out_of_byte(ValueId value, const Index& place, int bits, Type type) {
  const int each = 8 / bits, top = 32 - bits;
  const Expr byte = Expr::cast(type, Expr::load(value, Type::u8, {floordiv(place, each)}));
  const Expr up = Expr::cast(type, Expr::index(top - mod(place, each) * bits));
  return Expr::binary(Binary::shift_right, Expr::binary(Binary::shift_left, byte, up),
                      Expr::constant(type, top));
}

void visit_loads(const Kernel& kernel, const std::function<void(const ExprNode&)>& on_load) {
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) on_load(node);
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit_distinct(body, on_node);
  }
  for (const Write& write : kernel.writes) {
    visit_distinct(write.value, on_node);
    for (const Index& place : write.at) visit_distinct(place, on_node);
    for (const Condition& condition : write.when) {
      for (const Index* part : {&condition.index, &condition.lo, &condition.hi})
        visit_distinct(*part, on_node);
    }
  }
}

bool takes_single_elements(const Kernel& kernel, const ExprNode& load) {
  return kernel.lets.empty() || std::any_of(load.at.begin(), load.at.end(),
                                            [](const Index& place) { return place.has_data(); });
}

}  // namespace burin
