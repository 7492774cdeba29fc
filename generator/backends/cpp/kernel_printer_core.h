// The class that prints kernels: its parameters and addresses (kernel_printer.cpp), and what
// launches of devices are made of: generic loops (loop_printer.cpp) and divisions
// (counter_printer.cpp). A kernel of a CPU is its program (program_printer.h).
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "backends/cpp/expr_printer.h"
#include "backends/cpp/kernel_printer.h"
#include "kernel/layout.h"
#include "select/guards.h"
#include "support/check.h"

namespace burin::cpp {

// Whether `text` has `name` as a whole word.
bool mentions(std::string_view text, std::string_view name);

class LoopCounters;

class KernelPrinter {
 public:
  KernelPrinter(const KernelSchedule& schedule, const std::vector<Value>& values,
                const ValueNames& value_names, const Language& language)
      : schedule_(schedule),
        kernel_(schedule.kernel),
        values_(values),
        value_names_(value_names),
        language_(language),
        index_type_(language.index_type(schedule.index_bits)),
        exprs_(text_, out_.headers, names(), nullptr, language) {
    exprs_.set_index_type(index_type_);
  }
  virtual ~KernelPrinter() = default;
  PrintedKernel run(const std::vector<ValueId>& aliased);

 protected:
  ExprPrinter::Names names();

  // --- Parameters ---
  void find_parameters();
  void collect_shape_symbols(ValueId id);
  const Value& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  static int position(const std::vector<ValueId>& list, ValueId id);
  std::string value_name(ValueId id) const;
  std::string symbol_name(const Symbol& symbol) const;
  std::vector<std::string> signature(const std::vector<ValueId>& aliased) const;

  // --- Names and addresses ---
  std::string axis_name(int axis) const { return "i" + std::to_string(axis); }
  std::string element(ValueId id, Type compute, const std::vector<Index>& at);
  // Of a tensor that is no array: the value of an element; empty: it is an array.
  virtual std::string value_text(const ExprNode& load);
  std::string let_name(int let, int component) const;
  // The variable of a let that is a scalar, at the present point; how it gets its first value.
  virtual std::string let_variable(int let, int component) const;
  virtual std::string taken_variable(int let) const;  // of an extreme: whether there is one yet
  virtual void define_variable(std::string_view type, const std::string& name,
                               const std::string& value, bool constant);
  virtual std::string let_text(const ExprNode& node);
  // Where a let that is no scalar keeps the element at a point.
  Index let_address(int let, const std::vector<Index>& at) const;
  std::string let_element(int let, int component, const std::vector<Index>& at);
  std::vector<Index> own_point(int let) const;
  void define_scratch();
  void mark_unused();

  // --- Indices (index_visits.cpp) ---
  // Every index that the node itself computes, not what is inside of a loop.
  void for_each_index(const LoopNode& node, const std::function<void(const Index&)>& on_index);

  // --- Divisions of indices (counter_printer.cpp) ---
  static bool is_innermost(const LoopNodes& nodes);
  // Divisions of everything that runs inside `nodes`, and those that its counters start with.
  void find_divisions(const LoopNodes& nodes, std::vector<Index>& divisions);
  // Names the divisions inside `nodes` that are settled once the axes of the present loops are
  // known.
  void name_divisions(const LoopNodes& nodes);
  bool has_counters(const ForLoop& loop);
  // Counters for the divisions along the loop's axis.
  void add_counters(const ForLoop& loop, LoopCounters& counters);

  // --- Loops ---
  void print(const LoopNodes& nodes);
  virtual void print(const ForLoop& loop);
  // Right before the line that begins a loop: what compilers are told of it.
  virtual void print_hint(const ForLoop&) {}
  void print(const BeginLet& begin);
  void print(const Accumulate& accumulate);
  // into = into combined with text, by the combiner of the let.
  void combine(const Let& let, const std::string& into, const std::string& text);
  void print(const LaneLoop& row);        // lane_printer.cpp
  void print_keyed(const LaneLoop& row);  // keyed_printer.cpp
  // Of a row in lanes: a loop over blocks, which end at AXIS_end; an array with an element for each
  // lane; the loops over groups of lanes up to `last`, with the axis named where the body needs it.
  void open_blocks(const LaneLoop& row, const std::string& begin, const std::string& end);
  void define_lanes(const LaneLoop& row, const std::string& name);
  void open_lanes(const LaneLoop& row, const std::string& begin, const std::string& last);
  void print_keyed(const Let& let, int number, const std::vector<std::string>& bodies);
  void print(const EndLet& end);
  void print(const Define& define);
  void print(const Store& store);
  void print(const Fill& fill);
  // The write of a value that is a text already.
  virtual void print_write(const Write& write, const std::string& text);

  // --- The cascade over the names of the parameters, for people (formula.cpp) ---
  std::vector<std::string> formula() const;

  // for (one axis, all of it) {
  void open_loop(int axis);
  void close_loops(size_t count);
  // At the present point, and the first of the present block; 0 where there is no such axis.
  Index point_of(int axis) const;
  Index block_first(int axis) const;

  const KernelSchedule& schedule_;
  const Kernel& kernel_;
  const std::vector<Value>& values_;
  const ValueNames& value_names_;
  TextBuilder text_;
  PrintedKernel out_;
  const Language& language_;
  const std::string index_type_;
  ExprPrinter exprs_;
  std::set<std::string> local_symbols_;  // variables of the printed function, not parameters
  std::vector<int> axes_;                // of the loops around the current place
};

}  // namespace burin::cpp
