// What launches are made of: their statements, the expressions and lets of these.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "select/schedule/kernel_schedule.h"

namespace burin {

// Every launch, in order of appearance; those of a LaunchLoop once.
std::vector<const Launch*> launches_of(const LaunchNodes& nodes);

// Every node that is no ForLoop, in order.
void for_each_statement(const LoopNodes& nodes, const std::function<void(const LoopNode&)>& visit);

// The expressions that one such node evaluates.
void for_each_expr(const LoopNode& node, const Kernel& kernel,
                   const std::function<void(const Expr&)>& visit);

// Of one work-item that runs `nodes`, at the hinted sizes: operations, loads from tensors among
// them.
struct ItemWork {
  double operations = 0, loads = 0;
};
ItemWork work_at_hints(const LoopNodes& nodes, const Kernel& kernel);

// The let that a node works on, if any.
std::optional<int> let_of(const LoopNode& node);

// Statements that can run one after the other on their own: a let with its loops, a map, a loop, a
// store.
std::vector<LoopNodes> statements_of(const LoopNodes& nodes);

// Whether the kernel loads from a value that it writes.
bool reads_own_results(const Kernel& kernel);

// Parallel axes that every let and write in `nodes` runs over, where lets are read at the same
// point of them: loops over these may as well be around `nodes`.
std::vector<int> axes_around(const LoopNodes& nodes, const Kernel& kernel);
LoopNodes without_loops(const LoopNodes& nodes, const std::vector<int>& axes);

// Why the launch of this number is as it is: of several, which one, and what was chosen where tiles
// were.
std::string reason_of_launch(const KernelSchedule& schedule, size_t number);

}  // namespace burin
