// A kernel's expressions in fp16, where all that they are made of are fp16.
#include <cmath>
#include <unordered_map>

#include "kernel/expr/scalar.h"
#include "select/precision/fp16_plan.h"

namespace burin {
namespace {

bool is_exact(Unary op) { return op == Unary::neg || op == Unary::abs || op == Unary::sign; }

bool has_fp16_form(Binary op) {
  return op == Binary::add || op == Binary::sub || op == Binary::mul || op == Binary::div ||
         op == Binary::min || op == Binary::max || is_comparison(op);
}

// As well as a half holds any number of its normal range.
bool holds(double number) {
  const double half = stored(Type::f16, {number, 0}).number;
  return half == number || std::isnan(number) || (std::isfinite(half) && std::abs(half) >= 0x1p-14);
}

class Halver {
 public:
  // The expression with every part in fp16 that may be.
  Expr rewritten(const Expr& expr) {
    const auto known = rewritten_.find(&*expr);
    if (known != rewritten_.end()) return known->second;
    Expr out = expr;
    if (expr.type() == Type::f32 && worth(expr)) {
      out = Expr::cast(Type::f32, *half(expr));
    } else {
      out = rebuilt(expr);
    }
    return rewritten_.emplace(&*expr, out).first->second;
  }

  // A float as a half; nothing where it depends on what is none.
  std::optional<Expr> half(const Expr& expr) {
    const auto known = fp16_.find(&*expr);
    if (known != fp16_.end()) return known->second;
    std::optional<Expr> out = expr.type() == Type::f32 ? made(expr) : std::nullopt;
    return fp16_.emplace(&*expr, std::move(out)).first->second;
  }

  bool worth(const Expr& expr) {
    const std::optional<Expr> made = half(expr);
    if (!made) return false;
    bool computes = false;
    visit(*made, [&](const ExprNode& node) {
      computes = computes || ((node.kind == ExprKind::unary || node.kind == ExprKind::binary ||
                               node.kind == ExprKind::select) &&
                              node.operands.back().type() == Type::f16);
    });
    return computes;
  }

 private:
  static Expr widened(const Expr& half) { return Expr::cast(Type::f32, half); }

