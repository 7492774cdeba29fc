#include "differential/support/emitted_loops.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace burin {
namespace {

// Without the part behind "//".
std::string_view code_of(std::string_view line) { return line.substr(0, line.find("//")); }

bool starts_loop(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  return at != line.npos && line.substr(at).starts_with("for (");
}

struct OpenBlock {
  bool is_loop = false;
  bool has_loop = false;
  std::vector<std::string> lines;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '.';
}

// The operand that begins at `at`: words, and what stands in brackets behind them.
std::string_view operand_behind(std::string_view line, size_t at) {
  size_t end = at;
  int depth = 0;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (c == '(' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '>') --depth;
    if (depth < 0 || (depth == 0 && !is_word(c) && c != ')' && c != ']' && c != '>')) break;
  }
  return line.substr(at, end - at);
}

std::string_view operand_before(std::string_view line, size_t end) {
  size_t at = end;
  int depth = 0;
  for (; at > 0; --at) {
    const char c = line[at - 1];
    if (c == ')' || c == ']' || c == '>') ++depth;
    if (c == '(' || c == '[' || c == '<') --depth;
    if (depth < 0 || (depth == 0 && !is_word(c) && c != '(' && c != '[' && c != '<')) break;
  }
  return line.substr(at, end - at);
}

// Whether a text is about nothing but loop variables, counters, sizes and integers.
bool is_place(std::string_view text) {
  static const std::regex word("[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*");
  static const std::regex known(
      "[0-9]+|[inqrcd][0-9]+(_first|_end)?|burin_rt|minimum|maximum|"
      "floor_divide|floor_mod|int64_t|int32_t|static_cast|first|last|lane|position|row|half");
  const std::string all(text);
  for (std::sregex_iterator at(all.begin(), all.end(), word), end; at != end; ++at) {
    if (!std::regex_match(at->str(), known)) return false;
  }
  return !all.empty();
}

}  // namespace

std::vector<std::string> innermost_lines(std::string_view source) {
  std::vector<std::string> out;
  std::vector<OpenBlock> open(1);
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = code_of(source.substr(at, end - at));
    at = end + 1;
    const bool loop = starts_loop(line);
    if (loop) {
      for (OpenBlock& block : open) block.has_loop = true;
    }
    if (loop && line.find('{') == line.npos) {  // its body is on the same line
      out.emplace_back(line.substr(line.find(';')));
      continue;
    }
    bool header = loop;
    for (const char c : line) {
      if (c == '{') {
        open.push_back({header, false, {}});
        header = false;
      }
      if (c != '}' || open.size() == 1) continue;
      const OpenBlock closed = open.back();
      open.pop_back();
      // What a branch holds belongs to the loop around it.
      if (closed.is_loop && !closed.has_loop) {
        out.insert(out.end(), closed.lines.begin(), closed.lines.end());
      } else if (!closed.is_loop) {
        open.back().lines.insert(open.back().lines.end(), closed.lines.begin(), closed.lines.end());
      }
    }
    open.back().lines.emplace_back(loop ? line.substr(line.find(';')) : line);
  }
  return out;
}

std::vector<std::string> index_divisions(std::string_view line) {
  std::vector<std::string> out;
  const auto take = [&](std::string_view whole) {
    if (is_place(whole)) out.emplace_back(whole);
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (line[i] == '%' || (line[i] == '/' && i > 0 && line[i - 1] == ' ')) {
      const size_t next = line.find_first_not_of(" =", i + 1);
      size_t last = i;
      while (last > 0 && line[last - 1] == ' ') --last;
      const std::string_view divisor = operand_behind(line, std::min(next, line.size()));
      const std::string_view dividend = operand_before(line, last);
      if (is_place(dividend) && is_place(divisor))
        out.emplace_back(dividend.begin(), divisor.end());
    }
    for (const char* name : {"floor_divide", "floor_mod", "divide(", "remainder("}) {
      const bool whole = i == 0 || !is_word(line[i - 1]) || line[i - 1] == ':';
      if (!whole || !rest.starts_with(name)) continue;
      const size_t open = line.find('(', i);
      if (open == line.npos) continue;
      int depth = 0;
      size_t close = open;
      for (; close < line.size(); ++close) {
        if (line[close] == '(') ++depth;
        if (line[close] == ')' && --depth == 0) break;
      }
      take(line.substr(open + 1, close - open - 1));
    }
  }
  return out;
}

}  // namespace burin
