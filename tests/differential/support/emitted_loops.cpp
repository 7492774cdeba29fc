#include "differential/support/emitted_loops.h"

namespace burin {
namespace {

// Without the part behind "//".
std::string_view code_of(std::string_view line) { return line.substr(0, line.find("//")); }

bool starts_loop(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  return at != line.npos &&
         (line.substr(at).starts_with("for (") || line.substr(at).starts_with("while ("));
}

struct Block {
  bool is_loop = false;
  bool has_loop = false;
  std::vector<std::string> lines;
};

}  // namespace

std::vector<std::string> innermost_lines(std::string_view source) {
  std::vector<std::string> out;
  std::vector<Block> open(1);
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = code_of(source.substr(at, end - at));
    at = end + 1;
    const bool loop = starts_loop(line);
    if (loop) {
      for (Block& block : open) block.has_loop = true;
    }
    if (loop && line.find('{') == line.npos) {  // its body is on the same line
      out.emplace_back(line.substr(line.rfind(')')));
      continue;
    }
    bool header = loop;
    for (const char c : line) {
      if (c == '{') {
        open.push_back({header, false, {}});
        header = false;
      }
      if (c != '}' || open.size() == 1) continue;
      const Block closed = open.back();
      open.pop_back();
      // What a branch holds belongs to the loop around it.
      if (closed.is_loop && !closed.has_loop) {
        out.insert(out.end(), closed.lines.begin(), closed.lines.end());
      } else if (!closed.is_loop) {
        open.back().lines.insert(open.back().lines.end(), closed.lines.begin(), closed.lines.end());
      }
    }
    if (!loop) open.back().lines.emplace_back(line);
  }
  return out;
}

bool divides_integers(std::string_view line) {
  if (line.find('%') != line.npos) return true;
  int depth = 0;
  const bool index = line.find("int64_t ") != line.npos && line.find(" = ") != line.npos &&
                     line.find("float") == line.npos;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '[') ++depth;
    if (line[i] == ']') --depth;
    if (depth == 0 && !index) continue;
    if (line[i] == '/' || line.substr(i).starts_with("floor_divide") ||
        line.substr(i).starts_with("floor_mod"))
      return true;
  }
  return false;
}

}  // namespace burin
