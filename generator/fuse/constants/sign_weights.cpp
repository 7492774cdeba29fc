#include "fuse/constants/sign_weights.h"

#include <algorithm>
#include <cmath>

#include "fuse/access/access.h"
#include "fuse/access/known.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int kMostMaps = 16;  // between a factor and its constants

// What makes a constant factor, with the maps between it and its constants in their places.
std::optional<Expr> of_constants(const Expr& factor, const SmallValues& made,
                                 const std::vector<Value>& values) {
  Expr out = factor;
  for (int round = 0; round < kMostMaps; ++round) {
    bool more = false, known = true;
    out = rewrite(
        out,
        [&](const Expr& one) -> Expr {
          if (one.kind() == ExprKind::let) known = false;
          if (one.kind() != ExprKind::load || values[at(one->id)].kind == ValueKind::constant)
            return one;
          const Kernel* map = made.maker(one->id);
          known = known && map != nullptr;
          if (map == nullptr) return one;
          more = true;
          return value_at(*map, one->at);
        },
        [](const Index& leaf) { return leaf; });
    if (!known) return std::nullopt;
    if (!more) return out;
  }
  return std::nullopt;
}

ValueId constant(std::vector<Value>& values, const std::string& name, const HostTensor& tensor) {
  Value value;
  value.name = name;
  value.type = tensor.type;
  value.shape.assign(tensor.shape.begin(), tensor.shape.end());
  value.kind = ValueKind::constant;
  value.constant = to_constant(tensor);
  values.push_back(std::move(value));
  return static_cast<ValueId>(values.size()) - 1;
}

// Numbers over axes of the result, `scales` points of them, then over reduced axes, of which the
// last becomes words.
struct PackedSigns {
  HostTensor words, scales;
  bool scaled = false;
};
std::optional<PackedSigns> packed_signs(const HostTensor& numbers, size_t of_result) {
  PackedSigns out;
  const auto first = numbers.shape.begin();
  out.scales = make_tensor(Type::f32, {first, first + static_cast<int64_t>(of_result)});
  const int64_t elements = numbers.elements(), extent = numbers.shape.back(),
                words = (extent + kSignsOfWord - 1) / kSignsOfWord,
                each = elements / std::max<int64_t>(out.scales.elements(), 1);
  std::vector<int64_t> shape = numbers.shape;
  shape.back() = words;
  out.words = make_tensor(Type::u32, shape);
  for (int64_t i = 0; i < elements; ++i) {
    const double number = numbers.get(i).number, magnitude = std::abs(number);
    const int64_t point = i / each;
    if (i % each == 0) {
      if (magnitude == 0 || !std::isfinite(magnitude)) return std::nullopt;
      out.scales.set(point, {magnitude, 0});
      out.scaled = out.scaled || magnitude != 1;
    }
    if (magnitude != out.scales.get(point).number) return std::nullopt;
    if (number > 0) continue;
    const int64_t bit = i % extent, word = i / extent * words + bit / kSignsOfWord;
    out.words.set(word, {0, out.words.get(word).integer | int64_t{1} << bit % kSignsOfWord});
  }
  return out;
}

}  // namespace

std::optional<KnownSigns> known_signs(const Kernel& kernel, const Expr& factor,
                                      const SignAxis& bits, const SmallValues& made,
                                      std::vector<Value>& values) {
  const std::optional<Expr> expr = of_constants(factor, made, values);
  if (!expr || expr->type() != Type::f32) return std::nullopt;
  const std::vector<int> used = axes_of(*expr);
  if (!contains(used, bits.axis)) return std::nullopt;
  std::vector<int> own, within;
  for (const int one : used) {
    if (!kernel.axes[at(one)].extent.is_constant()) return std::nullopt;
    if (one != bits.axis) (contains(kernel.lets[0].reduced, one) ? within : own).push_back(one);
  }
  std::vector<int> over = own;
  over.insert(over.end(), within.begin(), within.end());
  over.push_back(bits.axis);
  const std::optional<HostTensor> numbers = evaluated(*expr, kernel.axes, over, values);
  if (!numbers) return std::nullopt;
  const std::optional<PackedSigns> packed = packed_signs(*numbers, own.size());
  if (!packed) return std::nullopt;
  const auto place = [&](int axis) {
    return Index::axis(
        axis, axis == bits.axis ? Dim(packed->words.shape.back()) : kernel.axes[at(axis)].extent);
  };
  KnownSigns out;
  std::vector<Index> word, point;
  for (const int axis : over) word.push_back(place(axis));
  for (const int axis : own) point.push_back(place(axis));
  out.other = Expr::load(constant(values, kernel.name + "_other", packed->words), Type::u32, word);
  if (packed->scaled)
    out.scale =
        Expr::load(constant(values, kernel.name + "_scale", packed->scales), Type::f32, point);
  return out;
}

}  // namespace burin
