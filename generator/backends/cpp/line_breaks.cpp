#include "backends/cpp/line_breaks.h"

#include <algorithm>
#include <array>
#include <vector>

namespace burin::cpp {
namespace {

constexpr size_t kFurtherIn = 4;

int depth_change(char c) {
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

// Places behind `what` that lie in no bracket of `text`.
std::vector<size_t> behind(std::string_view text, std::string_view what) {
  std::vector<size_t> out;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text.substr(i, what.size()) == what) out.push_back(i + what.size());
    depth += depth_change(text[i]);
  }
  return out;
}

// Behind the terms of a sum, whatever their signs.
std::vector<size_t> behind_terms(std::string_view text) {
  std::vector<size_t> out = behind(text, " + ");
  for (const size_t end : behind(text, " - ")) out.push_back(end);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string_view> pieces(std::string_view text, const std::vector<size_t>& ends) {
  std::vector<std::string_view> out;
  size_t from = 0;
  for (const size_t end : ends) {
    out.push_back(text.substr(from, end - from - 1));  // without the space
    from = end;
  }
  out.push_back(text.substr(from));
  return out;
}

class Breaker {
 public:
  explicit Breaker(std::string& out) : out_(out) {}

  void statement(std::string_view text, size_t indent) {
    for (const std::string_view head : {"for (", "if (", "while ("}) {
      if (!text.starts_with(head)) continue;
      const std::string_view inside = text.substr(head.size());
      const std::vector<size_t> ends = behind(inside, head == "for (" ? "; " : "&& ");
      if (fits(text, indent) || ends.empty()) return line(text, indent);
      std::vector<std::string_view> parts = pieces(inside, ends);
      out_.append(indent, ' ').append(head);
      for (size_t i = 0; i < parts.size(); ++i) within(parts[i], indent + head.size(), i == 0);
      return;
    }
    if (fits(text, indent)) return line(text, indent);
    const size_t equals = assignment(text);
    const size_t open = last_group(text.substr(equals));
    if (open != 0 && equals + open + indent <= kCodeColumns)
      return group(text, equals + open, indent);
    if (equals == 0) return line(text, indent);
    const std::string_view target = text.substr(0, equals - 1);
    if (fits(target, indent) || !element(target, indent)) line(target, indent);
    expression(text.substr(equals), indent + kFurtherIn);
  }

 private:
  // A part of what is in the parentheses of a statement, whose line may have begun.
  void within(std::string_view text, size_t column, bool begun) {
    if (!begun) out_.append(column, ' ');
    const size_t open = fits(text, column) ? 0 : last_group(text, true);
    if (open == 0) {
      out_.append(text) += '\n';
      return;
    }
    // What is assigned goes on behind the variable, an operand behind its own beginning.
    const std::string_view head = text.substr(0, open);
    const bool assigned = head.find(" = ") != head.npos;
    out_.append(head) += '\n';
    items(text.substr(open), column + (assigned ? 0 : head.rfind(' ') + 1) + kFurtherIn);
  }

  static bool fits(std::string_view text, size_t indent) {
    return indent + text.size() <= kCodeColumns;
  }

  void line(std::string_view text, size_t indent) {
    out_.append(indent, ' ').append(text);
    out_ += '\n';
  }

  // Behind " = " and the like; 0: the statement assigns nothing.
  static size_t assignment(std::string_view text) {
    size_t first = 0;
    for (const std::string_view op : {" = ", " += ", " *= ", " -= "}) {
      const std::vector<size_t> ends = behind(text, op);
      if (!ends.empty() && (first == 0 || ends[0] < first)) first = ends[0];
    }
    return first;
  }

  // Where the name in front of a parenthesis that ends at `open` has its arguments of a template,
  // which may have spaces; else `open`.
  static size_t name_end(std::string_view text, size_t open) {
    if (open < 2 || text[open - 2] != '>') return open;
    int depth = 0;
    for (size_t i = open - 1; i-- > 0;) {
      depth += text[i] == '>' ? 1 : text[i] == '<' ? -1 : 0;
      if (depth == 0) return i;
    }
    return open;
  }

  // Behind the parenthesis that opens at no depth and closes at the end of the text; 0: none does.
  static size_t last_group(std::string_view text, bool any = false) {
    int depth = 0;
    size_t open = 0, close = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (depth == 0 && text[i] == '(') open = i + 1;
      depth += depth_change(text[i]);
      if (depth == 0 && text[i] == ')') close = i;
    }
    const std::string_view rest = text.substr(std::min(close + 1, text.size()));
    const bool ends = rest.empty() || rest == ";" || rest == "," || rest == ");";
    // What stands in front is a name: an operator there would bind its own operands together.
    const bool named = behind(text.substr(0, name_end(text, open)), " ").empty();
    const char before = open > 1 ? text[open - 2] : '(';  // behind a cast nothing is called
    const bool called = before == '>' || before == '_' || (before >= '0' && before <= '9') ||
                        (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
    return called && ends && (named || any) ? open : 0;
  }

  void group(std::string_view text, size_t open, size_t indent) {
    line(text.substr(0, open), indent);
    items(text.substr(open), indent + kFurtherIn);
  }

  void items(std::string_view inside, size_t indent) {
    std::string filled;
    const auto flush = [&] {
      if (!filled.empty()) line(filled, indent);
      filled.clear();
    };
    const std::vector<std::string_view> all = pieces(inside, behind(inside, ", "));
    for (const std::string_view item : all) {
      if (!filled.empty() && !fits(filled + " " + std::string(item), indent)) flush();
      if (filled.empty() && !fits(item, indent)) {
        expression(item, indent, all.size() > 1);
      } else {
        filled += (filled.empty() ? "" : " ") + std::string(item);
      }
    }
    flush();
  }

  // As many on a line as fit, the first one at `indent`, others `further` in.
  void fill(const std::vector<std::string_view>& parts, size_t indent, size_t further) {
    std::string filled;
    size_t column = indent;
    for (const std::string_view part : parts) {
      if (!filled.empty() && !fits(filled + " " + std::string(part), column)) {
        line(filled, column);
        filled.clear();
        column = indent + further;
      }
      filled += (filled.empty() ? "" : " ") + std::string(part);
    }
    line(filled, column);
  }

  // Of an element: its index is broken behind operators, and goes on where it began.
  bool element(std::string_view text, size_t indent) {
    const size_t open = text.find('[') + 1;
    if (open == 0 || !behind(text.substr(0, open - 1), " ").empty()) return false;
    const std::string_view inside = text.substr(open);
    const std::vector<size_t> ends = behind_terms(inside);
    if (ends.empty()) return false;
    std::string filled(text.substr(0, open));
    size_t column = indent;
    bool first = true;
    for (const std::string_view piece : pieces(inside, ends)) {
      if (!first && !fits(filled + " " + std::string(piece), column)) {
        line(filled, column);
        filled = piece;
        column = indent + open;
      } else {
        filled += (first ? "" : " ") + std::string(piece);
      }
      first = false;
    }
    line(filled, column);
    return true;
  }

  // `argument`: among others, where what is behind an operator goes on further in.
  void expression(std::string_view text, size_t indent, bool argument = false) {
    if (fits(text, indent)) return line(text, indent);
    if (const size_t open = last_group(text); open != 0) return group(text, open, indent);
    if (behind(text, " ").empty() && element(text, indent)) return;
    static constexpr std::array<std::string_view, 5> kOperators = {" ? ", " || ", " && ", " + ",
                                                                   " * "};
    for (const std::string_view op : kOperators) {
      const std::vector<size_t> ends = op == " + " ? behind_terms(text) : behind(text, op);
      if (ends.empty()) continue;
      if (op == " ? ") break;  // its alternatives stand in front of their operators
      fill(pieces(text, ends), indent, argument ? kFurtherIn : 0);
      return;
    }
    line(text, indent);
  }

  std::string& out_;
};

}  // namespace

std::string with_line_breaks(std::string_view code) {
  std::string out;
  Breaker breaker(out);
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size());
    const std::string_view whole = code.substr(at, end - at);
    const size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
    const std::string_view text = whole.substr(indent);
    if (whole.size() <= kCodeColumns || text.starts_with("//") || text.starts_with("#")) {
      out.append(whole) += '\n';
    } else {
      breaker.statement(text, indent);
    }
    at = end + 1;
  }
  return out;
}

}  // namespace burin::cpp
