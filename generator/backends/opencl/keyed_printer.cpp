// Reductions to the tuple of an extreme key: point by point, or with lanes that find out in which
// blocks of a row there is a better one (select/schedule/lanes.h).
#include "backends/opencl/loop_printer.h"
#include "kernel/combiner.h"

namespace burin::opencl {
namespace {

// Whether key `one` replaces `best`.
std::string replaces(Combiner op, const std::string& one, const std::string& best) {
  const Binary better = better_key(op);
  return one +
         (better == Binary::gt   ? " > "
          : better == Binary::ge ? " >= "
          : better == Binary::lt ? " < "
                                 : " <= ") +
         best;
}

}  // namespace

void LoopPrinter::print_keyed(const Let& let, int number, const std::vector<std::string>& bodies) {
  const std::string key = exprs_.fresh("key");
  text_.line("const " + std::string(language_.compute_name(let.accumulator[0])) + " " + key +
             " = " + bodies[0] + ";");
  text_.open("if (!" + taken_variable(number) + " || " +
             replaces(let.op, key, let_variable(number, 0)) + ") {");
  text_.line(taken_variable(number) + " = true;");
  text_.line(let_variable(number, 0) + " = " + key + ";");
  for (size_t c = 1; c < bodies.size(); ++c)
    text_.line(let_variable(number, static_cast<int>(c)) + " = " + bodies[c] + ";");
  text_.close();
}

// A block of points at a time: where its extreme key, which lanes find, replaces the best one so
// far, points are looked at one by one. No key of another block does, since the best one so far
// only gets better.
void LoopPrinter::print_keyed(const LaneLoop& row) {
  const Let& let = kernel_.lets[static_cast<size_t>(row.let)];
  const std::string number = std::to_string(row.let), axis = axis_name(row.axis);
  const std::string keys = "keys" + number, best = "best" + number,
                    width = std::to_string(row.lanes);
  const std::string block = axis + "_block", last = axis + "_end", whole = axis + "_whole";
  const std::string type(language_.compute_name(let.accumulator[0]));
  exprs_.open_scope();
  if (!row.when.empty()) text_.open("if (" + exprs_.text(row.when) + ") {");
  const auto loop = [&](const std::string& name, const std::string& from, const std::string& to) {
    text_.open("for (" + index_type_ + " " + name + " = " + from + "; " + name + " < " + to +
               "; ++" + name + ") {");
  };
  const auto take_better = [&](const std::string& into, const std::string& key) {
    text_.line(into + " = " + replaces(let.op, key, into) + " ? " + key + " : " + into + ";");
  };
  const auto at_point = [&](const std::function<void()>& print) {
    axes_.push_back(row.axis);
    exprs_.open_scope();
    print();
    exprs_.close_scope();
    axes_.pop_back();
  };
  const auto take_point = [&](const std::string& into) {
    at_point([&] {
      const std::string key = exprs_.fresh("key");
      text_.line("const " + type + " " + key + " = " + exprs_.text(row.body[0]) + ";");
      take_better(into, key);
    });
  };
  open_blocks(row, exprs_.text(row.begin), exprs_.text(row.end));
  text_.line("const " + index_type_ + " " + whole + " = " + block + " + (" + last + " - " + block +
             ") / " + width + " * " + width + ";");
  define_lanes(row, keys);
  open_lanes(row, block, whole);
  take_point(keys + "[lane]");
  text_.close();
  text_.close();
  text_.line(type + " " + best + " = " + keys + "[0];");
  loop("lane", "1", width);
  take_better(best, keys + "[lane]");
  text_.close();
  loop(axis, whole, last);
  take_point(best);
  text_.close();
  text_.open("if (!" + taken_variable(row.let) + " || " +
             replaces(let.op, best, let_variable(row.let, 0)) + ") {");
  loop(axis, block, last);
  at_point([&] { print_keyed(let, row.let, exprs_.texts(row.body)); });
  text_.close();
  text_.close();
  text_.close();
  if (!row.when.empty()) text_.close();
  exprs_.close_scope();
}

}  // namespace burin::opencl
