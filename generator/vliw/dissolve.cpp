// Packets into units. An instruction of a packet reads what was there before the packet, so a
// packet is a sequence only if its instructions can be ordered with every reader of an old value
// before the writer; .new and .cur consumers come after their producers and lose the suffix.
#include <algorithm>
#include <string_view>

#include "vliw/blocks.h"
#include "vliw/effects.h"

namespace burin::vliw {
namespace {

struct Piece {
  Instruction instruction;  // without .new and .cur
  Effects before;           // as written
  bool jump = false;
  int glued_to = -1;  // producer of a new-value jump
};

std::vector<Unit> whole(const Packet& packet) {
  Unit unit;
  unit.instructions = packet.instructions;
  unit.closed = true;
  unit.memory_in_order = packet.memory_in_order;
  return {std::move(unit)};
}

// "p0 = cmp.eq(r1,#0); if (p0.new) jump:t .L" is two instructions in one word.
std::vector<Instruction> split_compound(const Instruction& instruction, const Machine& machine) {
  const std::string text = instruction.text();
  const size_t cut = text.find(';');
  if (cut == std::string::npos) return {instruction};
  Instruction first = parse_instruction(std::string_view(text).substr(0, cut), machine,
                                        instruction.line, instruction.column);
  Instruction second = parse_instruction(std::string_view(text).substr(cut + 1), machine,
                                         instruction.line, instruction.column);
  if (first.unknown() || second.unknown()) return {instruction};
  second.comment = instruction.comment;
  return {std::move(first), std::move(second)};
}

bool complementary(const Effects& a, const Effects& b) {
  return a.conditional && b.conditional && a.predicate == b.predicate && a.sense != b.sense &&
         a.predicate_new == b.predicate_new;
}

}  // namespace

Instruction without_new(const Instruction& instruction, const Machine& machine) {
  Instruction changed = instruction;
  for (size_t i = 0; i < changed.operands.size(); ++i) {
    const std::string_view suffix = suffix_of(changed, static_cast<int>(i));
    if (suffix == "new" || suffix == "cur")
      changed = with_suffix(changed, static_cast<int>(i), "", machine);
  }
  if (changed.form != nullptr) return changed;
  // returns on a new predicate carry a hint that returns on an old one do not have
  for (std::string& literal : changed.literals) {
    for (const std::string_view hint : {":nt:raw", ":t:raw"}) {
      const size_t at = literal.find(hint);
      if (at != std::string::npos) literal.replace(at, hint.size(), ":raw");
    }
  }
  changed.form = machine.find(key_of(changed));
  return changed;
}

Instruction with_new_predicate(const Instruction& instruction, const Machine& machine) {
  const Effects effects = effects_of(instruction);
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    if (instruction.operands[i].kind != 'P' || instruction.operands[i].first != effects.predicate)
      continue;
    Instruction changed = with_suffix(instruction, static_cast<int>(i), "new", machine);
    if (changed.form != nullptr) return changed;
    for (std::string& literal : changed.literals) {
      const size_t at = literal.find(":raw");
      if (at != std::string::npos) literal.insert(at, ":nt");
    }
    changed.form = machine.find(key_of(changed));
    return changed;
  }
  Instruction none = instruction;
  none.form = nullptr;
  return none;
}

