#include "fuse/constants/scale_remover.h"

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"

namespace burin {

std::optional<Expr> ScaleRemover::without_scale(const Expr& value) {
  const Part part = visit_node(value);
  const Expr out = settled(part);
  return fits_ ? std::optional(out) : std::nullopt;
}

void ScaleRemover::end_at_shared(const std::vector<Expr>& values) {
  for (const Expr& value : values) count_users(value);
}

// Equal expressions are one.
void ScaleRemover::count_users(const Expr& expr) {
  if (++users_[expr] > 1) return;
  for (const Expr& operand : expr->operands) count_users(operand);
  for (const Expr::Case& one : expr->cases) count_users(one.value);
}

// A place where the affine part ends.
Expr ScaleRemover::settled(const Part& part) {
  if (!part.affine) return part.rest;
  const Expr one = Expr::constant(part.rest.type(), 1.0);
  const Expr scale = part.scale ? part.scale : one;
  if (scale_ && *scale_ != scale) fits_ = false;
  scale_ = scale;
  scales_.insert(scales_.end(), part.scales.begin(), part.scales.end());
  if (part.moved) {
    moved_.insert(moved_.end(), part.befores.begin(), part.befores.end());
    moved_.push_back(part.shift);
  }
  return part.shift ? part.rest + part.shift : part.rest;
}

ScaleRemover::Part ScaleRemover::visit_node(const Expr& expr) {
  const auto seen = seen_.find(expr.ptr().get());
  if (seen != seen_.end()) return seen->second;
  return seen_[expr.ptr().get()] = part_of(expr);
}

ScaleRemover::Part ScaleRemover::part_of(const Expr& expr) {
  const auto plain = [](const Expr& rest, bool affine, bool uses) {
    Part out;
    out.rest = rest;
    out.affine = affine;
    out.uses = uses;
    return out;
  };
  switch (expr.kind()) {
    case ExprKind::let:
      return plain(expr, expr->id == let_, expr->id == let_);
    case ExprKind::unary:
    case ExprKind::binary:
    case ExprKind::select:
    case ExprKind::cast:
    case ExprKind::cases:
      break;
    default:
      visit(expr, [&](const ExprNode& node) {
        if (node.kind == ExprKind::let && node.id == let_) fits_ = false;  // inside an index
      });
      return plain(expr, false, false);
  }
  std::vector<Part> operands;
  bool uses = false;
  for (const Expr& operand : expr->operands) {
    operands.push_back(visit_node(operand));
    uses = uses || operands.back().uses;
  }
  if (expr.kind() == ExprKind::binary) {
    if (std::optional<Part> affine = extended(expr, operands)) return *affine;
  }
  std::vector<Expr> settled_operands;
  for (const Part& operand : operands) settled_operands.push_back(settled(operand));
  Part out = plain(expr, false, uses);
  if (expr.kind() == ExprKind::cases) {
    std::vector<Expr::Case> cases = expr->cases;
    for (Expr::Case& one : cases) {
      for (const Condition& condition : one.guard) keep_apart(condition.index);
      const Part part = visit_node(one.value);
      out.uses = out.uses || part.uses;
      one.value = settled(part);
    }
    if (out.uses) out.rest = Expr::cases(std::move(cases), settled_operands[0]);
  } else if (uses) {
    out.rest = with_operands(*expr, settled_operands);
  }
  return out;
}

// What decides by the let's own value sees its scale.
void ScaleRemover::keep_apart(const Index& index) {
  visit(index, [&](const ExprNode& node) {
    if (node.kind == ExprKind::let && node.id == let_) fits_ = false;
  });
}

// One more operation with something known.
std::optional<ScaleRemover::Part> ScaleRemover::extended(const Expr& expr,
                                                         const std::vector<Part>& operands) {
  const bool first = operands[0].affine;
  if (first == operands[1].affine) return std::nullopt;
  const Expr& other = expr->operands[first ? 1 : 0];
  if (!known_.is_known(other)) return std::nullopt;
  const auto users = users_.find(expr->operands[first ? 0 : 1]);
  if (users != users_.end() && users->second > 1) return std::nullopt;
  Part out = operands[first ? 0 : 1];
  const auto scale_by = [&](const auto& scaled) {
    out.scale = scaled(out.scale ? out.scale : Expr::constant(expr.type(), 1.0));
    out.scales.push_back(out.scale);
    if (out.shift) out.shift = scaled(out.shift);
    for (Expr& before : out.befores) before = scaled(before);
    out.scaled_since = true;
    out.moved = static_cast<bool>(out.shift);
  };
  const auto times = [&](const Expr& by) { scale_by([&](const Expr& one) { return one * by; }); };
  const auto add = [&](const Expr& shift) {
    if (out.shift) {
      out.befores.push_back(out.shift);
      out.shift = out.shift + shift;
      out.moved = true;
    } else {
      out.shift = shift;
    }
    out.scaled_since = false;
  };
  const Binary op = expr->binary();
  const bool adds = op == Binary::add || op == Binary::sub;
  if (out.shift && (!moves_ || (adds && !out.scaled_since))) return std::nullopt;
  switch (op) {
    case Binary::mul:
      times(other);
      return out;
    case Binary::div:
      if (!first) return std::nullopt;
      scale_by([&](const Expr& one) { return one / other; });
      return out;
    case Binary::add:
      add(other);
      return out;
    case Binary::sub:
      if (first) {
        add(-other);
        return out;
      }
      // A sign is no scale between two shifts.
      out.scale = out.scale ? -out.scale : Expr::constant(expr.type(), -1.0);
      if (out.shift) out.shift = -out.shift;
      for (Expr& before : out.befores) before = -before;
      add(other);
      return out;
    default:
      return std::nullopt;
  }
}

}  // namespace burin
