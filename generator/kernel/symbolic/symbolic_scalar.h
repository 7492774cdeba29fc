// One operation on symbolic elements. Every result is what the operation computes for all values of
// the symbols, or nullopt. Only symbolic*.cpp and *_ranges.cpp include it.
#pragma once

#include "kernel/expr/scalar.h"
#include "kernel/symbolic/symbolic.h"

namespace burin {

using MaybeElement = std::optional<SymbolicElement>;

MaybeElement symbolic_constant(Type type, ScalarValue value);
MaybeElement symbolic_integer(const Dim& dim);

// `type` is the compute type of the operands.
MaybeElement apply(Unary op, Type type, const MaybeElement& a);
MaybeElement apply(Binary op, Type type, const MaybeElement& a, const MaybeElement& b);
MaybeElement select(Type type, const MaybeElement& condition, const MaybeElement& a,
                    const MaybeElement& b);
MaybeElement cast(Type from, Type to, CastMode mode, const MaybeElement& a);

// Whether lo <= index < hi for all values of the symbols (true), for none (false), or unknown.
std::optional<bool> decide(const Dim& lo, const Dim& index, const Dim& hi);

// Bounds when every symbol that has no bound stays below 2^20 in magnitude.
Range assumed_range(const Dim& dim);
// Whether a value of integer type `type` (or boolean) always holds `dim`.
bool fits(const Dim& dim, Type type);

// Of symbolic_float.cpp: operands of a float type that are not both constants.
MaybeElement apply_float(Unary op, Type type, const SymbolicElement& a);
MaybeElement apply_float(Binary op, Type type, const SymbolicElement& a, const SymbolicElement& b);
// numerator / denominator as a float of `storage`, exact or rounded once; nullopt when it is not
// known to be either.
MaybeElement make_quotient(Dim numerator, int64_t denominator, Type storage);
// Bits of a float's significand.
int precision(Type storage);
// The greatest common divisor of all coefficients and the constant.
int64_t content(const Dim& dim);
// All of them divided by a number that divides them.
Dim divided(const Dim& dim, int64_t factor);
// a / b rounded towards zero, b > 0.
Dim truncated_quotient(const Dim& a, const Dim& b);

// Of symbolic_bounds.cpp: the same of what is not known, but bounded.
MaybeElement bound(Unary op, Type type, const SymbolicElement& a);
MaybeElement bound(Binary op, Type type, const SymbolicElement& a, const SymbolicElement& b);
MaybeElement bound_of_either(const SymbolicElement& a, const SymbolicElement& b, Type type);
// Half a unit in the last place, as a part of the value; 0 of integers.
double rounding_of(Type type);
MaybeElement bound_cast(Type from, Type to, const SymbolicElement& a);

}  // namespace burin
