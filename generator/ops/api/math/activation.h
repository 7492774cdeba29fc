// Activation functions by name, as recurrent and fused operators have them in an attribute.
#pragma once

#include <string>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

struct Activation {
  std::string name;
  double alpha = 0, beta = 0;

  Expr operator()(const Expr& x) const;
};

// A function with the defaults of its operator; refused when the name is not known. Whether it uses
// alpha and beta is told where asked.
Activation activation_of(const std::string& name, bool* uses_alpha = nullptr,
                         bool* uses_beta = nullptr);

// The attributes activations, activation_alpha and activation_beta; the numbers are consumed in
// order by the functions that use them. `defaults` where the names are absent.
std::vector<Activation> activations_of(const OpContext& op, std::vector<std::string> defaults);

Expr sigmoid(const Expr& x);

}  // namespace burin
