// Substitution in expressions; the names of operations.
#include <algorithm>
#include <unordered_map>

#include "kernel/expr/expr.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"
#include "support/check.h"

namespace burin {
namespace {

// One rewriting. What is shared is rewritten once and stays shared: a value that is squared again
// and again is a tree of powers of two, and would be made as one.
class Rewriter {
 public:
  Rewriter(const std::function<Expr(const Expr&)>& on_expr,
           const std::function<Index(const Index&)>& on_leaf)
      : on_expr_(on_expr), on_leaf_(on_leaf) {}

  Index rewrite(const Index& index) {
    return index.map_leaves([&](const Index& leaf) -> Index {
      if (leaf.kind() != IndexKind::data) return on_leaf_(leaf);
      const Expr inner = rewrite(Expr(leaf.as_data()));
      if (inner.is_constant()) return inner->integer;
      if (inner.kind() == ExprKind::index) return inner->index;
      return Index::data(inner.ptr(), leaf.range());
    });
  }

  Guard rewrite(const Guard& guard) {
    Guard out;
    for (const Condition& condition : guard)
      out.push_back({rewrite(condition.index), rewrite(condition.lo), rewrite(condition.hi)});
    return out;
  }

  Expr rewrite(const Expr& expr) {
    // Whoever holds the whole holds its root, too; a leaf is found as fast as it is made.
    if (expr.ptr().use_count() == 1 || expr.kind() == ExprKind::constant) return made(expr);
    if (const auto known = made_.find(&*expr); known != made_.end()) return known->second;
    Expr out = made(expr);
    made_.emplace(&*expr, out);
    return out;
  }

 private:
  Expr made(const Expr& expr) {
    const ExprNode& node = *expr;
    const auto indices = [&] {
      std::vector<Index> at;
      at.reserve(node.at.size());
      for (const Index& index : node.at) at.push_back(rewrite(index));
      return at;
    };
    // What a node is folded to when it is made again is a part of it: that went through already.
    std::vector<Expr> parts;
    const auto operand = [&](size_t i) {
      parts.push_back(rewrite(node.operands[i]));
      return parts.back();
    };
    const auto whole = [&](const Expr& one) {
      const bool part = std::any_of(parts.begin(), parts.end(),
                                    [&](const Expr& of) { return of.ptr() == one.ptr(); });
      return part ? one : on_expr_(one);
    };
    switch (node.kind) {
      case ExprKind::constant:
        return on_expr_(expr);
      case ExprKind::index:
        return on_expr_(Expr::index(rewrite(node.index), node.type));
      case ExprKind::load:
        return on_expr_(node.type == Type::f16 ? Expr::fp16_load(node.id, indices())
                                               : Expr::load(node.id, node.storage, indices()));
      case ExprKind::let:
        return on_expr_(Expr::let(node.id, node.type, indices(), node.component));
      case ExprKind::unary:
        return whole(Expr::unary(node.unary(), operand(0)));
      case ExprKind::binary: {
        // Operands are rewritten from the left.
        const Expr left = operand(0);
        return whole(Expr::binary(node.binary(), left, operand(1)));
      }
      case ExprKind::select: {
        const Expr condition = operand(0), left = operand(1);
        return whole(Expr::select(condition, left, operand(2)));
      }
      case ExprKind::fused: {
        const Expr a = operand(0), b = operand(1);
        return whole(Expr::fused(a, b, operand(2)));
      }
      case ExprKind::cast:
        return whole(node.type == Type::f16 ? Expr::to_half(operand(0))
                                            : Expr::cast(node.storage, operand(0), node.mode));
      case ExprKind::cases: {
        std::vector<Expr::Case> cases;
        for (const Expr::Case& one : node.cases) {
          cases.push_back({rewrite(one.guard), rewrite(one.value)});
          parts.push_back(cases.back().value);
        }
        return whole(Expr::cases(std::move(cases), operand(0)));
      }
    }
    return expr;
  }

  const std::function<Expr(const Expr&)>& on_expr_;
  const std::function<Index(const Index&)>& on_leaf_;
  std::unordered_map<const ExprNode*, Expr> made_;  // looked up only
};

}  // namespace

Index rewrite(const Index& index, const std::function<Expr(const Expr&)>& on_expr,
              const std::function<Index(const Index&)>& on_leaf) {
  return Rewriter(on_expr, on_leaf).rewrite(index);
}

Expr rewrite(const Expr& expr, const std::function<Expr(const Expr&)>& on_expr,
             const std::function<Index(const Index&)>& on_leaf) {
  return Rewriter(on_expr, on_leaf).rewrite(expr);
}

namespace {

Expr same(const Expr& expr) { return expr; }

std::function<Index(const Index&)> axis_replacer(const std::vector<Index>& axes) {
  return [&axes](const Index& leaf) -> Index {
    if (leaf.kind() != IndexKind::axis) return leaf;
    const auto at = static_cast<size_t>(leaf.axis_id());
    return at < axes.size() ? axes[at] : leaf;
  };
}

std::function<Index(const Index&)> symbol_replacer(std::string_view name, const Index& value) {
  return [name, &value](const Index& leaf) -> Index {
    if (leaf.kind() == IndexKind::symbol && leaf.as_symbol()->name == name) return value;
    if (leaf.kind() == IndexKind::axis) {
      return Index::axis(leaf.axis_id(), leaf.axis_extent().substitute_symbol(name, value));
    }
    return leaf;
  };
}

}  // namespace

Expr substitute_axes(const Expr& expr, const std::vector<Index>& axes) {
  return rewrite(expr, same, axis_replacer(axes));
}

Guard substitute_axes(const Guard& guard, const std::vector<Index>& axes) {
  return Rewriter(same, axis_replacer(axes)).rewrite(guard);
}

Expr substitute_symbol(const Expr& expr, std::string_view name, const Index& value) {
  return rewrite(expr, same, symbol_replacer(name, value));
}

ExprPtr substitute_axes_in(const ExprPtr& expr, const std::vector<Index>& axes) {
  return substitute_axes(Expr(expr), axes).ptr();
}

ExprPtr substitute_symbol_in(const ExprPtr& expr, std::string_view name, const Index& value) {
  return substitute_symbol(Expr(expr), name, value).ptr();
}

std::string_view to_string(Unary op) {
  static constexpr std::string_view kNames[kUnaryCount] = {
      "neg",  "abs",   "sign",  "logical_not", "bit_not", "popcount", "sqrt",  "rsqrt",
      "exp",  "log",   "log1p", "expm1",       "sin",     "cos",      "tan",   "asin",
      "acos", "atan",  "sinh",  "cosh",        "tanh",    "asinh",    "acosh", "atanh",
      "erf",  "floor", "ceil",  "trunc",       "round",   "is_nan",   "is_inf"};
  return kNames[static_cast<size_t>(op)];
}

std::string_view to_string(Binary op) {
  static constexpr std::string_view kNames[kBinaryCount] = {
      "add",     "sub",        "mul",         "div",         "mod",        "fmod",
      "min",     "max",        "pow",         "atan2",       "bit_and",    "bit_or",
      "bit_xor", "shift_left", "shift_right", "logical_and", "logical_or", "logical_xor",
      "lt",      "le",         "gt",          "ge",          "eq",         "ne"};
  return kNames[static_cast<size_t>(op)];
}

}  // namespace burin
