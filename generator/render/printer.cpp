#include "render/printer.h"

#include "render/identifier.h"
#include "render/printed_code.h"
#include "render/rendered_text.h"
#include "support/check.h"

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

void Printer::fill(const Code& head, const std::vector<Code>& items, const Code& tail) {
  constexpr size_t kFurtherIn = 4;
  const size_t margin = static_cast<size_t>(level_ * step_);
  const Code whole = concatenate({head, join_code(items, ", "), tail});
  if (items.empty() || margin + whole.text().size() <= kLineColumns) {
    append(whole);
    return;
  }
  append(head);
  const int level = level_;
  level_ += static_cast<int>(kFurtherIn) / step_;
  Code line;
  for (size_t i = 0; i < items.size(); ++i) {
    const Code item = concatenate({items[i], i + 1 < items.size() ? Code(",") : tail});
    const size_t wide = margin + kFurtherIn + line.text().size() + 1 + item.text().size();
    if (!line.empty() && wide > kLineColumns) {
      append(line);
      line = Code();
    }
    line = concatenate({line, line.empty() ? Code() : Code(" "), item});
  }
  append(line);
  level_ = level;
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
