// ai.onnx.ml SVMClassifier: one score for each pair of classes, from the kernels of the row with
// the support vectors of both; the class with the most votes. With prob_a and prob_b the scores
// become probabilities of the classes, by the iteration that couples those of pairs (Wu, Lin, Weng
// 2004, second approach). Without support vectors there is one linear score for each class.
#include <algorithm>

#include "kernel/tensor.h"
#include "ops/api/learning/ml_classes.h"
#include "ops/api/learning/support_vectors.h"
#include "ops/api/math/activation.h"
#include "support/diagnostics.h"

namespace burin::ml_svm_classifier_op {
namespace {

constexpr int64_t kMostClasses = 1024, kRounds = 100;

struct Machine {
  int64_t classes = 0, vectors = 0, pairs = 0;
  std::vector<int64_t> start;  // of the vectors of each class, and the end
};

Expr side_is(int64_t side) { return Expr::constant(Type::i32, side); }

Operand numbers(OpContext& op, const char* what, std::vector<int64_t> shape,
                const std::vector<double>& list) {
  const HostTensor host = make_tensor(Type::f32, std::move(shape), list);
  return op.constant_operand(what, {host.type, host.shape, to_constant(host), {}});
}

void check_count(size_t given, int64_t needed, const char* name) {
  if (static_cast<int64_t>(given) < needed)
    refuse("bad-attribute", "attribute " + burin::quoted(name) + " has " + std::to_string(given) +
                                " elements, " + std::to_string(needed) + " are needed");
}

// Scores of pairs (i, j), i < j, [rows, pairs]: a product with the coefficients that the two
// classes have for each other, and nothing for the vectors of others.
Operand pair_scores(OpContext& op, const Features& x, const Machine& machine) {
  const std::vector<double> coefficients = op.reals("coefficients", {}), rho = op.reals("rho", {});
  check_count(coefficients.size(), (machine.classes - 1) * machine.vectors, "coefficients");
  check_count(rho.size(), machine.pairs, "rho");
  if (machine.pairs * machine.vectors > int64_t{1} << 26)
    refuse("limit", std::to_string(machine.pairs) + " pairs of classes with " +
                        std::to_string(machine.vectors) + " vectors are too many");
  std::vector<double> table(static_cast<size_t>(machine.pairs * machine.vectors)), shifts;
  int64_t pair = 0;
  for (int64_t i = 0; i < machine.classes; ++i) {
    for (int64_t j = i + 1; j < machine.classes; ++j, ++pair) {
      const auto fill = [&](int64_t of, int64_t line) {
        for (int64_t v = machine.start[static_cast<size_t>(of)];
             v < machine.start[static_cast<size_t>(of) + 1]; ++v)
          table[static_cast<size_t>(pair * machine.vectors + v)] =
              coefficients[static_cast<size_t>(line * machine.vectors + v)];
      };
      fill(i, j - 1);
      fill(j, i);
      shifts.push_back(rho[static_cast<size_t>(pair)]);
    }
  }
  const Operand weights = numbers(op, "weights", {machine.pairs, machine.vectors}, table),
                shift = numbers(op, "rho", {machine.pairs}, shifts);
  const Operand products =
      vector_products(op, x, vector_kernel_of(op), "support_vectors", machine.vectors);
  const Operand scores = op.temporary("pairs", Type::f32, {x.rows, machine.pairs});
  KernelBuilder kernel;
  const Index row = kernel.axis(x.rows), at = kernel.axis(machine.pairs),
              k = kernel.reduce_axis(machine.vectors);
  const Expr sum = kernel.reduce(Combiner::sum, {k}, products.at({row, k}) * weights.at({at, k}));
  kernel.write(scores, {row, at}, sum + shift.at({at}));
  op.emit(kernel);
  return scores;
}

// For every pair of classes (i, j) the number of its score, and whether the score is for i.
struct PairTables {
  Operand pair, first;
};

PairTables pair_tables(OpContext& op, const Machine& machine) {
  std::vector<int64_t> pair, first;
  for (int64_t i = 0; i < machine.classes; ++i) {
    for (int64_t j = 0; j < machine.classes; ++j) {
      const int64_t a = std::min(i, j), b = std::max(i, j);
      pair.push_back(i == j ? 0 : a * (2 * machine.classes - a - 1) / 2 + b - a - 1);
      first.push_back(i == j ? 2 : i < j);
    }
  }
  const auto table = [&](const char* what, const std::vector<int64_t>& list) {
    const HostTensor host = make_tensor(Type::i32, {machine.classes, machine.classes}, list);
    return op.constant_operand(what, {host.type, host.shape, to_constant(host), {}});
  };
  return {table("pair", pair), table("first", first)};
}

Expr pair_of(const PairTables& tables, const Operand& pairs, const Index& row, const Index& i,
             const Index& j) {
  const Expr place = Expr::cast(Type::i64, tables.pair.at({i, j}));
  return pairs.at({row, Index::data(place.ptr(), {0, pairs.dim(1).constant() - 1})});
}

Operand votes_of(OpContext& op, const Machine& machine, const PairTables& tables,
                 const Operand& pairs) {
  const Operand votes = op.temporary("votes", Type::f32, {pairs.dim(0), machine.classes});
  KernelBuilder kernel;
  const Index row = kernel.axis(pairs.dim(0)), i = kernel.axis(machine.classes),
              j = kernel.reduce_axis(machine.classes);
  const Expr side = tables.first.at({i, j}), score = pair_of(tables, pairs, row, i, j);
  const Expr above = compare(Binary::gt, score, pairs.zero());
  const Expr one = votes.constant(1), none = votes.zero();
  const Expr vote =
      Expr::select(compare(Binary::eq, side, side_is(2)), none,
                   Expr::select(compare(Binary::eq, side, side_is(1)),
                                Expr::select(above, one, none), Expr::select(above, none, one)));
  kernel.write(votes, {row, i}, kernel.reduce(Combiner::sum, {j}, vote));
  op.emit(kernel);
  return votes;
}

// r[i, j], the probability of i against j, kept away from 0 and 1.
Operand pair_probabilities(OpContext& op, const Machine& machine, const PairTables& tables,
                           const Operand& pairs) {
  const std::vector<double> a = op.reals("prob_a", {}), b = op.reals("prob_b", {});
  check_count(a.size(), machine.pairs, "prob_a");
  check_count(b.size(), machine.pairs, "prob_b");
  const auto listed = [&](const char* what, const std::vector<double>& list) {
    return numbers(op, what, {machine.pairs},
                   {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(machine.pairs)});
  };
  const Operand factor = listed("prob_a", a), shift = listed("prob_b", b);
  const Operand single = op.temporary("sigmoids", Type::f32, pairs.shape());
  op.map(single, [&](const Indices& at) {
    const Expr value = 1.0 - sigmoid(pairs.at(at) * factor.at({at[1]}) + shift.at({at[1]}));
    return min(max(value, single.constant(1e-7)), single.constant(1 - 1e-7));
  });
  const Operand r =
      op.temporary("pairwise", Type::f32, {pairs.dim(0), machine.classes, machine.classes});
  op.map(r, [&](const Indices& at) {
    const Expr side = tables.first.at({at[1], at[2]});
    const Expr value = pair_of(tables, single, at[0], at[1], at[2]);
    return Expr::select(compare(Binary::eq, side, side_is(1)), value, 1.0 - value);
  });
  return r;
}

// p with p' Q p least, where Q[i, i] is the sum of r[j, i]^2 and Q[i, j] is -r[j, i] r[i, j]: one
// class after the other is set to its best value, in rounds until the residual is small. A step of
// the sequential axis is one class in one round.
void couple(OpContext& op, const Machine& machine, const Operand& r, const Operand& p_out) {
  const int64_t n = machine.classes;
  const Operand q = op.temporary("coupling", Type::f32, r.shape());
  KernelBuilder matrix;
  const Index qrow = matrix.axis(r.dim(0)), qi = matrix.axis(n), qj = matrix.axis(n),
              qk = matrix.reduce_axis(n);
  const Expr other = r.at({qrow, qk, qi});
  const Expr squares = matrix.reduce(Combiner::sum, {qk},
                                     Expr::cases({{{{qk - qi, 0, 1}}, r.zero()}}, other * other));
  matrix.write(
      q, {qrow, qi, qj},
      Expr::cases({{{{qi - qj, 0, 1}}, squares}}, -(r.at({qrow, qj, qi}) * r.at({qrow, qi, qj}))));
  op.emit(matrix);

  KernelBuilder kernel;
  const Index row = kernel.axis(r.dim(0), "row"),
              step = kernel.axis(kRounds * n, "step", AxisKind::sequential),
              j = kernel.axis(n, "class"), k = kernel.reduce_axis(n, "other");
  const Index i = mod(step, n);
  Indices over_one, over_all;
  for (const Index& axis : {row, step}) {
    if (!axis.is_constant()) over_one.push_back(axis);
  }
  over_all = over_one;
  over_all.push_back(j);
  const int base = kernel.next_let();
  // In the order in which they are made below.
  const int residual = base + 1, total = base + 2, done = base + 4, result = base + 5,
            next_residual = base + 6, next_total = base + 7;
  const auto before = [&](int let, const Indices& rest, const Expr& first, Type type) {
    Indices at;
    if (!row.is_constant()) at.push_back(row);
    at.push_back(step - 1);
    at.insert(at.end(), rest.begin(), rest.end());
    return Expr::cases({{{{step, 1, kRounds * n}}, Expr::let(let, type, at)}}, first);
  };
  const auto now = [&](int let, const Indices& rest) {
    Indices at;
    if (!row.is_constant()) at.push_back(row);
    at.push_back(step);
    at.insert(at.end(), rest.begin(), rest.end());
    return Expr::let(let, Type::f32, at);
  };
  const Guard starts = {{i, 0, 1}};
  const Expr even = Expr::constant(Type::f32, 1.0 / static_cast<double>(n));
  const Expr zero = Expr::constant(Type::f32, 0);
  const auto p_before = [&](const Index& of) { return before(result, {of}, even, Type::f32); };
  const Expr fresh = kernel.reduce(Combiner::sum, {k}, q.at({row, j, k}) * p_before(k));  // base
  const Expr qp = kernel.let(  // residual
      over_all, Expr::cases({{starts, fresh}}, before(next_residual, {j}, zero, Type::f32)));
  const Expr fresh_total =
      kernel.reduce(Combiner::sum, {k}, p_before(k) * now(residual, {k}));  // total
  const Expr apart = kernel.reduce(
      Combiner::max, {k}, Expr::unary(Unary::abs, now(residual, {k}) - fresh_total));  // base + 3
  const Expr pqp = Expr::cases({{starts, fresh_total}}, before(next_total, {}, zero, Type::f32));
  const Expr ended = before(done, {}, zero, Type::f32);
  const Expr settled =
      compare(Binary::lt, apart, Expr::constant(Type::f32, 0.005 / static_cast<double>(n)));
  const Expr is_done = kernel.let(  // done
      over_one,
      Expr::cases({{starts, Expr::select(settled, Expr::constant(Type::f32, 1), ended)}}, ended));
  const Expr own = q.at({row, i, i}), mine = now(residual, {i});
  const Expr change = (pqp - mine) / own;
  const Expr stays = compare(Binary::gt, is_done, zero);
  const Expr moved = Expr::cases({{{{j - i, 0, 1}}, p_before(j) + change}}, p_before(j));
  const Expr p =
      kernel.let(over_all, Expr::select(stays, p_before(j), moved / (change + 1.0)));  // result
  kernel.let(over_all, (qp + change * q.at({row, i, j})) / (change + 1.0));  // next_residual
  kernel.let(over_one, (pqp + change * (change * own + mine * 2.0)) / (change + 1.0) /
                           (change + 1.0));  // next_total
  (void)total;
  kernel.write(p_out, {row, j}, p, {{step, kRounds * n - 1, kRounds * n}});
  op.emit(kernel);
}

void lower_linear(OpContext& op, const Features& x, const Labels& labels) {
  const auto classes = static_cast<int64_t>(labels.numbers.size());
  const std::vector<double> rho = op.reals("rho", {});
  if (rho.empty()) refuse("bad-attribute", "attribute 'rho' is empty");
  const Operand products = vector_products(op, x, {}, "coefficients", classes);
  const Operand scores = op.temporary("scores", Type::f32, products.shape());
  op.map(scores, [&](const Indices& at) { return products.at(at) + rho[0]; });
  const Operand label = label_output(op, 0, labels, x.rows);
  if (classes == 2) {
    const std::vector<double> all = op.reals("coefficients", {});
    const bool positive = std::all_of(all.begin(), all.end(), [](double w) { return w >= 0; });
    const double least = positive ? 0.5 : 0;
    op.map(label, [&](const Indices& at) {
      const Expr a = scores.at({at[0], 0}), b = scores.at({at[0], 1}), most = max(a, b);
      const Expr bound = scores.constant(least);
      const Expr second = Expr::binary(
          Binary::logical_or, compare(Binary::gt, b, a),
          positive ? compare(Binary::ge, most, bound) : compare(Binary::gt, most, bound));
      return Expr::select(second, Expr::constant(Type::i64, labels.numbers[1]),
                          Expr::constant(Type::i64, labels.numbers[0]));
    });
  } else {
    map_greatest(op, scores, labels, label);
  }
  give_strings(op, 0, labels, label);
  if (op.has_output(1))
    transform_scores(op, op.text("post_transform", "NONE"), scores,
                     op.output(1, Type::f32, scores.shape()));
}

void lower(OpContext& op) {
  const Features x = features_of(op, 0);
  const Labels labels = labels_of(op, "classlabels_ints", "classlabels_strings");
  Machine machine;
  machine.classes = static_cast<int64_t>(labels.numbers.size());
  if (machine.classes < 2 || machine.classes > kMostClasses)
    refuse("limit", std::to_string(machine.classes) + " classes; there may be 2 to " +
                        std::to_string(kMostClasses));
  for (const int64_t count : op.integers("vectors_per_class", {})) {
    if (count < 0 || count > highest(Type::i32))
      refuse("bad-attribute", "vectors_per_class has " + std::to_string(count));
    machine.start.push_back(machine.vectors);
    machine.vectors += count;
  }
  machine.start.push_back(machine.vectors);
  if (machine.vectors == 0) return lower_linear(op, x, labels);
  if (static_cast<int64_t>(machine.start.size()) != machine.classes + 1)
    refuse("bad-attribute", "vectors_per_class has not a number for each label");
  machine.pairs = machine.classes * (machine.classes - 1) / 2;
  const Operand pairs = pair_scores(op, x, machine);
  const PairTables tables = pair_tables(op, machine);
  const Operand votes = votes_of(op, machine, tables, pairs);
  const Operand label = label_output(op, 0, labels, x.rows);
  map_greatest(op, votes, labels, label);
  give_strings(op, 0, labels, label);
  const std::string how = op.text("post_transform", "NONE");
  if (op.has("prob_a")) {
    const Operand r = pair_probabilities(op, machine, tables, pairs);
    const Operand p = op.temporary("probabilities", Type::f32, {x.rows, machine.classes});
    couple(op, machine, r, p);
    return transform_scores(op, how, p, op.output(1, Type::f32, p.shape()));
  }
  const Operand z = op.output(1, Type::f32, {x.rows, machine.classes == 2 ? 2 : machine.pairs});
  if (machine.classes == 2) return transform_single(op, how, pairs, how == "NONE", z);
  transform_scores(op, how, pairs, z);
}

}  // namespace

OpDef definition() {
  std::vector<AttributeDef> attributes = vector_attributes();
  attributes.insert(attributes.end(), {{"classlabels_ints", AttributeKind::integers},
                                       {"classlabels_strings", AttributeKind::texts},
                                       {"prob_a", AttributeKind::reals},
                                       {"prob_b", AttributeKind::reals},
                                       {"vectors_per_class", AttributeKind::integers}});
  return ml_op({.name = "SVMClassifier",
                .inputs = {{"X", types::features}},
                .outputs = {{"Y", types::labels}, {"Z", types::all, Arity::optional}},
                .attributes = attributes,
                .lower = lower,
                .note = "labels that are strings are given as their positions, and as strings to "
                        "nodes that read them"});
}

}  // namespace burin::ml_svm_classifier_op
