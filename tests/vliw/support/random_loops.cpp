#include "vliw/support/random_loops.h"

namespace burin::vliw::testing {
namespace {

std::string line(const std::string& instruction) { return "\t{\n\t\t" + instruction + "\n\t}\n"; }

std::string reg(char file, int number) { return file + std::to_string(number); }

// Places the pointers: overlapping, a little apart, or far apart.
std::string place_pointers(Random& random) {
  std::string out;
  const int gaps[] = {0, 8, 64, 128, 256, 384, 512, 640, 1024, 2048, 3072};
  for (int r = 17; r <= 19; ++r) {
    if (!random.chance(70)) continue;
    const int gap = gaps[random.below(11)] * (random.chance(50) ? 1 : -1) * (r == 19 ? 2 : 1);
    out += line(reg('r', r) + " = add(r16,#" + std::to_string(gap) + ")");
  }
  return out;
}

// One instruction of a loop as compilers write them: a load, a store, or a sum.
std::string usual(Random& random, const int steps[4], bool vectors) {
  const int pointer = random.below(4);
  const std::string base = reg('r', 16 + pointer);
  const int scalar = random.below(8), vector = random.below(8);
  const int step = steps[pointer];
  const auto post = [&](int unit) {
    return "(" + base + "++#" + std::to_string(step / unit) + ")";
  };
  const auto plain = [&](int unit) {
    return "(" + base + "+#" + std::to_string(unit * (random.below(5) - 2)) + ")";
  };
  const bool long_step = step % 128 == 0;
  switch (random.below(vectors ? 12 : 6)) {
    case 0:
      return reg('r', scalar) + " = memw" + (step <= 28 && !long_step ? post(1) : plain(4));
    case 1:
      return "memw" + (step <= 28 && !long_step ? post(1) : plain(4)) + " = " + reg('r', scalar);
    case 2:
      return reg('r', scalar) + " = memw" + plain(4);
    case 3:
      return reg('r', scalar) + " = add(r" + std::to_string(random.below(8)) + ",r" +
             std::to_string(random.below(8)) + ")";
    case 4:
      return reg('r', scalar) + " += mpyi(r" + std::to_string(random.below(8)) + ",r" +
             std::to_string(random.below(8)) + ")";
    case 5:
      return base + " = add(" + base + ",#" + std::to_string(step) + ")";
    case 6:
    case 7:
      return reg('v', vector) + " = vmem" + (long_step ? post(128) : plain(1));
    case 8:
      return "vmem" + (long_step ? post(128) : plain(1)) + " = " + reg('v', vector);
    case 9:
      return reg('v', vector) + ".w += vrmpy(v" + std::to_string(random.below(8)) + ".ub,r" +
             std::to_string(scalar) + ".b)";
    case 10:
      return reg('v', vector) + ".w = vmpye(v" + std::to_string(random.below(8)) + ".w,v" +
             std::to_string(random.below(8)) + ".uh)";
    default:
      return reg('v', vector) + ".h = vadd(v" + std::to_string(random.below(8)) + ".h,v" +
             std::to_string(random.below(8)) + ".h)";
  }
}

std::string random_loop(const std::string& label, const std::vector<const Form*>& forms, int size,
                        bool words, Random& random) {
  std::string out;
  const bool vectors = random.chance(60);
  // Accesses of any form and size stay at multiples of their size, as the machine demands.
  const int choices[] = {words ? 4 : 8, 8, 128, 128, 256, 16};
  int steps[4];
  for (int& step : steps) step = choices[random.below(vectors ? 6 : 2)];
  for (int r = 16; r <= 19 && !words; ++r)  // where other loops have left them
    out += line(reg('r', r) + " = and(" + reg('r', r) + ",#-8)");
  const int trips = random.below(12);
  const bool constant = random.chance(30);
  if (!constant) out += line("r20 = #" + std::to_string(trips));
  const std::string count = constant ? "#" + std::to_string(trips) : "r20";
  out += line("loop0(" + label + "," + count + ")");
  if (!constant && random.chance(20)) out += line("r20 = add(r20,#3)");
  if (random.chance(30)) {  // a compare and its jump, often on a new value
    const std::string p = reg('p', random.below(4));
    const char* const compares[] = {"cmp.eq(r5,#3)", "cmp.gt(r5,r6)", "cmp.gtu(r6,r5)"};
    out += line("r5 = sub(r6,r7)");
    if (random.chance(30)) out += line("r4 = add(r4,#1)");
    out += line(p + " = " + compares[random.below(3)]);
    out += line("if (" + std::string(random.chance(50) ? "!" : "") + p + ") jump:nt " + label +
                "_skip");
  }
  out += label + ":\n";
  const int foreign = words ? 0 : random.below(30);  // percent of any other form
  for (int i = 0; i < size; ++i) {
    if (random.chance(foreign)) {
      const Form& form = *forms[static_cast<size_t>(random.below(static_cast<int>(forms.size())))];
      out += line(random_instruction(form, random));
    } else {
      out += line(usual(random, steps, vectors));
    }
  }
  return out + "\t{\n\t\tnop\n\t\tnop\n\t} :endloop0\n" + label + "_skip:\n";
}

}  // namespace

std::string random_loop_function(const std::string& name, const std::vector<const Form*>& forms,
                                 int size, Random& random) {
  std::string out = "\t.p2align 4\n" + name + ":\n" + place_pointers(random);
  const int loops = 1 + random.below(3);
  const bool words = random.chance(50);  // and vectors, nothing else
  for (int k = 0; k < loops; ++k) {
    out += random_loop(".L" + name + "_" + std::to_string(k), forms, 2 + random.below(size - 1),
                       words, random);
    if (random.chance(50)) out += place_pointers(random);
  }
  // Dead registers: written before anybody can compare them.
  for (const int r : {8, 9, 10, 11, 20, 21, 22, 23, 26, 27}) {
    if (random.chance(80)) out += line(reg('r', r) + " = #" + std::to_string(r));
  }
  for (int v = 8; v < 24; ++v) {
    if (random.chance(80)) out += line(reg('v', v) + " = vxor(v0,v0)");
  }
  for (int p = 1; p < 4; ++p) {
    if (random.chance(80)) out += line(reg('p', p) + " = cmp.eq(r0,#1)");
  }
  out += line("loop0(.L" + name + "_end,#1)");
  return out + ".L" + name + "_end:\n" + line("jumpr r31");
}

}  // namespace burin::vliw::testing
