// Printing text whose structure follows a graph (schedules, loop nests, expressions), where a
// template would be all control lines. The same typed text as templates take; no overload takes a
// std::string.
//
//   Printer out;
//   out.line("for (int32_t ", i, " = 0; ", i, " < ", 8, "; ++", i, ") {");
//   out.indent();
//   out.line(y, "[", i, "] = ", code("relu(", x, "[", i, "])"), ";");
//   out.dedent();
//   out.line("}");
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/text.h"

namespace burin {

class Identifier;

// What may stand in emitted text: a literal of ours, an integer, an Identifier, StringLiteral, Code
// or Word. CommentText is missing on purpose: see Printer::comment.
class Piece {
 public:
  template <size_t N>
  Piece(const char (&literal)[N]) : text_(literal, N - 1) {}
  template <size_t N>
  Piece(char (&)[N]) = delete;  // a buffer is not a literal
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) Piece(T value)
      : own_(Code::integer(static_cast<int64_t>(value))) {}
  Piece(const Identifier& name);
  Piece(const StringLiteral& literal) : text_(literal.text()) {}
  Piece(const Code& code) : text_(code.text()) {}
  Piece(const Word& word) : text_(word.text) {}

  std::string_view text() const { return own_.empty() ? text_ : std::string_view(own_.text()); }

 private:
  std::string_view
      text_;  // of something that lives longer than this piece: pieces are arguments only
  Code own_;
};

// The pieces side by side.
template <class... Parts>
Code code(const Parts&... parts);

Code concatenate(std::initializer_list<Piece> pieces);

// Pieces of `items` with `separator` between them.
template <class Items>
Code join_code(const Items& items, const Code& separator);

// Lines, with an indentation of `step` spaces per level.
class Printer {
 public:
  explicit Printer(int step = 2) : step_(step) {}

  // One line at the present indentation; no parts: an empty line. Lines that start with '#'
  // (preprocessor, CMake comments) are indented like all others.
  template <class... Parts>
  void line(const Parts&... parts) {
    append(concatenate({Piece(parts)...}));
  }

  // The same with "  // remark" behind it.
  template <class... Parts>
  void remarked(const CommentText& remark, const Parts&... parts) {
    append_remarked(concatenate({Piece(parts)...}), remark);
  }

  // head + items + tail on one line where that fits kLineColumns; else one item per line, four
  // columns further in: how clang-format leaves a call that was broken behind its parenthesis.
  void list(const Code& head, const std::vector<Code>& items, const Code& tail);

  // The same with as many items on a line as fit; where that takes fewer lines, behind `head` and
  // below each other.
  void fill(const Code& head, const std::vector<Code>& items, const Code& tail);

  // "// text": one line, whatever the text is.
  void comment(const CommentText& text);

  // Lines of finished code, each moved to the present indentation.
  void block(const Code& lines);

  void indent() { ++level_; }
  void dedent();

  const Code& code() const { return out_; }

 private:
  void append(const Code& line);
  void append_remarked(const Code& line, const CommentText& remark);

  int step_;
  int level_ = 0;
  Code out_;
};

template <class... Parts>
Code code(const Parts&... parts) {
  return concatenate({Piece(parts)...});
}

template <class Items>
Code join_code(const Items& items, const Code& separator) {
  Code out;
  for (const auto& item : items) {
    if (&item != &*std::begin(items)) out += separator;
    out += concatenate({Piece(item)});
  }
  return out;
}

}  // namespace burin
