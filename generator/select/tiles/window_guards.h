// Conditions that an operand need not be staged with: those that hold for all results that are
// written, and those of taps alone, which say that a tap is left out.
//
// A transposed convolution in phases (select/schedule/polyphase.h) has both: sizes that the stride
// does not divide, and taps that a phase lacks. Without them its operand slides like any other.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct SlidingOperand {
  Expr element;
  Guard taps;  // over the reduced axes and those of the batch: where a tap adds something
};

// `element` over the axes of a kernel, of which `outputs` move with the plane; `written`: the
// condition of the one write that its sum has. As it is where what is left would read beyond a
// tensor.
SlidingOperand sliding_operand(const Expr& element, const Guard& written,
                               const std::vector<int>& outputs, const std::vector<Value>& values);

}  // namespace burin
