// Removal of steps whose results nobody uses, and of lets that no write needs, to the fixpoint.
#include <algorithm>
#include <set>

#include "fuse/constants/constant_rewrites.h"

namespace burin {
namespace {

struct Needs {
  std::set<ValueId> values;
  std::set<std::string> symbols;
};

void need_expr(const Expr& expr, Needs& needs) {
  visit_distinct(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) needs.values.insert(node.id);
  });
}

void add_symbols(const std::vector<Symbol>& symbols, Needs& needs) {
  for (const Symbol& symbol : symbols) needs.symbols.insert(symbol->name);
}

// A let that only itself or dead lets refer to goes; the others are numbered anew.
Kernel without_dead_lets(Kernel kernel) {
  std::vector<char> used(kernel.lets.size(), 0);
  const auto use = [&](const ExprNode& node) {
    if (node.kind == ExprKind::let) used[static_cast<size_t>(node.id)] = 1;
  };
  for (const Write& write : kernel.writes) {
    visit_distinct(write.value, use);
    for (const Index& at : write.at) visit_distinct(at, use);
    for (const Condition& condition : write.when) {
      for (const Index* part : {&condition.index, &condition.lo, &condition.hi})
        visit_distinct(*part, use);
    }
  }
  // Recurrent state refers to later lets, so one pass from the end is not enough.
  for (bool grows = true; grows;) {
    const std::vector<char> before = used;
    for (size_t k = kernel.lets.size(); k-- > 0;) {
      if (!used[k]) continue;
      for (const Expr& body : kernel.lets[k].body) visit_distinct(body, use);
    }
    grows = used != before;
  }
  if (std::find(used.begin(), used.end(), 0) == used.end()) return kernel;
  std::vector<int> number(used.size(), -1);
  std::vector<Let> kept;
  for (size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) continue;
    number[k] = static_cast<int>(kept.size());
    kept.push_back(std::move(kernel.lets[k]));
  }
  const auto on_expr = [&](const Expr& expr) {
    if (expr.kind() != ExprKind::let) return expr;
    return Expr::let(number[static_cast<size_t>(expr->id)], expr.type(), expr->at, expr->component);
  };
  const auto on_leaf = [](const Index& leaf) { return leaf; };
  for (Let& let : kept) {
    for (Expr& body : let.body) body = rewrite(body, on_expr, on_leaf);
  }
  for (Write& write : kernel.writes) {
    write.value = rewrite(write.value, on_expr, on_leaf);
    for (Index& at : write.at) at = rewrite(at, on_expr, on_leaf);
    for (Condition& condition : write.when) {
      for (Index* part : {&condition.index, &condition.lo, &condition.hi})
        *part = rewrite(*part, on_expr, on_leaf);
    }
  }
  kernel.lets = std::move(kept);
  return kernel;
}

// Keeps what is needed, from the end to the beginning; a loop's body is scanned until nothing new
// is needed, because its steps feed those before them in the next iteration.
Steps keep(const Steps& steps, const std::vector<Value>& values, Needs& needs) {
  Steps kept;
  for (size_t i = steps.size(); i-- > 0;) {
    const Step& given = steps[i];
    Step step = given;
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      auto copy = std::make_shared<If>(**branch);
      Needs other = needs;
      copy->then_steps = keep((*branch)->then_steps, values, needs);
      copy->else_steps = keep((*branch)->else_steps, values, other);
      needs.values.merge(other.values);
      needs.symbols.merge(other.symbols);
      if (copy->then_steps.empty() && copy->else_steps.empty()) continue;
      need_expr(copy->condition, needs);
      kept.push_back(copy);
      continue;
    }
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      const bool count_needed =
          (*loop)->executed && needs.symbols.contains((*loop)->executed->name);
      Needs inside = needs;
      auto copy = std::make_shared<Loop>(**loop);
      if (count_needed) need_expr(copy->condition, inside);
      for (size_t before = 0;;) {
        copy->body = keep((*loop)->body, values, inside);
        if (!copy->body.empty()) need_expr(copy->condition, inside);
        const size_t now = inside.values.size() + inside.symbols.size();
        if (now == before) break;
        before = now;
      }
      if (copy->body.empty() && !count_needed) continue;
      needs = std::move(inside);
      std::vector<Symbol> symbols;
      copy->trips.collect_symbols(symbols);
      add_symbols(symbols, needs);
      kept.push_back(copy);
      continue;
    }
    bool wanted = std::holds_alternative<Check>(step);
    // A symbol of one value is read nowhere; that it has this value is the run's to check.
    if (const Bind* bind = std::get_if<Bind>(&step)) {
      wanted = needs.symbols.contains(bind->symbol->name) || bind->symbol->min == bind->symbol->max;
    }
    if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      // One that finds and writes nothing may end the run.
      wanted =
          (procedure->results.empty() && procedure->writes.empty()) ||
          std::any_of(procedure->results.begin(), procedure->results.end(),
                      [&](const Symbol& symbol) { return needs.symbols.contains(symbol->name); });
    }
    for (const ValueId id : writes_of(step)) wanted = wanted || needs.values.contains(id);
    if (!wanted) continue;
    if (const Kernel* kernel = std::get_if<Kernel>(&given)) step = without_dead_lets(*kernel);
    for (const ValueId id : reads_of(step)) needs.values.insert(id);
    add_symbols(symbols_of(step), needs);
    // The shapes of what it touches are sizes that it needs.
    std::vector<Symbol> shapes;
    for (const ValueId id : writes_of(step)) {
      for (const Dim& dim : values[static_cast<size_t>(id)].shape) dim.collect_symbols(shapes);
    }
    for (const ValueId id : reads_of(step)) {
      for (const Dim& dim : values[static_cast<size_t>(id)].shape) dim.collect_symbols(shapes);
    }
    add_symbols(shapes, needs);
    kept.push_back(step);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace

KernelGraph remove_dead(KernelGraph graph) {
  Needs needs;
  needs.values.insert(graph.outputs.begin(), graph.outputs.end());
  std::vector<Symbol> symbols;
  for (const ValueId id : graph.outputs) {
    for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape) dim.collect_symbols(symbols);
  }
  add_symbols(symbols, needs);
  graph.steps = keep(graph.steps, graph.values, needs);
  return graph;
}

}  // namespace burin
