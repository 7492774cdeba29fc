// The class that prints launches: where a work-item finds its point and what a function takes
// (launch_printer.cpp), members of joint launches (member_printer.cpp), cooperative work-groups
// (cooperative_printer.cpp), tiles of products (product_printer.cpp, product_texels.cpp), images
// (texel_printer.cpp).
#pragma once

#include <map>
#include <set>

#include "backends/opencl/launch_printer.h"
#include "backends/opencl/loop_printer.h"
#include "select/schedule/schedule.h"

namespace burin::opencl {

class LaunchPrinter : public LoopPrinter {
 public:
  LaunchPrinter(const KernelSchedule& schedule, const std::vector<Value>& values,
                const ImageMaps& images, const DeviceSizes& sizes, const cpp::ValueNames& names,
                const cpp::Language& language)
      : LoopPrinter(schedule, values, names, language), images_(images), sizes_(sizes) {}
  cpp::PrintedKernel print_launch(const Launch& launch, bool gated,
                                  const std::vector<ValueId>& aliased);
  PrintedPart print_member(const Launch& launch, const LaunchMember& member, int items,
                           const std::vector<ValueId>& aliased);

 private:
  // What a work-group finds of itself.
  struct Ids {
    std::string local = "get_local_id(0)";
    std::string group[3] = {"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"};
    std::string global[3] = {"get_global_id(0)", "get_global_id(1)", "get_global_id(2)"};
  };
  // An array in local memory.
  struct Local {
    std::string type, name;
    int64_t elements = 0, bytes = 0;  // of all of them
    bool operator==(const Local&) const = default;
  };

  void print_all(const Launch& launch, const std::vector<ValueId>& aliased);

  // --- Members of joint launches (member_printer.cpp) ---
  void find_member_ids(const Launch& launch, const LaunchMember& member, int items);
  std::vector<Dim> own_groups(const Launch& launch) const;
  int64_t place_locals(int times, int own_items);

  // --- The point of a work-item, parameters (launch_printer.cpp) ---
  void print_point(const Launch& launch, cpp::TextBuilder& head);
  void print_coarsened(const Launch& launch, cpp::TextBuilder& head);
  std::string turn_type(const Launch& launch) const;
  void print_axes(const std::vector<int>& axes, const std::string& point, cpp::TextBuilder& head);
  std::string point_name(int axis) const;
  Dim points_of(int axis) const;
  void drop_unused(const std::string& text);
  void print_sizes(cpp::TextBuilder& head) const;
  void print_offsets();
  std::string rows_name(size_t let, size_t component) const;
  void print_starts(cpp::TextBuilder& starts, const std::string& text);
  std::string offset_text(const Dim& dim);
  std::vector<std::string> parameters_of(const Launch& launch,
                                         const std::vector<ValueId>& aliased) const;
  std::vector<std::string> formula_of(const Launch& launch) const;
  std::string let_text(const ExprNode& node) override;
  // An array in local memory, once for all that use it; floats in it as lanes of their own.
  void add_local(const std::string& type, const std::string& name, int64_t elements,
                 int64_t element_bytes);
  void add_lanes(const std::string& type, const std::string& name, const std::string& tile);

  // --- Work-groups that share a point (cooperative_printer.cpp) ---
  void end_beyond(const std::string& point, const Dim& extent, cpp::TextBuilder& head);
  void print_cooperative_point(const Launch& launch, cpp::TextBuilder& head);
  void print_team(const Launch& launch);
  void print_shared(const ForLoop& loop, int items);
  void print_joined(int let, int items);
  void print_first(const LoopNode& node);

  // --- Tiles of products (product_printer.cpp) ---
  void print_product(const Launch& launch);
  std::string product_point(const Launch& launch);
  std::string product_load(const StagedFactor& factor, const char* name, int lane, int width);
  std::string panel_load(const StagedFactor& factor, const char* name, int lane, int width);
  std::string product_store(const Launch& launch);
  std::string texels_load(const StagedFactor& factor, const char* name, int lane, int width);
  void print_panel_texel(const ExprNode& load, const char* name, const Index& first,
                         const Index& depth, int width);
  void print_product_texels(const LoopNodes& stores);
  std::string as_staged(const std::string& texel) const;

