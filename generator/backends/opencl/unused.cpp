#include "backends/opencl/unused.h"

#include <regex>
#include <sstream>
#include <vector>

#include "backends/cpp/kernel_printer_core.h"

namespace burin::opencl {
namespace {

struct Line {
  std::string text;
  int depth = 0;  // of blocks, before it
};

std::vector<Line> lines_of(const std::string& body) {
  std::vector<Line> out;
  std::istringstream in(body);
  int depth = 0;
  for (std::string text; std::getline(in, text);) {
    out.push_back({text, depth});
    for (const char c : text) depth += (c == '{') - (c == '}');
  }
  return out;
}

// The name that a line declares; empty: it is no such declaration.
std::string declared(const std::string& line) {
  static const std::regex kDeclaration(
      R"(\s*(?:const \w+|(?:__\w+ )?(?:const )?\w+\* const) (\w+) = [^{}]*;)");
  std::smatch found;
  return std::regex_match(line, found, kDeclaration) ? found[1].str() : "";
}

}  // namespace

std::string without_unused(const std::string& body) {
  std::vector<Line> lines = lines_of(body);
  // From the last, so that what a declaration used is judged without it.
  for (size_t i = lines.size(); i-- > 0;) {
    const std::string name = declared(lines[i].text);
    if (name.empty()) continue;
    bool used = false;
    for (size_t j = i + 1; j < lines.size() && lines[j].depth >= lines[i].depth && !used; ++j)
      used = cpp::mentions(lines[j].text, name);
    if (!used) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::string out;
  for (const Line& line : lines) out += line.text + "\n";
  return out;
}

}  // namespace burin::opencl
