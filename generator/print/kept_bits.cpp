#include "print/kept_bits.h"

#include "support/at.h"

namespace burin::print {

bool keeps_bits(const loops::Program& program, const loops::Store& store,
                const Language& language) {
  const Expr& value = store.value[0];
  if (store.combine != Combiner::none || value.kind() != ExprKind::load) return false;
  const loops::Buffer &to = program.buffers[at(store.to[0])],
                      &from = program.buffers[at(value->id)];
  const auto in_memory = [](const loops::Buffer& one) {
    return one.scope != loops::Scope::local && one.scope != loops::Scope::registers && !one.image;
  };
  return is_narrow_float(to.type) && !is_packed(to.type) && value->storage == to.type &&
         from.type == to.type && in_memory(to) && in_memory(from) &&
         language.assigns({to.type, value.type()});
}

}  // namespace burin::print
