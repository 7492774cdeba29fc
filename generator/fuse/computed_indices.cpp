#include "fuse/computed_indices.h"

#include "fuse/known.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

// Whether the integers of a type hold all that the index can be, so that nothing wraps.
bool holds(Type type, const Index& index) {
  if (!is_integer(type)) return false;
  const Range range = index.range();
  return type == Type::i64 ||
         (range.bounded() && range.lo >= lowest(type) && range.hi <= highest(type));
}

std::optional<bool> decided(Binary op, const Index& a, const Index& b) {
  switch (op) {
    case Binary::lt:
      if (proven_lt(a, b)) return true;
      return proven_le(b, a) ? std::optional(false) : std::nullopt;
    case Binary::le:
      return decided(Binary::lt, a, b + 1);
    case Binary::gt:
      return decided(Binary::lt, b, a);
    case Binary::ge:
      return decided(Binary::lt, b, a + 1);
    default:
      return std::nullopt;
  }
}

class Converter {
 public:
  explicit Converter(const std::vector<Value>& values) : values_(values) {}

  std::optional<Index> convert(const Expr& expr) const {
    switch (expr.kind()) {
      case ExprKind::constant:
        return is_integer(expr.type()) ? std::optional(Index(expr->integer)) : std::nullopt;
      case ExprKind::index:
        return fitting(expr->index.has_data() ? std::nullopt : std::optional(expr->index),
                       expr.type());
      case ExprKind::cast:
        if (!is_integer(expr->operands[0].type())) return std::nullopt;
        return fitting(convert(expr->operands[0]), expr->storage);
      case ExprKind::load: {
        const Expr literal = with_literals(expr, values_);
        return literal.kind() == ExprKind::constant ? convert(literal) : std::nullopt;
      }
      case ExprKind::binary:
        return fitting(arithmetic(expr), expr.type());
      case ExprKind::select:
        return chosen(expr);
      default:
        return std::nullopt;
    }
  }

 private:
  static std::optional<Index> fitting(const std::optional<Index>& index, Type type) {
    return index && holds(type, *index) ? index : std::nullopt;
  }

  std::optional<Index> arithmetic(const Expr& expr) const {
    if (!is_integer(expr.type())) return std::nullopt;
    const std::optional<Index> a = convert(expr->operands[0]);
    const std::optional<Index> b = a ? convert(expr->operands[1]) : std::nullopt;
    if (!b) return std::nullopt;
    switch (expr->binary()) {
      case Binary::add:
        return *a + *b;
      case Binary::sub:
        return *a - *b;
      case Binary::mul:
        return a->is_constant() || b->is_constant() ? std::optional(*a * *b) : std::nullopt;
      case Binary::min:
        return min(*a, *b);
      case Binary::max:
        return max(*a, *b);
      default:
        return std::nullopt;
    }
  }

  std::optional<Index> chosen(const Expr& expr) const {
    const Expr& condition = expr->operands[0];
    if (condition.kind() != ExprKind::binary || !is_comparison(condition->binary()))
      return std::nullopt;
    const std::optional<Index> a = convert(condition->operands[0]);
    const std::optional<Index> b = a ? convert(condition->operands[1]) : std::nullopt;
    const std::optional<bool> first = b ? decided(condition->binary(), *a, *b) : std::nullopt;
    return first ? convert(expr->operands[*first ? 1 : 2]) : std::nullopt;
  }

  const std::vector<Value>& values_;
};

}  // namespace

std::optional<Index> as_index(const Expr& expr, const std::vector<Value>& values) {
  return Converter(values).convert(expr);
}

std::optional<Kernel> with_computed_indices(const Kernel& kernel,
                                            const std::vector<Value>& values) {
  bool changed = false;
  const auto plain = [&](const Index& index) {
    if (!index.has_data()) return index;
    return index.map_leaves([&](const Index& leaf) -> Index {
      if (leaf.kind() != IndexKind::data) return leaf;
      const std::optional<Index> known = as_index(Expr(leaf.as_data()), values);
      changed = changed || known.has_value();
      return known.value_or(leaf);
    });
  };
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() == ExprKind::load && expr.type() != Type::f16) {
      std::vector<Index> at;
      for (const Index& index : expr->at) at.push_back(plain(index));
      return Expr::load(expr->id, expr->storage, std::move(at));
    }
    if (expr.kind() != ExprKind::cases) return expr;
    std::vector<Expr::Case> cases = expr->cases;
    for (Expr::Case& one : cases) {
      for (Condition& condition : one.guard) condition.index = plain(condition.index);
    }
    return Expr::cases(std::move(cases), expr->operands[0]);
  };
  Kernel out = kernel;
  rewrite_exprs(out, on_expr);
  for (Write& write : out.writes) {
    for (Index& at : write.at) at = plain(at);
    for (Condition& condition : write.when) condition.index = plain(condition.index);
  }
  return changed ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace burin
