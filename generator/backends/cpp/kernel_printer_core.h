// The class that prints kernels: its parameters and addresses (kernel_printer.cpp), generic loops
// (loop_printer.cpp) and contractions (contraction_printer.cpp).
#pragma once

#include <algorithm>
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

class KernelPrinter {
 public:
  KernelPrinter(const KernelSchedule& schedule, const std::vector<Value>& values,
                const ValueNames& value_names)
      : schedule_(schedule),
        kernel_(schedule.kernel),
        values_(values),
        value_names_(value_names),
        index_type_(schedule.index_bits == 32 ? "int32_t" : "int64_t"),
        exprs_(text_, out_.headers, names()) {
    exprs_.set_index_type(index_type_);
  }
  PrintedKernel run(const std::vector<ValueId>& aliased);

 private:
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
  std::string element(ValueId id, const std::vector<Index>& at);
  std::string let_name(int let, int component) const;
  std::string let_text(const ExprNode& node);
  // Where a let that is no scalar keeps the element at a point.
  Index let_address(int let, const std::vector<Index>& at) const;
  std::string let_element(int let, int component, const std::vector<Index>& at);
  std::vector<Index> own_point(int let) const;
  void define_scratch();
  void mark_unused();

  // --- Loops ---
  static bool is_innermost(const LoopNodes& nodes);
  // Divisions of everything that runs inside `nodes`.
  void find_divisions(const LoopNodes& nodes, std::vector<Index>& divisions);
  struct Counter {
    std::string quotient, remainder;  // variables
    Dim divisor;
    int64_t step;     // of the dividend, each time that it moves
    Index division;   // floordiv that the quotient is
    int parent = -1;  // the counter whose quotient moves the dividend; -1: the loop does
  };
  // Names the divisions that are settled once `axes` (those of the enclosing loops) are known. In
  // the innermost loop, whose axis is last, divisions along it become counters.
  std::vector<Counter> name_divisions(const std::vector<int>& axes, const LoopNodes& nodes,
                                      bool innermost, const Index& begin = 0);
  void flush();
  // x // c and x % c with x = step*axis + rest: the variables, set for the first iteration.
  std::optional<Counter> make_counter(const Index& division, int axis, const Index& begin,
                                      const std::vector<Counter>& others);
  void step_counter(const std::vector<Counter>& counters, int number);
  // Whether the counter's quotient moves by at most one at a time.
  static bool moves_by_one(const Counter& counter);
  void step_counters(const std::vector<Counter>& counters);
  void print(const LoopNodes& nodes);
  void print(const ForLoop& loop);
  bool has_counters(const ForLoop& loop);
  void print(const BeginLet& begin);
  static bool is_keyed(Combiner op);
  void print(const Accumulate& accumulate);
  static Binary combining(Combiner op);
  void print_keyed(const Let& let, int number, const std::vector<std::string>& bodies);
  void print(const EndLet& end);
  void print(const Define& define);
  void print(const Store& store);

  // --- The cascade over the names of the parameters, for people (formula.cpp) ---
  std::vector<std::string> formula() const;

  // --- Contractions (contraction_printer.cpp) ---
  void print_contraction(const ContractionSchedule& contraction);
  void print_panel(const Factor& factor, int axis, int width, const char* name);
  void print_tiles(const ContractionSchedule& contraction);
  void open_blocks(int axis, int width);
  void close_blocks(int axis);
  // The first and one past the last point of the present block of an axis; 0 and 1 without the
  // axis.
  // Bounds of the points of an axis that a call computes, as text.
  std::string begin_text(int axis);
  std::string end_text(int axis);
  Index block_first(int axis) const;
  Index block_end(int axis) const;
  void print(const PackLane& lane);
  void print(const PackRow& row);

  const KernelSchedule& schedule_;
  const Kernel& kernel_;
  const std::vector<Value>& values_;
  const ValueNames& value_names_;
  TextBuilder text_;
  PrintedKernel out_;
  const std::string index_type_;
  ExprPrinter exprs_;
  std::set<std::string> local_symbols_;  // variables of the printed function, not parameters
  std::vector<int> axes_;                // of the loops around the current place
  std::vector<std::string> pending_;     // definitions to print before the next statement
};

}  // namespace burin::cpp
