// Quantised numbers: real = (q - zero_point) * scale; q = saturate(round_half_even(real / scale) +
// zero_point).
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

namespace types {
inline constexpr TypeSet quantized8 = i8 | u8;
inline constexpr TypeSet quantized =
    quantized8 | only(Type::i16) | only(Type::u16) | int4 | int2 | narrow8 | float4;
}  // namespace types

// The entry of a parameter at a point of the tensor that it belongs to.
using Parameter = std::function<Expr(const Indices& at)>;

// A scale or zero point of a tensor of shape `shape`: one for all, one per coordinate along `axis`,
// or one per block of `block` coordinates along it (block 0: no blocks; the parameter then has the
// tensor's rank).
Parameter parameter_of(OpContext& op, int input, const Shape& shape, int64_t axis,
                       int64_t block = 0);

// The same; an absent input gives an empty function.
Parameter optional_parameter(OpContext& op, int input, const Shape& shape, int64_t axis,
                             int64_t block = 0);

// A zero point or scale of a factor of a matrix product: one for all, one per row of the left or
// column of the right factor, or a tensor that is broadcast to the factor.
Parameter matrix_parameter(OpContext& op, int input, const Shape& shape, bool left);

// q - zero in i32 (f32 for narrow floats); `zero` may be empty.
Expr centred(const Expr& q, const Expr& zero);

// The number that stands for `real / scale`, in the storage type `to`; `zero` may be empty. Floats
// of 8 bits are not rounded to integers.
Expr quantized(const Expr& scaled, const Expr& zero, Type to, bool saturate = true);

}  // namespace burin
