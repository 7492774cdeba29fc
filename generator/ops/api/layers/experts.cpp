#include "ops/api/layers/experts.h"

#include <limits>

#include "kernel/layout.h"
#include "ops/api/math/activation.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

Expr whole(int64_t value) { return Expr::constant(Type::i64, value); }
Expr real(const Expr& value) { return in_type(Type::f32, value); }

// What the router says of every row: the experts by rank, and their weights.
struct Choice {
  Operand expert, weight;  // [rows, k]; i64 and f32
};

Choice choose(OpContext& op, const Dim& rows, const Experts& experts, int64_t k) {
  const Operand router = op.input(1);
  if (router.rank() != 2) refuse("shape-mismatch", "router_probs must have rank 2");
  op.require_equal(router.dim(0), rows, "rows of router_probs and of the input");
  op.require_equal(router.dim(1), experts.count, "columns of router_probs and experts");
  op.require({{experts.count, k, experts.count + 1}}, "k, of all experts");
  const Shape all = {rows, experts.count}, few = {rows, k};

  // Among equal ones the first is preferred.
  const Operand rank = op.temporary("ranks", Type::i64, all);
  KernelBuilder ranks;
  const Indices at = ranks.axes(all);
  const Index other = ranks.reduce_axis(experts.count, "other");
  const Expr mine = real(router.at(at)), theirs = real(router.at({at[0], other}));
  const Expr earlier = Expr::binary(Binary::logical_and, compare(Binary::eq, theirs, mine),
                                    compare(Binary::lt, Expr::index(other), Expr::index(at[1])));
  const Expr before = Expr::binary(Binary::logical_or, compare(Binary::gt, theirs, mine), earlier);
  ranks.write(rank, at,
              ranks.reduce(Combiner::sum, {other}, Expr::select(before, whole(1), whole(0))));
  op.emit(ranks);

  const Operand share = op.temporary("shares", Type::f32, all);
  KernelBuilder shares;
  const Indices here = shares.axes(all);
  const Index e = shares.reduce_axis(experts.count, "expert");
  const Expr logit = real(router.at({here[0], e}));
  const Expr most = shares.reduce(Combiner::max, {e}, logit);
  const Expr sum = shares.reduce(Combiner::sum, {e}, Expr::unary(Unary::exp, logit - most));
  shares.write(share, here, Expr::unary(Unary::exp, real(router.at(here)) - most) / sum);
  op.emit(shares);

  Choice out{op.temporary("chosen", Type::i64, few), op.temporary("weights", Type::f32, few)};
  KernelBuilder chosen;
  const Indices to = chosen.axes(few);
  const Index c = chosen.reduce_axis(experts.count, "expert");
  const Expr is_it = compare(Binary::eq, rank.at({to[0], c}), Expr::index(to[1]));
  chosen.write(out.expert, to,
               chosen.reduce(Combiner::sum, {c}, Expr::select(is_it, Expr::index(c), whole(0))));
  op.emit(chosen);
  KernelBuilder weights;
  const Indices place = weights.axes(few);
  const Index w = weights.reduce_axis(experts.count, "expert");
  const Expr zero = Expr::constant(Type::f32, 0), part = share.at({place[0], w});
  const Expr own = weights.reduce(
      Combiner::sum, {w},
      Expr::select(compare(Binary::eq, rank.at({place[0], w}), Expr::index(place[1])), part, zero));
  const Expr of_chosen = weights.reduce(
      Combiner::sum, {w},
      Expr::select(compare(Binary::lt, rank.at({place[0], w}), whole(k)), part, zero));
  weights.write(out.weight, place, experts.normalize ? own / of_chosen : own);
  op.emit(weights);
  return out;
}

// A layer's row for row `row`, whose elements along the columns `element` gives.
Expr product(KernelBuilder& kernel, const ExpertLayer& layer, const Index& expert, const Index& row,
             const std::function<Expr(const Index&)>& element) {
  const Index column = kernel.reduce_axis(layer.columns, "column");
  const Expr sum = kernel.reduce(Combiner::sum, {column},
                                 layer.weight(expert, row, column) * real(element(column)));
  return layer.bias ? sum + real(layer.bias.at({expert, row})) : sum;
}

Expr swiglu(const OpContext& op, Expr gate, Expr linear) {
  const double limit = op.real("swiglu_limit", std::numeric_limits<double>::infinity());
  if (limit < std::numeric_limits<double>::infinity()) {
    const Expr top = Expr::constant(Type::f32, limit), low = Expr::constant(Type::f32, -limit);
    gate = min(gate, top);
    linear = min(max(linear, low), top);
  }
  return gate * sigmoid(gate * op.real("activation_alpha", 1)) *
         (linear + op.real("activation_beta", 0));
}

Expr activated(const std::string& name, const Expr& x) {
  if (name == "relu") return max(x, Expr::constant(Type::f32, 0));
  if (name == "gelu") return gelu_tanh(x);
  if (name == "silu") return x * sigmoid(x);
  if (name == "identity") return x;
  refuse("bad-attribute", "activation_type is " + quoted(name));
}

