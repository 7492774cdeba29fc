#include "loops/run/inward.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "loops/footprint.h"
#include "loops/walk.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::loops {
namespace {

class Inward {
 public:
  Inward(Program& program, const For& loop, const std::function<bool(const Stmt&)>& enters)
      : program_(program), loop_(loop), enters_(enters), moving_{loop.var} {}

  Stmts run() {
    BURIN_CHECK(loop_.begin.is_constant(0) && loop_.step == 1, "a loop that begins elsewhere");
    find_shared();
    for (const BufferId one : shared_) expand(one);
    return block(loop_.body);
  }

 private:
  // --- What several of the new loops touch ---
  void find_shared() {
    note(loop_.body);
    const auto crosses = [&](BufferId one) { return touched_by_[one].size() > 1; };
    for (const BufferId one : allocated_) {
      if (crosses(one)) shared_.insert(one);
    }
    // The results of one store go together.
    for_each(loop_.body, [&](const Stmt& stmt) {
      const auto* store = std::get_if<Store>(&stmt.node);
      if (store == nullptr) return;
      const bool any = std::any_of(store->to.begin(), store->to.end(),
                                   [&](BufferId one) { return shared_.contains(one); });
      if (any) shared_.insert(store->to.begin(), store->to.end());
    });
  }
  void note(const Stmts& stmts) {
    for (const Stmt& stmt : stmts) {
      if (std::holds_alternative<Barrier>(stmt.node)) {
        ++number_;
      } else if (enters_(stmt)) {
        ++number_;
        for_each_block(stmt, [&](const Stmts& inside) { note(inside); });
        ++number_;
      } else {
        if (const auto* alloc = std::get_if<Alloc>(&stmt.node)) allocated_.insert(alloc->buffer);
        for (const BufferId one : reads_of({stmt})) touched_by_[one].insert(number_);
        for (const BufferId one : writes_of({stmt})) touched_by_[one].insert(number_);
      }
    }
    ++number_;
  }
  static void for_each_block(const Stmt& stmt, const std::function<void(const Stmts&)>& visit) {
    if (const auto* loop = std::get_if<For>(&stmt.node)) visit(loop->body);
    if (const auto* branch = std::get_if<If>(&stmt.node)) {
      visit(branch->then);
      visit(branch->otherwise);
    }
  }
  void expand(BufferId id) {
    Buffer& one = program_.buffers[burin::at(id)];
    one.scope = Scope::stack;
    one.shape.insert(one.shape.begin(), loop_.end);
  }

  // --- The new statements ---
  bool moves(const Index& index) const {
    std::vector<int> axes;
    index.collect_axes(axes);
    return index.has_data() ||
           std::any_of(axes.begin(), axes.end(), [&](int axis) { return moving_.contains(axis); });
  }

  Stmts block(const Stmts& stmts) {
    const size_t lets = lets_.size();
    Stmts out, together, before;  // Lets that stand in front of the present loop
    const auto take = [&](const Stmt& stmt) {
      if (together.empty()) before = lets_;
      together.push_back(stmt);
    };
    const auto flush = [&] {
      if (together.empty()) return;
      Stmts body = std::exchange(before, {});
      append(body, std::exchange(together, {}));
      For loop = loop_;
      loop.body = with_own(body);
      out.push_back({std::move(loop)});
    };
    for (const Stmt& stmt : stmts) {
      const auto* let = std::get_if<Let>(&stmt.node);
      const auto* alloc = std::get_if<Alloc>(&stmt.node);
      if (std::holds_alternative<Barrier>(stmt.node)) {
        flush();
      } else if (enters_(stmt)) {
        flush();
        out.push_back(entered(stmt));
      } else if (let != nullptr && !moves(let->value)) {
        out.push_back(stmt);
      } else if (let != nullptr) {
        // Of this loop and of those behind it.
        take(stmt);
        moving_.insert(let->var);
        lets_.push_back(stmt);
      } else if (alloc != nullptr && shared_.contains(alloc->buffer)) {
        out.push_back(stmt);
      } else {
        take(stmt);
      }
    }
    flush();
    lets_.resize(lets);
    return out;
  }

  Stmt entered(Stmt stmt) {
    if (auto* loop = std::get_if<For>(&stmt.node)) {
      BURIN_CHECK(!moves(loop->begin) && !moves(loop->end), "a loop that moves with the point");
      loop->inductions.clear();
      loop->body = block(loop->body);
    } else {
      auto& branch = std::get<If>(stmt.node);
      branch.then = block(branch.then);
      branch.otherwise = block(branch.otherwise);
    }
    return stmt;
  }

  // The elements of this point.
  Stmts with_own(const Stmts& stmts) const {
    const auto own = [&](const std::vector<Index>& at) {
      std::vector<Index> out{program_.var(loop_.var)};
      out.insert(out.end(), at.begin(), at.end());
      return out;
    };
    const auto on_leaf = [](const Index& leaf) { return leaf; };
    const auto on_node = [&](const Expr& node) {
      if (node.kind() != ExprKind::load || !shared_.contains(node->id)) return node;
      return node.type() == Type::f16 ? Expr::fp16_load(node->id, own(node->at))
                                      : Expr::load(node->id, node->storage, own(node->at));
    };
    return rewrite(stmts, [&](Stmt stmt) {
      stmt = map(
          std::move(stmt),
          [&](const Index& index) { return burin::rewrite(index, on_node, on_leaf); },
          [&](const Expr& expr) { return burin::rewrite(expr, on_node, on_leaf); });
      auto* store = std::get_if<Store>(&stmt.node);
      if (store != nullptr && shared_.contains(store->to[0])) store->at = own(store->at);
      if (auto* call = std::get_if<Call>(&stmt.node)) {
        for (Region& region : call->operands) {
          if (!shared_.contains(region.buffer)) continue;
          region.first = own(region.first);
          region.extent.insert(region.extent.begin(), 1);
        }
      }
      return Stmts{std::move(stmt)};
    });
  }

  Program& program_;
  const For& loop_;
  const std::function<bool(const Stmt&)>& enters_;
  std::map<BufferId, std::set<int>> touched_by_;  // numbers of the new loops
  std::set<BufferId> allocated_;                  // in front of several of them, maybe
  std::set<BufferId> shared_;
  std::set<int> moving_;  // variables that move with the point
  Stmts lets_;            // that the present place knows, and that move so
  int number_ = 0;
};

}  // namespace

Stmts inward(Program& program, const For& loop, const std::function<bool(const Stmt&)>& enters) {
  return Inward(program, loop, enters).run();
}

}  // namespace burin::loops
