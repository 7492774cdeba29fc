// A byte of several bytes, in real numbers: what each of them adds, limits between, and how far
// floats stray from it.
//
// The kernel says type.sat(round(g(b0, b1 ...)) + zero), where g is made of conversions of bytes to
// f32, sums, products and quotients with constants, and limits. In real numbers g is then
//   limit(... limit(offset + f0 b0 + f1 b1) + f2 b2 ...)
// and each operation in f32 strays from it by half a unit in its last place at most. Offsets that
// come later are moved to the front: limits move with them.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Constants differ from point to point: one number for each.
using PointNumbers = std::vector<double>;

struct RealStage {
  int operand = -1;              // adds `factor` times this byte; -1: limits
  PointNumbers factor;           //
  PointNumbers least, greatest;  // of limits
};
struct RealForm {
  PointNumbers offset;
  std::vector<RealStage> stages;
  PointNumbers error;                // of floats
  Type type = Type::none;            // of the byte
  std::vector<int> least, greatest;  // of the byte, within its type, of each point
};

// Where the constants of a form are read.
struct FormContext {
  const Kernel* kernel = nullptr;
  const std::vector<Value>* values = nullptr;
  std::vector<int> axes;       // points: the axes that constants move with
  std::vector<Expr> operands;  // bytes
};

// nullopt: the value is none of these, or a number is not finite. A byte is floor(form) then, where
// the form is further from a whole number than the error.
std::optional<RealForm> real_form_of(const Expr& value, const FormContext& context);

// What the first `stages` of a form reach at a point, the operands being what they may be.
struct RealRange {
  double lo = 0, hi = 0;
  double most() const { return std::max(std::abs(lo), std::abs(hi)); }
};
RealRange range_of(const RealForm& form, size_t point, size_t stages,
                   const std::vector<Expr>& operands);

}  // namespace burin