void check_layer(OpContext& op, const Experts& experts, const ExpertLayer& layer,
                 const Dim& columns, std::string_view what) {
  op.require_equal(layer.columns, columns, what);
  if (!layer.bias) return;
  if (layer.bias.rank() != 2) refuse("shape-mismatch", "a bias of experts must have rank 2");
  op.require_equal(layer.bias.dim(0), experts.count, "experts that have a bias");
  op.require_equal(layer.bias.dim(1), layer.rows, "elements of a bias and rows of its layer");
}

}  // namespace

void lower_experts(OpContext& op, const Experts& experts) {
  const Operand x = op.input(0);
  if (x.rank() != 2 && x.rank() != 3)
    refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()) + ", not 2 or 3");
  if (op.integer("use_sparse_mixer", 0) != 0)
    refuse("unsupported-attribute", "use_sparse_mixer is not supported",
           "export the router without it: softmax over all experts, then the largest");
  const Shape leading(x.shape().begin(), x.shape().end() - 1);
  const Dim rows = burin::product(leading);
  const std::string kind = op.text("activation_type", "relu");
  const bool is_swiglu = kind == "swiglu";
  const int64_t fusion = op.integer("swiglu_fusion", 0);
  const bool fused = is_swiglu && fusion != 0;
  if (fusion < 0 || fusion > 2 || (is_swiglu && !fused && !experts.third))
    refuse("bad-attribute", "swiglu_fusion is " + std::to_string(fusion));
  const Dim inner = experts.second.columns;
  check_layer(op, experts, experts.first, x.dim(-1), "columns of fc1 and of the input");
  check_layer(op, experts, experts.second, inner, "columns of fc2");
  op.require_equal(experts.first.rows, fused ? inner * 2 : inner, "rows of fc1 and columns of fc2");
  op.require_equal(experts.second.rows, x.dim(-1), "rows of fc2 and columns of the input");
  if (experts.third) {
    check_layer(op, experts, *experts.third, x.dim(-1), "columns of fc3 and of the input");
    op.require_equal(experts.third->rows, inner, "rows of fc3 and columns of fc2");
  }
  const int64_t k = op.integer("k", 1);
  if (k < 1) refuse("bad-attribute", "k is " + std::to_string(k));
  const Choice choice = choose(op, rows, experts, k);
  const auto expert = [&](const Index& row, const Index& j) {
    return data_index(choice.expert.at({row, j}), experts.count);
  };

  const Operand hidden = op.temporary("hidden", Type::f32, {rows, k, inner});
  KernelBuilder inside;
  const Indices at = inside.axes(hidden.shape());
  const Index chosen = expert(at[0], at[1]);
  Indices from = delinearize(at[0], leading);
  from.push_back(0);
  const auto element = [&](const Index& column) {
    from.back() = column;
    return x.at(from);
  };
  const auto row_of = [&](const ExpertLayer& layer, const Index& row) {
    return product(inside, layer, chosen, row, element);
  };
  Expr value;
  if (fused) {
    const bool interleaved = fusion == 1;
    value = swiglu(op, row_of(experts.first, interleaved ? at[2] * 2 : at[2]),
                   row_of(experts.first, interleaved ? at[2] * 2 + 1 : at[2] + inner));
  } else {
    const Expr gate = row_of(experts.first, at[2]);
    if (is_swiglu) {
      value = swiglu(op, gate, row_of(*experts.third, at[2]));
    } else {
      value = activated(kind, gate);
      if (experts.third) value = value * row_of(*experts.third, at[2]);
    }
  }
  inside.write(hidden, at, value);
  op.emit(inside);

  // Each chosen expert's part, weighted; then their sum.
  const Operand part = op.temporary("parts", Type::f32, {rows, k, x.dim(-1)});
  KernelBuilder outside;
  const Indices to = outside.axes(part.shape());
  const Expr result =
      product(outside, experts.second, expert(to[0], to[1]), to[2], [&](const Index& column) {
        return hidden.at({to[0], to[1], column});
      });
  outside.write(part, to, result * choice.weight.at({to[0], to[1]}));
  op.emit(outside);
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder sums;
  const Indices place = sums.axes(x.shape());
  const Index j = sums.reduce_axis(k, "chosen");
  const Index row = linearize(Indices(place.begin(), place.end() - 1), leading);
  sums.write(y, place, sums.reduce(Combiner::sum, {j}, part.at({row, j, place.back()})));
  op.emit(sums);
}

std::vector<AttributeDef> expert_attributes() {
  return {{"activation_alpha", AttributeKind::real},
          {"activation_beta", AttributeKind::real},
          {"activation_type", AttributeKind::text},
          {"k", AttributeKind::integer},
          {"normalize_routing_weights", AttributeKind::integer},
          {"swiglu_fusion", AttributeKind::integer},
          {"swiglu_limit", AttributeKind::real},
          {"use_sparse_mixer", AttributeKind::integer}};
}

}  // namespace burin
