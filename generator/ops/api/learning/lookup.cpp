#include "ops/api/learning/lookup.h"

#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Since version 4 NaN is the key of NaN.
Expr same(const Expr& x, const Expr& key, int version) {
  const Expr equal = compare(Binary::eq, x, key);
  if (!is_float(x.type()) || version < 4) return equal;
  return Expr::select(Expr::unary(Unary::is_nan, x), Expr::unary(Unary::is_nan, key), equal);
}

// Where the key is that an element is; behind them where none is.
Operand places_of(OpContext& op, const Operand& x, const Operand& keys) {
  if (x.type() == Type::string) return places_in(op, keys, x);
  const Operand places = op.temporary("places", Type::i64, x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index k = kernel.reduce_axis(keys.dim(0), "key");
  kernel.write(places, at,
               kernel.reduce(Combiner::min, {k},
                             Expr::select(same(x.at(at), keys.at({k}), op.version()),
                                          Expr::index(k), Expr::index(keys.dim(0)))));
  op.emit(kernel);
  return places;
}

}  // namespace

Tensor list_tensor(std::vector<std::string> strings) {
  return {Type::string, {static_cast<int64_t>(strings.size())}, {}, std::move(strings)};
}

void emit_lookup(OpContext& op, const Tensor& keys, const Tensor& values) {
  const Operand x = op.input(0);
  if (keys.type != x.type())
    refuse("unsupported-type", "X is " + std::string(to_string(x.type())) + ", keys are " +
                                   std::string(to_string(keys.type)));
  const Operand key = op.constant_operand("keys", keys),
                value = op.constant_operand("values", values);
  const Operand places = places_of(op, x, key);
  op.map(op.output(0, values.type, x.shape()),
         [&](const Indices& at) { return value.at({clipped(places.at(at), values.elements())}); });
}

}  // namespace burin
