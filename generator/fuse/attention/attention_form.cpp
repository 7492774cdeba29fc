#include "fuse/attention/attention_form.h"

#include <algorithm>

#include "fuse/access/expr_forms.h"
#include "fuse/access/products.h"
#include "fuse/attention/attention_rows.h"
#include "fuse/attention/attention_weights.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/let_uses.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

bool disjoint(const std::vector<int>& a, const std::vector<int>& b) {
  return std::none_of(a.begin(), a.end(), [&](int axis) { return contains(b, axis); });
}

bool reads_in_place(const Kernel& kernel, const std::vector<int>& anywhere) {
  bool own = true;
  const auto scan = [&](const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      own = own && (node.kind != ExprKind::let || at_own_point(node, kernel, anywhere));
    });
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) scan(body);
  }
  for (const Write& write : kernel.writes) scan(write.value);
  return own;
}

// Lets by their part in the form.
struct Finder {
  const Kernel& kernel;
  const std::vector<Value>& values;
  int greatest, total;

  bool is_number(const Expr& expr, double number) const {
    return number_of(expr, values) == number;
  }
  bool is_masked(const Expr& expr) const { return is_masked_row(expr, greatest, kernel, values); }

  // exp(S - m), or exp(S - (m == -infinity ? 0 : m)): in a row that is masked everywhere weights
  // are NaN with one as with the other, 0 / 0. The S of it.
  std::optional<Expr> exponent(const Expr& expr) const {
    if (!is_unary(expr, Unary::exp)) return std::nullopt;
    const Expr& difference = expr->operands[0];
    if (!is_binary(difference, Binary::sub)) return std::nullopt;
    const Expr& shift = difference->operands[1];
    if (shift.kind() == ExprKind::select) {
      if (!is_masked(shift->operands[0]) || !is_number(shift->operands[1], 0) ||
          !is_let(shift->operands[2], greatest, kernel)) {
        return std::nullopt;
      }
    } else if (!is_let(shift, greatest, kernel)) {
      return std::nullopt;
    }
    return difference->operands[0];
  }

  std::optional<Expr> power(const Expr& expr) const {
    return normalized(expr, total, kernel, values);
  }

  // The weight without what rows of no number are given instead; the e of it.
  std::optional<Expr> weight(const Expr& expr, EmptyRows& empty) const {
    empty = EmptyRows::nan;
    if (expr.kind() != ExprKind::select) return power(expr);
    const Expr& condition = expr->operands[0];
    if (!is_number(expr->operands[1], 0)) return std::nullopt;
    if (is_masked(condition)) {
      empty = EmptyRows::zero_if_masked;
      return power(expr->operands[2]);
    }
    if (is_unary(condition, Unary::is_nan) && condition->operands[0] == expr->operands[2]) {
      empty = EmptyRows::zero_if_nan;
      return power(expr->operands[2]);
    }
    return std::nullopt;
  }
};

bool is_reduction(const Let& let, Combiner op, Type type) {
  return let.op == op && let.body.size() == 1 && let.accumulator[0] == type;
}

// Scores of positions by their parts: rows are what the softmax does not run over; false when they
// have none, or S reads them at several places.
bool sort_positions(AttentionForm& form, int number) {
  const Let& let = form.kernel.lets[static_cast<size_t>(number)];
  const Let& greatest = form.kernel.lets[static_cast<size_t>(form.greatest)];
  if (!is_float_sum_of_products(let) || !lets_in(let.body[0]).empty()) return false;
  PositionScores one;
  one.let = number;
  one.depth = let.reduced;
  for (const int axis : let.over) {
    if (!contains(greatest.over, axis)) one.rows.push_back(axis);
  }
  one.q = let.body[0]->operands[0];
  one.p = let.body[0]->operands[1];
  if (!disjoint(axes_of(one.q), one.rows)) std::swap(one.q, one.p);
  std::vector<std::vector<Index>> reads;
  visit(greatest.body[0], [&](const ExprNode& node) {
    if (node.kind == ExprKind::let && node.id == number &&
        std::find(reads.begin(), reads.end(), node.at) == reads.end())
      reads.push_back(node.at);
  });
  const bool fits = !one.rows.empty() && disjoint(axes_of(one.q), one.rows) && reads.size() == 1;
  form.positions.push_back(std::move(one));
  return fits;
}

