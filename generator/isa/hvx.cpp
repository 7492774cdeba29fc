#include "isa/hvx.h"

#include "isa/dot_rows.h"

namespace burin::isa {
namespace {

DotRow vrmpy(const char* name, Type group, Type vector, const char* spelling) {
  return {.name = name,
          .instruction = name,
          .lanes = 32,
          .a = group,
          .b = vector,
          .file = "hvx",
          .spelling = spelling};
}

}  // namespace

std::vector<Instruction> hvx() {
  return dot_rows({
      vrmpy("vrmpybus_1024", Type::i8, Type::u8, "burin_rt::dot_s8u8"),
      vrmpy("vrmpyub_1024", Type::u8, Type::u8, "burin_rt::dot_u8u8"),
      vrmpy("vrmpybusv_1024", Type::u8, Type::i8, "burin_rt::dot_u8s8"),
      vrmpy("vrmpybv_1024", Type::i8, Type::i8, "burin_rt::dot_s8s8"),
  });
}

}  // namespace burin::isa
