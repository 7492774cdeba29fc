// What a kernel computes, as a formula over the names that its function uses: the comment above it.
// Division that rounds down is spelled div, its remainder mod: in a comment, // would begin
// another.
#include <cctype>

#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "(a + b)" without its outer parentheses.
std::string bare(std::string text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

// v12[..] becomes the parameter's name, let3[..] that of the variable.
std::string KernelPrinter::in_formula(const std::string& text) const {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool starts = i == 0 || !is_word(text[i - 1]);
    const size_t letters = text.compare(i, 3, "let") == 0 ? 3 : text[i] == 'v' ? 1 : 0;
    size_t end = i + letters;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (!starts || letters == 0 || end == i + letters ||
        (end < text.size() && is_word(text[end]))) {
      out += text[i++];
      continue;
    }
    const int number = std::stoi(text.substr(i + letters, end - i - letters));
    out += letters == 3 ? let_name(number, 0) : value_name(number);
    i = end;
  }
  replace_all(out, " // ", " div ");
  replace_all(out, " % ", " mod ");
  return out;
}

// Sizes are called as the function calls them.
Index KernelPrinter::renamed(const Index& leaf) const {
  if (leaf.kind() != IndexKind::symbol) return leaf;
  SymbolInfo info = *leaf.as_symbol();
  info.name = symbol_name(leaf.as_symbol());
  return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
}

std::string KernelPrinter::formula_text(const Expr& expr) const {
  return in_formula(bare(to_string(rewrite(
      expr, [](const Expr& one) { return one; },
      [&](const Index& leaf) { return renamed(leaf); }))));
}

std::string KernelPrinter::formula_text(const Index& index) const {
  return in_formula(bare(to_string(rewrite(
      index, [](const Expr& one) { return one; },
      [&](const Index& leaf) { return renamed(leaf); }))));
}

std::string KernelPrinter::formula_text(const std::vector<Index>& at) const {
  std::string out;
  for (const Index& index : at) out += (out.empty() ? "" : ", ") + formula_text(index);
  return out.empty() ? "" : "[" + out + "]";
}

std::string KernelPrinter::formula_text(const Guard& guard) const {
  std::string out;
  for (const Condition& condition : guard) {
    out += (out.empty() ? "" : " && ") + formula_text(condition.lo) +
           " <= " + formula_text(condition.index) + " < " + formula_text(condition.hi);
  }
  return out;
}

std::vector<std::string> KernelPrinter::formula() const {
  std::vector<std::string> out;
  for (size_t i = 0; i < kernel_.lets.size(); ++i) {
    const Let& let = kernel_.lets[i];
    const int number = static_cast<int>(i);
    std::string line = let_name(number, 0) + formula_text(own_point(number)) + " = ";
    if (let.op != Combiner::none) {
      line += std::string(to_string(let.op)) + " over";
      for (const int axis : let.reduced) line += " " + axis_name(axis);
      line += ": ";
    }
    for (size_t c = 0; c < let.body.size(); ++c) {
      line += (c ? ", " : "") + formula_text(let.body[c]);
    }
    out.push_back(std::move(line));
  }
  for (const Write& write : kernel_.writes) {
    std::string line = value_name(write.to) + formula_text(write.at) + " " +
                       std::string(to_string(write.how)) + " " + formula_text(write.value);
    if (!write.when.empty()) line += " where " + formula_text(write.when);
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace burin::cpp
