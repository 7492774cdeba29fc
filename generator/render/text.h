// Typed text: what a byte string from outside becomes before it may stand in emitted text, one type
// per place. There is no way from std::string to Code: a name goes through Identifier, a remark
// through CommentText, data through StringLiteral, numbers through Code::integer and Code::real;
// the rest is literals of our own and templates that are built in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace burin {

// Text that is safe inside "//", "/* */", "#" (CMake, make) and ";" comments of one line: printable
// ASCII without a backslash at the end of anything but an escape, comment marks or trigraphs; other
// bytes become \xNN. Cut to `longest` characters ("...").
class CommentText {
 public:
  explicit CommentText(std::string_view bytes, size_t longest = 80);
  const std::string& text() const { return text_; }
  bool operator==(const CommentText&) const = default;

 private:
  std::string text_;
};

// A C string literal with its quotes, of exactly these bytes (a zero is \000): printable ASCII in
// the source, octal escapes of three digits (which a following digit cannot extend), no trigraphs.
class StringLiteral {
 public:
  explicit StringLiteral(std::string_view bytes);
  const std::string& text() const { return text_; }
  bool operator==(const StringLiteral&) const = default;

 private:
  std::string text_;
};

// A word of burin's own, known when burin is built: "float", name_of(isa). Templates compare and
// print it.
struct Word {
  explicit Word(const char* text) : text(text) {}
  const char* text;
};

// Finished text of the target language. It comes from literals, from the types above, from
// templates (render/template.h) and from other Code.
class Code {
 public:
  Code() = default;
  template <size_t N>
  Code(const char (&literal)[N]) : text_(literal, N - 1) {}
  template <size_t N>
  Code(char (&)[N]) = delete;  // a buffer is not a literal

  static Code integer(int64_t value);  // -9223372036854775808 as (-9223372036854775807 - 1)
  static Code real(float value);       // 0x1.8p+1f, exact; finite values only (BURIN_CHECK)
  static Code real(double value);      // 0x1.8p+1
  // A file of the project that is built in (support/embedded.h), as it is.
  static Code embedded(std::string_view path);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  Code& operator+=(const Code& other) { return text_ += other.text_, *this; }
  auto operator<=>(const Code&) const = default;

 private:
  friend struct RenderedText;
  explicit Code(std::string text, int) : text_(std::move(text)) {}

  std::string text_;
};

// The same for formats beside source code. Bytes that are not UTF-8 become U+FFFD in JSON.
Code json_string(std::string_view bytes);  // "..." with its quotes, ASCII
Code cmake_string(
    std::string_view bytes);  // "..." with its quotes; other bytes than printable ASCII as _
Code markdown_code(
    std::string_view bytes);  // a plain name as it is, between backticks; others as text
Code html_text(
    std::string_view bytes);  // text or a value in quotes; other bytes than printable ASCII as \xNN
Code markdown_text(
    std::string_view bytes);  // one line, nothing of it markup or HTML; other bytes as \xNN

}  // namespace burin
