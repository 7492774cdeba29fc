#include "print/statement_breaks.h"

#include <algorithm>
#include <vector>

#include "print/line_breaks.h"
#include "support/line_columns.h"

namespace burin::print {
namespace {

constexpr size_t kFurtherIn = 4;

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

std::vector<size_t> behind_either(std::string_view text, std::string_view a, std::string_view b) {
  std::vector<size_t> out = behind(text, a);
  for (const size_t end : behind(text, b)) out.push_back(end);
  std::sort(out.begin(), out.end());
  return out;
}

// Behind the terms of a sum, whatever their signs.
std::vector<size_t> behind_terms(std::string_view text) {
  return behind_either(text, " + ", " - ");
}

// Behind the operands of the operators that bind least outside of brackets; none: there are none.
std::vector<size_t> behind_operands(std::string_view text) {
  for (const std::string_view op : {" || ", " && ", " == ", " != ", " <= ", " >= ", " < ", " > "}) {
    if (std::vector<size_t> ends = behind(text, op); !ends.empty()) return ends;
  }
  std::vector<size_t> terms = behind_terms(text);
  return terms.empty() ? behind_either(text, " * ", " / ") : terms;
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
  explicit Breaker(std::string& out, size_t columns = kLineColumns)
      : out_(out), columns_(columns) {}

  // What is assigned goes on another line, whether or not it fits.
  void assigned(std::string_view text, size_t indent) {
    const size_t equals = assignment(text);
    if (equals == 0) return statement(text, indent);
    line(text.substr(0, equals - 1), indent);
    expression(text.substr(equals), indent + kFurtherIn);
  }

  // Some of the arguments of a call.
  void arguments(std::string_view text, size_t indent) { items(text, indent, true); }

  void statement(std::string_view text, size_t indent) {
    if (!fits(text, indent) && branch(text, indent)) return;
    // Of a function that is called where it stands.
    constexpr std::string_view kCalled = "}(";
    if (text.starts_with(kCalled)) return group(text, kCalled.size(), indent);
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
    constexpr std::string_view kReturn = "return ";
    const bool returns = text.starts_with(kReturn);
    const size_t equals = returns ? kReturn.size() : assignment(text);
    const size_t open = last_group(text.substr(equals));
    if (open != 0 && equals + open + indent <= columns_) return group(text, equals + open, indent);
    if (equals == 0 || returns) return expression(text, indent);
    const std::string_view target = text.substr(0, equals - 1);
    if (fits(target, indent) || !element(target, indent)) line(target, indent);
    expression(text.substr(equals), indent + kFurtherIn);
  }

 private:
  // if (condition) statement; as a block.
  bool branch(std::string_view text, size_t indent) {
    constexpr std::string_view kIf = "if (";
    if (!text.starts_with(kIf)) return false;
    int depth = 0;
    size_t close = kIf.size() - 1;
    for (; close < text.size(); ++close) {
      depth += depth_change(text[close]);
      if (depth == 0) break;
    }
    const std::string_view inside = text.substr(kIf.size(), close - kIf.size());
    const std::string_view then = text.substr(std::min(close + 2, text.size()));
    if (then == "{" && behind(inside, "&& ").empty()) {
      prefixed(kIf, inside, ") {", indent);
      return true;
    }
    if (!then.ends_with(";")) return false;
    prefixed(kIf, inside, ") {", indent);
    statement(then, indent + 2);
    line("}", indent);
    return true;
  }

  // What goes on where it began, behind `head`, with `tail` at its end.
  void prefixed(std::string_view head, std::string_view text, std::string_view tail,
                size_t indent) {
    std::string own;
    Breaker(own, columns_ - tail.size()).expression(text, indent + head.size());
    own.replace(indent, head.size(), head);
    own.pop_back();
    out_.append(own).append(tail) += '\n';
  }

  // A part of what is in the parentheses of a statement, whose line may have begun.
  void within(std::string_view text, size_t column, bool begun) {
    if (!begun) out_.append(column, ' ');
    const size_t open = fits(text, column) ? 0 : last_group(text, true);
    if (open == 0) {
      std::string own;
      Breaker(own, columns_).expression(text, column);
      out_.append(own, column);
      return;
    }
    // What is assigned goes on behind the variable, an operand behind its own beginning.
    const std::string_view head = text.substr(0, open);
    const bool assigned = head.find(" = ") != head.npos;
    out_.append(head) += '\n';
    items(text.substr(open), column + (assigned ? 0 : head.rfind(' ') + 1) + kFurtherIn);
  }

  bool fits(std::string_view text, size_t indent) const { return indent + text.size() <= columns_; }

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
    // Brackets of what is around it may end there, too.
    const std::string_view end = rest.substr(std::min(rest.find_first_not_of(')'), rest.size()));
    const bool ends = end.empty() || end == ";" || end == "," || rest == " {";
    // What stands in front is a name: an operator there would bind its own operands together.
    const bool named = behind(text.substr(0, name_end(text, open)), " ").empty();
    const char before = open > 1 ? text[open - 2] : '(';  // behind a cast nothing is called
    const bool called = before == '>' || before == '_' || (before >= '0' && before <= '9') ||
                        (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
    return called && ends && (named || any || rest == " {") ? open : 0;
  }

  void group(std::string_view text, size_t open, size_t indent) {
    line(text.substr(0, open), indent);
    items(text.substr(open), indent + kFurtherIn);
  }

  void items(std::string_view inside, size_t indent, bool among_others = false) {
    std::string filled;
    const auto flush = [&] {
      if (!filled.empty()) line(filled, indent);
      filled.clear();
    };
    const std::vector<std::string_view> all = pieces(inside, behind(inside, ", "));
    for (const std::string_view item : all) {
      if (!filled.empty() && !fits(filled + " " + std::string(item), indent)) flush();
      if (filled.empty() && !fits(item, indent)) {
        expression(item, indent, among_others || all.size() > 1 ? kFurtherIn : 0);
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
      if (filled.empty() && !fits(part, column)) {
        operand(part, column, indent + further - column);
        column = indent + further;
        continue;
      }
      filled += (filled.empty() ? "" : " ") + std::string(part);
    }
    if (!filled.empty()) line(filled, column);
  }

  // What stands between operators, with the one behind it; other lines of these are `further` in.
  void operand(std::string_view text, size_t column, size_t further) {
    size_t end = text.size();
    for (const std::string_view op :
         {" +", " -", " *", " /", " ||", " &&", " ==", " !=", " <=", " >=", " <", " >"}) {
      if (text.ends_with(op)) end = text.size() - op.size();
    }
    std::string own;
    Breaker(own, columns_ - (text.size() - end))
        .expression(text.substr(0, end), column, further + kFurtherIn);
    own.pop_back();
    out_.append(own).append(text.substr(end)) += '\n';
  }

  // Of the bracket that opens at `open`; npos: none does, or it does not close.
  static size_t closing(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t i = open; i < text.size() && (text[open] == '(' || text[open] == '{'); ++i) {
      depth += depth_change(text[i]);
      if (depth == 0) return i;
    }
    return text.npos;
  }

  // Behind the brackets and casts in front that hold all of the text but brackets of the statement,
  // as in "(float*)((long)(a * b));"; 0: there are none.
  static size_t head_of(std::string_view text) {
    constexpr std::string_view kWord = "abcdefghijklmnopqrstuvwxyz0123456789_ *";
    size_t head = 0;
    for (size_t at = text.starts_with("!") ? 1 : 0; at < text.size() && text[at] == '(';) {
      const size_t close = closing(text, at);
      if (close == text.npos) break;
      const std::string_view rest = text.substr(close + 1);
      const bool word = text.substr(at + 1, close - at - 1).find_first_not_of(kWord) == text.npos;
      if (word && rest.starts_with("(")) {
        at = close + 1;
      } else if (rest.find_first_not_of(");,") == rest.npos) {
        head = ++at;
      } else {
        break;
      }
    }
    return head;
  }

  // {a, b}: a begins in the line of the brace, others have lines of their own.
  bool braced(std::string_view text, size_t indent) {
    if (!text.starts_with("{")) return false;
    const size_t close = closing(text, 0);
    if (close == text.npos || text.find_first_not_of(");,", close + 1) != text.npos) return false;
    const std::string_view inside = text.substr(1, close - 1);
    const std::vector<std::string_view> parts = pieces(inside, behind(inside, ", "));
    std::string own;
    Breaker breaker(own, columns_ - (text.size() - close));
    for (const std::string_view part : parts) breaker.expression(part, indent + 1, kFurtherIn);
    own[indent] = '{';
    own.pop_back();
    out_.append(own).append(text.substr(close)) += '\n';
    return true;
  }

  // condition ? a : b, each alternative on a line, in front of which its operator stands.
  bool choice(std::string_view text, size_t indent) {
    const std::vector<size_t> asks = behind(text, " ? "), alternatives = behind(text, " : ");
    if (asks.size() != 1 || alternatives.size() != 1) return false;
    expression(text.substr(0, asks[0] - 3), indent);
    line("? " + std::string(text.substr(asks[0], alternatives[0] - 3 - asks[0])),
         indent + kFurtherIn);
    line(": " + std::string(text.substr(alternatives[0])), indent + kFurtherIn);
    return true;
  }

  // Behind the last bracket of an index that opens at no depth; 0: there is none.
  static size_t last_index(std::string_view text) {
    int depth = 0;
    size_t open = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (depth == 0 && text[i] == '[') open = i + 1;
      depth += depth_change(text[i]);
    }
    return open;
  }

