#include "vliw/hardware_loop.h"

#include <algorithm>
#include <cctype>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

bool in_loop_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

void count_words(std::string_view text, std::map<std::string, int>& count) {
  text = text.substr(0, text.find("//"));
  for (size_t at = 0; at < text.size();) {
    if (!in_loop_name(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && in_loop_name(text[end])) ++end;
    ++count[std::string(text.substr(at, end - at))];
    at = end;
  }
}

bool leaves_always(const Block& block) {
  for (const Unit& unit : block.units) {
    for (const Instruction& i : unit.instructions) {
      if (i.unknown() || i.form->is(kCall)) return true;
      if (i.form->is(kJump) && i.form->key.find("if(") == std::string::npos) return true;
    }
  }
  return false;
}

RegisterSet scalars_and_vectors() {
  RegisterSet all;
  for (int r = 0; r <= 28; ++r) all.add(kScalar + r);
  for (int v = 0; v < 32; ++v) all.add(kVector + v);
  for (int p = 0; p < 4; ++p) {
    all.add(kPredicate + p);
    all.add(kVectorPredicate + p);
  }
  return all;
}

// Looks for the set-up on the straight way into the loop; an empty answer means that it was found.
std::string find_setup(const Program& program, Loop& loop) {
  size_t s = loop.segment;
  while (s > 0 && !program.segments[s - 1].is_block && falls_through(program.segments[s - 1].text))
    --s;
  if (s == 0 || program.segments[s - 1].is_block ||
      program.segments[s - 1].text.kind != Item::Kind::kLabel)
    return "no label in front of its body";
  --s;
  loop.label = program.segments[s].text.text;
  RegisterSet written;
  bool first = true;
  while (s-- > 0) {
    const Segment& segment = program.segments[s];
    if (!segment.is_block) {
      if (falls_through(segment.text)) continue;
      return segment.text.kind == Item::Kind::kLabel
                 ? "its set-up is behind another label"
                 : "a directive between its set-up and its body";
    }
    if (leaves_always(segment.block)) return "it is not entered from above";
    if (segment.block.end_loop0 || segment.block.end_loop1) return "no set-up in front of it";
    const std::vector<Unit>& units = segment.block.units;
    if (first) {
      loop.before = s;
      const Instruction& last = units.back().instructions.back();
      if (changes_flow(last)) loop.decides = effects_of(last).reads;
    }
    first = false;
    for (size_t u = units.size(); u-- > 0;) {
      RegisterSet mine;
      for (const Instruction& i : units[u].instructions) {
        mine |= effects_of(i).writes;
        if (!i.form->is(kLoop0)) continue;
        if (i.operands.size() != 2 || i.operands[0].text != loop.label)
          return "its set-up is for another label";
        if (units[u].instructions.size() != 1) return "its set-up is in a packet that is kept";
        const Operand& count = i.operands[1];
        if (count.has_value) loop.trips = std::max<int64_t>(1, count.value);
        if (count.kind == 'R' && !written.has(count.first)) loop.count = count.first;
        return {};
      }
      if (mine.has(kLoopCount0) || mine.has(kLoopStart0)) return "its set-up is not a loop0";
      written |= mine;
    }
  }
  return "no set-up in front of it";
}

}  // namespace

bool falls_through(const Item& item) {
  if (item.kind != Item::Kind::kDirective) return false;
  const size_t at = item.text.find_first_not_of(" \t");
  if (at == std::string::npos) return true;
  const std::string_view rest = std::string_view(item.text).substr(at);
  return rest.substr(0, 2) == "//" || rest.substr(0, 4) == ".loc" ||
         rest.substr(0, 8) == ".p2align";
}

ProgramFacts facts_of(const Program& program, AtReturn at_return) {
  ProgramFacts facts;
  facts.live = live_at(program, at_return);
  for (const Segment& segment : program.segments) {
    if (!segment.is_block) {
      if (segment.text.kind == Item::Kind::kDirective)
        count_words(segment.text.text, facts.references);
      continue;
    }
    for (const Unit& unit : segment.block.units) {
      for (const Instruction& i : unit.instructions) {
        for (const Operand& operand : i.operands) {
          if (operand.kind == '@' || (operand.kind == 'i' && !operand.has_value))
            count_words(operand.text, facts.references);
        }
      }
    }
  }
  return facts;
}

LoopOrReason loop_at(const Program& program, size_t segment, const ProgramFacts& facts) {
  Loop loop;
  loop.segment = segment;
  const Block& block = program.segments[segment].block;
  if (block.end_loop1) return {{}, "two loops end together"};
  if (const std::string reason = find_setup(program, loop); !reason.empty()) return {{}, reason};
  if (facts.references.at(loop.label) != 1) return {{}, "its label is named elsewhere"};
  RegisterSet used;
  for (const Unit& unit : block.units) {
    if (unit.closed || unit.instructions.size() != 1) return {{}, "a packet that is kept as it is"};
    const Instruction& i = unit.instructions[0];
    const Effects e = effects_of(i);
    if (i.unknown() || e.barrier || changes_flow(i) || i.form->is(kLoop0 | kLoop1) ||
        i.form->is(kSolo | kSoloAx | kChangesFlow))
      return {{}, "'" + i.text() + "' may not be moved across iterations"};
    used |= e.reads | e.writes;
    loop.body.push_back(i);
  }
  // Such a pointer has no one address in the next iteration.
  for (const Instruction& i : loop.body) {
    const Effects e = effects_of(i);
    for (int r = 0; e.conditional && r < 32; ++r) {
      if (!e.writes.has(r)) continue;
      for (const Instruction& user : loop.body) {
        const int base = user.form->base;
        if (base >= 0 && user.operands[static_cast<size_t>(base)].set.has(r))
          return {{}, "the pointer " + name_of_register(r) + " steps under a condition"};
      }
    }
  }
  for (const int r : {kLoopCount0, kLoopStart0, kLoopConfig, kVectorTemporary, kOther}) {
    if (used.has(r)) return {{}, "it uses " + name_of_register(r)};
  }
  loop.live_in = facts.live[segment];
  loop.live_out = facts.live[segment + 1];
  loop.free = scalars_and_vectors() - used - loop.live_in - loop.live_out;
  if (loop.count >= 0) loop.free.remove(loop.count);
  if (loop.live_out.has(kLoopCount0) || loop.live_out.has(kLoopStart0))
    return {{}, "its loop registers are read behind it"};
  return {std::move(loop), {}};
}

}  // namespace burin::vliw
