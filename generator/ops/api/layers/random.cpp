#include "ops/api/layers/random.h"

#include <bit>

#include "ops/api/core/declared_draws.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr uint64_t kStep = 0x9E3779B97F4A7C15;
constexpr double kTurn = 6.283185307179586;

Expr word(uint64_t bits) { return Expr::constant(Type::u64, std::bit_cast<int64_t>(bits)); }

Expr folded(const Expr& x, int shift) {
  return Expr::binary(Binary::bit_xor, x,
                      Expr::binary(Binary::shift_right, x, word(static_cast<uint64_t>(shift))));
}

// 64 bits of number `element`.
Expr random_bits(uint64_t key, const Expr& element) {
  const Expr weyl = (element + word(1)) * word(kStep) + word(key);
  const Expr once = folded(weyl, 30) * word(0xBF58476D1CE4E5B9);
  return folded(folded(once, 27) * word(0x94D049BB133111EB), 31);
}

}  // namespace

uint64_t random_key(const OpContext& op) {
  uint64_t key = 0xCBF29CE484222325;  // FNV-1a
  const auto mix = [&](uint64_t byte) { key = (key ^ byte) * 0x100000001B3; };
  if (op.has("seed")) {
    const auto* whole = std::get_if<int64_t>(&op.node().find("seed")->value);
    const uint64_t bits =
        whole ? static_cast<uint64_t>(*whole) : std::bit_cast<uint64_t>(op.real("seed", 0));
    for (int shift = 0; shift < 64; shift += 8) mix((bits >> shift) & 255);
  } else {
    for (const char c : op.node().name) mix(static_cast<unsigned char>(c));
    for (const GraphValueId id : op.node().outputs) mix(static_cast<uint64_t>(id));
  }
  return key;
}

Expr element_number(const Indices& at, const Shape& shape) {
  return Expr::cast(Type::u64, Expr::index(linearize(at, shape)));
}

Expr random_uniform(Type compute, uint64_t key, const Expr& element, uint64_t stream) {
  const Expr bits = random_bits(key + stream * 0xD1342543DE82EF95, element);
  const bool wide = compute == Type::f64;
  const Expr top = Expr::binary(Binary::shift_right, bits, word(wide ? 11 : 40));
  // Fewer than 54 or 25 bits, so a signed number of half the width converts exactly.
  const Expr whole = wide ? Expr::cast(Type::i64, top) : Expr::cast(Type::i32, top);
  return Expr::cast(compute, whole) * (wide ? 0x1p-53 : 0x1p-24);
}

Expr random_normal(Type compute, uint64_t key, const Expr& element) {
  const Expr first = 1.0 - random_uniform(compute, key, element, 0);  // never 0
  const Expr second = random_uniform(compute, key, element, 1);
  return Expr::unary(Unary::sqrt, Expr::unary(Unary::log, first) * -2.0) *
         Expr::unary(Unary::cos, second * kTurn);
}

Type random_type(const OpContext& op, Type otherwise) {
  const Type type = op.has("dtype") ? type_of_onnx(op.integer("dtype")) : otherwise;
  if (!types::floats.contains(type))
    refuse("bad-attribute", "random numbers of type " + std::string(to_string(type)));
  return type;
}

void map_random(OpContext& op, Type type, const Shape& shape, bool normal) {
  const uint64_t key = random_key(op);
  const double low = op.real("low", 0), high = op.real("high", 1);
  const double mean = op.real("mean", 0), scale = op.real("scale", 1);
  const Operand y = op.output(0, type, shape);
  draws_of(op).drawn(0, normal ? Distribution{DrawKind::normal, mean, scale}
                               : Distribution{DrawKind::uniform, low, high});
  op.map(y, [&](const Indices& at) {
    const Expr element = element_number(at, shape);
    if (normal) return random_normal(y.compute(), key, element) * scale + mean;
    return random_uniform(y.compute(), key, element) * (high - low) + low;
  });
}

}  // namespace burin
