#include "isa/arm_dot.h"

#include "isa/dot_rows.h"

namespace burin::isa {

std::vector<Instruction> arm_dot() {
  return dot_rows({
      {.name = "sdot_128",
       .instruction = "sdot_128",
       .lanes = 4,
       .a = Type::i8,
       .b = Type::i8,
       .file = "v",
       .spelling = "burin_rt::dot_s8s8"},
      {.name = "udot_128",
       .instruction = "udot_128",
       .lanes = 4,
       .a = Type::u8,
       .b = Type::u8,
       .file = "v",
       .spelling = "burin_rt::dot_u8u8"},
  });
}

}  // namespace burin::isa
