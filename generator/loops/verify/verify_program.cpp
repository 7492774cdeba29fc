#include "loops/verify/verify_program.h"

#include <algorithm>
#include <set>
#include <utility>

#include "isa/instruction.h"
#include "kernel/combiner.h"
#include "kernel/index/sample_sizes.h"
#include "loops/run/expand_items.h"
#include "loops/verify/matrix_unit.h"
#include "loops/verify/races.h"
#include "loops/verify/registers_freed.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

class Verifier {
 public:
  Verifier(const Program& program, const MachineLimits& limits)
      : program_(program), limits_(limits) {}

  std::vector<std::string> run() {
    check_names();
    const std::set<BufferId> allocated = allocated_in(program_.body);
    for (size_t b = 0; b < program_.buffers.size(); ++b) {
      const Scope scope = program_.buffers[b].scope;
      const auto id = static_cast<BufferId>(b);
      const bool scratch = scope == Scope::scratch && !allocated.contains(id);
      if (scope == Scope::argument || scratch) appear(id);
      if (scope == Scope::argument) defined_.insert(id);
    }
    if (program_.told_apart) check_apart();
    block(program_.body);
    return std::move(faults_);
  }

 private:
  void fault(const std::string& text) { faults_.push_back(program_.name + ": " + text); }
  const Buffer& buffer(BufferId id) const { return program_.buffers[burin::at(id)]; }
  bool known(BufferId id) const { return id >= 0 && burin::at(id) < program_.buffers.size(); }

  void check_names() {
    std::set<std::string> names;
    for (const Buffer& one : program_.buffers) {
      if (!names.insert(one.name).second) fault("two buffers are called " + one.name);
      if ((one.scope == Scope::argument) != (one.value != kNoValue))
        fault(one.name + " is an argument or has a value, but not both");
      if (one.scope == Scope::local && !one.shape.empty()) fault(one.name + " is a local array");
    }
    for (const Var& var : program_.vars) names.insert(var.name);
    const auto add = [&](const std::string& name) {
      if (!names.insert(name).second) fault("two things are called " + name);
    };
    for_each(program_.body, [&](const Stmt& stmt) {
      if (const auto* name = std::get_if<Name>(&stmt.node)) add(name->name);
      const auto* loop = std::get_if<For>(&stmt.node);
      if (loop == nullptr) return;
      for (const InductionVariable& induction : loop->inductions) {
        add(induction.quotient);
        add(induction.remainder);
      }
    });
  }

  // Whether one ends where the other begins, or before: shown for all sizes, or else looked at
  // where sizes are least, as hinted and most.
  bool disjoint(const Buffer& a, const Buffer& b) const {
    const auto end = [](const Buffer& one) {
      return one.offset + physical_elements(one.layout, one.shape) * (size_bits(one.type) / 8);
    };
    if (proven_le(end(a), b.offset) || proven_le(end(b), a.offset)) return true;
    return std::all_of(std::begin(kSamples), std::end(kSamples), [&](Sample sample) {
      const auto at = [&](const Dim& size) { return at_sample_within(size, sample); };
      return at(end(a)) <= at(b.offset) || at(end(b)) <= at(a.offset);
    });
  }
  // With every size as a sample has it, but as near as the conditions around allow.
  int64_t at_sample_within(const Dim& size, Sample sample) const {
    return size.evaluate([&](const Index& leaf) -> int64_t {
      int64_t value = at_sample(leaf, sample);
      for (const Condition& one : within_) {
        if (!(one.index == leaf)) continue;
        if (one.hi.is_constant()) value = std::min(value, one.hi.constant() - 1);
        if (one.lo.is_constant()) value = std::max(value, one.lo.constant());
      }
      return value;
    });
  }
  // The buffer is there from here on; false: it was. What is there at the same time shares no bytes
  // of scratch; blocks that stand one behind the other may.
  bool appear(BufferId id) {
    if (there_.contains(id)) return false;
    for (const BufferId other : there_) {
      if (buffer(id).scope != Scope::scratch || buffer(other).scope != Scope::scratch) continue;
      check_disjoint(buffer(std::min(id, other)), buffer(std::max(id, other)));
    }
    there_.insert(id);
    return true;
  }
  void check_disjoint(const Buffer& a, const Buffer& b) {
    if (!disjoint(a, b)) fault(a.name + " and " + b.name + " may overlap");
  }
  // Nor any that are there at different times.
  void check_apart() {
    for (const Buffer& b : program_.buffers) {
      if (b.scope != Scope::scratch) continue;
      for (const Buffer& a : program_.buffers) {
        if (&a == &b) break;
        if (a.scope == Scope::scratch) check_disjoint(a, b);
      }
    }
  }

