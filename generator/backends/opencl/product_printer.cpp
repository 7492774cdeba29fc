// Tiles of products (select/device/device_product.h), by the template opencl/kernels/product.cl.
#include "backends/opencl/launch_printer_core.h"
#include "backends/opencl/opencl_language.h"
#include "render/printed_code.h"
#include "render/template.h"
#include "select/device/device_product.h"

namespace burin::opencl {
namespace {

constexpr int kPad = 4;  // floats between points of the depth that are written a row apart

int pitch_of(int lanes, bool along_depth) { return (lanes + 3) / 4 * 4 + (along_depth ? kPad : 0); }

}  // namespace

void LaunchPrinter::print_product(const Launch& launch) {
  product_ = &*launch.product;
  const GroupTile& tile = product_->tile;
  const int a_pitch = pitch_of(tile.rows, product_->a.along_depth),
            b_pitch = pitch_of(tile.columns, product_->b.along_depth);
  const bool halves = product_->partial >= 0;
  const std::string staged = halves ? "half" : "float";
  if (halves) out_.headers.insert(kNeedsFp16);
  for (const auto& [name, pitch] : {std::pair("a", a_pitch), std::pair("b", b_pitch)}) {
    const std::string tile_name = std::string(name) + "_tile";
    add_local(staged + "4", tile_name, tile.depth * pitch / 4, halves ? 8 : 16);
    add_lanes(staged, std::string(name) + "_lanes", tile_name);
  }
  const std::string point = product_point(launch);
  exprs_.open_scope();
  axes_.push_back(product_->step);
  const std::string settled = captured([&] {
    name_divisions(
        {LoopNode{Fill{product_->a.element, 0}}, LoopNode{Fill{product_->b.element, 0}}});
  });
  const std::string load_a = product_load(product_->a, "a_next", product_->m, tile.rows),
                    load_b = product_load(product_->b, "b_next", product_->n, tile.columns);
  axes_.pop_back();
  exprs_.close_scope();
  // Vectors along the lanes, which lie as they are staged.
  const auto in_vectors = [&](const StagedFactor& factor, int width) {
    return factor.by_texels ? !factor.along_depth : reads_panels_in_vectors(factor, tile, width);
  };
  const Dim steps = kernel_.axes[static_cast<size_t>(product_->step)].extent;
  const std::string store = product_store(launch);
  const std::string unroll = unroll_ > 0 ? " " + std::to_string(unroll_) : "";
  print_template(Template::embedded("templates/opencl/kernels/product.cl.in")
                     .render({{"item", printed_code(ids_.local)},
                              {"items", tile.items()},
                              {"rows", tile.rows},
                              {"columns", tile.columns},
                              {"item_rows", tile.item_rows},
                              {"item_columns", tile.item_columns},
                              {"depth", tile.depth},
                              {"staged", printed_code(staged)},
                              {"halves", halves},
                              {"unroll", printed_code(unroll)},
                              {"a_pitch", a_pitch},
                              {"b_pitch", b_pitch},
                              {"a_along_depth", product_->a.along_depth},
                              {"b_along_depth", product_->b.along_depth},
                              {"a_vectors", in_vectors(product_->a, tile.rows)},
                              {"b_vectors", in_vectors(product_->b, tile.columns)},
                              {"a_texels", product_->a.by_texels && product_->a.along_depth},
                              {"b_texels", product_->b.by_texels && product_->b.along_depth},
                              {"index", printed_code(index_type_)},
                              {"step", printed_code(axis_name(product_->step))},
                              {"steps", printed_code(exprs_.text(steps))},
                              {"point", printed_code(point)},
                              {"settled", printed_code(settled)},
                              {"load_a", printed_code(load_a)},
                              {"load_b", printed_code(load_b)},
                              {"store", printed_code(store)}})
                     .text());
  product_ = nullptr;
}

// Where the tile begins, and the axes of the batch.
std::string LaunchPrinter::product_point(const Launch& launch) {
  cpp::TextBuilder head;
  const auto first = [&](int axis, const std::string& id, int width) {
    if (axis < 0) return;
    local_symbols_.insert(axis_name(axis) + "_first");
    const std::string place =
        id == "0" ? "0" : "(" + index_type_ + ")" + id + " * " + std::to_string(width);
    head.line("const " + index_type_ + " " + axis_name(axis) + "_first = " + place + ";");
  };
  first(product_->n, ids_.group[0], product_->tile.columns);
  first(product_->m, ids_.group[1], product_->tile.rows);
  const std::vector<int>& batch = launch.dimensions[2].axes;
  if (batch.size() == 1) {
    head.line("const " + index_type_ + " " + axis_name(batch[0]) + " = (" + index_type_ + ")" +
              ids_.group[2] + ";");
    end_beyond(axis_name(batch[0]), launch.dimensions[2].extent, head);
  } else if (!batch.empty()) {
    head.line("const " + index_type_ + " point = (" + index_type_ + ")" + ids_.group[2] + ";");
    end_beyond("point", launch.dimensions[2].extent, head);
    print_axes(batch, "point", head);
  }
  axes_.insert(axes_.end(), batch.begin(), batch.end());
  return head.text();
}

std::string LaunchPrinter::panel_load(const StagedFactor& factor, const char* name, int lane,
                                      int width) {
  // [batch][blocks][depth][width]; the element may stand behind the guard of the last step.
  const ExprNode* load = nullptr;
  visit(factor.element, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load && node.id == factor.panels) load = &node;
  });
  BURIN_CHECK(load, "panels that are not read");
  const Value& panels = value(factor.panels);
  const auto blocked = static_cast<size_t>(panels.layout.blocks[0].axis);
  Index batch = 0;
  for (size_t i = 0; i < blocked; ++i) batch = batch * panels.shape[i] + load->at[i];
  const Dim lanes = panels.shape[blocked];
  const Index first = lane < 0 ? Index(0) : block_first(lane);
  const auto axis_index = [&](int axis) {
    return Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent);
  };
  Index depth = axis_index(product_->step);
  if (product_->part >= 0)
    depth += axis_index(product_->part) * kernel_.axes[static_cast<size_t>(product_->step)].extent;
  depth *= Index(product_->tile.depth);
  const Index at = batch * (ceildiv(lanes, width) * width * product_->depth) +
                   first * product_->depth + depth * width;
  return captured([&] {
    const bool whole = factor.element.kind() == ExprKind::load;
    if (is_image(factor.panels)) {
      print_panel_texel(*load, name, first, depth, width);
      return;
    }
    const bool halves = product_->partial >= 0;
    if (reads_panels_in_vectors(factor, product_->tile, width)) {
      const std::string place = exprs_.text(floordiv(at, 4)) + " + e";
      const std::string from = value_name(factor.panels);
      const std::string vector = std::string(halves ? "half4" : "float4");
      text_.line(std::string(name) + "[j] = " +
                 (panels.type == Type::f16 && !halves
                      ? "vload_half4(" + place + ", " + from + ");"
                      : "((__global const " + vector + "*)" + from + ")[" + place + "];"));
      return;
    }
    const cpp::Held held{panels.type, halves ? Type::f16 : Type::f32};
    const std::string element = language_.load(
        held, language_.element(held, value_name(factor.panels), exprs_.text(at) + " + e"),
        out_.headers);
    if (whole) {
      text_.line(std::string(name) + "[j] = " + element + ";");
    } else {
      text_.line(std::string(name) + "[j] = " + exprs_.text(depth) + " + e / " +
                 std::to_string(width) + " < " + exprs_.text(product_->depth) + " ? " + element +
                 " : 0.0f;");
    }
  });
}

