// Attention in blocks (select/device/device_attention.h), by the template
// opencl/kernels/attention.cl.
#include "backends/opencl/launch_printer_core.h"
#include "render/printed_code.h"
#include "render/template.h"

namespace burin::opencl {

// value = the element of Q, K or V at `place` along one axis and `flat` along others.
std::string LaunchPrinter::attention_load(const Expr& element, int lane, const std::string& first,
                                          const std::vector<int>& along, int pitch) {
  return captured([&] {
    exprs_.open_scope();
    const size_t depth = axes_.size();
    Dim extent = 1;
    for (const int axis : along) extent *= kernel_.axes[static_cast<size_t>(axis)].extent;
    const std::string width = std::to_string(pitch);
    text_.line("const " + index_type_ + " " + axis_name(lane) + " = " + first + " + e / " + width +
               ";");
    const std::string flat = along.size() == 1 ? axis_name(along[0]) : "flat";
    text_.line("const " + index_type_ + " " + flat + " = e % " + width + ";");
    std::string inside =
        axis_name(lane) + " < " + exprs_.text(kernel_.axes[static_cast<size_t>(lane)].extent);
    if (!extent.is_constant(pitch)) inside += " && " + flat + " < " + exprs_.text(extent);
    text_.open("if (" + inside + ") {");
    if (along.size() > 1) print_axes(along, flat, text_);
    axes_.push_back(lane);
    axes_.insert(axes_.end(), along.begin(), along.end());
    name_divisions(element);
    text_.line("value = " + cpp::without_parentheses(exprs_.text(element)) + ";");
    text_.close();
    axes_.resize(depth);
    exprs_.close_scope();
  });
}

std::string LaunchPrinter::attention_point(const Launch& launch) {
  const AttentionSchedule& form = launch.attention->form;
  cpp::TextBuilder head;
  const std::string query = axis_name(form.query);
  head.line("const " + index_type_ + " " + query + "_first = (" + index_type_ + ")" +
            ids_.group[0] + " * " + std::to_string(launch.attention->queries) + ";");
  end_beyond(query + "_first", launch.dimensions[0].extent, head);
  if (form.batch.size() == 1) {
    head.line("const " + index_type_ + " " + axis_name(form.batch[0]) + " = (" + index_type_ + ")" +
              ids_.group[1] + ";");
    end_beyond(axis_name(form.batch[0]), launch.dimensions[1].extent, head);
  } else if (!form.batch.empty()) {
    head.line("const " + index_type_ + " point = (" + index_type_ + ")" + ids_.group[1] + ";");
    end_beyond("point", launch.dimensions[1].extent, head);
    print_axes(form.batch, "point", head);
  }
  axes_.insert(axes_.end(), form.batch.begin(), form.batch.end());
  return head.text();
}

// The score of the position that the present query and key read. A mask may read none: the row is
// one that is there.
void LaunchPrinter::print_position(const PositionTable& table) {
  std::vector<Index> axes;
  for (size_t a = 0; a < kernel_.axes.size(); ++a)
    axes.push_back(Index::axis(static_cast<int>(a), kernel_.axes[a].extent));
  axes[static_cast<size_t>(table.row)] = max(0, min(table.read, table.rows - 1));
  const Expr product = Expr::binary(Binary::mul, table.q, substitute_axes(table.p, axes));
  const std::string name = position_name(table.let);
  text_.line("float " + name + " = 0.0f;");
  for (const int axis : table.depth) open_loop(axis);
  name_divisions(product);
  text_.line(name + " += " + cpp::without_parentheses(exprs_.text(product)) + ";");
  close_loops(table.depth.size());
}

// One score, which may be masked; queries and keys beyond the last have none.
std::string LaunchPrinter::attention_masked(const GroupAttention& attention) {
  const AttentionSchedule& form = attention.form;
  return captured([&] {
    exprs_.open_scope();
    const size_t depth = axes_.size();
    const std::string query = axis_name(form.query), key = axis_name(form.key);
    text_.line("const " + index_type_ + " " + query + " = " + query + "_first + q;");
    text_.line("const " + index_type_ + " " + key + " = " + key + "_first + key;");
    axes_.insert(axes_.end(), {form.query, form.key});
    text_.open("if (" + query + " < " + exprs_.text(form.queries) + " && " + key + " < " +
               exprs_.text(form.keys) + ") {");
    for (const PositionTable& table : form.positions) print_position(table);
    name_divisions(form.masked);
    text_.line("score_tile[place] = " + cpp::without_parentheses(exprs_.text(form.masked)) + ";");
    text_.close();
    axes_.resize(depth);
    exprs_.close_scope();
  });
}

std::string LaunchPrinter::attention_let(const AttentionSchedule& form, int let) const {
  if (let == 0) return "score";
  if (let == form.result) return "result[c]";
  if (let == form.greatest) return "greatest";
  if (let == form.total) return "total";
  return let == form.gained ? "gained" : position_name(let);
}

// The exponent `score` of a key of the present row becomes its weight.
std::string LaunchPrinter::attention_gain(const GroupAttention& attention) {
  const AttentionSchedule& form = attention.form;
  const std::string add = form.gained < 0 ? "" : "gained += weight;\n";
  if (!form.gains()) return "const float weight = score;\n" + add;
  return captured([&] {
           exprs_.open_scope();
           const size_t depth = axes_.size();
           const std::string query = axis_name(form.query), key = axis_name(form.key);
           text_.line("float weight = 0.0f;");
           text_.line("const " + index_type_ + " " + query + " = " + query + "_first + row;");
           text_.line("const " + index_type_ + " " + key + " = " + key + "_first + k;");
           axes_.insert(axes_.end(), {form.query, form.key});
           text_.open("if (" + query + " < " + exprs_.text(form.queries) + " && " + key + " < " +
                      exprs_.text(form.keys) + ") {");
           name_divisions(form.gain);
           text_.line("weight = " + cpp::without_parentheses(exprs_.text(form.gain)) + ";");
           text_.close();
           axes_.resize(depth);
           exprs_.close_scope();
         }) +
         add;
}

// What the sums of the present row are multiplied with.
std::string LaunchPrinter::attention_factor(const GroupAttention& attention) {
  const AttentionSchedule& form = attention.form;
  if (!form.factor) return {};
  return captured([&] {
    exprs_.open_scope();
    const size_t depth = axes_.size();
    const std::string query = axis_name(form.query);
    text_.line("float factor = 0.0f;");
    text_.open("if (" + query + "_first + row < " + exprs_.text(form.queries) + ") {");
    text_.line("const " + index_type_ + " " + query + " = " + query + "_first + row;");
    axes_.push_back(form.query);
    name_divisions(form.factor);
    text_.line("factor = " + cpp::without_parentheses(exprs_.text(form.factor)) + ";");
    text_.close();
    axes_.resize(depth);
    exprs_.close_scope();
  });
}

// result[c] = the sum over all keys of `weight`, which only the place of a key decides.
void LaunchPrinter::print_sum_of(const AttentionSchedule& form, const Expr& weight) {
  text_.line("result[c] = 0.0f;");
  open_loop(form.key);
  const Expr product = Expr::binary(Binary::mul, weight, form.v);
  name_divisions(product);
  text_.line("result[c] += " + cpp::without_parentheses(exprs_.text(product)) + ";");
  close_loops(1);
}

// What a row is given in which no weight is a number. Totals of numbers are 1 at least. A sum over
// no keys is 0, whatever it would be divided by.
void LaunchPrinter::print_empty_row(const AttentionSchedule& form) {
  if (form.keys.range().lo < 1)
    text_.line("if (" + exprs_.text(form.keys) + " == 0) result[c] = 0.0f;");
  if (form.empty == EmptyRows::zero_if_masked) {
    text_.line("if (greatest == -INFINITY) result[c] = 0.0f;");
  } else if (form.empty == EmptyRows::zero_if_nan) {
    text_.open("if (!(total > 0.0f)) {");
    print_sum_of(form, Expr::constant(Type::f32, 0.0));
    text_.close();
  } else if (form.selects) {
    text_.open("if (factor - factor != 0.0f) {");
    print_sum_of(form, form.gain_of_nan());
    text_.close();
  }
}

std::string LaunchPrinter::attention_store(const GroupAttention& attention) {
  const AttentionSchedule& form = attention.form;
  return captured([&] {
    exprs_.open_scope();
    const size_t depth = axes_.size();
    const std::string query = axis_name(form.query), element = axis_name(form.element);
    text_.line("const " + index_type_ + " " + query + " = " + query + "_first + row;");
    if (texels_ >= 0) {
      print_attention_texel(form);
      axes_.resize(depth);
      exprs_.close_scope();
      return;
    }
    text_.append("#pragma unroll\n");
    text_.open("for (int c = 0; c < 4; ++c) {");
    text_.line("const " + index_type_ + " " + element + " = 4 * v4 + c;");
    axes_.insert(axes_.end(), {form.query, form.element});
    text_.open("if (" + query + " < " + exprs_.text(form.queries) + " && " + element + " < " +
               exprs_.text(form.elements) + ") {");
    print_empty_row(form);
    const LoopNodes store{LoopNode{Store{0, form.value, kernel_.writes[0].when}}};
    name_divisions(store);
    print(store);
    text_.close();
    text_.close();
    axes_.resize(depth);
    exprs_.close_scope();
  });
}

// A vector of results is a texel.
void LaunchPrinter::print_attention_texel(const AttentionSchedule& form) {
  const std::string query = axis_name(form.query), four = four_name(form.element);
  text_.line("const " + index_type_ + " " + four + " = v4;");
  text_.open("if (" + query + " < " + exprs_.text(form.queries) + " && 4 * " + four + " < " +
             exprs_.text(form.elements) + ") {");
  axes_.push_back(form.query);
  const LoopNodes store{LoopNode{Store{0, form.value, kernel_.writes[0].when}}};
  open_lanes(form.element, store);
  text_.line("const int c = (int)" + lane_name(form.element) + ";");
  print_empty_row(form);
  print(store);
  close_lanes();
  text_.close();
}

void LaunchPrinter::print_attention_blocks(const Launch& launch) {
  attention_ = &*launch.attention;
  const GroupAttention& attention = *attention_;
  const AttentionSchedule& form = attention.form;
  add_local("float4", "q_tile", attention.queries * attention.depth / 4, 16);
  add_local("float4", "k_tile", attention.keys * (attention.depth / 4 + 1), 16);
  add_local("float4", "v_tile", attention.keys * attention.elements / 4, 16);
  add_local("float", "score_tile", attention.queries * (attention.keys + 1), 4);
  add_local("float", "weight_tile", attention.queries * (attention.keys + 1), 4);
  for (const std::string name : {"q", "k", "v"})
    add_lanes("float", name + "_lanes", name + "_tile");
  out_.headers.insert("float32.cl");
  const std::string point = attention_point(launch);
  const std::string key_first = axis_name(form.key) + "_first";
  const std::string query_first = axis_name(form.query) + "_first";
  const std::string load_q =
      attention_load(form.q, form.query, query_first, form.depth, attention.depth);
  const std::string load_k =
      attention_load(form.k, form.key, key_first, form.depth, attention.depth);
  const std::string load_v =
      attention_load(form.v, form.key, key_first, {form.element}, attention.elements);
  const bool gained = form.gained >= 0;
  const std::string begin = gained ? "float gained = 0.0f;\n" : "",
                    shrink = gained ? "gained *= rescale;\n" : "";
  const std::string masked = attention_masked(attention), gain = attention_gain(attention),
                    factor = attention_factor(attention), store = attention_store(attention);
  print_template(Template::embedded("templates/opencl/kernels/attention.cl.in")
                     .render({{"item", printed_code(ids_.local)},
                              {"items", attention.items},
                              {"queries", attention.queries},
                              {"keys", attention.keys},
                              {"depth", attention.depth},
                              {"elements", attention.elements},
                              {"index", printed_code(index_type_)},
                              {"key_first", printed_code(key_first)},
                              {"key_count", printed_code(exprs_.text(form.keys))},
                              {"point", printed_code(point)},
                              {"load_q", printed_code(load_q)},
                              {"load_k", printed_code(load_k)},
                              {"load_v", printed_code(load_v)},
                              {"masked", printed_code(masked)},
                              {"gain", printed_code(gain)},
                              {"begin", printed_code(begin)},
                              {"shrink", printed_code(shrink)},
                              {"factor", printed_code(factor)},
                              {"scaled", printed_code(form.factor ? "* factor" : "/ total")},
                              {"store", printed_code(store)}})
                     .text());
  attention_ = nullptr;
}

}  // namespace burin::opencl
