#include "select/schedule/schedule_indices.h"

#include <algorithm>

#include "kernel/layout.h"
#include "loops/walk.h"

namespace burin {
namespace {

class Walk {
 public:
  Walk(const KernelSchedule& schedule, const std::vector<Value>& values,
       const std::function<void(const Index&)>& visit)
      : schedule_(schedule), values_(values), visit_(visit) {}

  void run() {
    const Kernel& kernel = schedule_.kernel;
    on_index(schedule_.scratch_bytes);
    for (const Axis& axis : kernel.axes) on_index(axis.extent);
    for (const Let& let : kernel.lets) {
      for (const Expr& body : let.body) on_expr(body);
    }
    for (const Write& write : kernel.writes) {
      on_element(write.to, write.at);
      on_guard(write.when);
      on_expr(write.value);
    }
    if (schedule_.program) on_program(*schedule_.program);
    if (schedule_.contraction) on_contraction(*schedule_.contraction);
    if (schedule_.second) on_contraction(*schedule_.second);
    on_loops(schedule_.loops);
    if (schedule_.cut) on_shares(*schedule_.cut);
    on_loops(schedule_.row_lets);
    on_loops(schedule_.row_epilogue);
    on_loops(schedule_.fill);
  }

 private:
  // Where calls begin in loops of fused copies.
  void on_shares(const Cut& cut) {
    for (const LoopNode& node : schedule_.loops) {
      const auto* loop = std::get_if<ForLoop>(&node.node);
      if (loop && loop->axis != cut.axis)
        on_index(cut.extent * schedule_.kernel.axes[static_cast<size_t>(loop->axis)].extent);
    }
  }

  void on_program(const loops::Program& program) {
    for (const loops::Buffer& buffer : program.buffers) {
      on_index(product(buffer.shape));
      on_index(buffer.offset);
    }
    for (const loops::Var& var : program.vars) on_index(var.extent);
    loops::for_each(program.body, [&](const loops::Stmt& stmt) {
      loops::for_each_index(stmt, [&](const Index& index) { on_index(index); });
      loops::for_each_expr(stmt, [&](const Expr& expr) {
        visit_distinct_indices(expr, [&](const Index& index) { on_index(index); });
      });
    });
  }

  void on_contraction(const ContractionSchedule& contraction) {
    if (contraction.a.element) on_expr(contraction.a.element);
    on_expr(contraction.b.element);
    on_expr(contraction.value);
    on_guard(contraction.when);
    Dim batch = 1;
    for (const int axis : contraction.batch)
      batch *= schedule_.kernel.axes[static_cast<size_t>(axis)].extent;
    for (const MetTaps& taps : contraction.met) on_guard({taps.when});
    if (contraction.window) on_window(*contraction.window, contraction.tile);
    // Panels are whole tiles.
    on_index(batch * (contraction.rows + contraction.tile.rows) * contraction.depth);
    on_index(batch * (contraction.columns + contraction.tile.columns()) * contraction.depth);
    if (contraction.row_epilogue)
      on_index((contraction.rows + schedule_.contraction->block_rows) * contraction.columns);
  }

  void on_window(const SlidingWindow& window, const Tile& tile) {
    on_index(window.staged_elements() + tile.columns());
    on_index(window.band);
    // From the element of a plane that begins the first band to that which ends the last.
    on_index((window.rows.positions + window.rows_of(window.band)) * window.pitch() +
             tile.columns());
  }

  void on_loops(const LoopNodes& nodes) {
    for (const LoopNode& node : nodes) {
      if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
        on_index(loop->begin);
        on_index(loop->end);
        on_loops(loop->nodes);
      } else if (const auto* accumulate = std::get_if<Accumulate>(&node.node)) {
        for (const Expr& body : accumulate->body) on_expr(body);
        on_guard(accumulate->when);
      } else if (const auto* row = std::get_if<LaneLoop>(&node.node)) {
        on_index(row->begin);
        on_index(row->end + std::max<int64_t>(row->lanes, row->block));
        for (const Expr& body : row->body) on_expr(body);
        on_guard(row->when);
      } else if (const auto* store = std::get_if<Store>(&node.node)) {
        on_expr(store->value);
        on_guard(store->when);
      } else if (const auto* fill = std::get_if<Fill>(&node.node)) {
        on_index(fill->at);
        on_expr(fill->value);
      }
    }
  }

  void on_element(ValueId id, const std::vector<Index>& at) {
    const Value& value = values_[static_cast<size_t>(id)];
    for (const Index& index : at) on_index(index);
    on_index(address(value.layout, value.shape, at));
    on_index(physical_elements(value.layout, value.shape));
  }

  void on_guard(const Guard& guard) {
    for (const Condition& condition : guard) {
      on_index(condition.index);
      on_index(condition.lo);
      on_index(condition.hi);
    }
  }

  void on_expr(const Expr& expr) {
    visit_distinct(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) on_element(node.id, node.at);
      if (node.kind == ExprKind::let) {
        for (const Index& index : node.at) on_index(index);
      }
      if (node.kind == ExprKind::index) on_index(node.index);
      for (const Expr::Case& one : node.cases) on_guard(one.guard);
    });
  }

  void on_index(const Index& index) { visit_(index); }

  const KernelSchedule& schedule_;
  const std::vector<Value>& values_;
  const std::function<void(const Index&)>& visit_;
};

}  // namespace

void for_each_index(const KernelSchedule& schedule, const std::vector<Value>& values,
                    const std::function<void(const Index&)>& visit) {
  Walk(schedule, values, visit).run();
}

void for_each_launch_index(const LaunchNodes& launches,
                           const std::function<void(const Index&)>& visit) {
  for (const LaunchNode& node : launches) {
    if (const auto* loop = std::get_if<LaunchLoop>(&node.node)) {
      visit(loop->begin);
      visit(loop->end);
      for_each_launch_index(loop->nodes, visit);
      continue;
    }
    Dim points = 1;
    const Launch& launch = std::get<Launch>(node.node);
    for (size_t d = 0; d < launch.dimensions.size(); ++d) {
      Dim extent = launch.dimensions[d].extent + launch.dimensions[d].local;
      if (d == 0) extent *= launch.coarsening;
      points *= extent;
    }
    if (launch.texels >= 0) points *= launch.lanes;
    visit(points);
  }
}

}  // namespace burin
