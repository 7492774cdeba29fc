#include "kernel/rewrite_kernel.h"

namespace burin {

std::vector<Index> axes_at(const Kernel& kernel, const Let& let, const std::vector<Index>& at) {
  std::vector<Index> out;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis)
    out.push_back(Index::axis(static_cast<int>(axis), kernel.axes[axis].extent));
  for (size_t k = 0; k < let.over.size(); ++k) out[static_cast<size_t>(let.over[k])] = at[k];
  return out;
}

void rewrite_exprs(Kernel& kernel, const std::function<Expr(const Expr&)>& on_expr) {
  const auto same = [](const Index& leaf) { return leaf; };
  for (Let& let : kernel.lets) {
    for (Expr& body : let.body) body = rewrite(body, on_expr, same);
  }
  for (Write& write : kernel.writes) {
    write.value = rewrite(write.value, on_expr, same);
    for (Index& index : write.at) index = rewrite(index, on_expr, same);
    for (Condition& condition : write.when)
      condition.index = rewrite(condition.index, on_expr, same);
  }
}

void for_each_kernel(Steps& steps, const std::function<void(Kernel&)>& change) {
  for (Step& step : steps) {
    if (Kernel* kernel = std::get_if<Kernel>(&step)) {
      change(*kernel);
    } else if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      for_each_kernel((*branch)->then_steps, change);
      for_each_kernel((*branch)->else_steps, change);
    } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      for_each_kernel((*loop)->body, change);
    }
  }
}

Steps with_steps(const Steps& steps, const std::function<Step(Step)>& change) {
  Steps out;
  for (const Step& step : steps) {
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      auto copy = std::make_shared<If>(**branch);
      copy->then_steps = with_steps(copy->then_steps, change);
      copy->else_steps = with_steps(copy->else_steps, change);
      out.push_back(change(std::move(copy)));
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      auto copy = std::make_shared<Loop>(**loop);
      copy->body = with_steps(copy->body, change);
      out.push_back(change(std::move(copy)));
    } else {
      out.push_back(change(step));
    }
    out.back().id = step.id;
  }
  return out;
}

Steps with_steps_before(const Steps& steps,
                        const std::function<Kernel(const Kernel&, Steps& before)>& change) {
  Steps out;
  for (const Step& step : steps) {
    Step changed = step;
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      auto copy = std::make_shared<If>(**branch);
      copy->then_steps = with_steps_before(copy->then_steps, change);
      copy->else_steps = with_steps_before(copy->else_steps, change);
      changed = std::move(copy);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      auto copy = std::make_shared<Loop>(**loop);
      copy->body = with_steps_before(copy->body, change);
      changed = std::move(copy);
    } else if (const auto* kernel = std::get_if<Kernel>(&step)) {
      changed = change(*kernel, out);
    }
    out.push_back(std::move(changed));
  }
  return out;
}

Steps with_kernels(const Steps& steps, const std::function<Kernel(StepId, const Kernel&)>& change) {
  return with_steps(steps, [&](Step step) {
    if (const auto* kernel = std::get_if<Kernel>(&step)) step = change(step.id, *kernel);
    return step;
  });
}

}  // namespace burin
