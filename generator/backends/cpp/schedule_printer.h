// The class that prints the body of <name>_run (emit_schedule.h).
#pragma once

#include <map>
#include <set>

#include "backends/cpp/emit_schedule.h"
#include "kernel/run_order.h"
#include "print/expr_printer.h"

namespace burin::cpp {

class SchedulePrinter {
 public:
  SchedulePrinter(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                  const ScheduleTarget& target)
      : plan_(plan), names_(names), kernels_(kernels), target_(target) {}
  SchedulePrinter(const SchedulePrinter&) = delete;
  SchedulePrinter& operator=(const SchedulePrinter&) = delete;

  PrintedSchedule printed();

 private:
  const Value& value(ValueId id) const { return plan_.graph.values[static_cast<size_t>(id)]; }
  std::string text(const Dim& dim);
  // A scalar expression over values, as the schedule evaluates conditions and run-time sizes.
  std::string scalar(const Expr& expr);
  void comment(const Origins& origins, const std::string& what = {});
  std::string part_of_node(const Kernel& kernel) const;
  void print(const Steps& steps);
  // What a run-time size was promised to be; memory and loops rely on it.
  bool has_memory_limit(const Symbol& symbol) const;
  bool is_proven(const Bind& bind) const;
  Code most_of(const Symbol& symbol);
  void print_range(const Symbol& symbol, const Code& status = "kValueOutOfRange");
  void print_range(const StringLiteral& what, const Code& value, const Code& least,
                   const Code& most, const Code& status);
  void print(const Kernel& kernel);
  void print(const Procedure& procedure);
  static bool depends_on(const Value& value, const std::vector<Symbol>& results);
  // Argument 0 of a procedure with results is the most that it may count to: `most`, or as much as
  // the caller's outputs can hold.
  Code capacity_of(const Procedure& procedure, const Code& most);
  void print(const Check& check);
  void print(const If& branch);
  void print(const Loop& loop);
  // Before a kernel writes an output whose size depends on data: does it fit? A loop's iterations
  // are counted as far as they have come.
  void check_capacity(ValueId id);
  // Whether the caller says how much there is room for.
  bool has_capacity(ValueId id) const;
  void require_capacity(ValueId id, const Dim& elements);
  void report_shape(ValueId id);
  // Tells the caller's hook.
  void tell(int64_t position, const Code& function);

  const ModelPlan& plan_;
  const TreeNames& names_;
  const KernelSet& kernels_;
  const ScheduleTarget& target_;
  ScheduleText text_;
  Printer& out_ = text_.out;
  print::Headers& headers_ = text_.headers;
  StepId step_ = kNoStep;                        // the present one
  std::map<StepId, int64_t> positions_;          // of steps, as plan.json has them
  std::map<std::string, int> kernels_of_nodes_;  // by the text that stands above them
  std::set<std::string> sizing_;                 // symbols that shapes are made of
  std::set<std::string> known_;                  // symbols of the run that have their value
  std::set<std::string> used_;                   // that a step needs
  std::set<std::string> declared_;               // those that exist before it (declared_sizes)
  std::map<std::string, Dim> so_far_;  // of those that count a loop's iterations, inside it
  // No identifier of the model ends with an underscore.
  print::ExprPrinter::Locals locals_{0, "_"};
};

// Sizes that the schedule assigns to variables of the whole run: those that procedures and loops
// find, and those that are bound in a branch or a loop, or more than once.
std::vector<Symbol> declared_sizes(const Steps& steps);

// Symbols by their names in the tree; nothing else is expected in a size.
print::ExprPrinter::Names size_names(const TreeNames& names);

}  // namespace burin::cpp
