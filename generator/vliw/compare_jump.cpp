// A compare and the jump that it decides are one word where the table has the pair: two
// instructions in one slot; or a jump on a new value, in the packet of what is compared, where
// nobody reads the predicate behind it. Done before scheduling, as other versions of the block; the
// cheapest is kept.
#include <algorithm>

#include "vliw/blocks.h"
#include "vliw/effects.h"

namespace burin::vliw {
namespace {

constexpr int64_t kLargestImmediate = 31;  // u5 of compares with an immediate, and -1

bool single(const Unit& unit) {
  return !unit.closed && unit.instructions.size() == 1 && !unit.instructions[0].unknown();
}

// The compare that decides the jump at j, with nobody else at the predicate and nobody writing the
// compare's operands between; j itself if there is none. Where `over` is asked for, what is written
// of the operands between goes there instead.
size_t compare_of(const Block& block, size_t j, RegisterSet* over = nullptr) {
  const Effects decided = effects_of(block.units[j].instructions[0]);
  if (!decided.conditional || decided.predicate < 0) return j;
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
    if (all.reads.has(decided.predicate) || all.barrier) return j;
    written |= all.writes;
  }
  if (c == j || !single(block.units[c])) return j;
  const Instruction& compare = block.units[c].instructions[0];
  const Effects compared = effects_of(compare);
  if (!compared.writes.has(decided.predicate) || compared.conditional ||
      (over == nullptr && compared.reads.meets(written)))
    return j;
  if (over != nullptr) *over = compared.reads & written;
  for (const Operand& operand : compare.operands) {
    if (operand.kind == 'i' && (!operand.has_value || operand.extended || operand.value < -1 ||
                                operand.value > kLargestImmediate))
      return j;
  }
  return c;
}

// May the producer of r go down to the jump, past units (from, to)?
bool may_sink(const Block& block, size_t from, size_t to, size_t compare) {
  const Effects producer = effects_of(block.units[from].instructions[0]);
  for (size_t k = from + 1; k < to; ++k) {
    if (k == compare) continue;
    for (const Instruction& i : block.units[k].instructions) {
      const Effects e = effects_of(i);
      if (i.unknown() || e.barrier || (e.reads | e.new_reads).meets(producer.writes) ||
          e.writes.meets(producer.reads | producer.writes))
        return false;
      if ((producer.load && e.store) || producer.store) return false;
    }
  }
  return true;
}

// Where a compare's operands are written between it and the jump at j: the one unit that does, if it
// may go down to the jump, whose packet still sees the old values; j if there is none.
size_t writer_of(const Block& block, const RegisterSet& over, size_t compare, size_t j) {
  size_t writer = j;
  for (size_t k = compare + 1; k < j; ++k) {
    for (const Instruction& i : block.units[k].instructions) {
      if (!effects_of(i).writes.meets(over)) continue;
      if (writer != j || !single(block.units[k])) return j;
      writer = k;
    }
  }
  const bool may = writer != j && !effects_of(block.units[writer].instructions[0]).barrier &&
                   may_sink(block, writer, j, compare);
  return may ? writer : j;
}

}  // namespace

std::optional<Block> fuse_compare_and_jump(const Block& block, const Machine& machine) {
  for (size_t j = 0; j < block.units.size(); ++j) {
    if (!single(block.units[j]) || !changes_flow(block.units[j].instructions[0])) continue;
    const Instruction& jump = block.units[j].instructions[0];
    RegisterSet over;
    const size_t c = compare_of(block, j, &over);
    if (c == j || effects_of(jump).predicate > kPredicate + 1) return std::nullopt;  // p0, p1 only
    const size_t writer = over.empty() ? j : writer_of(block, over, c, j);
    if (!over.empty() && writer == j) return std::nullopt;
    const Instruction& compare = block.units[c].instructions[0];
    const Instruction fresh = with_new_predicate(jump, machine);
    if (fresh.form == nullptr) return std::nullopt;
    Instruction pair = parse_instruction(compare.text() + "; " + fresh.text(), machine,
                                         compare.line, compare.column);
    if (pair.form == nullptr) return std::nullopt;
    Block fused = block;
    fused.units[j].instructions = {std::move(pair)};
    if (writer != j) {
      fused.units[j].instructions.insert(fused.units[j].instructions.begin(),
                                         block.units[writer].instructions[0]);
      fused.units.erase(fused.units.begin() + static_cast<std::ptrdiff_t>(writer));
    }
    fused.units.erase(fused.units.begin() + static_cast<std::ptrdiff_t>(c));
    return fused;
  }
  return std::nullopt;
}

std::optional<NewValueJump> form_new_value_jump(const Block& block, const Machine& machine) {
  if (block.units.empty()) return std::nullopt;
  const size_t j = block.units.size() - 1;
  if (!single(block.units[j])) return std::nullopt;
  const Instruction& jump = block.units[j].instructions[0];
  if (!jump.form->is(kJump) || jump.form->key.rfind("if(", 0) != 0 || jump.operands.size() != 2 ||
      jump.operands[1].kind != '@')
    return std::nullopt;
  const size_t c = compare_of(block, j);
  if (c == j) return std::nullopt;
  const Instruction& compare = block.units[c].instructions[0];
  for (size_t k = 1; k < compare.operands.size(); ++k) {
    if (compare.operands[k].kind != 'R' || compare.operands[k].width != 1) continue;
    const int r = compare.operands[k].first;
    size_t u = c;
    while (u > 0 && !effects_of(block.units[u - 1].instructions[0]).writes.has(r)) --u;
    if (u == 0 || !single(block.units[--u])) continue;
    const Instruction& producer = block.units[u].instructions[0];
    const int made = producer.form->produces;
    if (made < 0 || producer.operands[static_cast<size_t>(made)].first != r ||
        producer.operands[static_cast<size_t>(made)].width != 1 || producer.form->is(kFloat) ||
        effects_of(producer).conditional || effects_of(producer).barrier ||
        !may_sink(block, u, j, c))
      continue;
    std::string text = with_suffix(compare, static_cast<int>(k), "new", machine).text();
    text = text.substr(text.find('=') + 1);
    text.erase(0, text.find_first_not_of(' '));
    const std::string hint = jump.form->key.find(":t@") != std::string::npos ? ":t " : ":nt ";
    const bool sense = effects_of(jump).sense;
    Instruction fresh =
        parse_instruction((sense ? "if (" : "if (!") + text + ") jump" + hint +
                              (jump.operands[1].extended ? "##" : "") + jump.operands[1].text,
                          machine, jump.line, jump.column);
    if (fresh.form == nullptr) continue;
    NewValueJump formed{block, effects_of(jump).predicate};
    Unit& last = formed.block.units[j];
    last.instructions = {producer, std::move(fresh)};
    formed.block.units.erase(formed.block.units.begin() + static_cast<std::ptrdiff_t>(c));
    formed.block.units.erase(formed.block.units.begin() + static_cast<std::ptrdiff_t>(u));
    return formed;
  }
  return std::nullopt;
}

}  // namespace burin::vliw
