// Elementwise operators: one expression per point, operands broadcast as ONNX says.
//
// From opset 7 on, broadcasting is numpy's. Before, a binary operator broadcasts only with
// `broadcast` = 1, and `axis` says at which dimension of A the dimensions of B start; the variadic
// ones (Max, Sum ...) take equal shapes until opset 8.
#pragma once

#include <functional>
#include <string>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

// y = f(x) for every element; the result of `f` has x's compute type.
void map_unary(OpContext& op, const std::function<Expr(const Expr& x)>& f);
void map_unary(OpContext& op, Unary f);

// y = f(a, b), broadcast. `result`: element type of y; Type::none for that of a. The type of b must
// be that of a unless `mixed`.
void map_binary(OpContext& op, const std::function<Expr(const Expr& a, const Expr& b)>& f,
                Type result = Type::none, bool mixed = false);
void map_binary(OpContext& op, Binary f, Type result = Type::none);

// y = finish(f(f(x0, x1), x2) ...), all inputs of one type, broadcast.
void map_variadic(OpContext& op, Binary f,
                  const std::function<Expr(const Expr& combined)>& finish = {});

// The definitions of operators that have this form.
OpDef unary_op(std::string name, TypeSet types, void (*lower)(OpContext&), int since = 1,
               std::string input = "X", std::string output = "Y");
OpDef binary_op(std::string name, TypeSet types, void (*lower)(OpContext&), int since = 1);
OpDef variadic_op(std::string name, TypeSet types, void (*lower)(OpContext&), std::string output);
// One that may say before opset 6, in consumed_inputs, what it overwrites. That means nothing here.
OpDef overwriting(OpDef def);

}  // namespace burin
