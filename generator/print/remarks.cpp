#include "print/remarks.h"

namespace burin::print {

std::vector<std::string> wrapped(std::string_view text, size_t columns, size_t hang) {
  std::vector<std::string> lines;
  std::string indent;
  while (indent.size() + text.size() > columns) {
    const size_t room = columns - indent.size();
    size_t cut = text.rfind(' ', room);
    if (cut == text.npos || text.find_first_not_of(' ') >= cut) cut = text.find(' ', room);
    if (cut == text.npos) break;
    lines.push_back(indent + std::string(text.substr(0, cut)));
    text.remove_prefix(cut + 1);
    indent.assign(hang, ' ');
  }
  lines.push_back(indent + std::string(text));
  return lines;
}

}  // namespace burin::print
