#include <algorithm>
#include <map>

#include "cost/issue.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_operands.h"
#include "support/at.h"

namespace burin::cost {
namespace {

// Cycles of a function, over those of an exponential: by the operations of runtime_min.
int64_t exponentials_of(Unary op) {
  switch (op) {
    case Unary::exp:
    case Unary::rsqrt:
    case Unary::expm1:
      return 1;
    case Unary::log:
    case Unary::log1p:
      return 2;
    case Unary::sin:
    case Unary::cos:
    case Unary::tan:
      return 6;
    default:
      return 3;
  }
}
constexpr int64_t kPower = 6;          // of pow and atan2, likewise
constexpr int64_t kFunctionDepth = 4;  // from argument to result, over the cycles that it takes

// What stands in the way of a whole vector: elements that lie apart are loaded one by one.
class StoreIssue {
 public:
  StoreIssue(const loops::Program& program, const Form& form,
             const std::set<loops::BufferId>& changing, const Lets& lets, const Holds& holds,
             const Hardware& hardware)
      : program_(program),
        form_(form),
        changing_(changing),
        lets_(lets),
        holds_(holds),
        unit_(hardware.vector),
        latency_(load_latency(hardware)),
        half_convert_(hardware.instructions.half_convert) {}

  Issue of(const loops::Store& store) {
    int64_t depth = 0;
    for (const Expr& value : store.value) depth = std::max(depth, look_at(value).depth);
    const loops::Buffer& to = program_.buffers[burin::at(store.to[0])];
    const bool combines = store.combine != Combiner::none;
    const bool stays = form_.turning >= 0 && !moves(store.at, form_.turning) &&
                       (to.scope != loops::Scope::argument || combines);
    Issue out;
    if (combines) operations_ += static_cast<int64_t>(store.to.size());
    if (is_keyed(store.combine)) operations_ += 2;
    if (to.scope != loops::Scope::local && to.scope != loops::Scope::registers && !stays) {
      const Step step =
          form_.lane < 0 ? Step{true, 1} : step_of(place(store.to[0], store.at), form_.lane);
      const int64_t stores = static_cast<int64_t>(store.to.size()) *
                             (step.is_vector() || step.stays() ? 1 : form_.lanes);
      stores_ += stores;
      loads_ += combines ? stores : 0;
      if (is_fp16(to.type)) operations_ += conversion();
    }
    out.arithmetic = operations_ * kCycle / at_least_one(unit_.fma_per_cycle) + divisions_ * kCycle;
    out.loads = loads_ * kCycle / at_least_one(unit_.loads_per_cycle);
    out.exposed = out.loads * unit_.exposed_load_percent / 100;
    out.stores = stores_ * kCycle / at_least_one(unit_.stores_per_cycle);
    out.functions = functions_ * kCycle;
    out.instructions = (operations_ + loads_ + stores_ + index_operations_) * kCycle;
    // The next turn adds to the same element.
    if (combines && stays) out.latency = int64_t{unit_.fma_latency_cycles} * kCycle;
    out.depth = depth * kCycle + (combines ? int64_t{unit_.fma_latency_cycles} * kCycle : 0);
    return out;
  }

 private:
  bool moves(const std::vector<Index>& at, int var) const {
    return var >= 0 && std::any_of(at.begin(), at.end(), [&](const Index& one) {
             return lets_.over_loops(one).uses_axis(var);
           });
  }
  bool in_turn(const std::vector<Index>& at) const {
    return form_.turning < 0 || moves(at, form_.turning) || moves(at, form_.lane);
  }
  bool in_turn(const Index& index) const { return in_turn(std::vector<Index>{index}); }

  static bool is_fp16(Type type) { return type == Type::f16 || type == Type::bf16; }
  int64_t conversion() const { return half_convert_ ? 1 : 8; }

  Index place(loops::BufferId buffer, const std::vector<Index>& at) const {
    return place_of(program_, buffer, at, lets_);
  }

  struct Made {
    bool in_turn = false;
    int64_t depth = 0;  // cycles until it is there
  };
  // Counts what is made in each turn.
  Made look_at(const Expr& expr) {
    const ExprNode* const node = &*expr;
    if (const auto known = met_.find(node); known != met_.end()) return known->second;
    Made made = operands_of(*node);
    if (made.in_turn) made.depth += count(*node);
    met_.emplace(node, made);
    return made;
  }

  Made operands_of(const ExprNode& node) {
    Made made;
    const auto take = [&](const Made& one) {
      made.in_turn = made.in_turn || one.in_turn;
      made.depth = std::max(made.depth, one.depth);
    };
    switch (node.kind) {
      case ExprKind::constant:
        return made;
      case ExprKind::index:
        return {in_turn(node.index), 0};
      case ExprKind::load:
        return {in_turn(node.at) || changing_.contains(node.id), 0};
      case ExprKind::cases: {
        bool moving = false;
        for (const Expr::Case& one : node.cases) {
          for (const Condition& when : one.guard) moving = moving || in_turn(when.index);
        }
        if (!moving) {
          // The loop is there for each side of the condition.
          const auto chosen =
              std::find_if(node.cases.begin(), node.cases.end(),
                           [&](const Expr::Case& one) { return holds_(one.guard); });
          take(look_at(chosen == node.cases.end() ? node.operands[0] : chosen->value));
          guards_move_ = false;
          return made;
        }
        for (const Expr::Case& one : node.cases) take(look_at(one.value));
        take(look_at(node.operands[0]));
        guards_move_ = made.in_turn = true;
        return made;
      }
      default:
        made.in_turn = form_.turning < 0;
        for (const Expr& one : node.operands) take(look_at(one));
        return made;
    }
  }

