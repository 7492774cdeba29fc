// Scalar arithmetic of expressions, exactly as emitted code performs it: f32 in float, f64 in
// double, f16 in float with every result rounded, integers in two's complement of their own width.
// Used by constant folding and by the interpreter, so that a folded constant and an emitted
// instruction agree bit for bit; the mathematical functions are those of runtime_min.
#pragma once

#include "kernel/expr/expr.h"

namespace burin {

// One element. Floats (of compute type f16, f32 or f64) live in `number`, everything else in
// `integer`; the bits of a u64 are those of the int64_t.
struct ScalarValue {
  double number = 0;
  int64_t integer = 0;
};

// `type` is the compute type of the operands. Comparisons, is_nan and is_inf give a boolean.
ScalarValue apply(Unary op, Type type, ScalarValue a);
ScalarValue apply(Binary op, Type type, ScalarValue a, ScalarValue b);

// a * b + c of f32, rounded once.
ScalarValue multiplied_and_added(ScalarValue a, ScalarValue b, ScalarValue c);

// Converts from compute type `from` to storage type `to`; the result is a value of compute type
// compute_type(to) that `to` can represent.
ScalarValue cast(Type from, Type to, CastMode mode, ScalarValue a);

// What an element of `storage` holds after `a` (of its compute type) was stored in it: narrow
// floats are rounded, 4-bit integers wrap, everything else is unchanged.
ScalarValue stored(Type storage, ScalarValue a);

// The same as functions, for who evaluates one operation many times.
using UnaryFunction = ScalarValue (*)(ScalarValue);
using BinaryFunction = ScalarValue (*)(ScalarValue, ScalarValue);
UnaryFunction function_of(Unary op, Type type);
BinaryFunction function_of(Binary op, Type type);
UnaryFunction cast_function(Type from, Type to, CastMode mode);

}  // namespace burin