  // --- Attention (attention_printer.cpp) ---
  void print_attention_blocks(const Launch& launch);
  std::string attention_point(const Launch& launch);
  std::string attention_load(const Expr& element, int lane, const std::string& first,
                             const std::vector<int>& along, int pitch);
  static std::string position_name(int let) { return "position" + std::to_string(let); }
  void print_position(const PositionTable& table);
  void print_empty_row(const AttentionSchedule& form);
  std::string attention_let(const AttentionSchedule& form, int let) const;
  std::string attention_gain(const GroupAttention& attention);
  std::string attention_factor(const GroupAttention& attention);
  void print_sum_of(const AttentionSchedule& form, const Expr& weight);
  std::string attention_masked(const GroupAttention& attention);
  std::string attention_store(const GroupAttention& attention);
  void print_attention_texel(const AttentionSchedule& form);

  // --- Images: four points of an axis, the lanes of a texel (texel_printer.cpp) ---

  // What is open around the present place: texels that were read in front of the lanes, and those
  // that are written behind them.
  struct Texel {
    ValueId value = kNoValue;
    Index x = 0, y = 0;
    std::string name;  // of an array of four
  };
  struct Lanes {
    int axis = 0;
    std::vector<Texel> read, written;
    bool guarded = false;
  };
  std::string lane_name(int axis) const { return axis_name(axis) + "_lane"; }
  int width_of(int axis) const { return axis == texels_ ? lanes_of_item_ : int{kTexel}; }
  std::string four_name(int axis) const {
    return axis_name(axis) + (width_of(axis) == kTexel ? "_four" : "_vector");
  }
  bool is_image(ValueId id) const { return images_.contains(id); }
  ImagePoint point_in_image(ValueId id, const std::vector<Index>& at) const;
  std::string read_image(ValueId id, const ImagePoint& point);
  // The same place with four points of an axis as one: its number and the lane.
  Index in_fours(const Index& index, int axis) const;
  void open_lanes(int axis, const LoopNodes& nodes, const std::vector<Expr>& exprs = {});
  void close_lanes();
  void print_item_lanes(const Launch& launch);
  void print_in_lanes(const LoopNodes& nodes);
  void print_fours(const ForLoop& loop);
  std::string value_text(const ExprNode& load) override;
  std::string component_text(const ExprNode& load);
  void print_write(const Write& write, const std::string& text) override;
  using LoopPrinter::print;
  void print(const ForLoop& loop) override;
  void print_hint(const ForLoop& loop) override;
  std::string let_variable(int let, int component) const override;
  std::string taken_variable(int let) const override;
  void define_variable(std::string_view type, const std::string& name, const std::string& value,
                       bool constant) override;

  template <class Print>
  std::string captured(const Print& print);
  void print_template(const std::string& lines);

  std::set<int> own_lets_;  // of a cooperative group's point: variables of every work-item
  const ImageMaps& images_;
  const DeviceSizes& sizes_;
  std::vector<Lanes> lanes_;  // from the outermost
  int item_lanes_ = -1;       // the axis of the lanes that every work-item has; variables are four
  int texels_ = -1;           // the axis of texels that the launch writes, or of its lanes
  int lanes_of_item_ = 4;     // points of that axis
  int unroll_ = 0;            // rounds of innermost loops
  const Product* product_ = nullptr;
  const GroupAttention* attention_ = nullptr;
  Ids ids_;
  cpp::TextBuilder head_;  // where a work-item finds its point
  std::vector<Local> locals_;
  std::vector<std::string> local_lanes_;  // pointers into these
  cpp::ValueNames names_;
  std::vector<Symbol> offset_symbols_;
  std::map<std::string, std::string> offset_texts_;  // by the array that starts there
  std::vector<std::string> full_formula_;
};

// What `print` writes, on its own.
template <class Print>
std::string LaunchPrinter::captured(const Print& print) {
  cpp::TextBuilder saved = std::move(text_);
  text_ = {};
  print();
  std::string out = text_.text();
  text_ = std::move(saved);
  return out;
}

}  // namespace burin::opencl
