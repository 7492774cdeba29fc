// Lines that give numbers a name, of one block of printed text.
#pragma once

#include <string>
#include <vector>

#include "loops/program.h"
#include "print/text_builder.h"

namespace burin::print {

// What a Let or a Name names; empty: it is another statement.
std::string name_of(const loops::Stmt& stmt, const loops::Program& program);

class Definitions {
 public:
  explicit Definitions(TextBuilder& text) : text_(text) {}

  // The lines from `start` to the end of the text so far define `name`; empty: they define none.
  void add(std::string name, size_t start) {
    if (!name.empty()) all_.push_back({std::move(name), start, text_.text().size()});
  }
  // At the end of the block: those go that nothing behind them mentions, the last ones first.
  void drop_unused();

 private:
  struct Definition {
    std::string name;
    size_t start = 0, end = 0;
  };
  TextBuilder& text_;
  std::vector<Definition> all_;
};

}  // namespace burin::print
