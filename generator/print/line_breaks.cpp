#include "print/line_breaks.h"

#include <algorithm>
#include <vector>

#include "print/remarks.h"
#include "print/statement_breaks.h"
#include "support/line_columns.h"

namespace burin::print {
namespace {

constexpr size_t kHang = 4;  // of a comment's other lines

// Whether the line is all of a statement, or of what opens a block: what stands in several lines
// already is left so.
bool is_whole(std::string_view line) {
  if (line.starts_with("}(")) line.remove_prefix(1);  // a function that is called where it stands
  int depth = 0;
  for (const char c : line) {
    depth += depth_change(c);
    if (depth < 0) return false;
  }
  return line.ends_with("{") || (line.ends_with(";") && depth == 0) || line.starts_with("for (");
}

// Ends of the texts in a line, as pairs of places of their quotation marks.
std::vector<size_t> quotes_of(std::string_view line) {
  std::vector<size_t> out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') out.push_back(i);
    if (line[i] == '\\' && out.size() % 2 == 1) ++i;
  }
  return out;
}

// The line in several, as if its texts were words.
std::string broken(std::string_view text, size_t indent) {
  std::string words(text), out;
  const std::vector<size_t> quotes = quotes_of(text);
  for (size_t q = 0; q + 1 < quotes.size(); q += 2)
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(quotes[q]) + 1,
              words.begin() + static_cast<std::ptrdiff_t>(quotes[q + 1]), 'a');
  const size_t remark = words.find("  // ");
  const bool has_remark = remark != words.npos;
  const std::string_view code = std::string_view(words).substr(0, remark);
  if (is_whole(code)) {
    out = broken_statement(code, indent, has_remark);
  } else if (!has_remark) {
    out = broken_arguments(code, indent);
  }
  if (out.empty()) return std::string(indent, ' ').append(text).append("\n");
  if (has_remark) out.insert(out.size() - 1, words.substr(remark));
  const std::vector<size_t> again = quotes_of(out);
  for (size_t q = 0; q + 1 < quotes.size(); q += 2)
    out.replace(again[q], quotes[q + 1] - quotes[q],
                text.substr(quotes[q], quotes[q + 1] - quotes[q]));
  return out;
}

}  // namespace

std::string with_line_breaks(std::string_view code) {
  std::string out;
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size());
    const std::string_view whole = code.substr(at, end - at);
    const size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
    const std::string_view text = whole.substr(indent);
    constexpr std::string_view kComment = "// ";
    const bool stays =
        text.starts_with("#") || text.starts_with("\"") || quotes_of(text).size() % 2 == 1;
    if (whole.size() > kLineColumns && text.starts_with(kComment)) {
      const std::string margin(indent, ' ');
      const size_t columns = kLineColumns - indent - kComment.size();
      for (const std::string& line : wrapped(text.substr(kComment.size()), columns, kHang))
        out.append(margin).append(kComment).append(line) += '\n';
    } else if (whole.size() <= kLineColumns || stays) {
      out.append(whole) += '\n';
    } else {
      out += broken(text, indent);
    }
    at = end + 1;
  }
  return out;
}

}  // namespace burin::print
