#include "kernel/index/text_cursor.h"

#include <charconv>

#include "support/diagnostics.h"

namespace burin {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void TextCursor::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

char TextCursor::peek() {
  skip_blanks();
  return at_ < text_.size() ? text_[at_] : '\0';
}

char TextCursor::peek_second() {
  skip_blanks();
  return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
}

bool TextCursor::accept(std::string_view token) {
  skip_blanks();
  if (text_.substr(at_, token.size()) != token) return false;
  const size_t end = at_ + token.size();
  if (is_word_part(token.back()) && end < text_.size() && is_word_part(text_[end])) return false;
  at_ = end;
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) refuse_here("expected " + quoted(token));
}

bool TextCursor::at_word() { return is_word_start(peek()); }

std::string TextCursor::word() {
  if (!at_word()) refuse_here("expected a name");
  const size_t start = at_;
  while (at_ < text_.size() && is_word_part(text_[at_])) ++at_;
  return std::string(text_.substr(start, at_ - start));
}

std::string TextCursor::string() {
  if (peek() != '"') refuse_here("expected a string");
  std::string out;
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] != '\\') {
      out += text_[at_];
      continue;
    }
    const int high =
        at_ + 3 < text_.size() && text_[at_ + 1] == 'x' ? hex_digit(text_[at_ + 2]) : -1;
    const int low = high < 0 ? -1 : hex_digit(text_[at_ + 3]);
    if (low < 0) refuse_here("expected \\xNN");
    out += static_cast<char>(high * 16 + low);
    at_ += 3;
  }
  if (at_ >= text_.size()) refuse_here("a string without end");
  ++at_;
  return out;
}

std::string TextCursor::word_or_string() { return peek() == '"' ? string() : word(); }

int64_t TextCursor::integer() {
  skip_blanks();
  int64_t value = 0;
  const char* first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) refuse_here("an integer that does not fit 64 bits");
  if (error != std::errc()) refuse_here("expected an integer");
  at_ += static_cast<size_t>(end - first);
  return value;
}

std::string TextCursor::number() {
  skip_blanks();
  const size_t start = at_;
  while (at_ < text_.size() && (is_word_part(text_[at_]) || text_[at_] == '-' ||
                                text_[at_] == '+' || text_[at_] == '.')) {
    ++at_;
  }
  if (at_ == start) refuse_here("expected a number");
  return std::string(text_.substr(start, at_ - start));
}

void TextCursor::refuse_here(std::string message) const {
  size_t line = 1, start = 0;
  for (size_t i = 0; i < at_ && i < text_.size(); ++i) {
    if (text_[i] == '\n') ++line, start = i + 1;
  }
  const std::string position = std::to_string(line) + ":" + std::to_string(at_ - start + 1);
  throw Refused(Diagnostic{{.line = position}, "parse", std::move(message), {}});
}

bool is_plain_identifier(std::string_view text) {
  if (text.empty() || !is_word_start(text[0])) return false;
  for (const char c : text) {
    if (!is_word_part(c)) return false;
  }
  return true;
}

std::string escape_text(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\') {
      out += c;
    } else {
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return out + '"';
}

std::string word_or_escaped(std::string_view text) {
  return is_plain_identifier(text) ? std::string(text) : escape_text(text);
}

}  // namespace burin
