#include "fuse/cascade/chain.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/expr_forms.h"
#include "fuse/cascade/cascade.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"
#include "kernel/layout.h"

namespace burin {
namespace {

constexpr int64_t kMostChainOperations = int64_t{1} << 40;
constexpr int64_t kTiny = 4096;  // points that take no time to speak of, however they are read

// Points of all lets and writes; nullopt: some extent is a symbol, or they are more than `most`.
std::optional<int64_t> operations_of(const Kernel& kernel, int64_t most) {
  int64_t all = 0;
  const auto add = [&](const std::vector<int>& over, const std::vector<int>& reduced) {
    int64_t points = 1;
    for (const std::vector<int>* axes : {&over, &reduced}) {
      for (const int axis : *axes) {
        const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
        if (!extent.is_constant()) return false;
        points *= std::clamp<int64_t>(extent.constant(), 1, most + 1);
        if (points > most) return false;
      }
    }
    all += points;
    return all <= most;
  };
  for (const Let& let : kernel.lets) {
    if (!add(let.over, let.reduced)) return std::nullopt;
  }
  for (const Write& write : kernel.writes) {
    if (!add(write.over, {})) return std::nullopt;
  }
  return all;
}

// Reductions of one f32 each, and one result.
bool is_plain(const Kernel& kernel) {
  return kernel.writes.size() == 1 && kernel.writes[0].how == How::store &&
         std::all_of(kernel.lets.begin(), kernel.lets.end(), [](const Let& let) {
           return let.body.size() == 1 && let.accumulator[0] == Type::f32;
         });
}

// Whether neighbouring points of one of the axes are neighbours in memory.
bool has_neighbours_along(const Index& address, const std::vector<int>& axes) {
  bool found = false;
  for (const Index::Term& term : address.terms()) {
    found = found ||
            (term.coefficient == 1 && term.atoms.size() == 1 &&
             term.atoms[0].kind() == IndexKind::axis && contains(axes, term.atoms[0].axis_id()));
  }
  return found;
}

// Whether sums are of products, which are better off in tiles.
bool makes_products(const Kernel& kernel) {
  return std::any_of(kernel.lets.begin(), kernel.lets.end(), [](const Let& let) {
    return let.op == Combiner::sum && let.body[0].kind() == ExprKind::binary &&
           let.body[0]->binary() == Binary::mul;
  });
}

// Whether all constants in it are read along the axes.
bool reads_along(const Expr& expr, const std::vector<int>& axes, const std::vector<Value>& values) {
  bool along = true;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    if (value.kind != ValueKind::constant) return;
    along = along && has_neighbours_along(linearize(node.at, value.shape), axes);
  });
  return along;
}

// Whether the constants of every sum of products are read along its depth.
bool products_run_along_depth(const Kernel& kernel, const std::vector<Value>& values) {
  return std::all_of(kernel.lets.begin(), kernel.lets.end(), [&](const Let& let) {
    return let.op != Combiner::sum || !is_binary(let.body[0], Binary::mul) ||
           reads_along(let.body[0], let.reduced, values);
  });
}

// What the last sum makes of the row, such as an activation, is a let as well: computed once, not
// for every result.
Kernel with_factor_once(Kernel kernel, size_t factor) {
  Let& sum = kernel.lets.back();
  const Expr value = sum.body[0]->operands[factor];
  std::vector<int> axes = axes_of(value);
  if (value.kind() == ExprKind::let || value.kind() == ExprKind::load ||
      !std::all_of(axes.begin(), axes.end(), [&](int axis) { return contains(sum.reduced, axis); }))
    return kernel;
  Let once;
  once.op = Combiner::none;
  once.over = axes;
  once.accumulator = {value.type()};
  once.body = {value};
  const int place = static_cast<int>(kernel.lets.size()) - 1;
  std::vector<Index> at;
  for (const int axis : axes)
    at.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  std::vector<Expr> operands = {sum.body[0]->operands[0], sum.body[0]->operands[1]};
  operands[factor] = Expr::let(place, value.type(), std::move(at));
  sum.body[0] = Expr::binary(Binary::mul, operands[0], operands[1]);
  kernel.lets.insert(kernel.lets.end() - 1, std::move(once));
  for (Write& write : kernel.writes) {
    const auto moved = [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::let || expr->id != place) return expr;
      return Expr::let(place + 1, expr.type(), expr->at, expr->component);
    };
    write.value = rewrite(write.value, moved, [](const Index& leaf) { return leaf; });
  }
  return kernel;
}

}  // namespace

std::optional<Kernel> fused_chain(const Kernel& producer, const Kernel& product,
                                  const std::vector<Value>& values, int64_t most_operations,
                                  int64_t multiply_adds_per_byte) {
  if (producer.lets.empty() || product.lets.size() != 1 || !is_plain(producer) ||
      !is_plain(product))
    return std::nullopt;
  const std::optional<int64_t> before = operations_of(producer, most_operations),
                               after = operations_of(product, kMostChainOperations);
  if (!before || !after) return std::nullopt;
  const bool small = *before + *after <= most_operations;
  const ValueId result = producer.writes[0].to;
  const auto loads = [&](const Expr& expr) {
    bool found = false;
    visit(expr, [&](const ExprNode& node) {
      found = found || (node.kind == ExprKind::load && node.id == result);
    });
    return found;
  };
  const std::optional<Fusible> fusible = find_fusible(producer, product);
  if (!fusible || loads(fusible->reader.writes[0].value)) return std::nullopt;
  const Let& sum = fusible->reader.lets[0];
  const Expr& body = sum.body[0];
  if (sum.op != Combiner::sum || body.kind() != ExprKind::binary || body->binary() != Binary::mul)
    return std::nullopt;
  const size_t factor = loads(body->operands[0]) ? 0 : 1;
  bool constant = true;
  int64_t bytes = 0;
  visit(body->operands[1 - factor], [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    constant = constant && value.kind == ValueKind::constant;
    bytes += static_cast<int64_t>(value.constant.bytes);
  });
  const bool along_depth = reads_along(body->operands[1 - factor], sum.reduced, values);
  // A row without others to share a panel with reads its constants where they lie.
  const bool tiny = *before + *after <= kTiny;
  if (!tiny && !(along_depth && products_run_along_depth(producer, values))) return std::nullopt;
  const bool waits = along_depth && !makes_products(producer) &&
                     *after <= saturating_mul(bytes, multiply_adds_per_byte);
  if (!small && !waits) return std::nullopt;
  if (!constant || !loads(body->operands[factor])) return std::nullopt;
  // The whole result is the depth of the product: there is one row.
  for (const int axis : fusible->axis) {
    if (axis >= 0 && !contains(sum.reduced, axis)) return std::nullopt;
  }
  return with_factor_once(fused(*fusible, -1), factor);
}

}  // namespace burin
