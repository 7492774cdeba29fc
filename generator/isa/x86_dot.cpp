#include "isa/x86_dot.h"

#include "isa/dot_rows.h"

namespace burin::isa {
namespace {

// The instruction takes its unsigned operand from a register and its signed one from anywhere, so
// either of them may be the group that all lanes get.
DotRow vnni(int lanes, bool signed_group, const char* name, const char* instruction,
            const char* file) {
  const std::string function = signed_group ? "dot_s8u8" : "dot_u8s8";
  return {.name = name,
          .instruction = instruction,
          .lanes = lanes,
          .a = signed_group ? Type::i8 : Type::u8,
          .b = signed_group ? Type::u8 : Type::i8,
          .file = file,
          .spelling = "burin_rt::" + function};
}

DotRow words(int lanes, const char* name, const char* file) {
  return {.name = name,
          .instruction = name,
          .lanes = lanes,
          .group = 2,
          .a = Type::i16,
          .b = Type::i16,
          .file = file,
          .spelling = "burin_rt::dot_s16s16"};
}

DotRow bf16(int lanes, const char* name, const char* file) {
  return {.name = name,
          .instruction = name,
          .lanes = lanes,
          .group = 2,
          .a = Type::bf16,
          .b = Type::bf16,
          .file = file,
          .spelling = "burin_rt::dot_bf16",
          .header = "dot_bf16.h"};
}

}  // namespace

std::vector<Instruction> x86_dot() {
  std::vector<Instruction> out =
      dot_rows({vnni(16, false, "vpdpbusd_512", "vpdpbusd_512", "zmm"),
                vnni(16, true, "vpdpbusd_512_signed_group", "vpdpbusd_512", "zmm"),
                vnni(8, false, "vpdpbusd_256", "vpdpbusd_256", "ymm"),
                vnni(8, true, "vpdpbusd_256_signed_group", "vpdpbusd_256", "ymm"),
                words(16, "vpdpwssd_512", "zmm"), words(8, "vpmaddwd_256", "ymm"),
                words(4, "pmaddwd_128", "xmm")});
  out.push_back(dot_row(bf16(16, "vdpbf16ps_512", "zmm")));
  // Everywhere else it is plain C++, which is as far as a description of any machine goes.
  for (Instruction& row : out) {
    if (row.instruction == "pmaddwd_128") row.elsewhere = {"dot_words_128"};
  }
  return out;
}

}  // namespace burin::isa
