#include "isa/x86_dot.h"

#include "isa/dot_rows.h"

namespace burin::isa {

std::vector<Instruction> x86_dot() {
  return dot_rows({
      {.name = "vpdpbusd_512",
       .lanes = 16,
       .a = Type::u8,
       .b = Type::i8,
       .file = "zmm",
       .spellings = {{"", "{c} = burin_rt::dot_u8s8<16>({c}, {a}, {b});", "dot.h"}}},
      {.name = "vpdpbusd_256",
       .lanes = 8,
       .a = Type::u8,
       .b = Type::i8,
       .file = "ymm",
       .spellings = {{"", "{c} = burin_rt::dot_u8s8<8>({c}, {a}, {b});", "dot.h"}}},
  });
}

}  // namespace burin::isa
