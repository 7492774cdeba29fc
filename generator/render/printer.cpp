#include "render/printer.h"

#include <algorithm>

#include "render/identifier.h"
#include "render/printed_code.h"
#include "render/rendered_text.h"
#include "support/check.h"
#include "support/line_columns.h"

namespace burin {

Piece::Piece(const Identifier& name) : text_(name.text()) {}

Code concatenate(std::initializer_list<Piece> pieces) {
  std::string out;
  for (const Piece& piece : pieces) out += piece.text();
  return RenderedText::code(std::move(out));
}

Code printed_code(std::string text) {
  for (const char c : text) BURIN_CHECK((c >= 0x20 && c < 0x7f) || c == '\n');
  return RenderedText::code(std::move(text));
}

void Printer::append(const Code& line) {
  BURIN_CHECK(line.text().find('\n') == std::string::npos);
  if (!line.empty()) {
    out_ += RenderedText::code(std::string(static_cast<size_t>(level_ * step_), ' '));
    out_ += line;
  }
  out_ += "\n";
}

void Printer::append_remarked(const Code& line, const CommentText& remark) {
  append(concatenate(
      {line, remark.text().empty() ? Code() : Code("  // "), RenderedText::code(remark.text())}));
}

void Printer::list(const Code& head, const std::vector<Code>& items, const Code& tail) {
  const Code whole = concatenate({head, join_code(items, ", "), tail});
  if (items.empty() || static_cast<size_t>(level_ * step_) + whole.text().size() <= kLineColumns) {
    append(whole);
    return;
  }
  append(head);
  const int level = level_;
  level_ += (4 + step_ - 1) / step_;
  for (size_t i = 0; i < items.size(); ++i)
    append(concatenate({items[i], i + 1 < items.size() ? Code(",") : tail}));
  level_ = level;
}

namespace {

// As many items on a line as fit, the first line behind `begun` characters, others behind `margin`.
std::vector<Code> filled(const std::vector<Code>& items, const Code& tail, size_t begun,
                         size_t margin) {
  std::vector<Code> lines(1);
  size_t column = begun;
  for (size_t i = 0; i < items.size(); ++i) {
    const Code item = concatenate({items[i], i + 1 < items.size() ? Code(",") : tail});
    const bool first = lines.back().empty();
    if (!first && column + 1 + item.text().size() > kLineColumns) {
      lines.push_back(item);
      column = margin + item.text().size();
    } else {
      lines.back() = concatenate({lines.back(), first ? Code() : Code(" "), item});
      column += (first ? 0 : 1) + item.text().size();
    }
  }
  return lines;
}

bool all_fit(const std::vector<Code>& lines, size_t margin) {
  return std::all_of(lines.begin(), lines.end(),
                     [&](const Code& line) { return margin + line.text().size() <= kLineColumns; });
}

}  // namespace

void Printer::fill(const Code& head, const std::vector<Code>& items, const Code& tail) {
  constexpr size_t kFurtherIn = 4;
  const size_t margin = static_cast<size_t>(level_ * step_);
  const Code whole = concatenate({head, join_code(items, ", "), tail});
  if (items.empty() || margin + whole.text().size() <= kLineColumns) {
    append(whole);
    return;
  }
  const size_t behind = margin + head.text().size(), below = margin + kFurtherIn;
  const std::vector<Code> beside = filled(items, tail, behind, behind),
                          under = filled(items, tail, below, below);
  const bool is_beside = beside.size() < under.size() + 1 && all_fit(beside, behind);
  if (!is_beside) append(head);
  const std::string further(is_beside ? head.text().size() : kFurtherIn, ' ');
  bool first = is_beside;
  for (const Code& line : is_beside ? beside : under) {
    append(concatenate({first ? head : RenderedText::code(further), line}));
    first = false;
  }
}

void Printer::comment(const CommentText& text) {
  append(RenderedText::code(text.text().empty() ? "//" : "// " + text.text()));
}

void Printer::block(const Code& lines) {
  const std::string& text = lines.text();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    append(RenderedText::code(text.substr(at, end - at)));
    at = end + 1;
  }
}

void Printer::dedent() {
  BURIN_CHECK(level_ > 0);
  --level_;
}

}  // namespace burin