  // The node by itself; how long it takes until its result is there.
  int64_t count(const ExprNode& node) {
    const int64_t lanes = form_.lanes, operation = unit_.fma_latency_cycles;
    switch (node.kind) {
      case ExprKind::load:
        return count_load(node);
      case ExprKind::unary: {
        const Unary op = node.unary();
        if (op == Unary::sqrt || op == Unary::rsqrt) {
          divisions_ += unit_.division_cycles;
          return 3 * operation;
        }
        if (!is_function(op)) {
          ++operations_;
          return operation;
        }
        const int64_t cycles = exponentials_of(op) * exponential();
        functions_ += cycles;
        return kFunctionDepth * cycles;
      }
      case ExprKind::binary: {
        const Binary op = node.binary();
        if (op == Binary::pow || op == Binary::atan2 || op == Binary::fmod) {
          functions_ += kPower * exponential();
          return kFunctionDepth * kPower * exponential();
        }
        if (op == Binary::div || op == Binary::mod) {
          divisions_ += is_float(node.type) ? unit_.division_cycles : divided_by(node) * lanes;
          return 3 * operation;
        }
        ++operations_;
        return operation;
      }
      case ExprKind::cast:
        operations_ += is_fp16(node.storage) ? conversion() : 1;
        return operation;
      case ExprKind::select:
      case ExprKind::fused:
        ++operations_;
        return operation;
      case ExprKind::index:
        ++operations_;
        return 1;
      case ExprKind::cases:
        if (!guards_move_) return 0;
        for (const Expr::Case& one : node.cases)
          operations_ += 1 + 2 * static_cast<int64_t>(one.guard.size());
        return operation;
      default:
        return 0;
    }
  }
  int64_t exponential() const {
    return form_.lanes > 1 ? unit_.vector_function_cycles : unit_.function_cycles;
  }
  int64_t divided_by(const ExprNode& node) const {
    constexpr int64_t kMultiplied = 4;  // by a constant: a product and shifts
    return node.operands[1].kind() == ExprKind::constant ? kMultiplied
                                                         : unit_.integer_division_cycles;
  }

  int64_t count_load(const ExprNode& node) {
    const loops::Buffer& from = program_.buffers[burin::at(node.id)];
    if (is_fp16(node.storage) && node.type != node.storage) operations_ += conversion();
    if (from.scope == loops::Scope::local || from.scope == loops::Scope::registers) return 0;
    // What a loop adds to stays in registers; the same element twice is one load.
    if (form_.turning >= 0 && changing_.contains(node.id) && !moves(node.at, form_.turning))
      return 0;
    const auto same = [&](const ExprNode* other) {
      return other->id == node.id && other->at == node.at;
    };
    // An array of the function may be in registers by then.
    const int64_t latency = from.scope == loops::Scope::stack ? 0 : latency_;
    if (std::any_of(loaded_.begin(), loaded_.end(), same)) return latency;
    loaded_.push_back(&node);
    const Index at = place(node.id, node.at);
    count_index(at);
    const Step step = form_.lane < 0 ? Step{true, 1} : step_of(at, form_.lane);
    if (form_.lanes == 1 || step.stays() || step.is_vector()) {
      ++loads_;
      operations_ += step.regular && step.by == -1 ? 1 : 0;
      return latency;
    }
    // Each element by itself, and where it goes in the vector.
    loads_ += form_.lanes;
    operations_ += form_.lanes;
    return latency + kPermuted;
  }

  // Quotients and remainders of what moves.
  void count_index(const Index& index) {
    if (!in_turn(index)) return;
    for (const Index::Term& term : index.terms()) {
      for (const Index& atom : term.atoms) {
        if (atom.kind() == IndexKind::axis || atom.kind() == IndexKind::symbol) continue;
        if (!in_turn(atom)) continue;
        if (atom.kind() == IndexKind::data) {
          look_at(Expr(atom.as_data()));
          index_operations_ += form_.lanes;
          continue;
        }
        constexpr int64_t kFollowed = 3;  // it follows its loop, or is a product and a shift
        index_operations_ += kFollowed * form_.lanes;
        for (const Index& operand : atom.operands()) count_index(operand);
      }
    }
  }

  const loops::Program& program_;
  const Form form_;
  const std::set<loops::BufferId>& changing_;
  const Lets& lets_;
  const Holds& holds_;
  const VectorUnit& unit_;
  const int64_t latency_;  // of a load
  const bool half_convert_;
  bool guards_move_ = false;
  int64_t operations_ = 0, divisions_ = 0, loads_ = 0, stores_ = 0, functions_ = 0,
          index_operations_ = 0;
  std::map<const ExprNode*, Made> met_;
  std::vector<const ExprNode*> loaded_;
};

}  // namespace

Issue issue_of(const loops::Program& program, const loops::Store& store, const Form& form,
               const std::set<loops::BufferId>& changing, const Lets& lets, const Holds& holds,
               const Hardware& hardware) {
  return StoreIssue(program, form, changing, lets, holds, hardware).of(store);
}

}  // namespace burin::cost
