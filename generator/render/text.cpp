#include "render/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "render/rendered_text.h"
#include "support/check.h"
#include "support/embedded.h"
#include "support/utf8.h"

namespace burin {
namespace {

bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }

std::string hex_escape(char c) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
  return escape;
}

}  // namespace

CommentText::CommentText(std::string_view bytes, size_t longest) {
  bool cut = false;
  for (const char c : bytes) {
    const char before = text_.empty() ? ' ' : text_.back();
    const bool mark =
        (c == '/' && before == '*') || (c == '*' && before == '/') || (c == '?' && before == '?');
    const std::string next =
        !is_printable(c) || c == '\\' || mark ? hex_escape(c) : std::string(1, c);
    if (text_.size() + next.size() > longest) {
      cut = true;
      break;
    }
    text_ += next;
  }
  if (cut) text_ += "...";
}

StringLiteral::StringLiteral(std::string_view bytes) {
  text_ = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (!is_printable(c) || (c == '?' && text_.back() == '?')) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned char>(c));
      text_ += escape;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

Code Code::integer(int64_t value) {
  // The literal 9223372036854775808 has no signed type.
  if (value == INT64_MIN) return Code("(-9223372036854775807 - 1)");
  return Code(std::to_string(value), 0);
}

Code Code::real(double value) {
  BURIN_CHECK(std::isfinite(value));
  // Not printf: that asks the locale for its decimal point.
  char digits[40];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, std::fabs(value), std::chars_format::hex);
  const std::string sign = std::signbit(value) ? "-" : "";
  return Code(sign + "0x" + std::string(digits, end.ptr), 0);
}

Code Code::real(float value) {
  Code out = real(static_cast<double>(value));
  out.text_ += 'f';
  return out;
}

Code Code::embedded(std::string_view path) { return Code(std::string(embedded_file(path)), 0); }

Code json_string(std::string_view bytes) {
  std::string out = "\"";
  const auto unit = [&](unsigned value) {
    char escape[12];
    std::snprintf(escape, sizeof escape, "\\u%04x", value & 0xFFFF);
    out += escape;
  };
  while (!bytes.empty()) {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length > bytes.size() || first_bad_utf8(bytes.substr(0, length)) != length) {
      unit(0xFFFD);
      bytes.remove_prefix(1);
      continue;
    }
    unsigned point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i) {
      point = point << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3Fu);
    }
    if (point >= 0x10000) {
      unit(0xD800 + ((point - 0x10000) >> 10));
      unit(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else if (point < 0x20 || point >= 0x7f) {
      unit(point);
    } else {
      if (point == '"' || point == '\\') out += '\\';
      out += static_cast<char>(point);
    }
    bytes.remove_prefix(length);
  }
  return RenderedText::code(out + "\"");
}

Code cmake_string(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\' || c == '$' || c == ';' || c == '@') out += '\\';
    out += is_printable(c) ? c : '_';
  }
  return RenderedText::code(out + "\"");
}

Code html_text(std::string_view bytes) {
  // What is markup, and what begins something elsewhere: no word of a model stands there as it was.
  constexpr std::string_view kEncoded = "<>&\"'`(){}$%";
  std::string out;
  for (const char c : bytes) {
    if (!is_printable(c)) {
      out += hex_escape(c);
    } else if (kEncoded.find(c) != kEncoded.npos) {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out += c;
    }
  }
  return RenderedText::code(out);
}

Code markdown_code(std::string_view bytes) {
  // Names as tools make them; whatever else a file says is encoded.
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:+,=@ -").find(c) != std::string_view::npos;
  };
  if (!std::all_of(bytes.begin(), bytes.end(), plain) || bytes.starts_with(' ') ||
      bytes.ends_with(' '))
    return markdown_text(bytes);
  return bytes.empty() ? Code() : RenderedText::code("`" + std::string(bytes) + "`");
}

Code markdown_text(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    // A colon makes links and pictures of what stands beside it.
    const bool ends_word =
        c == ':' && !out.empty() && (i + 1 == bytes.size() || bytes[i + 1] == ' ');
    if (!is_printable(c)) {
      out += "\\" + hex_escape(c);
    } else if (c == '<' || c == '&') {
      out += c == '<' ? "&lt;" : "&amp;";
    } else {
      // Lists and rules are markup at the start of a line only.
      const std::string_view markup = out.empty() ? "\\`*_{}[]()#|~>:@+-.!=" : "\\`*_{}[]()#|~>:@";
      if (markup.find(c) != markup.npos && !ends_word) out += '\\';
      out += c;
    }
  }
  return RenderedText::code(out);
}

}  // namespace burin
