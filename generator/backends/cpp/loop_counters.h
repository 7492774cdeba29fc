// The variables of a loop's counters (loops/program.h): set before it, stepped at the end of its
// body.
#pragma once

#include <string>
#include <vector>

#include "backends/cpp/expr_printer.h"
#include "loops/program.h"

namespace burin::cpp {

class LoopCounters {
 public:
  // `var`: the loop's variable as an index.
  LoopCounters(const loops::For& loop, Index var, TextBuilder& text, ExprPrinter& exprs,
               const Language& language, std::string index_type);

  // Definitions; from here to the end of the scope indices are known by these names.
  void start();
  // To the next point; `body`: the text of the loop so far.
  void step(std::string_view body);

 private:
  // Names of what a step adds to quotient and remainder, where the run decides it.
  struct Steps {
    std::string whole, part;
    std::string last;  // by_much: the dividend of this point
  };
  void define(const std::string& type, const std::string& name, const Index& value);
  void step_one(size_t number);
  void name_next(size_t number);
  void bring_back(size_t number);
  Index at(const Index& index, const Index& point) const;

  const std::vector<loops::Counter>& counters_;
  const int number_;  // of the loop's variable
  const Index var_, begin_;
  TextBuilder& text_;
  ExprPrinter& exprs_;
  const Language& language_;
  const std::string type_;
  std::vector<Steps> steps_;
};

}  // namespace burin::cpp
