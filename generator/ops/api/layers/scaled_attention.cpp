#include "ops/api/layers/scaled_attention.h"

#include <limits>

#include "ops/api/math/sums_of_products.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {

Heads heads_apart(const Operand& x) {
  BURIN_CHECK(x.rank() == 4);
  return {x.dim(0), x.dim(1), x.dim(2), x.dim(3),
          [x](const Index& b, const Index& h, const Index& i, const Index& e) {
            return x.at({b, h, i, e});
          }};
}

Heads heads_in_columns(const Operand& x, const Dim& heads, const Dim& size, const Dim& from) {
  BURIN_CHECK(x.rank() == 3);
  return {x.dim(0), heads, x.dim(1), size,
          [x, size, from](const Index& b, const Index& h, const Index& i, const Index& e) {
            return x.at({b, i, from + h * size + e});
          }};
}

Heads heads_in_columns(OpContext& op, const Operand& x, int64_t heads) {
  const Dim size = floordiv(x.dim(2), heads);
  op.require_equal(size * heads, x.dim(2), "heads and the last dimension");
  return heads_in_columns(x, heads, size);
}

Heads biased(OpContext& op, int bias, const Heads& heads, const Dim& from) {
  if (!op.has_input(bias)) return heads;
  const Operand columns = op.input(bias);
  Heads out = heads;
  out.at = [heads, columns, from](const Index& b, const Index& h, const Index& i, const Index& e) {
    return heads.at(b, h, i, e) + columns.broadcast_at({from + h * heads.size + e});
  };
  return out;
}

Heads joined(OpContext& op, const Operand& to, const std::optional<Heads>& past, const Heads& now) {
  const Dim before = past ? past->length : Dim(0);
  op.map(to, [&](const Indices& at) {
    const Expr fresh = now.at(at[0], at[1], at[2] - before, at[3]);
    if (!past) return fresh;
    const Expr kept = past->at(at[0], at[1], at[2], at[3]);
    if (kept.type() != fresh.type())
      refuse("type-mismatch", "a past and what follows it must have one type");
    return Expr::cases({{{{at[2], 0, before}}, kept}}, fresh);
  });
  return heads_apart(to);
}

int64_t head_count(OpContext& op, const char* attribute) {
  const int64_t heads = op.integer(attribute);
  if (heads < 1) refuse("bad-attribute", std::string(attribute) + " is " + std::to_string(heads));
  return heads;
}

Expr attention_scale(OpContext& op, Type compute, const Dim& size, bool zero_is_default) {
  const double given = op.real("scale", 0);
  if (op.has("scale") && !(zero_is_default && given == 0)) return Expr::constant(compute, given);
  return 1.0 / Expr::unary(Unary::sqrt, Expr::cast(compute, Expr::index(size)));
}

std::function<Expr(const Index&, const Index&, const Index&)> key_mask(OpContext& op, int input,
                                                                       const Dim& batch,
                                                                       const Dim& queries,
                                                                       const Dim& keys) {
  const Operand mask = op.input(input);
  const auto is_set = [](const Expr& x) {
    return compare(Binary::gt, x, Expr::constant(x.type(), 0));
  };
  if (mask.rank() == 2 || mask.rank() == 3) {
    op.require_equal(mask.dim(0), batch, "batch of the mask");
    if (mask.rank() == 3) op.require_equal(mask.dim(1), queries, "queries of the mask");
    op.require_equal(mask.dim(-1), keys, "keys of the mask");
    return [=](const Index& b, const Index& i, const Index& j) {
      return is_set(mask.rank() == 2 ? mask.at({b, j}) : mask.at({b, i, j}));
    };
  }
  if (mask.rank() != 1)
    refuse("shape-mismatch", "the mask has rank " + std::to_string(mask.rank()));
  const bool starts = mask.dim(0) == batch * 2;
  op.require_equal(mask.dim(0), starts ? batch * 2 : batch, "entries of the mask");
  return [=](const Index& b, const Index&, const Index& j) {
    const Expr key = Expr::index(j);
    const auto entry = [&](const Index& at) { return Expr::cast(Type::i64, mask.at({at})); };
    const Expr before_end = compare(Binary::lt, key, entry(b));
    if (!starts) return before_end;
    return Expr::binary(Binary::logical_and, before_end,
                        compare(Binary::ge, key, entry(b + batch)));
  };
}

void emit_attention(OpContext& op, const AttentionRule& rule, const Operand& y) {
  const Heads &q = rule.q, &k = rule.k, &v = rule.v;
  if (!q.heads.is_constant() || !k.heads.is_constant())
    refuse("dynamic-shape", "the number of heads is not known before the run");
  const Dim share = floordiv(q.heads, max(k.heads, 1));
  op.require_equal(share * k.heads, q.heads, "heads of Q and K");
  const Type real = rule.scale.type();
  KernelBuilder kernel;
  const Index b = kernel.axis(q.batch, "batch"), h = kernel.axis(q.heads, "head");
  const Index i = kernel.axis(q.length, "query"), e = kernel.axis(v.size, "element");
  const Index j = kernel.axis(k.length, "key"), d = kernel.reduce_axis(q.size, "inner");
  const Index kv = floordiv(h, share);
  const Expr query = q.at(b, h, i, d), key = k.at(b, kv, j, d);
  if (query.type() != real || key.type() != real)
    refuse("type-mismatch", "queries and keys must have one type");
  const Expr product = kernel.reduce(Combiner::sum, {d}, query * key);
  const Expr scaled_product = product * rule.scale;
  // The cap comes first: a masked score must stay infinitely small.
  const Expr capped = rule.softcap == 0
                          ? scaled_product
                          : Expr::unary(Unary::tanh, scaled_product / rule.softcap) * rule.softcap;
  const Expr masked = rule.mask ? rule.mask(capped, b, h, i, j) : capped;
  const Expr largest = kernel.reduce(Combiner::max, {j}, masked);
  Expr weight;
  if (rule.sink) {
    const Expr sink = rule.sink(h), most = max(largest, sink);
    const Expr power = Expr::unary(Unary::exp, masked - most);
    weight =
        power / (kernel.reduce(Combiner::sum, {j}, power) + Expr::unary(Unary::exp, sink - most));
  } else if (rule.excludes) {
    const Expr least = Expr::constant(real, -std::numeric_limits<double>::infinity());
    const Expr none = compare(Binary::eq, largest, least), zero = Expr::constant(real, 0);
    const Expr power = Expr::unary(Unary::exp, masked - Expr::select(none, zero, largest));
    weight = Expr::select(none, zero, power / kernel.reduce(Combiner::sum, {j}, power));
  } else {
    const Expr power = Expr::unary(Unary::exp, masked - largest);
    weight = power / kernel.reduce(Combiner::sum, {j}, power);
  }
  const Expr weighted =
      kernel.reduce(Combiner::sum, {j}, weight * in_type(real, v.at(b, kv, j, e)));
  kernel.write(y, y.rank() == 4 ? Indices{b, h, i, e} : Indices{b, i, h * v.size + e},
               in_type(y.compute(), weighted));
  if (rule.more) rule.more(kernel, {capped, masked, weight}, {b, h, i, j});
  op.emit(kernel);
}

}  // namespace burin
