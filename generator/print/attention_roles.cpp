#include "print/attention_roles.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "kernel/expr/expr.h"
#include "support/at.h"

namespace burin::print {
namespace {

// The two factors of a sum of products; nullptr: it is none.
const std::vector<Expr>* factors_of(const Let& let) {
  if (let.op != Combiner::sum || let.body.size() != 1) return nullptr;
  const ExprNode& node = *let.body[0];
  const bool product = node.kind == ExprKind::binary && node.binary() == Binary::mul;
  return product ? &node.operands : nullptr;
}

class Roles {
 public:
  Roles(const Kernel& kernel, const std::vector<Value>& values)
      : kernel_(kernel), values_(values) {}

  std::map<ValueId, std::string> all() {
    const bool weighs = std::any_of(kernel_.lets.begin(), kernel_.lets.end(), [](const Let& let) {
      return std::any_of(let.body.begin(), let.body.end(), exponentiates);
    });
    if (!weighs) return {};
    for (size_t weighted = 0; weighted < kernel_.lets.size(); ++weighted) {
      const std::vector<Expr>* factors = factors_of(kernel_.lets[weighted]);
      if (factors) weigh(*factors, kernel_.lets[weighted].reduced);
    }
    std::map<ValueId, std::string> out;
    for (const auto& [id, roles] : found_) {
      static constexpr std::array kNames = {"queries", "keys", "values", "mask"};
      std::string& name = out[id];
      for (const int role : roles)
        name += (name.empty() ? "" : "_") + std::string(kNames[at(role)]);
    }
    return out;
  }

 private:
  enum Role : int { queries, keys, values, mask };

  // Lets that an expression is made of, through others; one may read itself, a step before.
  std::set<int> lets_in(const Expr& expr) const {
    std::set<int> out;
    std::vector<Expr> left = {expr};
    while (!left.empty()) {
      const Expr one = std::move(left.back());
      left.pop_back();
      visit(one, [&](const ExprNode& node) {
        if (node.kind != ExprKind::let || !out.insert(node.id).second) return;
        const std::vector<Expr>& body = kernel_.lets[at(node.id)].body;
        left.insert(left.end(), body.begin(), body.end());
      });
    }
    return out;
  }

  static bool exponentiates(const Expr& expr) {
    bool found = false;
    visit(expr, [&](const ExprNode& node) {
      found = found || (node.kind == ExprKind::unary && node.unary() == Unary::exp);
    });
    return found;
  }

  bool has_exponent(const Expr& expr) const {
    if (exponentiates(expr)) return true;
    const std::set<int> lets = lets_in(expr);
    return std::any_of(lets.begin(), lets.end(), [&](int let) {
      const std::vector<Expr>& body = kernel_.lets[at(let)].body;
      return std::any_of(body.begin(), body.end(), exponentiates);
    });
  }

  // A weighted sum: of the one factor's lets the first sum of products makes scores.
  void weigh(const std::vector<Expr>& factors, const std::vector<int>& keys_along) {
    for (const size_t i : {size_t{0}, size_t{1}}) {
      if (!has_exponent(factors[i]) || !lets_in(factors[1 - i]).empty()) continue;
      for (const int scores : lets_in(factors[i])) {
        const std::vector<Expr>* products = factors_of(kernel_.lets[at(scores)]);
        if (!products || !lets_in((*products)[0]).empty() || !lets_in((*products)[1]).empty())
          continue;
        const bool first = moves((*products)[0], keys_along);
        note((*products)[first ? 1 : 0], queries);
        note((*products)[first ? 0 : 1], keys);
        note(factors[1 - i], values);
        note_masks(factors[i]);
        return;
      }
    }
  }

  static bool moves(const Expr& expr, const std::vector<int>& axes) {
    bool found = false;
    visit(expr, [&](const ExprNode& node) {
      for (const Index& index : node.at)
        found = found || std::any_of(axes.begin(), axes.end(),
                                     [&](int axis) { return index.uses_axis(axis); });
    });
    return found;
  }

  bool is_named(const ExprNode& node) const {
    return node.kind == ExprKind::load && values_[at(node.id)].kind != ValueKind::constant;
  }

  // Of what a factor is made of, the operand that moves with most axes.
  void note(const Expr& factor, Role role) {
    const ExprNode* most = nullptr;
    size_t axes_of_most = 0;
    visit(factor, [&](const ExprNode& node) {
      if (!is_named(node)) return;
      std::vector<int> axes;
      for (const Index& index : node.at) index.collect_axes(axes);
      if (most != nullptr && axes.size() <= axes_of_most) return;
      most = &node;
      axes_of_most = axes.size();
    });
    if (most != nullptr) found_[most->id].insert(role);
  }

  // What is between the scores and their weights, and has no role yet.
  void note_masks(const Expr& weights) {
    const auto look = [&](const Expr& expr) {
      visit(expr, [&](const ExprNode& node) {
        if (is_named(node) && !node.at.empty() && !found_.contains(node.id))
          found_[node.id].insert(mask);
      });
    };
    look(weights);
    for (const int let : lets_in(weights)) {
      if (factors_of(kernel_.lets[at(let)])) continue;
      for (const Expr& body : kernel_.lets[at(let)].body) look(body);
    }
  }

  const Kernel& kernel_;
  const std::vector<Value>& values_;
  std::map<ValueId, std::set<int>> found_;
};

}  // namespace

std::map<ValueId, std::string> attention_roles(const Kernel& kernel,
                                               const std::vector<Value>& values) {
  return Roles(kernel, values).all();
}

}  // namespace burin::print
