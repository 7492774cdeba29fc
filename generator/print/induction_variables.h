// The variables of a loop's induction variables (loops/program.h): set before it, stepped at the
// end of its body.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loops/program.h"
#include "print/expr_printer.h"

namespace burin::print {

class InductionVariables {
 public:
  // A name for what an induction variable needs beside its two variables: `of` one of them, `what`
  // it is.
  using Further = std::function<std::string(const std::string& of, const char* what)>;

  // `var`: the loop's variable, which begins at `begin`.
  InductionVariables(Index var, Index begin, TextBuilder& text, ExprPrinter& exprs,
                     const Language& language, std::string index_type, Further further);

  // Defines the variables of one more induction variable; from here to the end of the scope indices
  // are known by them.
  void add(loops::InductionVariable induction);
  const std::vector<loops::InductionVariable>& all() const { return inductions_; }
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
  void bring_back(size_t number);

  const Index var_, begin_;
  TextBuilder& text_;
  ExprPrinter& exprs_;
  const Language& language_;
  const std::string type_;
  const Further further_;
  std::vector<loops::InductionVariable> inductions_;
  std::vector<Steps> steps_;
};

}  // namespace burin::print
