// Changes to kernels as a whole.
#pragma once

#include <functional>

#include "kernel/kernel.h"

namespace burin {

// Every expression of a kernel, those inside indices and conditions too, with `on_expr` for each
// node after its operands.
void rewrite_exprs(Kernel& kernel, const std::function<Expr(const Expr&)>& on_expr);

// The axes of the kernel, with `at` instead of those that a let runs over: at these the let is read
// where its body is substituted.
std::vector<Index> axes_at(const Kernel& kernel, const Let& let, const std::vector<Index>& at);

// Every kernel of the steps and of the blocks inside them, in order; blocks are changed where they
// are.
void for_each_kernel(Steps& steps, const std::function<void(Kernel&)>& change);

// The steps, each as `change` gives it from a copy; of regions the blocks are new already. They
// stay the steps that they were.
Steps with_steps(const Steps& steps, const std::function<Step(Step)>& change);
Steps with_kernels(const Steps& steps, const std::function<Kernel(StepId, const Kernel&)>& change);
// The same; `change` may put steps in front of a kernel, in its own list.
Steps with_steps_before(const Steps& steps,
                        const std::function<Kernel(const Kernel&, Steps& before)>& change);

}  // namespace burin
