// The class that prints kernels: its parameters and addresses (kernel_printer.cpp), generic loops
// (loop_printer.cpp), divisions (counter_printer.cpp) and attention (attention_printer.cpp,
// panel_printer.cpp, few_queries_printer.cpp).
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
  // The write of a value that is a text already.
  virtual void print_write(const Write& write, const std::string& text);

  // --- The cascade over the names of the parameters, for people (formula.cpp) ---
  std::vector<std::string> formula() const;

  // --- Blocks and panels (panel_printer.cpp) ---
  // What is packed as [depth][width]: `width` points of `axis` a row (-1: one point, the rest is
  // 0).
  struct Panel {
    Expr element;
    int axis;
    int width;
    std::vector<int> depth;  // axes, outermost first
  };
  void print_panel(const Panel& panel, const std::string& name);
  void print_panels(const Panel& panel, const std::string& name, const Dim& depth);
  void scratch_pointer(const char* type, const char* name, const Dim& offset);
  void open_loop(int axis);
  void close_loops(size_t count);
  void open_blocks(int axis, const std::string& width);
  void close_blocks(int axis);
  // Bounds of the points of an axis that a call computes, as text.
  std::string begin_text(int axis);
  std::string end_text(int axis);
  // At the present point; 0 where there is no such axis.
  Index point_of(int axis) const;
  // The first and one past the last point of the present block of an axis; 0 and 1 without the
  // axis.
  Index block_first(int axis) const;
  Index block_end(int axis) const;
  void print(const PackLane& lane);
  void print(const PackRow& row);
  void print(const Fill& fill);

  // --- Attention (attention_printer.cpp) ---
  void print_attention(const AttentionSchedule& attention);
  struct Sizes {  // of attention, as variables where they are computed
    Index depth, keys, elements;
  };
  void print_in_tiles(const AttentionSchedule& attention, const Sizes& sizes);
  Index named_size(const Dim& size, const char* name);
  void print_keys(const AttentionSchedule& attention, const Sizes& sizes);
  void print_positions(const AttentionSchedule& attention, const PositionTable& table);
  void print_result(const AttentionSchedule& attention);
  std::string multiply_text(const Tile& tile);
  // Where a score and a sum of the present point lie in their blocks, and a let of attention.
  std::string attention_text(const AttentionSchedule& attention, const ExprNode& let);
  Index place_of_score(const AttentionSchedule& attention) const;
  Index place_of_sum(const AttentionSchedule& attention) const;
  Index attention_column(const AttentionSchedule& attention) const;
  // Weights that are masked or scaled, and what sums are multiplied with (gain_printer.cpp).
  void print_gain(const AttentionSchedule& attention, const std::string& weights,
                  const std::string& count);
  void print_factors(const AttentionSchedule& attention);
  void print_sums_of_nan(const AttentionSchedule& attention);
  void print_row_weights(const AttentionSchedule& attention, const std::string& row);
  // Of few queries (few_queries_printer.cpp).
  struct Rows {  // of K or V
    bool of_k;
    std::string name;
    Dim pitch;
    Index first;
    Dim count;
  };
  void print_few_queries(const AttentionSchedule& attention);
  void print_rows(const AttentionSchedule& attention, const Rows& given);
  void print_rows_in_place(const AttentionSchedule& attention, bool of_k);
  void print_rows_in_blocks(const AttentionSchedule& attention, bool of_k);
  void print_computed_rows(const RowFactor& factor, const Expr& element, int key,
                           const std::vector<int>& along, const Index& length);
  void each_query(const AttentionSchedule& attention, const std::function<void()>& body);
  Index place_in_row(const std::vector<int>& along) const;
  Index query_of(const AttentionSchedule& attention) const;

  const KernelSchedule& schedule_;
  const Kernel& kernel_;
  const std::vector<Value>& values_;
  const ValueNames& value_names_;
  TextBuilder text_;
  PrintedKernel out_;
  const Language& language_;
  const std::string index_type_;
  ExprPrinter exprs_;
  const Sizes* few_ = nullptr;           // inside the version of few queries: its sizes
  std::set<std::string> local_symbols_;  // variables of the printed function, not parameters
  std::vector<int> axes_;                // of the loops around the current place
};

}  // namespace burin::cpp
