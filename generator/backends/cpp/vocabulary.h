// How types and operations are spelled in emitted C++, and which header of runtime_min has them.
#pragma once

#include <string>

#include "kernel/expr/expr.h"
#include "print/headers.h"

namespace burin::cpp {

std::string_view storage_type(Type type);  // "float", "uint16_t" of an f16, "uint8_t" of a boolean
// The element type that a procedure is instantiated for: sixteen-bit floats compare as numbers.
std::string_view procedure_type(Type type);
std::string_view compute_name(Type type);  // "float", "bool", "int32_t"

using print::Headers;

// Texts of operations on operands that are already texts. Headers that they need are added.
std::string unary_text(Unary op, Type type, const std::string& a, Headers& headers);
std::string binary_text(Binary op, Type type, const std::string& a, const std::string& b,
                        Headers& headers);
std::string cast_text(Type from, Type to, CastMode mode, const std::string& a, Headers& headers);
// An element of storage type `type` as a value to compute with, and back.
std::string load_text(Type type, const std::string& element, Headers& headers);
std::string store_text(Type type, const std::string& value, Headers& headers);
std::string constant_text(const ExprNode& constant, Headers& headers);

}  // namespace burin::cpp
