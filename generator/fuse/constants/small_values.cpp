#include "fuse/constants/small_values.h"

#include <algorithm>
#include <cmath>

#include "fuse/access/access.h"
#include "kernel/tensor.h"
#include "support/at.h"

namespace burin {
namespace {

using Numbers = std::optional<std::set<double>>;

constexpr int kMostDepth = 64;  // of what a number is followed through

// Types that arithmetic uses, which hold what small numbers they are given.
bool is_number(Type type) {
  return type == Type::boolean || type == Type::f64 ||
         (type == compute_type(type) && type != Type::f16 && type != Type::string);
}

double number_of(const Expr& constant) {
  const Type type = constant.type();
  return type == Type::f32 || type == Type::f64 ? constant->number
                                                : static_cast<double>(constant->integer);
}

Expr constant_of(Type type, double number) {
  if (type == Type::f32 || type == Type::f64) return Expr::constant(type, number);
  return Expr::constant(type, static_cast<int64_t>(number));
}

// Whether a constant is a number that a double holds.
bool is_held(const Expr& constant) {
  constexpr int64_t kMostExact = int64_t{1} << 53;
  if (!is_number(constant.type())) return false;
  if (is_float(constant.type())) return !std::isnan(constant->number);
  return constant->integer >= -kMostExact && constant->integer <= kMostExact;
}

Numbers both(Numbers a, const Numbers& b) {
  if (!a || !b) return std::nullopt;
  a->insert(b->begin(), b->end());
  if (a->size() > kMostNumbers) return std::nullopt;
  return a;
}

}  // namespace

SmallValues::SmallValues(const Steps& steps, const std::vector<Value>& values) : values_(values) {
  for_each_step(steps, [&](const Step& step) {
    const auto* kernel = std::get_if<Kernel>(&step);
    const bool region = std::holds_alternative<std::shared_ptr<If>>(step) ||
                        std::holds_alternative<std::shared_ptr<Loop>>(step);
    if (region) return;  // its steps are visited by themselves
    for (const ValueId id : writes_of(step)) {
      const bool first = ++writers_[id] == 1;
      makers_[id] = first && kernel != nullptr && is_map(*kernel) ? kernel : nullptr;
    }
  });
}

const Kernel* SmallValues::maker(ValueId id) const {
  const auto found = makers_.find(id);
  const bool internal = values_[at(id)].kind == ValueKind::internal;
  return found == makers_.end() || !internal ? nullptr : found->second;
}

bool SmallValues::reads_are_stable(const Kernel& kernel) const {
  const std::vector<ValueId> reads = reads_of(kernel);
  return std::all_of(reads.begin(), reads.end(), [&](ValueId id) {
    const auto writers = writers_.find(id);
    return writers == writers_.end() || writers->second == 1;
  });
}

Numbers SmallValues::of_constant(const Value& value) const {
  const std::optional<int64_t> elements = product(value.shape).as_constant();
  if (!elements || value.strings || !value.layout.is_row_major()) return std::nullopt;
  const LoadFunction load = load_function(value.type);
  std::set<double> out;
  for (int64_t i = 0; i < *elements; ++i) {
    const ScalarValue one = load(value.constant.data, i);
    const Expr number = is_float(value.type)
                            ? Expr::constant(compute_type(value.type), one.number)
                            : Expr::constant(compute_type(value.type), one.integer);
    if (!is_held(number)) return std::nullopt;
    out.insert(number_of(number));
    if (out.size() > kMostNumbers) return std::nullopt;
  }
  return out;
}

Numbers SmallValues::of_value(ValueId id) {
  const auto found = known_.find(id);
  if (found != known_.end()) return found->second;
  known_[id] = std::nullopt;  // of a value that is made from itself
  const Value& value = values_[at(id)];
  Numbers out;
  if (value.kind == ValueKind::constant) {
    out = of_constant(value);
  } else if (const Kernel* map = maker(id)) {
    out = numbers_of(map->writes[0].value);
    // Narrow types round what they store, but for these.
    const auto kept = [](double number) { return number == 0 || std::abs(number) == 1; };
    if (out && !is_number(value.type) && !std::all_of(out->begin(), out->end(), kept)) out.reset();
  }
  return known_[id] = out;
}

// The operation on all combinations of what its operands are.
Numbers SmallValues::computed(const Expr& expr) {
  std::vector<std::vector<double>> operands;
  size_t combinations = 1;
  for (const Expr& operand : expr->operands) {
    const Numbers one = numbers_of(operand);
    if (!one || !is_number(operand.type())) return std::nullopt;
    operands.emplace_back(one->begin(), one->end());
    combinations *= one->size();
  }
  std::set<double> out;
  for (size_t number = 0; number < combinations; ++number) {
    std::vector<Expr> constants;
    size_t rest = number;
    for (size_t k = 0; k < operands.size(); ++k) {
      constants.push_back(
          constant_of(expr->operands[k].type(), operands[k][rest % operands[k].size()]));
      rest /= operands[k].size();
    }
    const Expr one = expr.kind() == ExprKind::unary ? Expr::unary(expr->unary(), constants[0])
                     : expr.kind() == ExprKind::cast
                         ? Expr::cast(expr->storage, constants[0], expr->mode)
                         : Expr::binary(expr->binary(), constants[0], constants[1]);
    if (!one.is_constant() || !is_held(one)) return std::nullopt;
    out.insert(number_of(one));
    if (out.size() > kMostNumbers) return std::nullopt;
  }
  return out;
}

bool SmallValues::is_whole(const Expr& expr, int depth) {
  if (!is_float(expr.type())) return true;
  const auto found = whole_.find(expr.ptr().get());
  if (found != whole_.end()) return found->second;
  if (depth > kMostDepth) return false;
  keep_.push_back(expr);
  return whole_[expr.ptr().get()] = is_whole_node(expr, depth);
}

bool SmallValues::is_whole_node(const Expr& expr, int depth) {
  const auto all = [&] {
    for (const Expr& one : expr->operands) {
      if (!is_whole(one, depth + 1)) return false;
    }
    return true;
  };
  switch (expr.kind()) {
    case ExprKind::constant:
      return std::floor(expr->number) == expr->number;
    case ExprKind::unary: {
      const Unary op = expr->unary();
      return op == Unary::floor || op == Unary::ceil || op == Unary::trunc || op == Unary::round ||
             op == Unary::sign;
    }
    case ExprKind::binary: {
      const Binary op = expr->binary();
      return (op == Binary::min || op == Binary::max) && all();
    }
    case ExprKind::cast:
      return is_float(expr->operands[0].type()) ? all() : true;
    case ExprKind::load: {
      const Kernel* map = maker(expr->id);
      return map != nullptr && is_whole(map->writes[0].value, depth + 1);
    }
    default:
      return false;
  }
}

// Whole numbers between two ends: max(min(x, hi), lo), in either order.
Numbers SmallValues::clipped(const Expr& expr) {
  if (expr.kind() != ExprKind::binary) return std::nullopt;
  const auto parts = [this](const Expr& one, Binary op, double& end) -> Expr {
    Expr from = one;
    for (int depth = 0; from.kind() == ExprKind::load && depth < kMostDepth; ++depth) {
      const Kernel* map = maker(from->id);
      if (map == nullptr) return {};
      from = map->writes[0].value;
    }
    if (from.kind() != ExprKind::binary || from->binary() != op) return {};
    for (const size_t k : {0, 1}) {
      const Numbers limit = numbers_of(from->operands[k]);
      if (!limit || limit->size() != 1) continue;
      end = *limit->begin();
      return from->operands[1 - k];
    }
    return {};
  };
  const Binary outer = expr->binary();
  if (outer != Binary::min && outer != Binary::max) return std::nullopt;
  double first = 0, second = 0;
  const Expr inside = parts(expr, outer, first);
  if (!inside) return std::nullopt;
  const Expr number = parts(inside, outer == Binary::min ? Binary::max : Binary::min, second);
  if (!number || !is_whole(number, 0)) return std::nullopt;
  const double lo = std::min(first, second), hi = std::max(first, second);
  if (std::floor(lo) != lo || std::floor(hi) != hi || hi - lo >= kMostNumbers) return std::nullopt;
  std::set<double> out;
  for (double one = lo; one <= hi; ++one) out.insert(one);
  return out;
}

Numbers SmallValues::numbers_of(const Expr& expr) {
  const auto found = known_nodes_.find(expr.ptr().get());
  if (found != known_nodes_.end()) return found->second;
  if (depth_ >= kMostDepth) return std::nullopt;
  ++depth_;
  Numbers out = of_node(expr);
  --depth_;
  keep_.push_back(expr);
  return known_nodes_[expr.ptr().get()] = out;
}

Numbers SmallValues::of_node(const Expr& expr) {
  switch (expr.kind()) {
    case ExprKind::constant:
      if (!is_held(expr)) return std::nullopt;
      return std::set<double>{number_of(expr)};
    case ExprKind::load:
      return of_value(expr->id);
    case ExprKind::select:
      return both(numbers_of(expr->operands[1]), numbers_of(expr->operands[2]));
    case ExprKind::cases: {
      Numbers out = numbers_of(expr->operands[0]);
      for (const Expr::Case& one : expr->cases) out = both(std::move(out), numbers_of(one.value));
      return out;
    }
    case ExprKind::unary:
    case ExprKind::binary:
    case ExprKind::cast: {
      if (Numbers out = computed(expr)) return out;
      if (expr.type() == Type::boolean) return std::set<double>{0, 1};
      if (expr.kind() == ExprKind::unary && expr->unary() == Unary::sign)
        return std::set<double>{-1, 0, 1};
      // What is true or false, as a number.
      if (expr.kind() == ExprKind::cast && expr->operands[0].type() == Type::boolean)
        return std::set<double>{0, 1};
      return clipped(expr);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace burin
