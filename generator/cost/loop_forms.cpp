#include "cost/loop_forms.h"

#include <algorithm>
#include <limits>

#include "hardware/capabilities.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_operands.h"
#include "kernel/layout.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {
namespace {

// Turns of loops that compilers write out, where they know them.
constexpr int64_t kWrittenOut = 16;
// A step of so many elements stands for a dynamic one.
constexpr int64_t kFar = int64_t{1} << 20;

// No vectors have it: several results that may jump, or a loop of its own for each element.
bool has_no_vectors(const ExprNode& node) {
  return node.kind == ExprKind::binary &&
         (node.binary() == Binary::fmod || node.binary() == Binary::mod ||
          (node.binary() == Binary::div && !is_float(node.type)));
}

class Widths {
 public:
  Widths(const loops::Program& program, int var, const Hardware& hardware, Lets& lets,
         std::set<loops::BufferId> own)
      : program_(program), var_(var), hardware_(hardware), lets_(lets), own_(std::move(own)) {}

  int lanes(const loops::Stmts& stmts) {
    int out = std::numeric_limits<int>::max();
    for (const loops::Stmt& stmt : stmts) {
      if (const auto* let = std::get_if<loops::Let>(&stmt.node)) {
        lets_.set(*let);
      } else if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
        out = std::min(out, lanes(*store));
      } else if (const auto* loop = std::get_if<loops::For>(&stmt.node)) {
        out = std::min(out, lanes(loop->body));
      } else if (!std::holds_alternative<loops::Alloc>(stmt.node) &&
                 !std::holds_alternative<loops::Name>(stmt.node)) {
        return 1;
      }
      if (out == 1) return 1;
    }
    return out == std::numeric_limits<int>::max() ? 1 : out;
  }

 private:
  int lanes(const loops::Store& store) const {
    if (store.to.size() != 1 || is_keyed(store.combine)) return 1;
    const loops::Buffer& to = program_.buffers[at(store.to[0])];
    if (!own_.contains(store.to[0])) {
      const Step step = step_of(place_of(program_, store.to[0], store.at, lets_), var_);
      const bool sums = step.stays() && store.combine != Combiner::none && !is_float(to.type);
      if (!sums && (!step.is_vector() || to.scope == loops::Scope::local)) return 1;
    }
    int64_t bytes = std::max<int64_t>(1, size_bits(to.type) / 8);
    bool may = true, floats = is_float(to.type);
    visit(store.value[0], [&](const ExprNode& node) {
      floats = floats || is_float(node.type);
      may = may && !has_no_vectors(node);
      if (node.kind == ExprKind::cases) may = may && guards_stay(node);
      if (node.kind != ExprKind::load) return;
      bytes = std::max<int64_t>(bytes, size_bits(node.storage) / 8);
      may = may && (own_.contains(node.id) ||
                    step_of(place_of(program_, node.id, node.at, lets_), var_).regular ||
                    hardware_.instructions.gather);
    });
    if (!may) return 1;
    const VectorUnit& unit = floats ? hardware_.vector : integer_unit(hardware_);
    return unit.lanes(static_cast<int>(bytes));
  }
  bool guards_stay(const ExprNode& node) const {
    if (hardware_.instructions.mask) return true;
    for (const Expr::Case& one : node.cases) {
      for (const Condition& when : one.guard) {
        if (lets_.over_loops(when.index).uses_axis(var_)) return false;
      }
    }
    return true;
  }

  const loops::Program& program_;
  const int var_;
  const Hardware& hardware_;
  Lets& lets_;
  const std::set<loops::BufferId> own_;  // there for one point of the variable
};

}  // namespace

void Lets::set(const loops::Let& let) {
  values_[at(let.var)] = over_loops(let.value);
  any_ = true;
}

void Lets::forget(int var) { values_[at(var)].reset(); }

Index Lets::over_loops(const Index& index) const {
  if (!any_ || !index.has_axes()) return index;
  std::vector<int> axes;
  index.collect_axes(axes);
  Index out = index;
  for (const int axis : axes) {
    if (values_[at(axis)]) out = loops::with_var(out, axis, *values_[at(axis)]);
  }
  return out;
}

Index place_of(const loops::Program& program, loops::BufferId buffer, const std::vector<Index>& at,
               const Lets& lets) {
  const loops::Buffer& one = program.buffers[burin::at(buffer)];
  if (one.scope == loops::Scope::local || at.empty()) return 0;
  std::vector<Index> over;
  over.reserve(at.size());
  for (const Index& index : at) over.push_back(lets.over_loops(index));
  return address(one.layout, one.shape, over);
}

Step step_of(const Index& place, int var) {
  if (var < 0 || !place.uses_axis(var)) return {};
  Step out;
  for (const Index::Term& term : place.terms()) {
    int64_t times = term.coefficient;
    int moving = 0;
    bool sizes = false;
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis && atom.axis_id() == var)
        ++moving;
      else if (atom.uses_axis(var))
        return {false, 0};
      else
        sizes = true;
    }
    if (moving > 1) return {false, 0};
    if (moving == 0) continue;
    if (sizes) times = times < 0 ? -kFar : kFar;
    out.by += times;
  }
  return out;
}

int lanes_along(const loops::Program& program, const loops::Stmts& stmts, int var,
                const Hardware& hardware, Lets lets) {
  return Widths(program, var, hardware, lets, loops::allocated_in(stmts)).lanes(stmts);
}

bool is_written_out(const loops::For& loop) {
  if (loop.kind == loops::Kind::unrolled || loop.kind == loops::Kind::vector) return true;
  if (loop.kind != loops::Kind::serial && loop.kind != loops::Kind::independent) return false;
  const std::optional<int64_t> points = (loop.end - loop.begin).as_constant();
  return points && loop.step > 0 && (*points + loop.step - 1) / loop.step <= kWrittenOut;
}

}  // namespace burin::cost
