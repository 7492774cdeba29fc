// Construction of expressions, with the simplifications that are always right.
#include "kernel/expr/expr.h"

#include <algorithm>
#include <cmath>

#include "kernel/expr/scalar.h"
#include "kernel/index/index_node.h"
#include "support/check.h"

namespace burin {
namespace {

size_t mix_hash(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

size_t hash_of(const ExprNode& node) {
  size_t hash = mix_hash(static_cast<size_t>(node.kind) * 31 + static_cast<size_t>(node.type),
                         static_cast<size_t>(node.op) * 64 + static_cast<size_t>(node.storage));
  hash = mix_hash(hash, std::hash<double>()(node.number));
  hash = mix_hash(hash, static_cast<size_t>(node.integer));
  hash = mix_hash(hash, static_cast<size_t>(node.id) * 8 + static_cast<size_t>(node.component));
  hash = mix_hash(hash, node.index.hash());
  for (const Index& index : node.at) hash = mix_hash(hash, index.hash());
  for (const Expr& operand : node.operands) hash = mix_hash(hash, operand->hash);
  for (const Expr::Case& one : node.cases) {
    for (const Condition& condition : one.guard) hash = mix_hash(hash, condition.index.hash());
    hash = mix_hash(hash, one.value->hash);
  }
  return hash;
}

Expr make(ExprNode node) {
  node.hash = hash_of(node);
  return Expr(std::make_shared<const ExprNode>(std::move(node)));
}

ScalarValue scalar_of(const Expr& constant) { return {constant->number, constant->integer}; }

Expr constant_of(Type type, const ScalarValue& value) {
  ExprNode node;
  node.type = type;
  if (is_float(type)) {
    node.number = value.number;
  } else {
    node.integer = value.integer;
  }
  return make(std::move(node));
}

bool is_transcendental(Unary op) {
  return op != Unary::neg && op != Unary::abs && op != Unary::sign && op != Unary::logical_not &&
         op != Unary::bit_not && op != Unary::popcount && op != Unary::is_nan &&
         op != Unary::is_inf;
}

}  // namespace

Expr Expr::constant(Type type, double value) {
  ExprNode node;
  node.type = compute_type(type);
  if (is_float(type)) {
    node.number = node.type == Type::f32 ? static_cast<double>(static_cast<float>(value)) : value;
  } else {
    BURIN_CHECK(value >= -0x1p63 && value < 0x1p63,
                "an integer constant is not a number of its type");
    node.integer = static_cast<int64_t>(value);
  }
  return make(std::move(node));
}

Expr Expr::constant(Type type, int64_t value) {
  if (is_float(type)) return constant(type, static_cast<double>(value));
  ExprNode node;
  node.type = compute_type(type);
  node.integer = type == Type::boolean ? value != 0 : value;
  return make(std::move(node));
}

Expr Expr::index(const Index& index, Type type) {
  BURIN_CHECK(type == Type::i64 || type == Type::i32);
  if (index.is_constant()) return constant(type, index.constant());
  if (index.kind() == IndexKind::data && index.as_data()->type == type)
    return Expr(index.as_data());
  ExprNode node;
  node.kind = ExprKind::index;
  node.type = type;
  node.index = index;
  return make(std::move(node));
}

Expr Expr::load(ValueId value, Type storage, std::vector<Index> at) {
  ExprNode node;
  node.kind = ExprKind::load;
  node.type = compute_type(storage);
  node.storage = storage;
  node.id = value;
  node.at = std::move(at);
  return make(std::move(node));
}

Expr Expr::fp16_load(ValueId value, std::vector<Index> at) {
  ExprNode node;
  node.kind = ExprKind::load;
  node.type = node.storage = Type::f16;
  node.id = value;
  node.at = std::move(at);
  return make(std::move(node));
}

Expr Expr::fp16_constant(double value) {
  return constant_of(Type::f16, stored(Type::f16, {value, 0}));
}

Expr Expr::to_half(const Expr& a) {
  BURIN_CHECK(a.type() == Type::f32, "halves are made of floats");
  if (a.is_constant()) return fp16_constant(a->number);
  if (a.kind() == ExprKind::load && a->storage == Type::f16) return fp16_load(a->id, a->at);
  if (a.kind() == ExprKind::cast && a->operands[0].type() == Type::f16) return a->operands[0];
  ExprNode node;
  node.kind = ExprKind::cast;
  node.type = node.storage = Type::f16;
  node.operands = {a};
  return make(std::move(node));
}

Expr Expr::let(int let, Type type, std::vector<Index> at, int component) {
  ExprNode node;
  node.kind = ExprKind::let;
  node.type = type;
  node.id = let;
  node.component = component;
  node.at = std::move(at);
  return make(std::move(node));
}

Expr Expr::unary(Unary op, Expr a) {
  const Type type = a.type();
  BURIN_CHECK(!is_transcendental(op) || is_float(type), std::string(to_string(op)));
  BURIN_CHECK((op == Unary::logical_not) == (type == Type::boolean) || op == Unary::bit_not);
  if (op == Unary::abs && is_integer(type) && !is_signed(type)) return a;
  // Twice the same involution is nothing.
  if ((op == Unary::neg || op == Unary::logical_not || op == Unary::bit_not) &&
      a.kind() == ExprKind::unary && a->unary() == op) {
    return a->operands[0];
  }
  const Type result = op == Unary::is_nan || op == Unary::is_inf ? Type::boolean : type;
  if (a.is_constant()) return constant_of(result, apply(op, type, scalar_of(a)));
  ExprNode node;
  node.kind = ExprKind::unary;
  node.op = static_cast<uint8_t>(op);
  node.type = result;
  node.operands = {std::move(a)};
  return make(std::move(node));
}

namespace {

// A comparison with the smallest or the largest number of an integer type, where it is always the
// same.
std::optional<bool> compared_with_end(Binary op, const Expr& a, const Expr& b) {
  const Type type = a.type();
  if (!is_integer(type) || !is_comparison(op)) return std::nullopt;
  const bool has_highest = type != Type::u64;  // beyond what a constant holds
  const bool low_left = a.is_constant() && a->integer == lowest(type),
             high_left = has_highest && a.is_constant() && a->integer == highest(type),
             low_right = b.is_constant() && b->integer == lowest(type),
             high_right = has_highest && b.is_constant() && b->integer == highest(type);
  if ((op == Binary::ge && (low_right || high_left)) ||
      (op == Binary::le && (high_right || low_left)))
    return true;
  if ((op == Binary::lt && (low_right || high_left)) ||
      (op == Binary::gt && (high_right || low_left)))
    return false;
  return std::nullopt;
}

}  // namespace

Expr Expr::binary(Binary op, Expr a, Expr b) {
  BURIN_CHECK(a.type() == b.type(), std::string(to_string(op)) + " of " +
                                        std::string(burin::to_string(a.type())) + " and " +
                                        std::string(burin::to_string(b.type())));
  const bool floating = is_float(a.type());
  const bool logical =
      op == Binary::logical_and || op == Binary::logical_or || op == Binary::logical_xor;
  BURIN_CHECK(!logical || a.type() == Type::boolean);
  const Type result = is_comparison(op) ? Type::boolean : a.type();
  if (a.is_constant() && b.is_constant()) {
    return constant_of(result, apply(op, a.type(), scalar_of(a), scalar_of(b)));
  }
  if (const std::optional<bool> known = compared_with_end(op, a, b)) return Expr::boolean(*known);
  // What is compared with itself is known, unless it may be no number.
  if (is_comparison(op) && !floating && a == b)
    return constant_of(result, apply(op, a.type(), ScalarValue{}, ScalarValue{}));
  switch (op) {
    case Binary::add:
      if (!floating && a.is_constant(0)) return b;
      if (!floating && b.is_constant(0)) return a;
      break;
    case Binary::sub:
      // Of floats, -0 - -0 is 0.
      if (b.is_constant(0) && !(floating && std::signbit(b->number))) return a;
      break;
    case Binary::mul:
      if (a.is_constant(1)) return b;
      if (b.is_constant(1)) return a;
      break;
    case Binary::div:
      if (b.is_constant(1)) return a;
      break;
    case Binary::min:
    case Binary::max:
      if (a == b) return a;
      break;
    case Binary::logical_and:
      if (a.is_constant()) return a->integer ? b : a;
      if (b.is_constant()) return b->integer ? a : b;
      if (a == b) return a;
      break;
    case Binary::logical_or:
      if (a.is_constant()) return a->integer ? a : b;
      if (b.is_constant()) return b->integer ? b : a;
      if (a == b) return a;
      break;
    case Binary::logical_xor:
      // Printed, it is a comparison.
      if (a == b) return boolean(false);
      if (a.is_constant(0)) return b;
      if (b.is_constant(0)) return a;
      break;
    default:
      break;
  }
  ExprNode node;
  node.kind = ExprKind::binary;
  node.op = static_cast<uint8_t>(op);
  node.type = result;
  node.operands = {std::move(a), std::move(b)};
  return make(std::move(node));
}

Expr Expr::select(Expr condition, Expr a, Expr b) {
  BURIN_CHECK(condition.type() == Type::boolean && a.type() == b.type());
  if (condition.is_constant()) return condition->integer ? a : b;
  if (a == b) return a;
  ExprNode node;
  node.kind = ExprKind::select;
  node.type = a.type();
  node.operands = {std::move(condition), std::move(a), std::move(b)};
  return make(std::move(node));
}

Expr Expr::fused(Expr a, Expr b, Expr c) {
  BURIN_CHECK(a.type() == Type::f32 && b.type() == Type::f32 && c.type() == Type::f32);
  if (a.is_constant() && b.is_constant() && c.is_constant())
    return constant_of(Type::f32, multiplied_and_added(scalar_of(a), scalar_of(b), scalar_of(c)));
  ExprNode node;
  node.kind = ExprKind::fused;
  node.type = Type::f32;
  node.operands = {std::move(a), std::move(b), std::move(c)};
  return make(std::move(node));
}

Expr Expr::cast(Type storage, Expr a, CastMode mode) {
  const Type from = a.type();
  // What is a half already is only widened.
  if (from == Type::f16 && storage == Type::f16) return cast(Type::f32, std::move(a));
  if (from == storage) return a;
  // A value that was just rounded to this type, or loaded from it, is already representable.
  if ((a.kind() == ExprKind::cast || a.kind() == ExprKind::load) && a->storage == storage) return a;
  if (a.is_constant()) {
    return constant_of(compute_type(storage), burin::cast(from, storage, mode, scalar_of(a)));
  }
  if (a.kind() == ExprKind::index && storage == Type::i32 &&
      a->index.range().lo >= lowest(Type::i32) && a->index.range().hi <= highest(Type::i32)) {
    return index(a->index, Type::i32);
  }
  if (a.kind() == ExprKind::index && storage == Type::i64) return index(a->index, Type::i64);
  ExprNode node;
  node.kind = ExprKind::cast;
  node.type = compute_type(storage);
  node.storage = storage;
  node.mode = mode;
  node.operands = {std::move(a)};
  return make(std::move(node));
}

Expr Expr::cases(std::vector<Case> cases, Expr otherwise) {
  std::vector<Case> kept;
  for (Case& one : cases) {
    BURIN_CHECK(one.value.type() == otherwise.type());
    std::optional<Guard> guard = simplify(one.guard);
    if (!guard) continue;
    if (guard->empty()) {
      otherwise = std::move(one.value);
      break;
    }
    kept.push_back({std::move(*guard), std::move(one.value)});
  }
  while (!kept.empty() && kept.back().value == otherwise) kept.pop_back();
  if (kept.empty()) return otherwise;
  ExprNode node;
  node.kind = ExprKind::cases;
  node.type = otherwise.type();
  node.operands = {std::move(otherwise)};
  node.cases = std::move(kept);
  return make(std::move(node));
}

Type Expr::type() const { return node_->type; }
ExprKind Expr::kind() const { return node_->kind; }

bool Expr::is_constant(double value) const {
  if (!is_constant()) return false;
  return is_float(type()) ? node_->number == value : static_cast<double>(node_->integer) == value;
}

std::optional<Guard> simplify(const Guard& guard) {
  Guard kept;
  for (const Condition& condition : guard) {
    const bool low = proven_le(condition.lo, condition.index);
    const bool high = proven_lt(condition.index, condition.hi);
    if (low && high) continue;
    if (proven_lt(condition.index, condition.lo) || proven_le(condition.hi, condition.index))
      return std::nullopt;
    if (std::find(kept.begin(), kept.end(), condition) == kept.end()) kept.push_back(condition);
  }
  return kept;
}

// --- Sugar ---

bool is_comparison(Binary op) { return op >= Binary::lt; }

Expr operator+(const Expr& a, const Expr& b) { return Expr::binary(Binary::add, a, b); }
Expr operator-(const Expr& a, const Expr& b) { return Expr::binary(Binary::sub, a, b); }
Expr operator*(const Expr& a, const Expr& b) { return Expr::binary(Binary::mul, a, b); }
Expr operator/(const Expr& a, const Expr& b) { return Expr::binary(Binary::div, a, b); }
Expr operator-(const Expr& a) { return Expr::unary(Unary::neg, a); }
Expr min(const Expr& a, const Expr& b) { return Expr::binary(Binary::min, a, b); }
Expr max(const Expr& a, const Expr& b) { return Expr::binary(Binary::max, a, b); }
Expr compare(Binary op, const Expr& a, const Expr& b) { return Expr::binary(op, a, b); }

Expr operator+(const Expr& a, double b) { return a + Expr::constant(a.type(), b); }
Expr operator-(const Expr& a, double b) { return a - Expr::constant(a.type(), b); }
Expr operator-(double a, const Expr& b) { return Expr::constant(b.type(), a) - b; }
Expr operator*(const Expr& a, double b) { return a * Expr::constant(a.type(), b); }
Expr operator/(const Expr& a, double b) { return a / Expr::constant(a.type(), b); }
Expr operator/(double a, const Expr& b) { return Expr::constant(b.type(), a) / b; }

}  // namespace burin
