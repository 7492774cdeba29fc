#include "fuse/algebra/exact_uses.h"

#include <algorithm>

#include "kernel/combiner.h"

namespace burin {
namespace {

bool is_stepped(Unary op) {
  return op == Unary::sign || op == Unary::floor || op == Unary::ceil || op == Unary::trunc ||
         op == Unary::round || op == Unary::is_nan || op == Unary::is_inf;
}

// Of a float sum or product terms may be combined in any order.
bool is_free_order(const Let& let, size_t component) {
  return (let.op == Combiner::sum || let.op == Combiner::product) &&
         is_float(let.accumulator[component]);
}

class ExactUseFinder {
 public:
  explicit ExactUseFinder(const KernelGraph& graph) : graph_(graph) {}

  std::set<ValueId> run() {
    size_t before = 0;
    do {
      before = values_.size();
      steps(graph_.steps);
    } while (values_.size() != before);
    return std::move(values_);
  }

 private:
  void steps(const Steps& all) {
    for (auto step = all.rbegin(); step != all.rend(); ++step)
      std::visit([&](const auto& one) { visit_step(one); }, *step);
  }

  void visit_step(const Kernel& kernel) {
    const ExactUses uses = exact_uses(kernel, values_);
    for (size_t k = 0; k < kernel.lets.size(); ++k) {
      const Let& let = kernel.lets[k];
      for (size_t c = 0; c < let.body.size(); ++c)
        loads(let.body[c],
              (uses.lets[k] && !is_free_order(let, c)) || (is_keyed(let.op) && c == 0));
    }
    for (size_t w = 0; w < kernel.writes.size(); ++w) {
      loads(kernel.writes[w].value, uses.writes[w]);
      for (const Index& index : kernel.writes[w].at) inside(index);
      for (const Condition& condition : kernel.writes[w].when) {
        for (const Index* one : {&condition.index, &condition.lo, &condition.hi}) inside(*one);
      }
    }
  }
  void visit_step(const Procedure& procedure) {
    values_.insert(procedure.reads.begin(), procedure.reads.end());
  }
  void visit_step(const Bind& bind) { loads(bind.value, true); }
  void visit_step(const Check& check) {
    for (const Condition& condition : check.guard) inside(condition.index);
  }
  void visit_step(const std::shared_ptr<If>& branch) {
    loads(branch->condition, true);
    steps(branch->then_steps);
    steps(branch->else_steps);
  }
  void visit_step(const std::shared_ptr<Loop>& loop) {
    loads(loop->condition, true);
    steps(loop->body);
  }

  void inside(const Index& index) {
    visit(index, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) values_.insert(node.id);
    });
  }

  void loads(const Expr& expr, bool exact) {
    visit_exactness(expr, exact, [&](const ExprNode& node, bool here) {
      if (here && node.kind == ExprKind::load) values_.insert(node.id);
    });
  }

  const KernelGraph& graph_;
  std::set<ValueId> values_;
};

}  // namespace

std::set<ValueId> exact_values(const KernelGraph& graph) { return ExactUseFinder(graph).run(); }

bool shows_roundings(const ExprNode& node, size_t operand) {
  switch (node.kind) {
    case ExprKind::unary:
      return is_stepped(node.unary());
    case ExprKind::binary:
      return is_comparison(node.binary()) || node.binary() == Binary::mod ||
             node.binary() == Binary::fmod || !is_float(node.type);
    case ExprKind::select:
      return operand == 0;
    case ExprKind::cast:
      return !is_float(node.storage) || size_bits(node.storage) < 16;
    default:
      return false;
  }
}

void visit_exactness(const Expr& expr, bool exact,
                     const std::function<void(const ExprNode&, bool exact)>& on_node) {
  const ExprNode& node = *expr;
  on_node(node, exact);
  const auto inside = [&](const Index& index) {
    std::vector<ExprPtr> data;
    index.collect_data(data);
    for (const ExprPtr& one : data) visit_exactness(Expr(one), true, on_node);
  };
  for (const Index& index : node.at) inside(index);
  if (node.kind == ExprKind::index) inside(node.index);
  for (size_t i = 0; i < node.operands.size(); ++i)
    visit_exactness(node.operands[i], exact || shows_roundings(node, i), on_node);
  for (const Expr::Case& one : node.cases) {
    for (const Condition& condition : one.guard) {
      for (const Index* index : {&condition.index, &condition.lo, &condition.hi}) inside(*index);
    }
    visit_exactness(one.value, exact, on_node);
  }
}

ExactUses exact_uses(const Kernel& kernel, const std::set<ValueId>& values) {
  ExactUses out;
  out.lets.assign(kernel.lets.size(), 0);
  for (const Write& write : kernel.writes)
    out.writes.push_back(values.contains(write.to) || !is_float(write.value.type()) ||
                         write.how != How::store);
  const auto mark = [&](const Expr& expr, bool exact) {
    visit_exactness(expr, exact, [&](const ExprNode& node, bool here) {
      if (here && node.kind == ExprKind::let) out.lets[static_cast<size_t>(node.id)] = 1;
    });
  };
  const auto mark_in = [&](const Index& index) {
    visit(index, [&](const ExprNode& node) {
      if (node.kind == ExprKind::let) out.lets[static_cast<size_t>(node.id)] = 1;
    });
  };
  for (size_t w = 0; w < kernel.writes.size(); ++w) {
    mark(kernel.writes[w].value, out.writes[w]);
    for (const Index& index : kernel.writes[w].at) mark_in(index);
    for (const Condition& condition : kernel.writes[w].when) mark_in(condition.index);
  }
  // Recurrent state refers to later lets, so one pass from the end is not enough.
  for (bool grows = true; grows;) {
    const std::vector<char> before = out.lets;
    for (size_t k = kernel.lets.size(); k-- > 0;) {
      const Let& let = kernel.lets[k];
      if (is_keyed(let.op)) out.lets[k] = 1;
      for (size_t c = 0; c < let.body.size(); ++c)
        mark(let.body[c], out.lets[k] && !is_free_order(let, c));
    }
    grows = out.lets != before;
  }
  return out;
}

}  // namespace burin
