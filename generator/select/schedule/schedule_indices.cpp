#include "select/schedule/schedule_indices.h"

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
  }

 private:
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
        visit_distinct(expr, [&](const ExprNode& node) {
          if (node.kind == ExprKind::load) on_place(program, node.id, node.at);
        });
      });
      if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
        for (const loops::BufferId to : store->to) on_place(program, to, store->at);
      } else if (const auto* call = std::get_if<loops::Call>(&stmt.node)) {
        for (const loops::Region& region : call->operands)
          on_place(program, region.buffer, region.first);
      }
    });
  }

  // As it is printed.
  void on_place(const loops::Program& program, loops::BufferId id, const std::vector<Index>& at) {
    const loops::Buffer& buffer = program.buffers[static_cast<size_t>(id)];
    if (buffer.scope != loops::Scope::local && !buffer.image)
      on_index(address(buffer.layout, buffer.shape, at));
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
