// A place in a text that is being parsed: the lexical level that the textual forms of Index and
// Graph share. Blanks and comments ("#" to the end of the line) separate tokens; line ends count as
// blanks. Whatever does not fit is refused as "parse" with line:column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace burin {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  // The next token: a punctuation mark, the start of a word, a number or a string; '\0' at the end.
  char peek();
  char peek_second();  // the byte right after peek()'s
  bool at_end() { return peek() == '\0'; }

  bool accept(std::string_view token);  // takes it where it stands there; a word only as a whole
  void expect(std::string_view token);
  bool at_word();
  std::string word();    // a plain identifier: [A-Za-z_][A-Za-z0-9_]*
  std::string string();  // "..." as escape_text() writes it
  std::string word_or_string();
  int64_t integer();     // decimal, with an optional minus sign
  std::string number();  // the spelling of a number: what to_chars writes, inf, nan

  size_t offset() const { return at_; }
  [[noreturn]] void refuse_here(std::string message) const;

 private:
  void skip_blanks();
  std::string_view text_;
  size_t at_ = 0;
};

bool is_plain_identifier(std::string_view text);
// "text" with every byte that is not plain printable ASCII as \xNN; never cut; string() reads it
// back.
std::string escape_text(std::string_view text);
// An identifier as it is, anything else escaped.
std::string word_or_escaped(std::string_view text);

}  // namespace burin
