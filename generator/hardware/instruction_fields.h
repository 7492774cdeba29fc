// The names that `instructions` of a description has. load.cpp reads by it, hardware_text.cpp
// prints by it.
#pragma once

#include "hardware/hardware.h"

namespace burin {

// A field by name and the member it fills: reading and printing expand the same list.
struct InstructionField {
  const char* name;
  bool Instructions::*member;
};

inline constexpr InstructionField kInstructionFields[] = {
    {"fma", &Instructions::fma},
    {"sqrt_f32", &Instructions::sqrt_f32},
    {"sqrt_f64", &Instructions::sqrt_f64},
    {"round", &Instructions::round},
    {"half_convert", &Instructions::half_convert},
    {"half_arithmetic", &Instructions::half_arithmetic},
    {"bfloat_dot", &Instructions::bfloat_dot},
    {"dot_u8_s8", &Instructions::dot_u8_s8},
    {"dot_s8_s8", &Instructions::dot_s8_s8},
    {"dot_u8_u8", &Instructions::dot_u8_u8},
    {"vector_popcount", &Instructions::vector_popcount},
    {"vector_permute", &Instructions::vector_permute},
    {"gather", &Instructions::gather},
    {"mask", &Instructions::mask},
};

}  // namespace burin
