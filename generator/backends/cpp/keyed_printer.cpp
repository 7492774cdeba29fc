// Reductions to the tuple of an extreme key: point by point, or in lanes that each keep their best
// key and where it was.
#include "backends/cpp/kernel_printer_core.h"
#include "kernel/keyed.h"

namespace burin::cpp {
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

void KernelPrinter::take(int let, const std::vector<std::string>& tuple) {
  text_.line(taken_variable(let) + " = true;");
  for (size_t c = 0; c < tuple.size(); ++c)
    text_.line(let_variable(let, static_cast<int>(c)) + " = " + tuple[c] + ";");
}

void KernelPrinter::print_keyed(const Let& let, int number,
                                const std::vector<std::string>& bodies) {
  const std::string key = exprs_.fresh("key");
  text_.line("const " + std::string(language_.compute_name(let.accumulator[0])) + " " + key +
             " = " + bodies[0] + ";");
  text_.open("if (!" + taken_variable(number) + " || " +
             replaces(let.op, key, let_variable(number, 0)) + ") {");
  std::vector<std::string> tuple = bodies;
  tuple[0] = key;
  take(number, tuple);
  text_.close();
}

// The payload is a function of the point: only the best point's is evaluated.
void KernelPrinter::print_keyed(const LaneLoop& row) {
  const Let& let = kernel_.lets[static_cast<size_t>(row.let)];
  const std::string number = std::to_string(row.let), axis = axis_name(row.axis);
  const std::string keys = "keys" + number, places = "places" + number;
  const std::string type(language_.compute_name(let.accumulator[0])),
      width = std::to_string(row.lanes);
  const std::string begin = exprs_.text(row.begin), end = exprs_.text(row.end);
  text_.line(type + " " + keys + "[" + width + "];");
  text_.line(index_type_ + " " + places + "[" + width + "];");
  text_.open("for (" + index_type_ + " lane = 0; lane < " + width + "; ++lane) {");
  text_.line(keys + "[lane] = " + exprs_.text(identity_of(let.op, let.accumulator[0])) + ";");
  text_.line(places + "[lane] = -1;");
  text_.close();
  print_groups(row, begin, end, true, [&](const std::string& lane) {
    const std::string key = exprs_.fresh("key"), better = exprs_.fresh("better");
    const std::string best = keys + "[" + lane + "]", place = places + "[" + lane + "]";
    text_.line("const " + type + " " + key + " = " + exprs_.text(row.body[0]) + ";");
    text_.line("const bool " + better + " = " + replaces(let.op, key, best) + ";");
    text_.line(best + " = " + better + " ? " + key + " : " + best + ";");
    text_.line(place + " = " + better + " ? " + axis + " : " + place + ";");
  });
  // Of equal keys the first or the last; lanes without any are -1, with the worst key of all.
  const bool last = let.op == Combiner::last_max || let.op == Combiner::last_min;
  const Combiner strictly = let.op == Combiner::first_max || let.op == Combiner::last_max
                                ? Combiner::first_max
                                : Combiner::first_min;
  text_.open("for (" + index_type_ + " half = " + std::to_string(row.lanes / 2) +
             "; half > 0; half /= 2) {");
  text_.open("for (" + index_type_ + " lane = 0; lane < half; ++lane) {");
  const std::string own = keys + "[lane]", other = keys + "[lane + half]";
  text_.open("if (" + replaces(strictly, other, own) + " || (!(" + replaces(strictly, own, other) +
             ") && " + places + "[lane + half]" + (last ? " > " : " < ") + places + "[lane])) {");
  text_.line(own + " = " + other + ";");
  text_.line(places + "[lane] = " + places + "[lane + half];");
  text_.close();
  text_.close();
  text_.close();
  const auto take_at = [&](const std::string& condition, const std::string& place,
                           const std::optional<std::string>& key) {
    text_.open("if (" + condition + ") {");
    axes_.push_back(row.axis);
    exprs_.open_scope();
    text_.line("const " + index_type_ + " " + axis + " = " + place + ";");
    std::vector<std::string> tuple = exprs_.texts(row.body);
    if (key) tuple[0] = *key;
    take(row.let, tuple);
    exprs_.close_scope();
    axes_.pop_back();
    text_.close();
  };
  const bool some = proven_lt(row.begin, row.end);
  take_at("!" + taken_variable(row.let) + (some ? "" : " && " + begin + " < " + end), begin,
          std::nullopt);
  take_at(places + "[0] >= 0 && " + replaces(let.op, keys + "[0]", let_variable(row.let, 0)),
          places + "[0]", keys + "[0]");
}

}  // namespace burin::cpp
