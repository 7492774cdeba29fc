// The line above a part of a kernel's body: what the loops and conditions below it write, from
// what.
#pragma once

#include <functional>
#include <string>

#include "loops/program.h"
#include "print/text_builder.h"

namespace burin::print {

// "Copies input to b_panel." Of the statement at `place`, where it is a loop or a condition, and
// where there is another one to tell it from or nothing around it (`top`); else empty. O(statements
// in it).
std::string part_comment(const loops::Stmts& stmts, size_t place, bool top,
                         const std::function<std::string(loops::BufferId)>& name);

// Writes them, each once: what the part around says already is not said again, and what has no line
// of its own, as a loop that threads share, leaves it to its first part.
class PartComments {
 public:
  explicit PartComments(TextBuilder& text) : text_(text) {}
  PartComments(const PartComments&) = delete;
  PartComments& operator=(const PartComments&) = delete;

  void say(const std::string& part);  // empty: nothing
  const std::string& around() const { return said_; }
  void back_to(const std::string& around) { said_ = around; }  // behind a part

 private:
  TextBuilder& text_;
  std::string said_;
  size_t start_ = 0, end_ = std::string::npos;  // of the last one
};

}  // namespace burin::print
