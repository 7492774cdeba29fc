#include "loops/walk.h"

#include <algorithm>
#include <set>

#include "isa/instruction.h"
#include "isa/matrix_rows.h"
#include "support/at.h"

namespace burin::loops {
namespace {

void for_each_condition(const Guard& guard, const std::function<void(const Index&)>& visit) {
  for (const Condition& condition : guard) {
    visit(condition.index);
    visit(condition.lo);
    visit(condition.hi);
  }
}

std::vector<BufferId> sorted(const std::set<BufferId>& ids) { return {ids.begin(), ids.end()}; }

}  // namespace

void for_each(const Stmts& stmts, const std::function<void(const Stmt&)>& visit) {
  for (const Stmt& stmt : stmts) {
    visit(stmt);
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      for_each(loop->body, visit);
    } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
      for_each(branch->then, visit);
      for_each(branch->otherwise, visit);
    }
  }
}

bool has_loops(const Stmts& stmts) {
  bool found = false;
  for_each(stmts,
           [&](const Stmt& stmt) { found = found || std::holds_alternative<For>(stmt.node); });
  return found;
}

void append(Stmts& to, Stmts stmts) {
  to.insert(to.end(), std::make_move_iterator(stmts.begin()), std::make_move_iterator(stmts.end()));
}

Stmts rewrite(const Stmts& stmts, const std::function<Stmts(Stmt)>& on_stmt) {
  Stmts out;
  for (Stmt stmt : stmts) {
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      loop->body = rewrite(loop->body, on_stmt);
    } else if (auto* branch = std::get_if<If>(&stmt.node)) {
      branch->then = rewrite(branch->then, on_stmt);
      branch->otherwise = rewrite(branch->otherwise, on_stmt);
    }
    append(out, on_stmt(std::move(stmt)));
  }
  return out;
}

void for_each_index(const Stmt& stmt, const std::function<void(const Index&)>& visit) {
  if (const auto* loop = std::get_if<For>(&stmt.node)) {
    visit(loop->begin);
    visit(loop->end);
    for (const InductionVariable& induction : loop->inductions) {
      visit(induction.dividend);
      visit(induction.divisor);
      visit(induction.step);
    }
  } else if (const auto* branch = std::get_if<If>(&stmt.node)) {
    for_each_condition(branch->when, visit);
  } else if (const auto* let = std::get_if<Let>(&stmt.node)) {
    visit(let->value);
  } else if (const auto* name = std::get_if<Name>(&stmt.node)) {
    visit(name->value);
  } else if (const auto* store = std::get_if<Store>(&stmt.node)) {
    for (const Index& index : store->at) visit(index);
  } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
    for (const Region& region : call->operands) {
      for (const Index& index : region.first) visit(index);
      for (const Dim& extent : region.extent) visit(extent);
    }
    for (const Dim& size : call->sizes) visit(size);
  }
}

void for_each_expr(const Stmt& stmt, const std::function<void(const Expr&)>& visit) {
  if (const auto* store = std::get_if<Store>(&stmt.node)) {
    for (const Expr& value : store->value) visit(value);
  }
}

Stmt map(Stmt stmt, const std::function<Index(const Index&)>& on_index,
         const std::function<Expr(const Expr&)>& on_expr) {
  const auto all = [&](std::vector<Index>& indices) {
    for (Index& index : indices) index = on_index(index);
  };
  if (auto* loop = std::get_if<For>(&stmt.node)) {
    loop->begin = on_index(loop->begin);
    loop->end = on_index(loop->end);
    for (InductionVariable& induction : loop->inductions) {
      induction.dividend = on_index(induction.dividend);
      induction.divisor = on_index(induction.divisor);
      induction.step = on_index(induction.step);
    }
  } else if (auto* branch = std::get_if<If>(&stmt.node)) {
    for (Condition& condition : branch->when) {
      condition = {on_index(condition.index), on_index(condition.lo), on_index(condition.hi)};
    }
  } else if (auto* let = std::get_if<Let>(&stmt.node)) {
    let->value = on_index(let->value);
  } else if (auto* name = std::get_if<Name>(&stmt.node)) {
    name->value = on_index(name->value);
  } else if (auto* store = std::get_if<Store>(&stmt.node)) {
    all(store->at);
    for (Expr& value : store->value) value = on_expr(value);
  } else if (auto* call = std::get_if<Call>(&stmt.node)) {
    for (Region& region : call->operands) {
      all(region.first);
      all(region.extent);
    }
    all(call->sizes);
  }
  return stmt;
}

