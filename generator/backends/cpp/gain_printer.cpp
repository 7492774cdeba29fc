// Prints weights of attention that are more than exponents, and what their sums are multiplied with
// (fuse/attention_rows.h): for a block of queries and keys, and for the row of one of few queries.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

// The exponents in `scores` become weights, `count` keys of them.
void KernelPrinter::print_gain(const AttentionSchedule& attention, const std::string& weights,
                               const std::string& count) {
  if (attention.gains()) {
    LoopNodes nodes{LoopNode{Fill{attention.gain, place_of_score(attention), "scores"}}};
    if (!few_ && attention.query >= 0)
      nodes = {LoopNode{ForLoop{attention.query, block_first(attention.query),
                                block_end(attention.query), std::move(nodes)}}};
    const Index first = few_ ? Index(0) : block_first(attention.key),
                end = few_ ? few_->keys : block_end(attention.key);
    nodes = {LoopNode{ForLoop{attention.key, first, end, std::move(nodes)}}};
    exprs_.open_scope();
    name_divisions(nodes);
    print(nodes);
    exprs_.close_scope();
  }
  if (attention.gained < 0) return;
  text_.line(few_ ? "const float gained = burin_rt::total_of_row<" +
                        std::to_string(attention.few->lanes) + ">(" + weights + ", " + count + ");"
                  : "burin_rt::add_gained(" + weights + ", " + count + ", rows, gained);");
}

// sums * factor, for the present block of queries.
void KernelPrinter::print_factors(const AttentionSchedule& attention) {
  text_.line("float factors[" + std::to_string(attention.columns()) + "] = {};");
  LoopNodes nodes{LoopNode{Fill{attention.factor, attention_column(attention), "factors"}}};
  nodes = {LoopNode{ForLoop{attention.query, block_first(attention.query),
                            block_end(attention.query), std::move(nodes)}}};
  exprs_.open_scope();
  name_divisions(nodes);
  print(nodes);
  exprs_.close_scope();
  if (attention.selects) print_sums_of_nan(attention);
  text_.line("burin_rt::scale_rows<" + std::to_string(attention.columns()) + ">(sums, " +
             exprs_.text(attention.elements) + ", factors);");
}

// Weights are NaN where the factor is no number, but for keys that the gain leaves out.
void KernelPrinter::print_sums_of_nan(const AttentionSchedule& attention) {
  const auto loop = [&](int axis, const std::string& first, const std::string& end) {
    const std::string name = axis_name(axis);
    exprs_.open_scope();
    text_.open("for (" + index_type_ + " " + name + " = " + first + "; " + name + " < " + end +
               "; ++" + name + ") {");
    axes_.push_back(axis);
  };
  loop(attention.query, exprs_.text(block_first(attention.query)),
       exprs_.text(block_end(attention.query)));
  const std::string factor = "factors[" + exprs_.text(attention_column(attention)) + "]";
  text_.line("if (" + factor + " - " + factor + " == 0.0f) continue;");
  loop(attention.element, "0", exprs_.text(attention.elements));
  text_.line("float sum = 0.0f;");
  loop(attention.key, "0", exprs_.text(attention.keys));
  const Expr product = Expr::binary(Binary::mul, attention.gain_of_nan(), attention.v);
  name_divisions({LoopNode{PackLane{product, attention.key}}});
  text_.line("sum += " + without_parentheses(exprs_.text(product)) + ";");
  close_loops(1);
  text_.line("sums[" + exprs_.text(place_of_sum(attention)) + "] = sum;");
  close_loops(1);
  text_.line(factor + " = 1.0f;");
  close_loops(1);
}

// The scores of one query become its weights.
void KernelPrinter::print_row_weights(const AttentionSchedule& attention, const std::string& row) {
  const std::string keys = exprs_.text(few_->keys);
  text_.open("{");
  exprs_.open_scope();
  text_.line("const burin_rt::RowExponents rows = burin_rt::exponents_of_row<" +
             std::to_string(attention.few->lanes) + ">(" + row + ", " + keys + ");");
  print_gain(attention, row, keys);
  name_divisions({LoopNode{PackLane{attention.factor, attention.key}}});
  text_.line("const float factor = " + without_parentheses(exprs_.text(attention.factor)) + ";");
  if (attention.selects) {
    text_.open("if (factor - factor == 0.0f) {");
    text_.line("burin_rt::scale_row(" + row + ", " + keys + ", factor);");
    text_.reopen("} else {");
    LoopNodes nodes{LoopNode{Fill{attention.gain_of_nan(), place_of_score(attention), "scores"}}};
    nodes = {LoopNode{ForLoop{attention.key, 0, few_->keys, std::move(nodes)}}};
    name_divisions(nodes);
    print(nodes);
    text_.close();
  } else {
    text_.line("burin_rt::scale_row(" + row + ", " + keys + ", factor);");
  }
  exprs_.close_scope();
  text_.close();
}

}  // namespace burin::cpp
