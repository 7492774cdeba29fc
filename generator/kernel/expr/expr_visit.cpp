// Traversal of expressions, as the trees that they mean and as the nodes that there are.
//
// Expressions share their parts: a chain of n links that each read the one before twice has n nodes
// and 2^n places. visit() meets places, the others nodes; these look only those up that somebody
// else holds, too, so that an expression without sharing costs what its tree does.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "kernel/expr/expr.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"

namespace burin {

void visit(const Index& index, const std::function<void(const ExprNode&)>& on_node) {
  std::vector<ExprPtr> inner;
  index.collect_data(inner);
  for (const ExprPtr& expr : inner) visit(Expr(expr), on_node);
}

namespace {

template <class OnIndex>
void each_index(const ExprNode& node, const OnIndex& on_index) {
  if (node.kind == ExprKind::index) on_index(node.index);
  for (const Index& index : node.at) on_index(index);
  for (const Expr::Case& one : node.cases) {
    for (const Condition& condition : one.guard) {
      on_index(condition.index);
      on_index(condition.lo);
      on_index(condition.hi);
    }
  }
}

}  // namespace

void visit(const Expr& expr, const std::function<void(const ExprNode&)>& on_node) {
  const ExprNode& node = *expr;
  on_node(node);
  each_index(node, [&](const Index& index) { visit(index, on_node); });
  for (const Expr& operand : node.operands) visit(operand, on_node);
  for (const Expr::Case& one : node.cases) visit(one.value, on_node);
}

void visit_indices(const Expr& expr, const std::function<void(const Index&)>& on_index) {
  visit(expr, [&](const ExprNode& node) { each_index(node, on_index); });
}

namespace {

// Nodes that were met. Most expressions have few of them.
class SeenNodes {
 public:
  // Whether it was not there yet.
  bool add(const ExprNode* node) {
    if (!many_.empty()) return many_.insert(node).second;
    const auto end = few_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(few_.begin(), end, node) != end) return false;
    if (count_ < few_.size()) {
      few_[count_++] = node;
    } else {
      many_.insert(few_.begin(), few_.end());
      many_.insert(node);
    }
    return true;
  }

 private:
  std::array<const ExprNode*, 16> few_;
  size_t count_ = 0;
  std::unordered_set<const ExprNode*> many_;  // looked up only
};

class DistinctNodes {
 public:
  explicit DistinctNodes(const std::function<void(const ExprNode&)>& on_node) : on_node_(on_node) {}

  void expr(const ExprPtr& expr) {
    if (expr.use_count() > 1 && !seen_.add(expr.get())) return;
    on_node_(*expr);
    each_index(*expr, [&](const Index& one) { index(one); });
    for (const Expr& operand : expr->operands) this->expr(operand.ptr());
    for (const Expr::Case& one : expr->cases) this->expr(one.value.ptr());
  }
  void index(const Index& index) {
    if (!index.has_data()) return;
    std::vector<ExprPtr> inner;
    index.collect_data(inner);
    for (const ExprPtr& one : inner) expr(one);
  }

 private:
  const std::function<void(const ExprNode&)>& on_node_;
  SeenNodes seen_;
};

class SumsOfNodes {
 public:
  explicit SumsOfNodes(const std::function<int64_t(const ExprNode&)>& of_node)
      : of_node_(of_node) {}

  int64_t expr(const ExprPtr& expr) {
    const bool shared = expr.use_count() > 1;
    if (shared) {
      if (const auto known = sums_.find(expr.get()); known != sums_.end()) return known->second;
    }
    int64_t sum = of_node_(*expr);
    each_index(*expr, [&](const Index& one) { sum = plus(sum, index(one)); });
    for (const Expr& operand : expr->operands) sum = plus(sum, this->expr(operand.ptr()));
    for (const Expr::Case& one : expr->cases) sum = plus(sum, this->expr(one.value.ptr()));
    if (shared) sums_.emplace(expr.get(), sum);
    return sum;
  }
  int64_t index(const Index& index) {
    if (!index.has_data()) return 0;
    std::vector<ExprPtr> inner;
    index.collect_data(inner);
    int64_t sum = 0;
    for (const ExprPtr& one : inner) sum = plus(sum, expr(one));
    return sum;
  }

 private:
  static int64_t plus(int64_t a, int64_t b) { return std::min(kMostSum, a + b); }

  const std::function<int64_t(const ExprNode&)>& of_node_;
  std::unordered_map<const ExprNode*, int64_t> sums_;  // looked up only
};

}  // namespace

void visit_distinct(const Expr& expr, const std::function<void(const ExprNode&)>& on_node) {
  DistinctNodes(on_node).expr(expr.ptr());
}

void visit_distinct(const Index& index, const std::function<void(const ExprNode&)>& on_node) {
  DistinctNodes(on_node).index(index);
}

void visit_distinct_indices(const Expr& expr, const std::function<void(const Index&)>& on_index) {
  visit_distinct(expr, [&](const ExprNode& node) { each_index(node, on_index); });
}

int64_t sum_over(const Expr& expr, const std::function<int64_t(const ExprNode&)>& of_node) {
  return SumsOfNodes(of_node).expr(expr.ptr());
}

int64_t sum_over(const Index& index, const std::function<int64_t(const ExprNode&)>& of_node) {
  return SumsOfNodes(of_node).index(index);
}

void collect_axes_in(const ExprPtr& expr, std::vector<int>& axes) {
  visit_distinct_indices(Expr(expr), [&](const Index& index) { index.collect_axes(axes); });
}

void collect_symbols_in(const ExprPtr& expr, std::vector<Symbol>& symbols) {
  visit_distinct_indices(Expr(expr), [&](const Index& index) { index.collect_symbols(symbols); });
}

int64_t count_operations(const Expr& expr) {
  return sum_over(expr, [](const ExprNode& node) -> int64_t {
    return node.kind == ExprKind::unary || node.kind == ExprKind::binary ||
           node.kind == ExprKind::select || node.kind == ExprKind::fused;
  });
}

std::vector<int> axes_of(const Expr& expr) {
  std::vector<int> axes;
  visit_distinct_indices(expr, [&](const Index& index) { index.collect_axes(axes); });
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

bool has_let(const Expr& expr) {
  bool found = false;
  visit_distinct(expr, [&](const ExprNode& node) { found = found || node.kind == ExprKind::let; });
  return found;
}

}  // namespace burin
