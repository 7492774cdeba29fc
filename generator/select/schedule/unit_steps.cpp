#include "select/schedule/unit_steps.h"

#include <algorithm>

#include "kernel/layout.h"

namespace burin {
namespace {

// What may be 0 or 1 and is settled before the loops.
bool is_step(const Index& atom) {
  return atom.kind() == IndexKind::min && !atom.has_axes() && !atom.has_data() &&
         atom.range().hi == 1;
}

// Steps along the axis by which a load goes from an element of memory to its neighbour or stays.
void collect_steps(const Expr& expr, int axis, const std::vector<Value>& values,
                   std::vector<Index>& steps) {
  visit(expr, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    for (const Index::Term& term : address(value.layout, value.shape, node.at).terms()) {
      if (term.coefficient != 1 || term.atoms.size() != 2) continue;
      for (const size_t k : {0, 1}) {
        const Index &moving = term.atoms[k], &step = term.atoms[1 - k];
        if (moving.kind() != IndexKind::axis || moving.axis_id() != axis || !is_step(step))
          continue;
        if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
      }
    }
  });
}

// The sum without these factors.
Index with_unit_steps(const Index& index, const std::vector<Index>& steps) {
  Index out = index.constant_term();
  for (const Index::Term& term : index.terms()) {
    Index product = term.coefficient;
    for (const Index& atom : term.atoms) {
      if (std::find(steps.begin(), steps.end(), atom) == steps.end()) product *= atom;
    }
    out += product;
  }
  return out;
}

Expr with_unit_steps(const Expr& expr, const std::vector<Index>& steps) {
  const auto on_load = [&](const Expr& one) {
    if (one.kind() != ExprKind::load) return one;
    std::vector<Index> at;
    for (const Index& index : one->at) at.push_back(with_unit_steps(index, steps));
    return one.type() == Type::f16 ? Expr::half_load(one->id, std::move(at))
                                   : Expr::load(one->id, one->storage, std::move(at));
  };
  return rewrite(expr, on_load, [](const Index& leaf) { return leaf; });
}

void add_steps(LoopNodes& nodes, const std::vector<Value>& values, bool& added) {
  for (LoopNode& node : nodes) {
    auto* loop = std::get_if<ForLoop>(&node.node);
    if (loop == nullptr) continue;
    add_steps(loop->nodes, values, added);
    const bool innermost =
        std::all_of(loop->nodes.begin(), loop->nodes.end(), [](const LoopNode& one) {
          return std::holds_alternative<Store>(one.node) ||
                 std::holds_alternative<Accumulate>(one.node);
        });
    if (!innermost) continue;
    std::vector<Index> steps;
    for (const LoopNode& one : loop->nodes) {
      if (const auto* store = std::get_if<Store>(&one.node))
        collect_steps(store->value, loop->axis, values, steps);
      if (const auto* accumulate = std::get_if<Accumulate>(&one.node)) {
        for (const Expr& body : accumulate->body) collect_steps(body, loop->axis, values, steps);
      }
    }
    if (steps.empty()) continue;
    std::sort(steps.begin(), steps.end());
    LoopNodes unit = loop->nodes;
    for (LoopNode& one : unit) {
      if (auto* store = std::get_if<Store>(&one.node))
        store->value = with_unit_steps(store->value, steps);
      if (auto* accumulate = std::get_if<Accumulate>(&one.node)) {
        for (Expr& body : accumulate->body) body = with_unit_steps(body, steps);
      }
    }
    loop->steps = std::move(steps);
    loop->unit = std::move(unit);
    added = true;
  }
}

}  // namespace

void add_unit_steps(KernelSchedule& schedule, const std::vector<Value>& values) {
  bool added = false;
  add_steps(schedule.loops, values, added);
  if (added) schedule.reason += "; a version for operands that are not broadcast along rows";
}

}  // namespace burin
