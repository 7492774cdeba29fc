// Sizes as lines of a function: what occurs in several of them, or would make one unreadable, is a
// constant with a name of its own.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "backends/cpp/emit_cpp.h"
#include "print/expr_printer.h"

namespace burin::cpp {

class PlanSizes {
 public:
  // `sizes`: all that will be printed; `taken`: names of the function's scope.
  PlanSizes(const TreeNames& names, const std::vector<Dim>& sizes, std::set<std::string> taken);

  struct Line {
    std::string name, value;
  };
  // The constants that `size` needs and that are not defined yet, in order.
  std::vector<Line> definitions(const Dim& size);
  // In terms of them.
  std::string text(const Dim& size);

 private:
  void count(const Dim& size);
  void define(const Dim& size, std::vector<Line>& lines);
  void define_operands(const Index& atom, std::vector<Line>& lines);
  void name(const Index& index, std::vector<Line>& lines);
  std::string fresh();

  print::TextBuilder unused_;
  print::Headers headers_;
  print::ExprPrinter exprs_;
  std::set<std::string> taken_;
  std::map<Index, int> counts_;  // places where an atom stands, inside what is printed once
  int next_ = 0;
};

}  // namespace burin::cpp
