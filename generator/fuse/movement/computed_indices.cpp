#include "fuse/movement/computed_indices.h"

#include "fuse/access/known.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"

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

constexpr int64_t kMostCounted = 65536;          // elements of a table that is looked through
constexpr int64_t kMostHeld = int64_t{1} << 40;  // in it

// What a table of integers holds at a point, where it counts evenly along each dimension: the
// places of a tensor's own elements, as exporters write a view of it.
std::optional<Index> counted(const ExprNode& load, const Value& table) {
  if (table.kind != ValueKind::constant || !is_integer(load.storage)) return std::nullopt;
  std::vector<int64_t> extents;
  int64_t elements = 1;
  for (size_t d = 0; d < table.shape.size(); ++d) {
    const std::optional<int64_t> extent = table.shape[d].as_constant();
    if (!extent || *extent < 1 || load.at[d].has_data()) return std::nullopt;
    extents.push_back(*extent);
    elements *= *extent;
    if (elements > kMostCounted) return std::nullopt;
  }
  const auto load_element = load_function(load.storage);
  const auto held = [&](int64_t k) { return load_element(table.constant.data, k).integer; };
  for (int64_t k = 0; k < elements; ++k) {
    if (held(k) < -kMostHeld || held(k) > kMostHeld) return std::nullopt;
  }
  const int64_t first = held(0);
  std::vector<int64_t> steps(extents.size(), 0);
  Index index = first;
  int64_t stride = 1;
  for (size_t d = extents.size(); d-- > 0;) {
    if (extents[d] > 1) steps[d] = held(stride) - first;
    index += load.at[d] * steps[d];
    stride *= extents[d];
  }
  for (int64_t k = 0; k < elements; ++k) {
    int64_t expected = first, rest = k;
    for (size_t d = extents.size(); d-- > 0;) {
      expected += rest % extents[d] * steps[d];
      rest /= extents[d];
    }
    if (held(k) != expected) return std::nullopt;
  }
  return index;
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
        if (literal.kind() == ExprKind::constant) return convert(literal);
        return fitting(counted(*expr.ptr(), values_[static_cast<size_t>(expr->id)]), expr.type());
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
