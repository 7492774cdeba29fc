#include "support/diagnostics.h"

#include <cstdio>

namespace burin {

namespace {

constexpr size_t kMostLines = 20;  // of one refusal

// A path as it was given, but for control characters: a line stays one line. No system knows longer
// ones.
std::string one_line(const std::string& path) {
  constexpr size_t kLongest = 4096;
  if (path.size() > kLongest) return one_line(path.substr(0, kLongest / 16)) + "...";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, byte < 0x20 || byte == 0x7f ? "\\x%02x" : "%c", byte);
    out += escaped;
  }
  return out;
}

std::string to_line(const Diagnostic& diagnostic, const char* severity) {
  const Location& where = diagnostic.where;
  std::string line = one_line(where.file);
  if (!where.line.empty()) line += (where.line[0] == '/' ? "#" : ":") + where.line;
  if (!line.empty()) line += ": ";
  std::string subject = where.node;
  if (!where.op.empty()) subject += (subject.empty() ? "(" : " (") + where.op + ")";
  if (!where.operand.empty()) subject += (subject.empty() ? "" : " ") + where.operand;
  if (!subject.empty()) line += subject + ": ";
  line += std::string(severity) + ": " + diagnostic.message + " [" + diagnostic.rule + "]";
  if (!diagnostic.hint.empty()) line += "; " + diagnostic.hint;
  return line;
}

}  // namespace

std::string to_line(const Diagnostic& diagnostic) { return to_line(diagnostic, "error"); }

std::string to_warning(const Diagnostic& diagnostic) { return to_line(diagnostic, "warning"); }

const char* Refused::what() const noexcept {
  try {
    text_.clear();
    for (size_t i = 0; i < diagnostics.size() && i < kMostLines; ++i)
      text_ += (i > 0 ? "\n" : "") + to_line(diagnostics[i]);
    if (diagnostics.size() > kMostLines) {
      const size_t left = diagnostics.size() - kMostLines;
      text_ += "\n" + to_line({{.file = diagnostics[0].where.file},
                               "more-errors",
                               std::to_string(left) + (left == 1 ? " more error" : " more errors"),
                               {}});
    }
    return text_.c_str();
  } catch (...) {
    return "refused";
  }
}

void refuse(std::string_view rule, std::string message, std::string hint) {
  throw Refused(Diagnostic{{}, std::string(rule), std::move(message), std::move(hint)});
}

void fill_location(Refused& refused, const Location& where) {
  const auto fill = [](std::string& field, const std::string& value) {
    if (field.empty()) field = value;
  };
  for (Diagnostic& diagnostic : refused.diagnostics) {
    fill(diagnostic.where.file, where.file);
    fill(diagnostic.where.line, where.line);
    fill(diagnostic.where.node, where.node);
    fill(diagnostic.where.op, where.op);
    fill(diagnostic.where.operand, where.operand);
  }
}

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 96;  // bytes shown of a name; a name may be megabytes long
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\'' && c != '\\') {
      out += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      out += escape;
    }
  }
  if (text.size() > kLongest) out += "...";
  return out + "'";
}

}  // namespace burin