// Every axis has one part.
bool parts_are_all(const AttentionForm& form) {
  std::vector<int> depths = form.depth;
  size_t sorted = 0;
  std::vector<bool> seen(form.kernel.axes.size(), false);
  const auto take = [&](const std::vector<int>& axes) {
    for (const int axis : axes) seen[static_cast<size_t>(axis)] = true;
    sorted += axes.size();
  };
  for (const PositionScores& one : form.positions) {
    take(one.rows);
    for (const int axis : one.depth) {
      if (!contains(depths, axis)) depths.push_back(axis);
    }
  }
  for (const auto* part : {&form.batch, &form.queries, &form.keys, &form.elements}) take(*part);
  take(depths);
  return sorted == seen.size() &&
         std::all_of(seen.begin(), seen.end(), [](bool one) { return one; });
}

// The axes by their part; false when they have none.
bool sort_axes(AttentionForm& form) {
  const auto let = [&](int number) -> const Let& {
    return form.kernel.lets[static_cast<size_t>(number)];
  };
  const Let &scores = let(form.scores), &greatest = let(form.greatest), &total = let(form.total),
            &result = let(form.result);
  form.keys = result.reduced;
  form.depth = scores.reduced;
  if (greatest.reduced != form.keys || total.reduced != form.keys || greatest.over != total.over)
    return false;
  if (form.keys.empty() || form.depth.empty() || !disjoint(form.depth, result.over)) return false;
  for (const int axis : form.keys) {
    if (!contains(scores.over, axis)) return false;
  }
  for (const int axis : scores.over) {
    if (!contains(greatest.over, axis) && !contains(form.keys, axis)) return false;
  }
  for (const int axis : greatest.over) {
    if (!contains(result.over, axis)) return false;
  }
  const std::vector<int> in_v = axes_of(form.v), in_q = axes_of(form.q);
  if (!disjoint(in_q, form.keys) || !disjoint(in_v, form.depth)) return false;
  std::vector<int> in_rows = axes_of(form.k);  // of the first product, or those of positions
  for (const PositionScores& one : form.positions) {
    for (const int axis : axes_of(one.p)) in_rows.push_back(axis);
  }
  for (const int axis : result.over) {
    if (!contains(greatest.over, axis)) {
      form.elements.push_back(axis);
    } else if (contains(in_rows, axis) || contains(in_v, axis)) {
      form.batch.push_back(axis);
    } else {
      form.queries.push_back(axis);
    }
  }
  for (const int axis : form.elements) {
    if (contains(in_q, axis) || contains(in_rows, axis)) return false;
  }
  for (const PositionScores& one : form.positions) {
    for (const int axis : form.queries) {
      if (!contains(let(one.let).over, axis)) return false;
    }
  }
  return !form.elements.empty() && parts_are_all(form);
}

// The lets with the scores, which run over the keys, before those of positions.
Kernel with_scores_first(const Kernel& kernel) {
  const std::vector<int>& keys = kernel.lets.back().reduced;
  const auto has_keys = [&](const Let& let) { return !disjoint(let.over, keys); };
  const auto scores = std::find_if(kernel.lets.begin(), kernel.lets.end(), has_keys);
  const auto at = static_cast<int>(scores - kernel.lets.begin());
  if (scores == kernel.lets.end() || at == 0) return kernel;
  Kernel out = kernel;
  std::rotate(out.lets.begin(), out.lets.begin() + at, out.lets.begin() + at + 1);
  rewrite_exprs(out, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let || expr->id > at) return expr;
    return Expr::let(expr->id == at ? 0 : expr->id + 1, expr.type(), expr->at, expr->component);
  });
  return out;
}

}  // namespace

bool reads_lets_in_place(const Kernel& kernel) { return reads_in_place(kernel, {}); }

Kernel without_maps(const Kernel& kernel) {
  for (const Axis& axis : kernel.axes) {
    if (axis.kind == AxisKind::sequential) return kernel;
  }
  Kernel out = kernel;
  out.lets.clear();
  std::vector<int> number;  // of each old let that stays
  std::vector<Expr> value;  // of each old let that does not
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let) return expr;
    const auto old = static_cast<size_t>(expr->id);
    if (number[old] >= 0) return Expr::let(number[old], expr.type(), expr->at, expr->component);
    return substitute_axes(value[old], axes_at(kernel, kernel.lets[old], expr->at));
  };
  const auto same = [](const Index& leaf) { return leaf; };
  for (const Let& let : kernel.lets) {
    Let one = let;
    for (Expr& body : one.body) body = rewrite(body, on_expr, same);
    const bool map = let.op == Combiner::none && let.body.size() == 1;
    number.push_back(map ? -1 : static_cast<int>(out.lets.size()));
    value.push_back(map ? one.body[0] : Expr());
    if (!map) out.lets.push_back(std::move(one));
  }
  for (Write& write : out.writes) {
    write.value = rewrite(write.value, on_expr, same);
    for (Index& index : write.at) index = rewrite(index, on_expr, same);
    for (Condition& condition : write.when)
      condition.index = rewrite(condition.index, on_expr, same);
  }
  return out;
}

