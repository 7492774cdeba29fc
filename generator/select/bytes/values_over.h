// What expressions of constants are, computed now.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

// An expression of constants over axes of its kernel, by the interpreter: row-major in their order.
HostTensor values_over(const Expr& expr, const Kernel& kernel, const std::vector<int>& axes,
                       const std::vector<Value>& values);

// The expression with `to` wherever it has `from`.
Expr replaced(const Expr& expr, const Expr& from, const Expr& to);

// Adds a constant; its number.
ValueId add_constant(std::vector<Value>& values, std::string name, Type type,
                     const std::vector<int64_t>& shape, Constant bytes);

// Whether it is made of constants and numbers only, whatever axes it moves with.
bool is_of_constants(const Expr& expr, const std::vector<Value>& values);

// As a constant has them.
inline std::vector<std::byte> bytes_of(const std::vector<int32_t>& words) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

}  // namespace burin
