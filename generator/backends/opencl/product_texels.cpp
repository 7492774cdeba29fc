// Tiles of products (product_printer.cpp) whose operands or result are images: four neighbours are
// staged, and written, as a texel.
#include "backends/opencl/launch_printer_core.h"

namespace burin::opencl {

// <name>[j] = four neighbours of the depth or of the lanes, element number 4 * e on.
std::string LaunchPrinter::texels_load(const StagedFactor& factor, const char* name, int lane,
                                       int width) {
  const int along = factor.along_depth ? product_->within : lane;
  const std::string fours =
      std::to_string((factor.along_depth ? product_->tile.depth : width) / int{kTexel});
  const std::string element = std::string(name) + "_four";
  return captured([&] {
    exprs_.open_scope();
    const size_t depth = axes_.size();
    std::string inside;
    if (factor.along_depth) {
      text_.line("const " + index_type_ + " " + four_name(along) + " = e % " + fours + ";");
      if (lane >= 0) {
        text_.line("const " + index_type_ + " " + axis_name(lane) + " = " + axis_name(lane) +
                   "_first + e / " + fours + ";");
        axes_.push_back(lane);
        const Dim& extent = kernel_.axes[static_cast<size_t>(lane)].extent;
        if (!extent.is_constant() || extent.constant() % width != 0)
          inside = axis_name(lane) + " < " + exprs_.text(extent);
      } else if (width > 1) {
        inside = "e / " + fours + " == 0";
      }
    } else {
      text_.line("const " + index_type_ + " " + axis_name(product_->within) + " = e / " + fours +
                 ";");
      axes_.push_back(product_->within);
      text_.line("const " + index_type_ + " " + four_name(lane) + " = " + axis_name(lane) +
                 "_first / 4 + e % " + fours + ";");
    }
    text_.line("float " + element + "[4] = {0.0f, 0.0f, 0.0f, 0.0f};");
    if (!inside.empty()) text_.open("if (" + inside + ") {");
    open_lanes(along, {LoopNode{Fill{factor.element, 0}}}, {factor.element});
    text_.line(element + "[" + lane_name(along) +
               "] = " + cpp::without_parentheses(exprs_.text(factor.element)) + ";");
    close_lanes();
    if (!inside.empty()) text_.close();
    text_.line(std::string(name) + "[j] = " + as_staged("vload4(0, " + element + ")") + ";");
    axes_.resize(depth);
    exprs_.close_scope();
  });
}

// A vector of a constant's panel: its lanes are a texel.
void LaunchPrinter::print_panel_texel(const ExprNode& load, const char* name, const Index& first,
                                      const Index& depth, int width) {
  const Value& panels = value(load.id);
  const auto blocked = static_cast<size_t>(panels.layout.blocks[0].axis);
  const std::string fours = std::to_string(width / int{kTexel});
  const auto variable = [&](const char* called, const std::string& text, const Dim& end) {
    text_.line("const " + index_type_ + " " + called + " = " + text + ";");
    local_symbols_.insert(called);
    const int64_t most = end.range().hi == kUnbounded ? kUnbounded : end.range().hi - 1;
    return Index::symbol(
        std::make_shared<SymbolInfo>(SymbolInfo{called, SymbolOrigin::iter, 0, most}));
  };
  const Index four =
      variable("panel_four", exprs_.text(floordiv(first, kTexel)) + " + e % " + fours, kUnbounded);
  const Index at = variable("panel_depth", exprs_.text(depth) + " + e / " + fours, product_->depth);
  std::vector<Index> place(load.at.begin(), load.at.begin() + static_cast<std::ptrdiff_t>(blocked));
  place.push_back(four * kTexel);
  const std::vector<Dim> extents(panels.shape.begin() + static_cast<std::ptrdiff_t>(blocked) + 1,
                                 panels.shape.end());
  for (const Index& one : delinearize(at, extents)) place.push_back(one);
  text_.line(std::string(name) +
             "[j] = " + as_staged(read_image(load.id, point_in_image(load.id, place))) + ";");
}

// A texel as it is staged.
std::string LaunchPrinter::as_staged(const std::string& texel) const {
  return product_->partial >= 0 ? "convert_half4(" + texel + ")" : texel;
}

// What is written for the sums of a work-item, four of a row or of a column at a time.
void LaunchPrinter::print_product_texels(const LoopNodes& stores) {
  const GroupTile& tile = product_->tile;
  const bool rows = texels_ == product_->m;
  const int other = rows ? product_->n : product_->m;
  exprs_.open_scope();
  const size_t depth = axes_.size();
  const auto loop = [&](const char* variable, int count) {
    text_.append("#pragma unroll\n");
    text_.open("for (int " + std::string(variable) + " = 0; " + variable + " < " +
               std::to_string(count) + "; ++" + variable + ") {");
  };
  // The other axis, point by point.
  const std::string across = std::to_string(tile.columns / tile.item_columns);
  const std::string column = "4 * (c / 4 * " + across + " + column) + c % 4";
  loop(rows ? "c" : "r", rows ? tile.item_columns : tile.item_rows);
  const std::string place = rows ? column : "row + r";
  if (other < 0) {
    text_.open("if (" + place + " == 0) {");
  } else {
    const int width = rows ? tile.columns : tile.rows;
    text_.line("const " + index_type_ + " " + axis_name(other) + " = " + axis_name(other) +
               "_first + " + place + ";");
    const Dim& extent = kernel_.axes[static_cast<size_t>(other)].extent;
    const bool whole = extent.is_constant() && extent.constant() % width == 0;
    text_.open(whole ? "{" : "if (" + axis_name(other) + " < " + exprs_.text(extent) + ") {");
    axes_.push_back(other);
  }
  // The axis of the texels by fours.
  loop("v", (rows ? tile.item_rows : tile.item_columns) / int{kTexel});
  const std::string four = four_name(texels_);
  text_.line("const " + index_type_ + " " + four + " = " + axis_name(texels_) + "_first / 4 + " +
             (rows ? "row / 4 + v" : "v * " + across + " + column") + ";");
  const Dim fours = ceildiv(kernel_.axes[static_cast<size_t>(texels_)].extent, kTexel);
  text_.open("if (" + four + " < " + exprs_.text(fours) + ") {");
  open_lanes(texels_, stores);
  const std::string side = rows ? "r" : "c";
  text_.line("const int " + side + " = 4 * v + (int)" + lane_name(texels_) + ";");
  print(stores);
  close_lanes();
  for (int i = 0; i < 4; ++i) text_.close();
  axes_.resize(depth);
  exprs_.close_scope();
}

}  // namespace burin::opencl
