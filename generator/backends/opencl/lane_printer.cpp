// Reductions of rows in lanes (select/schedule/lanes.h): whole groups of lanes, the rest of the
// row, the partial results by halves.
#include <algorithm>

#include "backends/cpp/vocabulary.h"
#include "backends/opencl/loop_printer.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"

namespace burin::opencl {

void LoopPrinter::open_blocks(const LaneLoop& row, const std::string& begin,
                              const std::string& end) {
  const std::string axis = axis_name(row.axis), block = axis + "_block",
                    size = std::to_string(row.block);
  text_.open("for (" + index_type_ + " " + block + " = " + begin + "; " + block + " < " + end +
             "; " + block + " += " + size + ") {");
  text_.line("const " + index_type_ + " " + axis + "_end = " + end + " - " + block + " < " + size +
             " ? " + end + " : " + block + " + " + size + ";");
}

void LoopPrinter::define_lanes(const LaneLoop& row, const std::string& name) {
  const Let& let = kernel_.lets[static_cast<size_t>(row.let)];
  const std::string width = std::to_string(row.lanes);
  text_.line(std::string(language_.compute_name(let.accumulator[0])) + " " + name + "[" + width +
             "];");
  text_.line("for (" + index_type_ + " lane = 0; lane < " + width + "; ++lane) " + name +
             "[lane] = " + exprs_.text(burin::identity_of(let.op, let.accumulator[0])) + ";");
}

void LoopPrinter::open_lanes(const LaneLoop& row, const std::string& begin,
                             const std::string& last) {
  const std::string axis = axis_name(row.axis), first = axis + "_first",
                    width = std::to_string(row.lanes);
  text_.open("for (" + index_type_ + " " + first + " = " + begin + "; " + first + " < " + last +
             "; " + first + " += " + width + ") {");
  text_.open("for (" + index_type_ + " lane = 0; lane < " + width + "; ++lane) {");
  const std::vector<int> used = axes_of(row.body[0]);
  if (std::find(used.begin(), used.end(), row.axis) != used.end())
    text_.line("const " + index_type_ + " " + axis + " = " + first + " + lane;");
}

void LoopPrinter::print(const LaneLoop& row) {
  const Let& let = kernel_.lets[static_cast<size_t>(row.let)];
  if (is_keyed(let.op)) {
    print_keyed(row);
    return;
  }
  const std::string number = std::to_string(row.let), axis = axis_name(row.axis);
  const std::string lanes = "lanes" + number, whole = axis + "_whole";
  const std::string width = std::to_string(row.lanes);
  exprs_.open_scope();
  text_.open(row.when.empty() ? "{" : "if (" + exprs_.text(row.when) + ") {");
  std::string begin = exprs_.text(row.begin), end = exprs_.text(row.end);
  const bool blocks = row.block > 0;
  if (blocks) {
    open_blocks(row, begin, end);
    begin = axis + "_block";
    end = axis + "_end";
  }
  define_lanes(row, lanes);
  // Known lengths need no arithmetic, and no rest where lanes divide them. A row that ends before
  // it begins has no whole group: the quotient is not above 0.
  const Index length = row.end - row.begin;
  const bool known = !blocks && length.is_constant() && row.begin.is_constant();
  const bool rest = blocks || !length.is_constant() || length.constant() % row.lanes != 0;
  const std::string last =
      known  ? std::to_string(row.begin.constant() + length.constant() / row.lanes * row.lanes)
      : rest ? whole
             : end;
  if (!known && rest) {
    text_.line("const " + index_type_ + " " + whole + " = " +
               (!blocks && row.begin.is_constant(0)
                    ? "(" + end + ")"
                    : begin + " + (" + end + " - (" + begin + "))") +
               " / " + width + " * " + width + ";");
  }
  axes_.push_back(row.axis);
  open_lanes(row, begin, last);
  exprs_.open_scope();
  combine(let, lanes + "[lane]", exprs_.text(row.body[0]));
  exprs_.close_scope();
  text_.close();
  text_.close();
  if (rest) {
    text_.open("for (" + index_type_ + " " + axis + " = " + last + "; " + axis + " < " + end +
               "; ++" + axis + ") {");
    exprs_.open_scope();
    combine(let, lanes + "[" + axis + " - " + last + "]", exprs_.text(row.body[0]));
    exprs_.close_scope();
    text_.close();
  }
  axes_.pop_back();
  text_.open("for (" + index_type_ + " half = " + std::to_string(row.lanes / 2) +
             "; half > 0; half /= 2) {");
  text_.open("for (" + index_type_ + " lane = 0; lane < half; ++lane) {");
  combine(let, lanes + "[lane]", lanes + "[lane + half]");
  text_.close();
  text_.close();
  combine(let, let_name(row.let, 0), lanes + "[0]");
  if (blocks) text_.close();
  text_.close();
  exprs_.close_scope();
}

}  // namespace burin::opencl