std::string LaunchPrinter::product_load(const StagedFactor& factor, const char* name, int lane,
                                        int width) {
  if (factor.panels != kNoValue) return panel_load(factor, name, lane, width);
  if (factor.by_texels) return texels_load(factor, name, lane, width);
  const std::string depth = std::to_string(product_->tile.depth), lanes = std::to_string(width);
  const std::string place = factor.along_depth ? "e / " + depth : "e % " + lanes;
  return captured([&] {
    exprs_.open_scope();
    text_.line("const " + index_type_ + " " + axis_name(product_->within) + " = " +
               (factor.along_depth ? "e % " + depth : "e / " + lanes) + ";");
    axes_.push_back(product_->within);
    std::string inside;
    if (lane >= 0) {
      text_.line("const " + index_type_ + " " + axis_name(lane) + " = " + axis_name(lane) +
                 "_first + " + place + ";");
      axes_.push_back(lane);
      const Dim& extent = kernel_.axes[static_cast<size_t>(lane)].extent;
      if (!extent.is_constant() || extent.constant() % width != 0)
        inside = axis_name(lane) + " < " + exprs_.text(extent);
    } else if (width > 1) {
      inside = place + " == 0";
    }
    if (!inside.empty()) {
      text_.line(std::string(name) + "[j] = 0.0f;");
      text_.open("if (" + inside + ") {");
    }
    name_divisions(factor.element);
    text_.line(std::string(name) +
               "[j] = " + cpp::without_parentheses(exprs_.text(factor.element)) + ";");
    if (!inside.empty()) text_.close();
    axes_.pop_back();
    if (lane >= 0) axes_.pop_back();
    exprs_.close_scope();
  });
}

