// Numbers of few bits that are several to a byte, the first in its lowest bits, and are taken out
// one by one.
#pragma once

#include <functional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Number `place` of `value`, a list of bytes, as a number of that type; `bits` has each.
Expr out_of_byte(ValueId value, const Index& place, int bits, Type type);

// Calls for the loads of a kernel, those inside indices too, each once for every expression that
// has it.
void visit_loads(const Kernel& kernel, const std::function<void(const ExprNode&)>& on_load);

// Whether a kernel takes single elements of a constant by this load. Sums of products may have what
// they read at places that are known now in panels of their own.
bool takes_single_elements(const Kernel& kernel, const ExprNode& load);

}  // namespace burin
