// What a kernel computes, as a formula over the names that its function uses: the comment above it.
// Division that rounds down is spelled div, its remainder mod: in a comment, // would begin
// another.
#include "print/kernel_printer_core.h"

namespace burin::print {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string in_words(std::string text) {
  replace_all(text, " // ", " div ");
  replace_all(text, " % ", " mod ");
  return text;
}

std::string readable_formula(const std::string& text) {
  std::string out = without_parentheses(text);
  return in_words(std::move(out));
}

// Of all operands that are made of others, also of those in indices; the first ones.
void add_parts(const Expr& expr, const TextNames& names, std::vector<std::string>& parts) {
  constexpr size_t kMost = 200;
  visit_distinct(expr, [&](const ExprNode& node) {
    const bool made = node.kind == ExprKind::unary || node.kind == ExprKind::binary ||
                      node.kind == ExprKind::select || node.kind == ExprKind::fused;
    if (!made || parts.size() >= kMost) return;
    parts.push_back(in_words(to_string(Expr(std::make_shared<const ExprNode>(node)), names)));
  });
}

}  // namespace

TextNames KernelPrinter::formula_names() const {
  return {[this](ValueId id) { return value_name(id); },
          [this](int let, int component) { return let_name(let, component); },
          [this](const Symbol& symbol) { return symbol_name(symbol); }};
}

std::vector<std::string> KernelPrinter::formula_parts() const {
  const TextNames names = formula_names();
  std::vector<std::string> out;
  for (const Let& let : kernel_.lets) {
    for (const Expr& body : let.body) add_parts(body, names, out);
  }
  for (const Write& write : kernel_.writes) {
    add_parts(write.value, names, out);
    for (const Index& index : write.at) add_parts(Expr::index(index), names, out);
    for (const Condition& one : write.when) add_parts(Expr::index(one.index), names, out);
  }
  return out;
}

std::vector<std::string> KernelPrinter::formula() const {
  const TextNames names = formula_names();
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
