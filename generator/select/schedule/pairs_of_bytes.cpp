#include "select/schedule/pairs_of_bytes.h"

#include <map>

#include "kernel/layout.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/shared_bytes.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kLeast = 4096;  // elements: shifts take more than a few bytes

bool hold_in_pairs(const Value& value) {
  if (value.kind != ValueKind::constant || (value.type != Type::i8 && value.type != Type::u8))
    return false;
  const int64_t count = product(value.shape).constant();
  if (count < kLeast) return false;
  const int64_t lo = value.type == Type::i8 ? -8 : 0;
  const LoadFunction load = load_function(value.type);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t number = load(value.constant.data, k).integer;
    if (number < lo || number > lo + 15) return false;
  }
  return true;
}

Value in_pairs(const Value& value) {
  const int64_t count = product(value.shape).constant();
  const LoadFunction load = load_function(value.type);
  std::vector<std::byte> bytes(static_cast<size_t>((count + 1) / 2));
  for (int64_t k = 0; k < count; ++k) {
    const auto number = static_cast<unsigned>(load(value.constant.data, k).integer) & 15u;
    bytes[static_cast<size_t>(k / 2)] |= static_cast<std::byte>(number << (k % 2 * 4));
  }
  Value out;
  out.name = value.name + "_pairs";
  out.type = Type::u8;
  out.shape = {static_cast<int64_t>(bytes.size())};
  out.kind = ValueKind::constant;
  out.constant = make_constant(std::move(bytes));
  return out;
}

}  // namespace

Kernel with_pairs(Kernel kernel, std::vector<Value>& values) {
  std::map<ValueId, ValueId> pairs;
  for (const ValueId id : reads_of(kernel)) {
    if (!hold_in_pairs(values[static_cast<size_t>(id)])) continue;
    pairs[id] = static_cast<ValueId>(values.size());
    values.push_back(in_pairs(values[static_cast<size_t>(id)]));
  }
  if (pairs.empty()) return kernel;
  rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
    const auto found = expr.kind() == ExprKind::load ? pairs.find(expr->id) : pairs.end();
    if (found == pairs.end()) return expr;
    const Index place = linearize(expr->at, values[static_cast<size_t>(expr->id)].shape);
    const Type wide = is_signed(expr->storage) ? Type::i32 : Type::u32;
    return Expr::cast(expr.type(), out_of_byte(found->second, place, 4, wide));
  });
  return kernel;
}

}  // namespace burin