  // Of an element: its index is broken behind operators, and goes on where it began.
  bool element(std::string_view text, size_t indent) {
    const size_t open = last_index(text);
    if (open == 0 || !behind(text.substr(0, open - 1), " ").empty()) return false;
    size_t close = open;
    for (int depth = 1; close < text.size(); ++close) {
      depth += depth_change(text[close]);
      if (depth == 0) break;
    }
    const std::string_view inside = text.substr(open, close - open), tail = text.substr(close);
    const std::vector<size_t> ends = behind_terms(inside);
    if (const size_t call = ends.empty() ? last_group(inside) : 0; call != 0) {
      group(text, open + call, indent);
      return true;
    }
    if (ends.empty()) return false;
    std::string own;
    Breaker index(own, columns_ - tail.size());
    index.fill(pieces(inside, ends), indent + open, 0);
    own.replace(indent, open, text.substr(0, open));
    own.pop_back();
    out_.append(own).append(tail) += '\n';
    return true;
  }

  // What is behind an operator goes on so much `further` in: among other arguments, and more in
  // each operand of an operator that binds less.
  void expression(std::string_view text, size_t indent, size_t further = 0) {
    if (fits(text, indent)) return line(text, indent);
    if (const size_t open = last_group(text); open != 0) return group(text, open, indent);
    if (behind(text, " ").empty() && element(text, indent)) return;
    if (!behind(text, " ? ").empty()) {
      if (!choice(text, indent)) line(text, indent);
      return;
    }
    const std::vector<size_t> ends = behind_operands(text);
    if (!ends.empty()) return fill(pieces(text, ends), indent, further);
    if (const size_t head = head_of(text); head != 0) {
      const std::string_view inside = text.substr(head, closing(text, head - 1) - head);
      if (last_group(inside) != 0) return line(text, indent);  // the bracket adds nothing
      return prefixed(text.substr(0, head), inside, text.substr(head + inside.size()), indent);
    }
    if (!braced(text, indent)) line(text, indent);
  }

  std::string& out_;
  size_t columns_;
};

}  // namespace

std::string broken_statement(std::string_view text, size_t indent, bool has_remark) {
  std::string out;
  Breaker breaker(out);
  has_remark ? breaker.assigned(text, indent) : breaker.statement(text, indent);
  return out;
}

std::string broken_arguments(std::string_view text, size_t indent) {
  int depth = 0;
  size_t close = 0;
  for (; close < text.size() && depth >= 0; ++close) depth += depth_change(text[close]);
  if (depth < 0) --close;
  const std::string_view tail = text.substr(close);
  std::string out;
  if (tail.find_first_not_of(");,") != tail.npos) return out;
  Breaker(out, kLineColumns - tail.size()).arguments(text.substr(0, close), indent);
  out.pop_back();
  return out.append(tail).append("\n");
}

}  // namespace burin::print