// What is written for each sum of a work-item.
std::string LaunchPrinter::product_store(const Launch& launch) {
  const GroupTile& tile = product_->tile;
  const auto open = [&](int axis, const char* variable, const std::string& place, int count,
                        int width) {
    text_.append("#pragma unroll\n");
    text_.open("for (int " + std::string(variable) + " = 0; " + variable + " < " +
               std::to_string(count) + "; ++" + variable + ") {");
    if (axis < 0) {
      text_.open("if (" + std::string(place) + " == 0) {");
      return;
    }
    text_.line("const " + index_type_ + " " + axis_name(axis) + " = " + axis_name(axis) +
               "_first + " + place + ";");
    const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
    const bool whole = extent.is_constant() && extent.constant() % width == 0;
    text_.open(whole ? "{" : "if (" + axis_name(axis) + " < " + exprs_.text(extent) + ") {");
    axes_.push_back(axis);
  };
  LoopNodes stores;
  for (const LoopNode& node : launch.nodes) {
    if (std::holds_alternative<Store>(node.node) || std::holds_alternative<EndLet>(node.node))
      stores.push_back(node);
  }
  if (launch.texels >= 0) return captured([&] { print_product_texels(stores); });
  return captured([&] {
    exprs_.open_scope();
    open(product_->m, "r", "row + r", tile.item_rows, tile.rows);
    name_divisions(stores);
    const std::string across = std::to_string(tile.columns / tile.item_columns);
    const std::string column = "4 * (c / 4 * " + across + " + column) + c % 4";
    open(product_->n, "c", column, tile.item_columns, tile.columns);
    name_divisions(stores);
    for (const LoopNode& node : stores) {
      if (std::holds_alternative<Store>(node.node)) print({node});
      if (std::holds_alternative<EndLet>(node.node) &&
          !schedule_.places[static_cast<size_t>(product_->let)].scalar)
        text_.line(let_element(product_->let, 0, own_point(product_->let)) + " = sums[r][c];");
    }
    if (product_->n >= 0) axes_.pop_back();
    if (product_->m >= 0) axes_.pop_back();
    for (int i = 0; i < 4; ++i) text_.close();
    exprs_.close_scope();
  });
}

}  // namespace burin::opencl
