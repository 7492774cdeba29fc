// Quotients by known numbers as products, where bytes are made of them: byte.sat(round(x / c) + z)
// with fma(x, h, x * l) instead of x / c, where h is 1 / c rounded and l what that lacks
// (Brisebarre, Muller, Raina: Accelerating correctly rounded floating-point division when the
// divisor is known in advance).
//
// Both are monotone in x. So they make the same bytes of all x if they do so at the numbers around
// each x at which round(x / c) changes, within what a byte can be; these are looked at, and what
// differs stays a quotient. x is known to be a number of moderate size, so that nothing overflows;
// of numbers so small that products lose bits both make 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

struct Reciprocal {
  float whole = 0, rest = 0;  // h and l
};
// nullopt: there is some x that it is wrong for, or c is no number for it.
std::optional<Reciprocal> reciprocal_for_bytes(float divisor);

// The value with such products. Constants are appended to `values`; their names begin with `name`.
Expr with_products(const Expr& value, const std::string& name, std::vector<Value>& values);

// The same of what a kernel writes, where the machine has vectors of floats and rounds a product
// with a sum once.
void use_products(Kernel& kernel, std::vector<Value>& values, const Hardware& hardware);

}  // namespace burin