  std::optional<Expr> made(const Expr& expr) {
    const ExprNode& node = *expr;
    switch (node.kind) {
      case ExprKind::constant:
        if (!holds(node.number)) return std::nullopt;
        return Expr::fp16_constant(node.number);
      case ExprKind::load:
        if (node.storage != Type::f16) return std::nullopt;
        return Expr::fp16_load(node.id, node.at);
      case ExprKind::unary: {
        const std::optional<Expr> a = half(node.operands[0]);
        if (!a) return std::nullopt;
        if (is_exact(node.unary())) return Expr::unary(node.unary(), *a);
        return Expr::to_half(Expr::unary(node.unary(), widened(*a)));
      }
      case ExprKind::binary: {
        const std::optional<Expr> a = half(node.operands[0]), b = half(node.operands[1]);
        if (!a || !b) return std::nullopt;
        if (has_fp16_form(node.binary())) return Expr::binary(node.binary(), *a, *b);
        return Expr::to_half(Expr::binary(node.binary(), widened(*a), widened(*b)));
      }
      case ExprKind::select: {
        const std::optional<Expr> a = half(node.operands[1]), b = half(node.operands[2]);
        if (!a || !b) return std::nullopt;
        return Expr::select(rewritten(node.operands[0]), *a, *b);
      }
      case ExprKind::cases: {
        const std::optional<Expr> otherwise = half(node.operands[0]);
        std::vector<Expr::Case> cases;
        for (const Expr::Case& one : node.cases) {
          const std::optional<Expr> value = half(one.value);
          if (!value || !otherwise) return std::nullopt;
          cases.push_back({one.guard, *value});
        }
        return otherwise ? std::optional(Expr::cases(std::move(cases), *otherwise)) : std::nullopt;
      }
      case ExprKind::cast:
        if (node.operands[0].type() == Type::f16) return node.operands[0];
        if (node.storage == Type::f16 && node.operands[0].type() == Type::f32)
          return half(node.operands[0]);
        if (node.operands[0].type() == Type::boolean)
          return Expr::to_half(Expr::cast(node.storage, rewritten(node.operands[0]), node.mode));
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // With its operands rewritten. Comparisons of fp16 are made of these.
  Expr rebuilt(const Expr& expr) {
    const ExprNode& node = *expr;
    switch (node.kind) {
      case ExprKind::unary:
        return Expr::unary(node.unary(), rewritten(node.operands[0]));
      case ExprKind::binary: {
        const Expr &a = node.operands[0], &b = node.operands[1];
        if (is_comparison(node.binary()) && a.type() == Type::f32 && (worth(a) || worth(b))) {
          const std::optional<Expr> x = half(a), y = half(b);
          if (x && y) return Expr::binary(node.binary(), *x, *y);
        }
        return Expr::binary(node.binary(), rewritten(a), rewritten(b));
      }
      case ExprKind::select:
        return Expr::select(rewritten(node.operands[0]), rewritten(node.operands[1]),
                            rewritten(node.operands[2]));
      case ExprKind::cast:
        return Expr::cast(node.storage, rewritten(node.operands[0]), node.mode);
      case ExprKind::cases: {
        std::vector<Expr::Case> cases;
        for (const Expr::Case& one : node.cases) cases.push_back({one.guard, rewritten(one.value)});
        return Expr::cases(std::move(cases), rewritten(node.operands[0]));
      }
      default:
        return expr;
    }
  }

  std::unordered_map<const ExprNode*, Expr> rewritten_;
  std::unordered_map<const ExprNode*, std::optional<Expr>> fp16_;
};

int64_t operations_in(const Kernel& kernel, Type type) {
  int64_t count = 0;
  const auto on_node = [&](const ExprNode& node) {
    count += (node.kind == ExprKind::unary || node.kind == ExprKind::binary ||
              node.kind == ExprKind::select) &&
             node.operands.back().type() == type;
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
  }
  for (const Write& write : kernel.writes) visit(write.value, on_node);
  return count;
}

}  // namespace

Kernel in_fp16(const Kernel& kernel, const std::vector<Value>& values) {
  // A cascade is a norm, a softmax, an attention, a recurrence: made of sums throughout.
  if (kernel.lets.size() > 1) return kernel;
  Kernel out = kernel;
  Halver halver;
  for (Let& let : out.lets) {
    const bool adds = let.op == Combiner::sum || let.op == Combiner::product;
    for (Expr& body : let.body) {
      // What is added is a float; what it is made of may be halves.
      const bool factors = adds && body.kind() == ExprKind::binary && body->binary() == Binary::mul;
      if (factors) {
        body = halver.rewritten(body->operands[0]) * halver.rewritten(body->operands[1]);
      } else if (!adds || body.kind() == ExprKind::cases || body.kind() == ExprKind::select) {
        body = halver.rewritten(body);
      }
    }
  }
  for (Write& write : out.writes) {
    const bool stored = values[static_cast<size_t>(write.to)].type == Type::f16;
    if (stored && write.how == How::store && halver.worth(write.value)) {
      write.value = *halver.half(write.value);
    } else {
      write.value = halver.rewritten(write.value);
    }
  }
  return out;
}

std::optional<Expr> as_fp16(const Expr& expr) {
  const ExprNode& node = *expr;
  switch (node.kind) {
    case ExprKind::constant:
      if (node.type != Type::f32 || stored(Type::f16, {node.number, 0}).number != node.number)
        return std::nullopt;
      return Expr::fp16_constant(node.number);
    case ExprKind::load:
      if (node.storage != Type::f16) return std::nullopt;
      return Expr::fp16_load(node.id, node.at);
    case ExprKind::cast:
      if (node.operands[0].type() != Type::f16) return std::nullopt;
      return node.operands[0];
    case ExprKind::cases: {
      std::optional<Expr> otherwise = as_fp16(node.operands[0]);
      std::vector<Expr::Case> cases;
      for (const Expr::Case& one : node.cases) {
        const std::optional<Expr> value = as_fp16(one.value);
        if (!value || !otherwise) return std::nullopt;
        cases.push_back({one.guard, *value});
      }
      if (otherwise) otherwise = Expr::cases(std::move(cases), *otherwise);
      return otherwise;
    }
    default:
      return std::nullopt;
  }
}

int64_t fp16_operations(const Kernel& kernel) { return operations_in(kernel, Type::f16); }
int64_t float_operations(const Kernel& kernel) { return operations_in(kernel, Type::f32); }

}  // namespace burin