  // --- Statements; what is set, there and defined is undone at the end of a block. ---
  void block(const Stmts& stmts) {
    const std::set<int> set = set_;
    const std::set<BufferId> there = there_;
    const int64_t registers = registers_;
    const std::map<size_t, int64_t> freed = registers_freed(stmts, program_);
    for (size_t k = 0; k < stmts.size(); ++k) {
      const Stmt& stmt = stmts[k];
      if (const auto* loop = std::get_if<For>(&stmt.node)) {
        check(loop->begin);
        check(loop->end);
      } else {
        for_each_index(stmt, [&](const Index& one) { check(one); });
      }
      for_each_expr(stmt, [&](const Expr& one) { check(one); });
      std::visit([this](const auto& one) { statement(one); }, stmt.node);
      if (const auto last = freed.find(k); last != freed.end()) registers_ -= last->second;
    }
    set_ = set;
    there_ = there;
    registers_ = registers;
  }

  void statement(const For& loop) {
    if (!variable(loop.var)) return;
    if (set_.contains(loop.var)) fault("i" + std::to_string(loop.var) + " is set twice");
    if (loop.kind == Kind::outlined) {
      if (!(loop.end - loop.begin).is_constant(1))
        fault("i" + std::to_string(loop.var) + " is outlined and has not one point");
      check_outlined(loop);
    } else if (loop.kind == Kind::launch) {
      if (!(loop.end - loop.begin).is_constant(1))
        fault("i" + std::to_string(loop.var) + " is a launch and has not one point");
    } else if (loop.kind != Kind::serial && loop.kind != Kind::unrolled &&
               loop.kind != Kind::host) {
      for (const std::string& one : races_of(loop, program_)) fault(one);
    }
    for (const InductionVariable& induction : loop.inductions) {
      check(induction.divisor);
      check(induction.step);
    }
    if (loop.part_end >= 0) check_part(loop);
    set_.insert(loop.var);
    for (size_t k = 0; k < loop.inductions.size(); ++k) check(loop.inductions[k], k);
    block(loop.body);
    set_.erase(loop.var);
  }
  // A function of its own writes to memory: variables and registers of what is around it are not
  // its own, and one array of that may be passed to it.
  void check_outlined(const For& loop) {
    const std::set<BufferId> own = allocated_in(loop.body);
    std::set<BufferId> passed;
    std::vector<BufferId> touched = writes_of(loop.body);
    for (const BufferId one : reads_of(loop.body)) touched.push_back(one);
    for (const BufferId one : touched) {
      const Scope scope = buffer(one).scope;
      if (!own.contains(one) && (scope == Scope::local || scope == Scope::registers))
        fault(buffer(one).name + " is touched by i" + std::to_string(loop.var) +
              ", which is outlined");
      if (!own.contains(one) && scope == Scope::stack) passed.insert(one);
    }
    if (passed.size() > 1)
      fault("i" + std::to_string(loop.var) + " is outlined and touches " +
            std::to_string(passed.size()) + " arrays of the function");
  }
  // Where a part ends is the first that its body says.
  void check_part(const For& loop) {
    const bool given = std::any_of(loop.body.begin(), loop.body.end(), [&](const Stmt& stmt) {
      const auto* let = std::get_if<Let>(&stmt.node);
      return let != nullptr && let->var == loop.part_end;
    });
    if (loop.kind != Kind::thread || !given)
      fault("i" + std::to_string(loop.part_end) + " ends no part of a loop that threads share");
  }
  // What both sides define is defined behind them.
  void statement(const If& branch) {
    const std::set<BufferId> before = defined_;
    const size_t around = within_.size();
    within_.insert(within_.end(), branch.when.begin(), branch.when.end());
    block(branch.then);
    within_.resize(around);
    const std::set<BufferId> then = std::exchange(defined_, before);
    block(branch.otherwise);
    if (branch.otherwise.empty()) {
      defined_.insert(then.begin(), then.end());
      return;
    }
    std::set<BufferId> both;
    for (const BufferId one : then) {
      if (defined_.contains(one)) both.insert(one);
    }
    defined_ = both;
  }
  void statement(const Let& let) {
    if (!variable(let.var)) return;
    if (!set_.insert(let.var).second) fault("i" + std::to_string(let.var) + " is set twice");
  }
  void statement(const Alloc& alloc) {
    if (!known(alloc.buffer)) return fault("an allocation of no buffer");
    const Buffer& one = buffer(alloc.buffer);
    if (one.scope == Scope::argument) return fault(one.name + " is there already");
    if (!appear(alloc.buffer)) fault(one.name + " is allocated twice");
    defined_.erase(alloc.buffer);
    if (one.scope != Scope::registers || matrices_.contains(alloc.buffer)) return;
    const std::optional<int64_t> bytes = register_bytes(one);
    if (!bytes) return fault(one.name + " is in registers and has no fixed size");
    registers_ += *bytes;
    if (limits_.register_bytes > 0 && registers_ > limits_.register_bytes)
      fault(one.name + " needs " + std::to_string(registers_) + " bytes of registers, there are " +
            std::to_string(limits_.register_bytes));
  }
  void statement(const Name&) {}
  void statement(const Barrier&) { fault("a barrier outside of a loop over items"); }

