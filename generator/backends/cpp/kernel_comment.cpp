// The comment above a kernel.
#include <algorithm>
#include <map>
#include <set>

#include "backends/cpp/kernel_set.h"
#include "backends/cpp/node_lists.h"
#include "print/abbreviations.h"
#include "print/remarks.h"
#include "render/printer.h"
#include "support/line_columns.h"

namespace burin::cpp {
namespace {

constexpr size_t kCommentColumns = kLineColumns - 3;  // behind "// "
constexpr size_t kLongestFormula = 4000;              // characters; the loops below it say the rest
constexpr size_t kLongestRole = 160;

// "  Conv: group=1, pads=[1, 1, 1, 1]", equal ones once. Where nodes of one operator differ in
// them, "  Conv '/a', '/b': group=1": those that have them.
std::vector<std::string> attribute_lines(const std::vector<Origin>& nodes) {
  constexpr size_t kMost = 8;
  std::vector<std::pair<std::string, std::string>> lines;  // operator, attributes; in order
  std::map<std::pair<std::string, std::string>, std::vector<Origin>> having;
  std::map<std::string, std::set<std::string>> kinds;  // by operator
  for (const Origin& node : nodes) {
    const std::pair line(node.op, node.attributes == nullptr ? "" : *node.attributes);
    kinds[node.op].insert(line.second);
    if (line.second.empty()) continue;
    if (having[line].empty()) lines.push_back(line);
    having[line].push_back(node);
  }
  std::vector<std::string> out;
  for (const auto& line : lines) {
    const auto& [op, attributes] = line;
    out.push_back("  " + (kinds[op].size() == 1 ? op : nodes_text(having[line])) + ": " +
                  attributes);
  }
  if (out.size() > kMost) {
    const size_t others = out.size() - kMost;
    out.resize(kMost);
    out.push_back("  and others: " + std::to_string(others));
  }
  return out;
}

}  // namespace

std::vector<std::string> kernel_comment(const DistinctKernel& kernel) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view text, size_t hang) {
    for (std::string& line : print::wrapped(text, kCommentColumns, hang))
      out.push_back(std::move(line));
  };
  add(kernel.family + ": " + nodes_text(kernel.nodes), 0);
  for (const std::string& line : attribute_lines(kernel.nodes)) add(line, 6);
  out.emplace_back();
  for (const std::string& line :
       print::abbreviated(kernel.printed.formula, kernel.printed.formula_parts)) {
    const bool cut = line.size() > kLongestFormula;
    add("  " + (cut ? line.substr(0, kLongestFormula) + " ..." : line), 6);
  }
  out.emplace_back();
  if (kernel.calls > 1 && !kernel.roles.empty()) out.emplace_back("In the first call:");
  size_t widest = 0;
  for (const auto& [name, role] : kernel.roles) widest = std::max(widest, name.size());
  for (const auto& [name, role] : kernel.roles) {
    const bool cut = role.size() > kLongestRole;
    add(name + std::string(widest - name.size() + 2, ' ') +
            (cut ? role.substr(0, kLongestRole) + " ..." : role),
        widest + 2);
  }
  if (!kernel.roles.empty()) out.emplace_back();
  add(kernel.reason, 0);
  return out;
}

}  // namespace burin::cpp
