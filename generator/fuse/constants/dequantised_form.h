// A dequantised byte: a number in f32 that is an integer made of a byte, times a scale.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// (integer) * scale where a guard holds, else 0.
struct Dequantised {
  Expr integer;  // i32: i32(byte), or that minus a zero point
  Expr scale;    // f32
  Guard inside;
  int64_t largest = 0;  // magnitude of the integer
};

// nullopt: it is something else.
std::optional<Dequantised> dequantised(const Expr& factor);

// Whether one of the axes is a part of it.
bool moves_along(const Expr& expr, const std::vector<int>& reduced);

}  // namespace burin
