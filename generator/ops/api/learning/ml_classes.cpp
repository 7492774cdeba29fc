#include "ops/api/learning/ml_classes.h"

#include <cmath>

#include "kernel/tensor.h"
#include "ops/api/math/activation.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kMostNoted = 16;

// sqrt(2) times the inverse of erf at 2x - 1, as the closed form that exporters count on.
Expr probit(const Expr& x) {
  constexpr double kA = 0.147, kPi = 3.14159;
  const Expr at = x * 2.0 - 1.0;
  const Expr log = Expr::unary(Unary::log, (1.0 - at) * (at + 1.0));
  const Expr v = log * 0.5 + 2 / (kPi * kA);
  const Expr root = Expr::unary(Unary::sqrt, Expr::unary(Unary::sqrt, v * v - log / kA) - v);
  const Expr negative = compare(Binary::lt, at, Expr::constant(x.type(), 0));
  return Expr::select(negative, -root, root) * std::sqrt(2.0);
}

void softmax_scores(OpContext& op, bool skips_zeros, const Operand& scores, const Operand& to) {
  KernelBuilder kernel;
  const Index row = kernel.axis(to.dim(0)), k = kernel.reduce_axis(to.dim(1)),
              column = kernel.axis(to.dim(1));
  const Expr greatest = kernel.reduce(Combiner::max, {k}, scores.at({row, k}));
  // A score of nothing stays nothing.
  const auto is_zero = [&](const Expr& x) {
    return compare(Binary::le, Expr::unary(Unary::abs, x), Expr::constant(x.type(), 1e-7));
  };
  const auto power = [&](const Index& at) {
    const Expr score = scores.at({row, at});
    const Expr shifted = Expr::unary(Unary::exp, score - greatest);
    return skips_zeros
               ? Expr::select(is_zero(score), score * Expr::unary(Unary::exp, -greatest), shifted)
               : shifted;
  };
  const auto counted = [&](const Index& at) {
    const Expr score = scores.at({row, at});
    return skips_zeros ? Expr::select(is_zero(score), scores.zero(), power(at)) : power(at);
  };
  const Expr total = kernel.reduce(Combiner::sum, {k}, counted(k));
  kernel.write(to, {row, column}, power(column) / total);
  op.emit(kernel);
}

}  // namespace

Labels labels_of(OpContext& op, std::string_view integers, std::string_view strings) {
  Labels out;
  const std::vector<std::string> texts = op.texts(strings, {});
  out.numbers = op.integers(integers, {});
  if (texts.empty() == out.numbers.empty())
    refuse("bad-attribute", "either attribute " + burin::quoted(integers) + " or " +
                                burin::quoted(strings) + " gives the labels");
  if (!out.numbers.empty()) return out;
  for (size_t i = 0; i < texts.size(); ++i) {
    out.numbers.push_back(static_cast<int64_t>(i));
    if (i < kMostNoted)
      out.note += (i ? ", " : "positions of labels: ") + std::to_string(i) + " is " +
                  burin::quoted(texts[i]);
  }
  if (texts.size() > kMostNoted) out.note += " and " + std::to_string(texts.size()) + " in all";
  out.texts = texts;
  return out;
}

Operand label_output(OpContext& op, int i, const Labels& labels, const Dim& rows) {
  if (labels.strings() && op.is_read(i)) return op.temporary("positions", Type::i64, {rows});
  const Operand y = op.output(i, Type::i64, {rows});
  if (labels.strings() && op.has_output(i)) op.set_note(i, labels.note);
  return y;
}

void give_strings(OpContext& op, int i, const Labels& labels, const Operand& label) {
  if (!labels.strings() || !op.is_read(i)) return;
  const Operand list = list_of(op, "labels", labels.texts);
  const auto count = static_cast<int64_t>(labels.texts.size());
  op.map(op.output(i, Type::string, label.shape()),
         [&](const Indices& at) { return list.at({clipped(label.at(at), count)}); });
}

void map_greatest(OpContext& op, const Operand& scores, const Labels& labels, const Operand& y) {
  const auto classes = static_cast<int64_t>(labels.numbers.size());
  const HostTensor host = make_tensor(Type::i64, {classes}, labels.numbers);
  const Operand list =
      op.constant_operand("labels", {host.type, host.shape, to_constant(host), {}});
  KernelBuilder kernel;
  const Index row = kernel.axis(scores.dim(0)), k = kernel.reduce_axis(classes);
  const std::vector<Expr> best =
      kernel.reduce_tuple(Combiner::first_max, {k}, {scores.at({row, k}), list.at({k})});
  kernel.write(y, {row}, best[1]);
  op.emit(kernel);
}

void map_threshold(OpContext& op, const Operand& score, double least, int64_t above, int64_t below,
                   const Operand& y) {
  op.map(y, [&](const Indices& at) {
    const Expr x = score.at({at[0], 0});
    return Expr::select(compare(Binary::gt, x, Expr::constant(x.type(), least)),
                        Expr::constant(Type::i64, above), Expr::constant(Type::i64, below));
  });
}

void transform_scores(OpContext& op, const std::string& how, const Operand& scores,
                      const Operand& to) {
  const auto narrowed = [&](const Expr& x) { return Expr::cast(to.compute(), x); };
  if (how == "SOFTMAX" || how == "SOFTMAX_ZERO") {
    if (scores.type() == to.type()) return softmax_scores(op, how != "SOFTMAX", scores, to);
    const Operand wide = op.temporary("transformed", scores.type(), scores.shape());
    softmax_scores(op, how != "SOFTMAX", scores, wide);
    return op.map(to, [&](const Indices& at) { return narrowed(wide.at(at)); });
  }
  if (how != "NONE" && how != "LOGISTIC" && how != "PROBIT")
    refuse("bad-attribute", "post_transform is " + burin::quoted(how) +
                                "; NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO and PROBIT exist");
  op.map(to, [&](const Indices& at) {
    const Expr x = scores.at(at);
    return narrowed(how == "NONE" ? x : how == "LOGISTIC" ? sigmoid(x) : probit(x));
  });
}

void transform_single(OpContext& op, const std::string& how, const Operand& score, bool mixed,
                      const Operand& to) {
  if (how == "PROBIT")
    refuse("unsupported-attribute", "post_transform is PROBIT, with one score for two classes");
  op.map(to, [&](const Indices& at) {
    const Expr x = score.at({at[0], 0});
    const bool logistic = how == "LOGISTIC";
    const Expr first = logistic ? sigmoid(-x) : mixed ? -x : 1.0 - x;
    const Expr second = logistic ? sigmoid(x) : x;
    return Expr::cast(to.compute(), Expr::cases({{{{at[1], 0, 1}}, first}}, second));
  });
}

}  // namespace burin
