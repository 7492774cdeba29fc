#include "loops/lanewise.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "support/at.h"

namespace burin::loops {
namespace {

bool is_narrow(Type type) {
  return type == Type::i8 || type == Type::u8 || type == Type::i16 || type == Type::u16;
}

// A float that is limited to the range of a narrow integer.
bool is_limited_float(const Expr& expr) {
  return expr.kind() == ExprKind::cast && expr->mode == CastMode::saturate &&
         is_narrow(expr->storage) && expr->operands[0].type() == Type::f32;
}

class Check {
 public:
  Check(const Program& program, int var) : program_(program), var_(var) {}

  std::string store(const Store& store) const {
    if (store.to.size() != 1 || store.combine != Combiner::none) return "it combines";
    const Buffer& to = program_.buffers[burin::at(store.to[0])];
    // A register is written as a whole.
    if (to.scope == Scope::registers && !(store.at.back() == program_.var(var_)))
      return "lanes of " + to.name + " change places";
    if (stride_of(program_, store.to[0], store.at, var_) != Stride::one)
      return "elements of " + to.name + " are not side by side";
    const Expr& value = store.value[0];
    if (!moves_with(value, var_)) return "it stores one value everywhere";
    if (is_narrow(to.type)) {
      if (!is_limited_float(value) || value->storage != to.type)
        return to.name + " is no limited float";
      return of(value->operands[0]);
    }
    if (to.type != value.type() || (to.type != Type::f32 && to.type != Type::i32))
      return to.name + " has " + std::string(burin::to_string(to.type));
    return of(value);
  }

 private:
  // Of a float or a 32-bit integer that moves with the lane, or not.
  std::string of(const Expr& expr) const {
    if (expr.type() != Type::f32 && expr.type() != Type::i32)
      return "a value of " + std::string(burin::to_string(expr.type()));
    if (!moves_with(expr, var_)) return {};
    switch (expr.kind()) {
      case ExprKind::load:
        return load(expr);
      case ExprKind::unary:
        return unary(expr);
      case ExprKind::binary:
        return binary(expr);
      case ExprKind::fused:
        return of_all(expr->operands);
      case ExprKind::select:
        return choice(expr);
      case ExprKind::cast:
        return cast(expr);
      default:
        return "an expression that has no form for vectors";
    }
  }

  std::string of_all(const std::vector<Expr>& operands) const {
    for (const Expr& operand : operands) {
      if (const std::string why = of(operand); !why.empty()) return why;
    }
    return {};
  }

  // Of floats, by two floats that are compared.
  std::string choice(const Expr& expr) const {
    const Expr& condition = expr->operands[0];
    if (expr.type() != Type::f32 || condition.kind() != ExprKind::binary ||
        !compares_lanes(condition->binary()) || condition->operands[0].type() != Type::f32)
      return "a choice that compares no floats";
    const std::string why = of_all(condition->operands);
    return why.empty() ? of_all({expr->operands[1], expr->operands[2]}) : why;
  }

  std::string load(const Expr& expr) const {
    if (expr->storage != expr.type()) return "a load that converts";
    const Buffer& from = program_.buffers[burin::at(expr->id)];
    // A register is read as a whole.
    if (from.scope == Scope::registers && !(expr->at.back() == program_.var(var_)))
      return "lanes of " + from.name + " change places";
    return contiguous(expr);
  }
  std::string contiguous(const Expr& expr) const {
    if (stride_of(program_, expr->id, expr->at, var_) == Stride::one) return {};
    return "elements of " + program_.buffers[burin::at(expr->id)].name + " are not side by side";
  }

  std::string unary(const Expr& expr) const {
    const Unary op = expr->unary();
    const bool known = op == Unary::neg || op == Unary::abs || op == Unary::round;
    if (!(known || is_lane_function(op)) || expr.type() != Type::f32)
      return std::string(burin::to_string(op));
    return of(expr->operands[0]);
  }

  std::string binary(const Expr& expr) const {
    const Binary op = expr->binary();
    const bool arithmetic = op == Binary::add || op == Binary::sub || op == Binary::mul;
    const bool of_floats = op == Binary::div || op == Binary::min || op == Binary::max;
    if (!arithmetic && !(of_floats && expr.type() == Type::f32))
      return std::string(burin::to_string(op));
    const std::string first = of(expr->operands[0]);
    return first.empty() ? of(expr->operands[1]) : first;
  }

  // A float of an integer, an integer of a narrow element or of a float that is limited to one.
  std::string cast(const Expr& expr) const {
    const Expr& from = expr->operands[0];
    if (expr->mode != CastMode::convert || expr->storage != expr.type()) return "a limited value";
    if (is_narrow(from.type()) && from.kind() == ExprKind::load && from->storage == from.type())
      return contiguous(from);
    if (is_limited_float(from)) return of(from->operands[0]);
    if (expr.type() == Type::f32 && from.type() == Type::i32) return of(from);
    return "a cast from " + std::string(burin::to_string(from.type()));
  }

  const Program& program_;
  const int var_;
};

}  // namespace

bool is_lane_function(Unary op) {
  return op == Unary::exp || op == Unary::tanh || op == Unary::erf;
}

bool compares_lanes(Binary op) {
  return op == Binary::lt || op == Binary::le || op == Binary::gt || op == Binary::ge ||
         op == Binary::eq;
}

bool moves_with(const Expr& expr, int var) { return contains(axes_of(expr), var); }

Stride stride_of(const Program& program, BufferId buffer, const std::vector<Index>& at, int var) {
  const Buffer& one = program.buffers[burin::at(buffer)];
  if (one.scope == Scope::local) return Stride::none;
  const Index place = address(one.layout, one.shape, at);
  if (!place.uses_axis(var)) return Stride::none;
  if (place.has_data()) return Stride::other;
  const Index rest = place - program.var(var);
  return rest.uses_axis(var) ? Stride::other : Stride::one;
}

std::string not_lanewise(const Program& program, const Store& store, int var) {
  return Check(program, var).store(store);
}

}  // namespace burin::loops
