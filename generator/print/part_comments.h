// The line above a part of a kernel's body: what the loops and conditions below it write, from
// what.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loops/program.h"
#include "print/text_builder.h"

namespace burin::print {

// "Copies input to b_panel." Of the statement at `place`, where it is a loop or a condition, and
// where there is another one to tell it from or nothing around it (`top`); else empty. O(statements
// in it).
std::string part_comment(const loops::Stmts& stmts, size_t place, bool top,
                         const std::function<std::string(loops::BufferId)>& name);

// Writes them, each once: what the part around says already is not said again, and what has no line
// of its own, as a loop that threads share, leaves it to its parts.
class PartComments {
 public:
  explicit PartComments(TextBuilder& text) : text_(text) {}
  PartComments(const PartComments&) = delete;
  PartComments& operator=(const PartComments&) = delete;

  void open() { around_.push_back({said_}); }  // what comes is inside of the part
  void close() {
    said_ = around_.back().said;
    around_.pop_back();
  }
  void say(const std::string& part);  // requires an open part; empty: nothing

 private:
  struct Around {
    std::string said;
    bool left = false;  // to its parts
  };

  TextBuilder& text_;
  std::vector<Around> around_;
  std::string said_;
  size_t start_ = 0, end_ = std::string::npos;  // of the last one
};

}  // namespace burin::print
