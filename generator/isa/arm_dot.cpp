#include "isa/arm_dot.h"

#include "isa/dot_rows.h"

namespace burin::isa {

std::vector<Instruction> arm_dot() {
  return dot_rows({
      {.name = "sdot_128",
       .lanes = 4,
       .a = Type::i8,
       .b = Type::i8,
       .file = "v",
       .spellings = {{"", "{c} = burin_rt::dot_s8s8<4>({c}, {a}, {b});", "dot.h"}}},
      {.name = "udot_128",
       .lanes = 4,
       .a = Type::u8,
       .b = Type::u8,
       .file = "v",
       .spellings = {{"", "{c} = burin_rt::dot_u8u8<4>({c}, {a}, {b});", "dot.h"}}},
  });
}

}  // namespace burin::isa