  void statement(const Store& store) {
    if (store.to.empty() || store.value.empty()) return fault("a store of nothing");
    const bool keyed = is_keyed(store.combine);
    if (store.to.size() != store.value.size() + (keyed ? 1 : 0) || (!keyed && store.to.size() != 1))
      return fault("a store of " + std::to_string(store.value.size()) + " values into " +
                   std::to_string(store.to.size()) + " buffers");
    for (size_t k = 0; k < store.to.size(); ++k) {
      if (!writable(store.to[k])) return;
      const Buffer& to = buffer(store.to[k]);
      check_access(store.to[k], store.at);
      const Type type = k < store.value.size() ? store.value[k].type() : Type::boolean;
      const bool half = type == Type::f16 && to.type == Type::f16;
      if (type != compute_type(to.type) && !half)
        fault("a " + std::string(burin::to_string(type)) + " goes to " + to.name + ", which has " +
              std::string(burin::to_string(to.type)));
      if (store.combine != Combiner::none && !defined_.contains(store.to[k]) &&
          to.scope != Scope::scratch)
        fault(to.name + " is combined with before it has a value");
    }
    defined_.insert(store.to.begin(), store.to.end());
  }

  void statement(const Call& call) {
    if (call.operands.size() != call.op->operands.size() ||
        call.sizes.size() != call.op->sizes.size())
      return fault("a call of " + call.op->name + " with other operands than it has");
    for (size_t k = 0; k < call.operands.size(); ++k) {
      const Region& region = call.operands[k];
      const isa::Operand& operand = call.op->operands[k];
      if (!known(region.buffer)) return fault("an operand without a buffer");
      const Buffer& of = buffer(region.buffer);
      const std::vector<Dim>& shape = call.op->values[k].shape;
      if (of.type != call.op->values[k].type)
        fault(call.op->name + ": " + operand.name + " is of another type than " + of.name);
      if (region.first.size() != of.shape.size() || region.extent.size() != of.shape.size() ||
          shape.size() > of.shape.size()) {
        fault(call.op->name + ": " + operand.name + " has another rank than " + of.name);
        continue;
      }
      const size_t outer = of.shape.size() - shape.size();
      for (size_t d = 0; d < of.shape.size(); ++d) {
        Dim wanted = d < outer ? Dim(1) : shape[d - outer];
        for (size_t s = 0; s < call.sizes.size(); ++s)
          wanted = wanted.substitute_symbol(call.op->sizes[s]->name, call.sizes[s]);
        if (!(region.extent[d] == wanted))
          fault(call.op->name + ": " + operand.name + " has extent " +
                burin::to_string(region.extent[d]) + ", not " + burin::to_string(wanted));
      }
      if (operand.access != isa::Access::write) readable(region.buffer);
      if (operand.access != isa::Access::read && writable(region.buffer))
        defined_.insert(region.buffer);
    }
  }

