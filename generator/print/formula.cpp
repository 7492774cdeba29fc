// What a kernel computes, as a formula over the names that its function uses: the comment above it.
// Division that rounds down is spelled div, its remainder mod: in a comment, // would begin
// another.
#include "kernel/expr/expr_text.h"
#include "print/kernel_printer_core.h"

namespace burin::print {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string readable_formula(const std::string& text) {
  std::string out = without_parentheses(text);
  replace_all(out, " // ", " div ");
  replace_all(out, " % ", " mod ");
  return out;
}

}  // namespace

std::vector<std::string> KernelPrinter::formula() const {
  const TextNames names{[this](ValueId id) { return value_name(id); },
                        [this](int let, int component) { return let_name(let, component); },
                        [this](const Symbol& symbol) { return symbol_name(symbol); }};
  const auto point = [&](const std::vector<Index>& at) {
    std::string out;
    for (const Index& index : at)
      out += (out.empty() ? "" : ", ") + readable_formula(to_string(index, names));
    return out.empty() ? "" : "[" + out + "]";
  };
  std::vector<std::string> out;
  for (size_t i = 0; i < kernel_.lets.size(); ++i) {
    const Let& let = kernel_.lets[i];
    const int number = static_cast<int>(i);
    std::string line;
    for (size_t c = 0; c < let.body.size(); ++c)
      line += (c ? ", " : "") + let_name(number, static_cast<int>(c)) + point(own_point(number));
    line += " = ";
    if (let.op != Combiner::none) {
      line += std::string(to_string(let.op)) + " over";
      for (const int axis : let.reduced) line += " " + axis_name(axis);
      line += ": ";
    }
    for (size_t c = 0; c < let.body.size(); ++c)
      line += (c ? ", " : "") + readable_formula(to_string(let.body[c], names));
    out.push_back(std::move(line));
  }
  for (const Write& write : kernel_.writes) {
    std::string line = value_name(write.to) + point(write.at) + " " +
                       std::string(to_string(write.how)) + " " +
                       readable_formula(to_string(write.value, names));
    if (!write.when.empty()) line += " where " + readable_formula(to_string(write.when, names));
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace burin::print
