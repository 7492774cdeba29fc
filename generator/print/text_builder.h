// Indented lines of emitted text.
#pragma once

#include <string>
#include <string_view>

#include "print/remarks.h"

namespace burin::print {

class TextBuilder {
 public:
  void line(std::string_view text) {
    if (!text.empty()) out_.append(static_cast<size_t>(depth_) * 2, ' ').append(text);
    out_ += '\n';
  }
  void remark(std::string_view text) {  // none: no line
    if (text.empty()) return;
    const size_t columns = kRemarkColumns - 3 - 2 * static_cast<size_t>(depth_);
    for (const std::string& one : wrapped(text, columns)) line("// " + one);
  }
  // Of the preprocessor: where formatters have it.
  void directive(std::string_view text) { out_.append(text).append("\n"); }
  void indent() { ++depth_; }
  void open(std::string_view text) {  // "for (...) {"
    line(text);
    ++depth_;
  }
  void close(std::string_view text = "}") {
    --depth_;
    line(text);
  }
  // "} else {": ends one block and opens the next.
  void reopen(std::string_view text) {
    close(text);
    ++depth_;
  }
  void append(std::string_view text) { out_ += text; }
  void erase(size_t start, size_t bytes) { out_.erase(start, bytes); }
  const std::string& text() const { return out_; }

 private:
  static constexpr size_t kRemarkColumns = 100;

  std::string out_;
  int depth_ = 0;
};

}  // namespace burin::print