Index with_var(const Index& index, int var, const Index& value) {
  return index.map_leaves([&](const Index& leaf) {
    return leaf.kind() == IndexKind::axis && leaf.axis_id() == var ? value : leaf;
  });
}

Stmts substitute(const Stmts& stmts, int var, const Index& value) {
  const auto leaf = [&](const Index& one) {
    return one.kind() == IndexKind::axis && one.axis_id() == var ? value : one;
  };
  const auto keep = [](const Expr& one) { return one; };
  const auto on_index = [&](const Index& index) { return burin::rewrite(index, keep, leaf); };
  const auto on_expr = [&](const Expr& expr) {
    return burin::rewrite(expr, keep, [&](const Index& index) { return on_index(index); });
  };
  return rewrite(stmts, [&](Stmt stmt) { return Stmts{map(std::move(stmt), on_index, on_expr)}; });
}

std::set<BufferId> allocated_in(const Stmts& stmts) {
  std::set<BufferId> out;
  for_each(stmts, [&](const Stmt& stmt) {
    if (const auto* alloc = std::get_if<Alloc>(&stmt.node)) out.insert(alloc->buffer);
  });
  return out;
}

std::vector<BufferId> reads_of(const Stmts& stmts) {
  std::set<BufferId> found;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) found.insert(node.id);
  };
  for_each(stmts, [&](const Stmt& stmt) {
    for_each_index(stmt, [&](const Index& index) { visit(index, on_node); });
    for_each_expr(stmt, [&](const Expr& expr) { visit(expr, on_node); });
    if (const auto* store = std::get_if<Store>(&stmt.node)) {
      if (store->combine != Combiner::none) found.insert(store->to.begin(), store->to.end());
    } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
      for (size_t k = 0; k < call->operands.size(); ++k) {
        if (call->op->operands[k].access != isa::Access::write)
          found.insert(call->operands[k].buffer);
      }
    }
  });
  return sorted(found);
}

std::vector<BufferId> writes_of(const Stmts& stmts) {
  std::set<BufferId> found;
  for_each(stmts, [&](const Stmt& stmt) {
    if (const auto* store = std::get_if<Store>(&stmt.node)) {
      found.insert(store->to.begin(), store->to.end());
    } else if (const auto* call = std::get_if<Call>(&stmt.node)) {
      for (size_t k = 0; k < call->operands.size(); ++k) {
        if (call->op->operands[k].access != isa::Access::read)
          found.insert(call->operands[k].buffer);
      }
    }
  });
  return sorted(found);
}

std::set<BufferId> matrices_in(const Stmts& stmts) {
  std::set<BufferId> out;
  for_each(stmts, [&](const Stmt& stmt) {
    const auto* call = std::get_if<Call>(&stmt.node);
    if (call == nullptr) return;
    for (size_t k = 0; k < call->operands.size(); ++k) {
      if (isa::holds_matrix(*call->op, k)) out.insert(call->operands[k].buffer);
    }
  });
  return out;
}

bool runs_on(const Program& program, const Call& call, size_t operand) {
  const Region& region = call.operands[operand];
  const std::vector<Dim>& shape = program.buffers[burin::at(region.buffer)].shape;
  return call.op->operands[operand].runs_on && shape.size() > 1 &&
         !proven_le(region.first.back() + region.extent.back(), shape.back());
}

std::set<BufferId> touched_by(const Stmts& stmts) {
  const std::vector<BufferId> read = reads_of(stmts), written = writes_of(stmts);
  std::set<BufferId> out(read.begin(), read.end());
  out.insert(written.begin(), written.end());
  return out;
}

}  // namespace burin::loops