  // --- Uses ---
  bool variable(int var) {
    if (var >= 0 && burin::at(var) < program_.vars.size()) return true;
    fault("i" + std::to_string(var) + " is no variable");
    return false;
  }
  void check(const Index& index) {
    std::vector<int> axes;
    index.collect_axes(axes);
    for (const int axis : axes) {
      if (!set_.contains(axis)) fault("i" + std::to_string(axis) + " is not set here");
    }
    visit(index, [this](const ExprNode& node) { check(node); });
  }
  void check(const InductionVariable& induction, size_t number) {
    check(induction.dividend);
    const bool follows = induction.moved == InductionVariable::Moved::by_quotient;
    if (follows ? induction.parent < 0 || burin::at(induction.parent) >= number
                : induction.parent >= 0)
      fault(induction.quotient + " follows no induction variable before it");
  }
  void check(const Expr& expr) {
    visit(expr, [this](const ExprNode& node) { check(node); });
    visit_indices(expr, [this](const Index& index) {
      std::vector<int> axes;
      index.collect_axes(axes);
      for (const int axis : axes) {
        if (!set_.contains(axis)) fault("i" + std::to_string(axis) + " is not set here");
      }
    });
  }
  void check(const ExprNode& node) {
    if (node.kind == ExprKind::let) fault("a let is left");
    if (node.kind != ExprKind::load) return;
    if (!known(node.id)) return fault("a load from no buffer");
    readable(node.id);
    if (node.storage != buffer(node.id).type)
      fault("a load of another type from " + buffer(node.id).name);
    check_access(node.id, node.at);
  }
  void readable(BufferId id) {
    if (!there_.contains(id)) fault(buffer(id).name + " is not allocated here");
    const Scope scope = buffer(id).scope;
    if (!defined_.contains(id) && scope != Scope::scratch && scope != Scope::group)
      fault(buffer(id).name + " is read before it has a value");
  }
  bool writable(BufferId id) {
    if (!known(id)) {
      fault("a store into no buffer");
      return false;
    }
    const Buffer& to = buffer(id);
    if (!there_.contains(id)) fault(to.name + " is not allocated here");
    if (to.scope == Scope::argument && !to.written) fault(to.name + " is only read");
    return true;
  }
  void check_access(BufferId id, const std::vector<Index>& at) {
    const Buffer& of = buffer(id);
    if (at.size() != of.shape.size())
      return fault(of.name + " has rank " + std::to_string(of.shape.size()) + ", not " +
                   std::to_string(at.size()));
    for (size_t d = 0; d < at.size(); ++d) {
      if (proven_lt(at[d], 0) || (proven_le(of.shape[d], at[d]) && proven_le(1, of.shape[d])))
        fault(burin::to_string(at[d]) + " is outside of " + of.name);
    }
  }

  const Program& program_;
  const MachineLimits& limits_;
  std::vector<std::string> faults_ = faults_of_matrix_unit(program_);
  std::set<int> set_;
  std::set<BufferId> there_, defined_;
  const std::set<BufferId> matrices_ = matrices_in(program_.body);
  Guard within_;  // conditions around
  int64_t registers_ = 0;
};

// What the loops between barriers would not show: arrays of a group that its items allocate, and
// numbers that are read from what the items write, which are said again behind a barrier.
std::vector<std::string> faults_of_items(const Program& program) {
  std::vector<std::string> out;
  for_each(program.body, [&](const Stmt& stmt) {
    const auto* item = std::get_if<For>(&stmt.node);
    if (item == nullptr || item->kind != Kind::item) return;
    for (const BufferId one : allocated_in(item->body)) {
      if (program.buffers[burin::at(one)].scope == Scope::group)
        out.push_back(program.name + ": " + program.buffers[burin::at(one)].name +
                      " is of a group and allocated by its work-items");
    }
    const std::vector<BufferId> written = writes_of(item->body);
    for_each(item->body, [&](const Stmt& one) {
      const auto* let = std::get_if<Let>(&one.node);
      if (let == nullptr) return;
      visit(let->value, [&](const ExprNode& node) {
        if (node.kind == ExprKind::load && std::count(written.begin(), written.end(), node.id) > 0)
          out.push_back(program.name + ": i" + std::to_string(let->var) +
                        " is read from what work-items write");
      });
    });
  });
  return out;
}

}  // namespace

std::vector<std::string> verify(const Program& program, const MachineLimits& limits) {
  const std::vector<std::string> faults = faults_of_items(program);
  if (!faults.empty()) return faults;
  return Verifier(expand_items(program), limits).run();
}

}  // namespace burin::loops