std::vector<Unit> dissolve_packet(const Packet& packet, const Machine& machine) {
  std::vector<Piece> pieces;
  for (const Instruction& whole_instruction : packet.instructions) {
    if (whole_instruction.unknown()) return whole(packet);
    for (Instruction& instruction : split_compound(whole_instruction, machine)) {
      Piece piece;
      piece.before = effects_of(instruction);
      piece.jump = changes_flow(instruction);
      if (instruction.form->is(kSolo | kSoloAx | kTemporaryLoad)) return whole(packet);
      if (piece.before.writes.has(kVectorTemporary) || piece.before.reads.has(kVectorTemporary))
        return whole(packet);
      piece.instruction = std::move(instruction);
      pieces.push_back(std::move(piece));
    }
  }
  const size_t n = pieces.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));  // [i][j]: i goes first
  for (size_t i = 0; i < n; ++i) {
    const Effects& a = pieces[i].before;
    RegisterSet produced_new = a.writes;
    const bool current = pieces[i].instruction.form->is(kCurrentLoad);
    for (size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const Effects& b = pieces[j].before;
      RegisterSet overlap = a.writes & b.writes;
      overlap.remove(kSticky);
      if (!overlap.empty() && !complementary(a, b)) return whole(packet);
      if (b.new_reads.meets(produced_new) && !complementary(a, b)) before[i][j] = true;
      RegisterSet old = b.reads & a.writes;
      if (current) {
        RegisterSet loaded = pieces[i].instruction.operands[0].set;
        if (b.reads.meets(loaded)) before[i][j] = true;
        old = old - loaded;
      }
      if (b.gathers) old.remove(kSticky);  // it keeps the bits it finds, in any order
      if (!old.empty() && !complementary(a, b)) before[j][i] = true;
      if (a.load && b.store && !(packet.memory_in_order && j < i)) before[i][j] = true;
      if (packet.memory_in_order && i < j && a.store && b.load) before[i][j] = true;
      if (a.store && b.store) {  // in text order, but vectors reach memory last
        const bool vector_a = pieces[i].instruction.form->vector_access;
        const bool vector_b = pieces[j].instruction.form->vector_access;
        if (vector_a != vector_b ? vector_b : i < j) before[i][j] = true;
      }
      if (pieces[j].jump && (!pieces[i].jump || i < j)) before[i][j] = true;
    }
  }
  // .new operands without a register producer here (a packet that we do not understand)
  for (size_t j = 0; j < n; ++j) {
    RegisterSet wanted = pieces[j].before.new_reads;
    for (size_t i = 0; i < n; ++i) {
      if (i != j) wanted = wanted - pieces[i].before.writes;
    }
    if (!wanted.empty()) return whole(packet);
    Instruction plain = without_new(pieces[j].instruction, machine);
    if (plain.form != nullptr) {
      pieces[j].instruction = std::move(plain);
      continue;
    }
    // a new-value jump stays with its producer
    for (size_t i = 0; i < n; ++i) {
      if (i != j && pieces[j].before.new_reads.meets(pieces[i].before.writes))
        pieces[j].glued_to = static_cast<int>(i);
    }
    if (pieces[j].glued_to < 0 || !pieces[j].jump) return whole(packet);
  }
  std::vector<Unit> units;
  std::vector<bool> done(n, false);
  std::vector<int> unit_of(n, -1);
  for (size_t round = 0; round < n; ++round) {
    size_t next = n;
    for (size_t j = 0; j < n && next == n; ++j) {
      if (done[j]) continue;
      bool ready = true;
      for (size_t i = 0; i < n; ++i) ready = ready && (done[i] || !before[i][j]);
      if (ready) next = j;
    }
    if (next == n) return whole(packet);  // it swaps registers
    done[next] = true;
    const int glue = pieces[next].glued_to;
    if (glue >= 0) {
      // the pair moves to the end together; what came between must not depend on the producer
      const auto at = static_cast<size_t>(unit_of[static_cast<size_t>(glue)]);
      Unit pair = std::move(units[at]);
      for (size_t later = at + 1; later < units.size(); ++later) {
        for (const Instruction& x : units[later].instructions) {
          const Effects e = effects_of(x), p = effects_of(pair.instructions[0]);
          if (e.reads.meets(p.writes) || e.writes.meets(p.reads | p.writes) ||
              ((p.load || p.store) && (e.load || e.store)))
            return whole(packet);
        }
      }
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(at));
      pair.instructions.push_back(pieces[next].instruction);
      units.push_back(std::move(pair));
      for (int& u : unit_of) u -= u > static_cast<int>(at) ? 1 : 0;
    } else {
      Unit unit;
      unit.instructions.push_back(pieces[next].instruction);
      units.push_back(std::move(unit));
    }
    unit_of[next] = static_cast<int>(units.size()) - 1;
  }
  return units;
}

}  // namespace burin::vliw
