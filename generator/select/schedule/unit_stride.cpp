#include "select/schedule/unit_stride.h"

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
void collect_strides(const Expr& expr, int axis, const std::vector<Value>& values,
                     std::vector<Index>& strides) {
  visit_distinct(expr, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    for (const Index::Term& term : address(value.layout, value.shape, node.at).terms()) {
      if (term.coefficient != 1 || term.atoms.size() != 2) continue;
      for (const size_t k : {0, 1}) {
        const Index &moving = term.atoms[k], &step = term.atoms[1 - k];
        if (moving.kind() != IndexKind::axis || moving.axis_id() != axis || !is_step(step))
          continue;
        if (std::find(strides.begin(), strides.end(), step) == strides.end())
          strides.push_back(step);
      }
    }
  });
}

// The sum without these factors.
Index with_unit_strides(const Index& index, const std::vector<Index>& strides) {
  Index out = index.constant_term();
  for (const Index::Term& term : index.terms()) {
    Index product = term.coefficient;
    for (const Index& atom : term.atoms) {
      if (std::find(strides.begin(), strides.end(), atom) == strides.end()) product *= atom;
    }
    out += product;
  }
  return out;
}

Expr with_unit_strides(const Expr& expr, const std::vector<Index>& strides) {
  const auto on_load = [&](const Expr& one) {
    if (one.kind() != ExprKind::load) return one;
    std::vector<Index> at;
    for (const Index& index : one->at) at.push_back(with_unit_strides(index, strides));
    return one.type() == Type::f16 ? Expr::fp16_load(one->id, std::move(at))
                                   : Expr::load(one->id, one->storage, std::move(at));
  };
  return rewrite(expr, on_load, [](const Index& leaf) { return leaf; });
}

void add_strides(LoopNodes& nodes, const std::vector<Value>& values, bool& added) {
  for (LoopNode& node : nodes) {
    auto* loop = std::get_if<ForLoop>(&node.node);
    if (loop == nullptr) continue;
    add_strides(loop->nodes, values, added);
    const bool innermost =
        std::all_of(loop->nodes.begin(), loop->nodes.end(), [](const LoopNode& one) {
          return std::holds_alternative<Store>(one.node) ||
                 std::holds_alternative<Accumulate>(one.node);
        });
    if (!innermost) continue;
    std::vector<Index> strides;
    for (const LoopNode& one : loop->nodes) {
      if (const auto* store = std::get_if<Store>(&one.node))
        collect_strides(store->value, loop->axis, values, strides);
      if (const auto* accumulate = std::get_if<Accumulate>(&one.node)) {
        for (const Expr& body : accumulate->body)
          collect_strides(body, loop->axis, values, strides);
      }
    }
    if (strides.empty()) continue;
    std::sort(strides.begin(), strides.end());
    LoopNodes unit = loop->nodes;
    for (LoopNode& one : unit) {
      if (auto* store = std::get_if<Store>(&one.node))
        store->value = with_unit_strides(store->value, strides);
      if (auto* accumulate = std::get_if<Accumulate>(&one.node)) {
        for (Expr& body : accumulate->body) body = with_unit_strides(body, strides);
      }
    }
    loop->strides = std::move(strides);
    loop->unit_stride = std::move(unit);
    added = true;
  }
}

}  // namespace

void version_on_unit_stride(LoopPlan& schedule, const std::vector<Value>& values) {
  bool added = false;
  add_strides(schedule.loops, values, added);
  if (added) schedule.reason += "; a version for operands that are not broadcast along rows";
}

}  // namespace burin
