// A compare and the jump that it decides are one word where the table has the pair: two
// instructions in one slot. Done before scheduling, as another version of the block; the cheaper
// one is kept.
#include <algorithm>

#include "vliw/effects.h"
#include "vliw/program.h"

namespace burin::vliw {
namespace {

constexpr int64_t kLargestImmediate = 31;  // u5 of compares with an immediate, and -1

bool single(const Unit& unit) {
  return !unit.closed && unit.instructions.size() == 1 && !unit.instructions[0].unknown();
}

}  // namespace

std::optional<Block> fuse_compare_and_jump(const Block& block, const Machine& machine) {
  for (size_t j = 0; j < block.units.size(); ++j) {
    if (!single(block.units[j]) || !changes_flow(block.units[j].instructions[0])) continue;
    const Instruction& jump = block.units[j].instructions[0];
    const Effects decided = effects_of(jump);
    if (!decided.conditional || decided.predicate < 0) return std::nullopt;
    // Its compare, with nobody else at the predicate and nobody writing the compare's operands
    // between.
    size_t c = j;
    RegisterSet written;
    while (c > 0) {
      --c;
      Effects all;
      for (const Instruction& i : block.units[c].instructions) {
        const Effects e = effects_of(i);
        all.reads |= e.reads | e.new_reads;
        all.writes |= e.writes;
        all.barrier = all.barrier || e.barrier;
      }
      if (all.writes.has(decided.predicate)) break;
      if (all.reads.has(decided.predicate) || all.barrier) return std::nullopt;
      written |= all.writes;
    }
    if (c == j || !single(block.units[c])) return std::nullopt;
    const Instruction& compare = block.units[c].instructions[0];
    const Effects compared = effects_of(compare);
    if (!compared.writes.has(decided.predicate) || compared.conditional ||
        compared.reads.meets(written))
      return std::nullopt;
    for (const Operand& operand : compare.operands) {
      if (operand.kind == 'i' && (!operand.has_value || operand.extended || operand.value < -1 ||
                                  operand.value > kLargestImmediate))
        return std::nullopt;
    }
    if (decided.predicate > kPredicate + 1) return std::nullopt;  // p0 and p1 only
    const Instruction fresh = with_new_predicate(jump, machine);
    if (fresh.form == nullptr) return std::nullopt;
    Instruction pair = parse_instruction(compare.text() + "; " + fresh.text(), machine,
                                         compare.line, compare.column);
    if (pair.form == nullptr) return std::nullopt;
    Block fused = block;
    fused.units[j].instructions[0] = std::move(pair);
    fused.units.erase(fused.units.begin() + static_cast<std::ptrdiff_t>(c));
    return fused;
  }
  return std::nullopt;
}

}  // namespace burin::vliw
