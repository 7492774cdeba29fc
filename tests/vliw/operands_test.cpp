// What the table says an instruction reads, held against the emulator: each form runs twice, with
// all registers that it does not read set to something else the second time. What it writes, and
// memory, must come out the same. (What forms write is held against the assembler in
// object_test.cpp.)
#include <gtest/gtest.h>

#include "vliw/effects.h"
#include "vliw/support/differential.h"
#include "vliw/support/emulator.h"

namespace burin::vliw::operands_test {
namespace {

using testing::Random;

constexpr uint32_t kSalt[2] = {0x13579bdf, 0xecab6420};
constexpr int kSaved = 8192;  // bytes below the driver's base where memory begins

std::string hex(uint32_t value) { return "##" + std::to_string(static_cast<int32_t>(value)); }

uint32_t value_of(int variant, int r) {
  return kSalt[variant] ^ (static_cast<uint32_t>(r) * 0x9e3779b9u);
}

bool is_pointer(int r) { return (r >= 16 && r < 20) || r == 24 || r == 25; }

// Sets every register but pointers, indices and the frame to the variant's values. r28 is spent.
std::string setter(int variant) {
  std::string text = "\t.p2align 4\nset" + std::to_string(variant) + ":\n";
  const auto line = [&](const std::string& i) { text += "\t{ " + i + " }\n"; };
  const std::string fill = hex(variant == 0 ? 0x00ff00ffu : 0xff00ff00u);
  line("r28 = " + fill);
  line("v0 = vsplat(r28)");
  for (int q = 0; q < 4; ++q) line("q" + std::to_string(q) + " = vand(v0,r28)");
  for (int v = 0; v < 32; ++v) {
    line("r28 = " + hex(value_of(variant, kVector + v)));
    line("v" + std::to_string(v) + " = vsplat(r28)");
  }
  line("r28 = " + hex(variant == 0 ? 0x5aa5f00fu : 0xa55a0ff0u));
  line("p3:0 = r28");
  // Rounds towards zero the second time; the sticky bits of both are clear.
  line("r28 = " + hex(variant == 0 ? 0u : 0x00400000u));
  line("usr = r28");
  for (const char* name : {"m0", "m1", "cs0", "cs1", "lc0", "sa0", "lc1", "sa1", "gp"}) {
    line("r28 = " + hex(kSalt[variant] & ~3u));
    line(std::string(name) + " = r28");
  }
  for (int r = 0; r < 28; ++r) {
    if (!is_pointer(r)) line("r" + std::to_string(r) + " = " + hex(value_of(variant, r)));
  }
  line("jumpr r31");
  return text;
}

// Gives what the instruction reads the same values in both variants.
std::string common_values(const RegisterSet& reads, int variant, Random& random) {
  std::string text = "\t{ r28 = memw(r29+#0) }\n";
  const auto name = [](int r) { return name_of_register(r); };
  reads.each([&](int r) {
    if (r < kVectorPredicate || r >= kModifier) return;
    text += "\t{ v31 = vmem(r28+#" + std::to_string(r - kVectorPredicate) +
            ") }\n\t{ r28 = #33 }\n\t{ " + name(r) +
            " = vand(v31,r28) }\n\t{ r28 = " + hex(value_of(variant, kVector + 31)) +
            " }\n\t{ v31 = vsplat(r28) }\n\t{ r28 = memw(r29+#0) }\n";
  });
  reads.each([&](int r) {
    if (r >= kVector && r < kPredicate)
      text += "\t{ " + name(r) + " = vmem(r28+#" + std::to_string((r - kVector) % 16 - 8) + ") }\n";
  });
  reads.each([&](int r) {
    const auto drawn = static_cast<uint32_t>(random.next());
    if (r < kVector && !is_pointer(r)) text += "\t{ " + name(r) + " = " + hex(drawn) + " }\n";
    const bool moves = (r >= kPredicate && r < kVectorPredicate) || r == kModifier ||
                       r == kModifier + 1 || r == kStatus;
    if (!moves) return;
    const uint32_t value = r == kStatus ? 0 : r < kVectorPredicate ? drawn : 8 * (drawn % 4);
    text += "\t{ r28 = " + hex(value) + " }\n\t{ " + name(r) + " = r28 }\n";
  });
  return text;
}

// Puts what the instruction writes into memory, scalars first: the others go through r0 and v0.
std::string saved(const RegisterSet& writes) {
  std::string text =
      "\t{ r28 = memw(r29+#0) }\n\t{ r28 = add(r28,#-" + std::to_string(kSaved) + ") }\n";
  const auto line = [&](const std::string& i) { text += "\t{ " + i + " }\n"; };
  int at = 0;
  const auto word = [&](const std::string& r) {
    line("memw(r28+#" + std::to_string(4 * at++) + ") = " + r);
  };
  writes.each([&](int r) {
    if (r < kVector) word(name_of_register(r));
  });
  writes.each([&](int r) {
    if (r < kPredicate || (r >= kVectorPredicate && r < kModifier)) return;
    line("r0 = " + std::string(r >= kStatus && r <= kLoopConfig ? "usr" : name_of_register(r)));
    if (r >= kStatus && r <= kLoopConfig) line("r0 = and(r0,#31)");
    word("r0");
  });
  const auto vector = [&](const std::string& v) {
    line("r28 = add(r28,#128)");
    line("vmem(r28+#0) = " + v);
  };
  writes.each([&](int r) {
    if (r >= kVector && r < kPredicate) vector(name_of_register(r));
  });
  writes.each([&](int r) {
    if (r < kVectorPredicate || r >= kModifier) return;
    line("r0 = #-1");
    line("v0 = vand(" + name_of_register(r) + ",r0)");
    vector("v0");
  });
  return text;
}

std::string function_of(const std::string& name, const std::string& text, const Effects& effects,
                        int variant, uint64_t seed) {
  Random random(seed);
  return "\t.p2align 4\n" + name +
         ":\n\t{ allocframe(#32) }\n\t{ memw(r29+#0) = r16 }\n\t{ call set" +
         std::to_string(variant) + " }\n" + common_values(effects.reads, variant, random) + "\t{ " +
         text + " }\n" + saved(effects.writes) + "\t{ call set0 }\n\t{ dealloc_return }\n";
}

// Texts of instructions whose result depends on more than `reads_of` says.
template <typename ReadsOf>
std::vector<std::string> dependent(const std::vector<const Form*>& forms, const Machine& machine,
                                   const std::string& folder, const ReadsOf& reads_of,
                                   std::string& error) {
  constexpr size_t kBatch = 150;  // the assembler's time grows with the square
  Random random(5);
  std::vector<std::string> found;
  for (size_t from = 0; from < forms.size() && error.empty(); from += kBatch) {
    const size_t count = std::min(kBatch, forms.size() - from);
    std::string functions = setter(0) + setter(1);
    std::vector<std::string> texts;
    for (size_t f = 0; f < count; ++f) {
      texts.push_back(testing::random_instruction(*forms[from + f], random));
      Effects effects = effects_of(parse_instruction(texts[f], machine, 1, 1));
      effects.reads = reads_of(effects);
      if (effects.conditional) effects.reads |= effects.writes;  // they may keep what was there
      const uint64_t seed = random.next();
      for (int variant = 0; variant < 2; ++variant)
        functions += function_of("f" + std::to_string(2 * f + static_cast<size_t>(variant)),
                                 texts[f], effects, variant, seed);
    }
    const std::vector<std::string> lines =
        testing::run_functions(functions, static_cast<int>(2 * count), folder, error,
                               testing::version_of(machine), testing::Runs::kPairs);
    if (lines.size() != 2 * count) error += "it did not run to its end";
    for (size_t f = 0; f < count && error.empty(); ++f) {
      if (testing::is_dead(lines[2 * f]) || lines[2 * f].substr(7) != lines[2 * f + 1].substr(7))
        found.push_back(texts[f]);
    }
  }
  return found;
}

TEST(Operands, NothingIsReadThatTheTableDoesNotName) {
  const Machine machine =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  const std::string folder = testing::fresh_folder("operands_test");
  const std::vector<const Form*> forms = testing::runnable_forms(machine, folder);
  ASSERT_GT(forms.size(), 1400u);
  std::string error;
  const std::vector<std::string> more = dependent(
      forms, machine, folder, [](const Effects& e) { return e.reads | e.new_reads; }, error);
  ASSERT_EQ(error, "");
  EXPECT_EQ(more, std::vector<std::string>{});
  // The same question with the first register left out finds most forms that read any.
  const std::vector<const Form*> some(forms.begin(), forms.begin() + 150);
  const std::vector<std::string> less = dependent(
      some, machine, folder,
      [](const Effects& e) {
        RegisterSet reads = e.reads;
        bool left_out = false;
        e.reads.each([&](int r) {
          if (left_out || is_pointer(r)) return;
          reads.remove(r);
          left_out = true;
        });
        return reads;
      },
      error);
  ASSERT_EQ(error, "");
  EXPECT_GT(less.size(), some.size() / 2);
}

}  // namespace
}  // namespace burin::vliw::operands_test
