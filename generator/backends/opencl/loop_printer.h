// The class that prints generic loops of launches: loops and lets (loop_printer.cpp), rows in
// partial results (lane_printer.cpp, keyed_printer.cpp), divisions of indices
// (induction_printer.cpp).
#pragma once

#include <functional>
#include <set>

#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {
class InductionVariables;
}

namespace burin::opencl {

class LoopPrinter : public cpp::KernelPrinter {
 protected:
  LoopPrinter(const KernelSchedule& schedule, const std::vector<Value>& values,
              const cpp::ValueNames& value_names, const cpp::Language& language)
      : KernelPrinter(schedule, values, value_names, language),
        exprs_(text_, out_.headers, names(), nullptr, language) {
    exprs_.set_index_type(index_type_);
  }

  cpp::ExprPrinter::Names names();
  // A symbol that is a variable of the printed function is no parameter.
  std::string symbol_name(const Symbol& symbol) const override;

  std::string element(ValueId id, Type compute, const std::vector<Index>& at);
  // Of a tensor that is no array: the value of an element; empty: it is an array.
  virtual std::string value_text(const ExprNode& load);

  // --- Lets ---
  // The variable of a let that is a scalar, at the present point; how it gets its first value.
  virtual std::string let_variable(int let, int component) const;
  virtual std::string taken_variable(int let) const;  // of an extreme: whether there is one yet
  virtual void define_variable(std::string_view type, const std::string& name,
                               const std::string& value, bool constant);
  virtual std::string let_text(const ExprNode& node);
  // Where a let that is no scalar keeps the element at a point.
  Index let_address(int let, const std::vector<Index>& at) const;
  std::string let_element(int let, int component, const std::vector<Index>& at);

  // --- Indices (index_visits.cpp) ---
  // Every index that the node itself computes, not what is inside of a loop.
  void for_each_index(const LoopNode& node, const std::function<void(const Index&)>& on_index);

  // --- Divisions of indices (induction_printer.cpp) ---
  static bool is_innermost(const LoopNodes& nodes);
  // Divisions of everything that runs inside `nodes`, and those that its induction variables start
  // with.
  void find_divisions(const LoopNodes& nodes, std::vector<Index>& divisions);
  // Names the divisions inside `nodes` that are settled once the axes of the present loops are
  // known.
  void name_divisions(const LoopNodes& nodes);
  void name_divisions(const Expr& expr) { name_divisions({LoopNode{Fill{expr, 0}}}); }
  bool has_inductions(const ForLoop& loop);
  // Induction variables for the divisions along the loop's axis.
  void add_inductions(const ForLoop& loop, cpp::InductionVariables& inductions);

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

  // for (one axis, all of it) {
  void open_loop(int axis);
  void close_loops(size_t count);
  // At the present point, and the first of the present block; 0 where there is no such axis.
  Index point_of(int axis) const;
  Index block_first(int axis) const;

  cpp::ExprPrinter exprs_;
  std::set<std::string> local_symbols_;  // variables of the printed function, not parameters
  std::vector<int> axes_;                // of the loops around the current place
};

}  // namespace burin::opencl
