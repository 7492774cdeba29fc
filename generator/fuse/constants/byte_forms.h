// What rewrites of floats that are made of bytes ask expressions.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

inline bool is_byte_storage(Type type) { return type == Type::u8 || type == Type::i8; }

// The expression with `other` wherever `part` stands.
Expr with_instead(const Expr& whole, const Expr& part, const Expr& other);

// Whether all but `part` is the same at every element.
bool is_same_everywhere(const Expr& whole, const Expr& part);

// The greatest or least of a value where a guard holds; elsewhere there is none.
struct Extreme {
  Guard inside;
  Expr value;
};
std::optional<Extreme> extreme_of(const Let& let);

}  // namespace burin
