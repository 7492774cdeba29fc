// How stores and operators are spelled in the text of programs; parse.cpp reads what
// program_text.cpp writes.
#pragma once

#include <array>
#include <string_view>

#include "kernel/kernel.h"

namespace burin::loops {

struct Assignment {
  Combiner combine;
  std::string_view text;
};
inline constexpr std::array<Assignment, 11> kAssignments{{
    {Combiner::none, "="},
    {Combiner::sum, "+="},
    {Combiner::product, "*="},
    {Combiner::min, "min="},
    {Combiner::max, "max="},
    {Combiner::logical_and, "and="},
    {Combiner::logical_or, "or="},
    {Combiner::first_max, "first_max="},
    {Combiner::last_max, "last_max="},
    {Combiner::first_min, "first_min="},
    {Combiner::last_min, "last_min="},
}};

constexpr std::string_view assignment_of(Combiner combine) {
  for (const Assignment& one : kAssignments) {
    if (one.combine == combine) return one.text;
  }
  return {};
}

// Operators that stand between their operands (infix_of); longer texts first: a reader takes the
// first that fits.
inline constexpr std::array<Binary, 10> kInfixes{Binary::le,  Binary::ge, Binary::eq,  Binary::ne,
                                                 Binary::lt,  Binary::gt, Binary::add, Binary::sub,
                                                 Binary::mul, Binary::div};

}  // namespace burin::loops
