// A greatest or least of floats that are made of bytes, each by the same monotone function, is that
// function of the greatest or least byte: max over k of f(b[k]) = f(max over k of b[k]). Rounding
// is monotone, so each element is the same float; a pool of dequantised bytes is a pool of bytes.
#pragma once

#include <functional>
#include <optional>

#include "fuse/algebra/float_bounds.h"
#include "kernel/kernel.h"

namespace burin {

// How f moves with the byte `made` in it: 1 up, -1 down, 0: not shown to be either. What else f
// reads is the same for all bytes.
int direction_of(const Expr& f, const Expr& made, ValueBounds& bounds);

// The let of a kernel that is the greatest or least of elements of `value`, of one at least, where
// nothing else of the kernel reads that; nullopt: there is none.
std::optional<int> extreme_over(const Kernel& kernel, ValueId value);

// The kernel with that let over bytes of `type`, which `value` has now, and f of it where it stood.
// `made_of`: f of a byte, at the indices of an element. nullopt: f differs from term to term.
std::optional<Kernel> with_extreme_of_bytes(
    const Kernel& kernel, int let, Type type, int direction,
    const std::function<Expr(const Expr& byte, const std::vector<Index>& element)>& made_of);

}  // namespace burin
