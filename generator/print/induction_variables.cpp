#include "print/induction_variables.h"

#include <utility>

#include "loops/counting.h"
#include "loops/walk.h"
#include "print/kernel_printer_core.h"

namespace burin::print {

using loops::InductionVariable;

InductionVariables::InductionVariables(Index var, Index begin, TextBuilder& text,
                                       ExprPrinter& exprs, const Language& language,
                                       std::string index_type, Further further)
    : var_(std::move(var)),
      begin_(std::move(begin)),
      text_(text),
      exprs_(exprs),
      language_(language),
      type_(std::move(index_type)),
      further_(std::move(further)) {}

void InductionVariables::define(const std::string& type, const std::string& name,
                                const Index& value) {
  text_.line(type + " " + name + " = " + without_parentheses(exprs_.text(value)) + ";");
}

void InductionVariables::add(InductionVariable one) {
  const Index first = loops::with_var(one.dividend, var_.axis_id(), begin_);
  define(std::string(language_.maybe_unused()) + type_, one.quotient, floordiv(first, one.divisor));
  define(type_, one.remainder, mod(first, one.divisor));
  Steps steps;
  if (one.moved == InductionVariable::Moved::by_much) {
    steps.last = further_(one.remainder, "last");
    define(type_, steps.last, first);
  } else if (!one.step.is_constant() || !(one.carries_one() || one.divisor.is_constant())) {
    steps.whole = further_(one.quotient, "step");
    steps.part = further_(one.remainder, "step");
    define("const " + type_, steps.whole, floordiv(one.step, one.divisor));
    define("const " + type_, steps.part, mod(one.step, one.divisor));
  }
  exprs_.name_index(floordiv(one.dividend, one.divisor), one.quotient);
  exprs_.name_index(mod(one.dividend, one.divisor), one.remainder);
  inductions_.push_back(std::move(one));
  steps_.push_back(std::move(steps));
}

void InductionVariables::step(std::string_view body) {
  for (const InductionVariable& one : inductions_) {
    // Some loops need the remainder only; compilers warn of a quotient that is counted in vain.
    if (!mentions(body, one.quotient)) text_.line("(void)" + one.quotient + ";");
  }
  for (size_t number = 0; number < inductions_.size(); ++number) {
    if (inductions_[number].moved == InductionVariable::Moved::by_much) {
      bring_back(number);
    } else if (inductions_[number].moved == InductionVariable::Moved::by_axis) {
      step_one(number);
    }
  }
}

// The dividend has moved by much: the remainder gains the difference and is brought back by loops.
// |k| < c for constants in canonical indices, so these rarely run more than once.
void InductionVariables::bring_back(size_t number) {
  const InductionVariable& one = inductions_[number];
  const std::string &q = one.quotient, &r = one.remainder, &last = steps_[number].last;
  const std::string divisor = exprs_.text(one.divisor), next = further_(r, "next");
  // Over the induction variables before it, which have been stepped: indices name those of this
  // point.
  const Index dividend = loops::over_inductions(
      one.dividend, {inductions_.begin(), inductions_.begin() + static_cast<int64_t>(number)});
  // A size of 0 has nothing to be counted.
  const std::string positive = proven_le(1, one.divisor) ? "" : divisor + " > 0 && ";
  text_.line("const " + type_ + " " + next + " = " +
             exprs_.text(loops::with_var(dividend, var_.axis_id(), var_ + 1)) + ";");
  text_.line(r + " += " + next + " - " + last + ";");
  text_.line(last + " = " + next + ";");
  text_.open("while (" + positive + r + " >= " + divisor + ") {");
  text_.line(r + " -= " + divisor + ";");
  text_.line("++" + q + ";");
  text_.close();
  text_.open("while (" + positive + r + " < 0) {");
  text_.line(r + " += " + divisor + ";");
  text_.line("--" + q + ";");
  text_.close();
}

// The dividend has moved by the step: the remainder follows, and the quotient where that wraps.
void InductionVariables::step_one(size_t number) {
  const InductionVariable& one = inductions_[number];
  const std::string &q = one.quotient, &r = one.remainder;
  const std::string divisor = exprs_.text(one.divisor);
  std::string whole = steps_[number].whole, part = steps_[number].part;
  const int64_t step = one.step.as_constant().value_or(1);
  const bool up = step > 0 || !part.empty();
  if (part.empty()) {
    int64_t size = step < 0 ? -step : step;
    if (one.divisor.is_constant() && size > 1) {
      const int64_t by = one.divisor.constant();
      if (size >= by) whole = std::to_string(size / by);
      size %= by;
    }
    if (size) part = std::to_string(size);
  }
  const char *forward = up ? " += " : " -= ", *back = up ? " -= " : " += ";
  if (!whole.empty()) text_.line(q + forward + whole + ";");
  if (part.empty()) return;
  text_.line(r + forward + part + ";");
  text_.open("if (" + r + (up ? " >= " + divisor : std::string(" < 0")) + ") {");
  text_.line(r + back + divisor + ";");
  text_.line((up ? "++" : "--") + q + ";");
  for (size_t i = 0; i < inductions_.size(); ++i) {
    if (inductions_[i].parent == static_cast<int>(number)) step_one(i);
  }
  text_.close();
}

}  // namespace burin::print
