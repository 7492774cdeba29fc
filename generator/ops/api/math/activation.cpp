#include "ops/api/math/activation.h"

#include <algorithm>
#include <iterator>

#include "support/diagnostics.h"

namespace burin {
namespace {

Expr number(const Expr& x, double value) { return Expr::constant(x.type(), value); }

struct Known {
  const char* name;
  bool uses_alpha, uses_beta;
  double alpha, beta;
  Expr (*apply)(const Expr& x, double alpha, double beta);
};

constexpr Known kKnown[] = {
    {"Relu", false, false, 0, 0,
     [](const Expr& x, double, double) { return max(x, number(x, 0)); }},
    {"Tanh", false, false, 0, 0,
     [](const Expr& x, double, double) { return Expr::unary(Unary::tanh, x); }},
    {"Sigmoid", false, false, 0, 0, [](const Expr& x, double, double) { return sigmoid(x); }},
    {"Affine", true, true, 1, 0, [](const Expr& x, double a, double b) { return x * a + b; }},
    {"LeakyRelu", true, false, 0.01, 0,
     [](const Expr& x, double a, double) {
       return Expr::select(compare(Binary::lt, x, number(x, 0)), x * a, x);
     }},
    {"ThresholdedRelu", true, false, 1, 0,
     [](const Expr& x, double a, double) {
       return Expr::select(compare(Binary::gt, x, number(x, a)), x, number(x, 0));
     }},
    {"ScaledTanh", true, true, 1, 1,
     [](const Expr& x, double a, double b) { return Expr::unary(Unary::tanh, x * b) * a; }},
    {"HardSigmoid", true, true, 0.2, 0.5,
     [](const Expr& x, double a, double b) {
       return min(max(x * a + b, number(x, 0)), number(x, 1));
     }},
    {"Elu", true, false, 1, 0,
     [](const Expr& x, double a, double) {
       const Expr below = Expr::unary(Unary::expm1, x) * a;
       return Expr::select(compare(Binary::lt, x, number(x, 0)), below, x);
     }},
    {"Softsign", false, false, 0, 0,
     [](const Expr& x, double, double) { return x / (Expr::unary(Unary::abs, x) + 1.0); }},
    {"Softplus", false, false, 0, 0,
     [](const Expr& x, double, double) {
       const Expr small = Expr::unary(Unary::exp, -Expr::unary(Unary::abs, x));
       return max(x, number(x, 0)) + Expr::unary(Unary::log1p, small);
     }},
    {"Clip", true, true, -3.4028234663852886e38, 3.4028234663852886e38,
     [](const Expr& x, double a, double b) { return min(max(x, number(x, a)), number(x, b)); }},
    {"HardSwish", false, false, 0, 0,
     [](const Expr& x, double, double) {
       return x * min(max(x * (1.0 / 6) + 0.5, number(x, 0)), number(x, 1));
     }},
};

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Names are compared without regard to case, as the specification says.
bool same_name(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_case(x) == lower_case(y); });
}

const Known& find_known(const std::string& name) {
  const auto at = std::find_if(std::begin(kKnown), std::end(kKnown),
                               [&](const Known& known) { return same_name(name, known.name); });
  if (at == std::end(kKnown))
    refuse("bad-attribute", "activation " + quoted(name) + " is not one of the specification's");
  return *at;
}

}  // namespace

Expr sigmoid(const Expr& x) { return 1.0 / (Expr::unary(Unary::exp, -x) + 1.0); }

Expr Activation::operator()(const Expr& x) const { return find_known(name).apply(x, alpha, beta); }

Activation activation_of(const std::string& name, bool* uses_alpha, bool* uses_beta) {
  const Known& known = find_known(name);
  if (uses_alpha) *uses_alpha = known.uses_alpha;
  if (uses_beta) *uses_beta = known.uses_beta;
  return {known.name, known.alpha, known.beta};
}

std::vector<Activation> activations_of(const OpContext& op, std::vector<std::string> defaults) {
  const std::vector<std::string> names = op.texts("activations", defaults);
  if (names.size() != defaults.size()) {
    refuse("bad-attribute", "activations has " + std::to_string(names.size()) + " entries, not " +
                                std::to_string(defaults.size()));
  }
  const std::vector<double> alphas = op.reals("activation_alpha", {});
  const std::vector<double> betas = op.reals("activation_beta", {});
  size_t alpha = 0, beta = 0;
  std::vector<Activation> out;
  for (const std::string& name : names) {
    bool uses_alpha, uses_beta;
    Activation activation = activation_of(name, &uses_alpha, &uses_beta);
    if (uses_alpha && alpha < alphas.size()) activation.alpha = alphas[alpha++];
    if (uses_beta && beta < betas.size()) activation.beta = betas[beta++];
    out.push_back(std::move(activation));
  }
  return out;
}

}  // namespace burin