namespace {

// The lets by their part, but for the weights. Lets use those before them: the order is fixed.
bool sort_lets(AttentionForm& form) {
  const std::vector<Let>& lets = form.kernel.lets;
  const Let &scores = lets[0], &greatest = lets[static_cast<size_t>(form.greatest)],
            &total = lets[static_cast<size_t>(form.total)], &result = lets.back();
  const Type type = scores.accumulator[0];
  if (!is_sum_of_products(scores) || !is_float_or_double(type) ||
      !is_reduction(greatest, Combiner::max, type) || !is_reduction(total, Combiner::sum, type) ||
      !is_sum_of_products(result) || result.accumulator[0] != type)
    return false;
  std::set<int> sums;     // what S is made of
  std::vector<int> rows;  // axes of positions
  for (int let = 0; let < form.greatest; ++let) {
    sums.insert(let);
    if (let > 0 && !sort_positions(form, let)) return false;
  }
  for (const PositionScores& one : form.positions)
    rows.insert(rows.end(), one.rows.begin(), one.rows.end());
  form.masked = greatest.body[0];
  return reads_in_place(form.kernel, rows) && lets_in(scores.body[0]).empty() &&
         lets_in(form.masked) == sums;
}

// The weights as e / z, or with other rows of no number.
bool sort_weights(AttentionForm& form, const std::vector<Value>& values) {
  const Finder finder{form.kernel, values, form.greatest, form.total};
  const Expr& product = form.kernel.lets.back().body[0];
  Expr weight = product->operands[0];
  if (lets_in(weight).empty()) weight = product->operands[1];
  const std::optional<Expr> power = finder.weight(weight, form.empty);
  if (!power || *power != form.kernel.lets[static_cast<size_t>(form.total)].body[0]) return false;
  const std::optional<Expr> masked = finder.exponent(*power);
  form.value = form.kernel.writes[0].value;
  return masked && *masked == form.masked && lets_in(form.value) == std::set<int>{form.result};
}

// What is left of the form once lets and weights are known.
bool sort_rest(AttentionForm& form) {
  const Let &scores = form.kernel.lets[0], &result = form.kernel.lets.back();
  // The weighted sum: one factor has lets, the other none.
  form.v = result.body[0]->operands[1];
  if (!lets_in(form.v).empty()) form.v = result.body[0]->operands[0];
  if (!lets_in(form.v).empty()) return false;
  const Write& write = form.kernel.writes[0];
  if (write.how != How::store || !write.when.empty() || write.over != result.over) return false;
  // Of the scores' factors, the one that has the keys.
  form.q = scores.body[0]->operands[0];
  form.k = scores.body[0]->operands[1];
  if (!disjoint(axes_of(form.q), result.reduced)) std::swap(form.q, form.k);
  return sort_axes(form);
}

}  // namespace

std::optional<AttentionForm> find_attention(const Kernel& kernel,
                                            const std::vector<Value>& values) {
  if (kernel.lets.size() < 3 || kernel.writes.size() != 1) return std::nullopt;
  for (const Axis& axis : kernel.axes) {
    if (axis.kind == AxisKind::sequential) return std::nullopt;
  }
  AttentionForm form;
  form.kernel = without_maps(kernel);
  if (form.kernel.lets.size() < 3) return std::nullopt;
  form.kernel = with_scores_first(form.kernel);
  const auto count = static_cast<int>(form.kernel.lets.size());
  if (count > 3) {
    AttentionForm plain = form;
    plain.result = count - 1;
    plain.total = count - 2;
    plain.greatest = count - 3;
    if (sort_lets(plain) && sort_weights(plain, values))
      return sort_rest(plain) ? std::optional(std::move(plain)) : std::nullopt;
  }
  std::optional<WeightedRows> rows = find_weighted_rows(form.kernel, values);
  if (!rows) return std::nullopt;
  form.kernel = std::move(rows->kernel);
  form.greatest = rows->greatest;
  form.total = rows->total;
  form.gained = rows->gained;
  form.result = rows->result;
  form.gain = std::move(rows->gain);
  form.selects = rows->selects;
  form.factor = std::move(rows->factor);
  form.value = std::move(rows->value);
  return sort_lets(form) && sort_rest(form) ? std::optional(std::move(form)) : std::nullopt;
}

}  // namespace burin
