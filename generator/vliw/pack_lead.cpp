#include "vliw/pack_lead.h"

#include <algorithm>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

bool leaves(const Unit& unit) {
  return std::any_of(unit.instructions.begin(), unit.instructions.end(),
                     [](const Instruction& i) { return changes_flow(i); });
}

bool sets_up_loop(const Unit& unit) { return unit.instructions[0].form->is(kLoop0); }

// "r3 = add(r3,#-1) ... r6 = add(r3,#-1)" is "r6 = add(r3,#-2)" in front of the first, so that one
// does not wait for the other.
bool add_before(Block& block, const Unit& unit, const Machine& machine) {
  const Instruction& add = unit.instructions[0];
  const auto plain = [](const Instruction& i) {
    return !i.unknown() && i.form->key == "R=add(R,#)" && i.operands[2].has_value;
  };
  if (!plain(add)) return false;
  const int to = add.operands[0].first, from = add.operands[1].first;
  for (size_t u = block.units.size(); u-- > 0;) {
    const Unit& here = block.units[u];
    if (here.closed || here.instructions.size() != 1) return false;
    const Instruction& first = here.instructions[0];
    const Effects e = effects_of(first);
    if ((e.reads | e.new_reads | e.writes).has(to)) return false;
    if (!e.writes.has(from)) continue;
    constexpr int64_t kLargest = 32767;
    if (!plain(first)) return false;
    const int64_t sum = first.operands[2].value + add.operands[2].value;
    if (sum > kLargest || sum < -kLargest) return false;
    Unit both;
    both.instructions.push_back(parse_instruction(
        name_of_register(to) + " = add(" + name_of_register(first.operands[1].first) + ",#" +
            std::to_string(sum) + ")",
        machine, first.line, 1));
    block.units.insert(block.units.begin() + static_cast<std::ptrdiff_t>(u), std::move(both));
    return true;
  }
  return false;
}

class Leader {
 public:
  Leader(const LeadParts& parts, const Machine& machine,
         const std::function<BlockReport(const Block&)>& packed)
      : parts_(parts),
        machine_(machine),
        packed_(packed),
        again_(parts.way.schedule.stages > 1 || parts.way.unroll > 1),
        above_(parts.in_front),
        guard_(parts.way.guards[0]) {
    above_.original.clear();
    for (const Unit& unit : guard_.units) read_ |= effects_of(unit.instructions[0]).reads;
  }

  Lead run() {
    const Unit last = above_.units.back();
    const bool jump = leaves(last);
    if (jump) above_.units.pop_back();
    for (const Unit& unit : above_.units) {
      if (unit.closed || leaves(unit)) return {};
    }
    if (!jump)
      fall_into();
    else if (parts_.live && !parts_.live->has(kLoopCount0) && !parts_.live->has(kLoopStart0))
      pass(last);
    return std::move(best_);
  }

 private:
  void offer(Lead lead) {
    lead.gain = parts_.alone.after.cycles + parts_.guard.after.cycles - lead.report->after.cycles -
                (lead.guard ? lead.guard->after.cycles : 0);
    if (lead.gain <= best_.gain) return;
    lead.report->label = parts_.alone.label;
    lead.report->before = parts_.alone.before;
    if (!lead.guard) lead.report->chosen += ", with the loop's first guard";
    best_ = std::move(lead);
  }

  void fall_into() {
    Lead lead;
    if (again_ && !read_.has(kLoopCount0))
      lead.without_set_up = std::erase_if(above_.units, sets_up_loop) > 0;
    append(above_, guard_.units);
    lead.report = packed_(above_);
    offer(std::move(lead));
  }

  static void append(Block& block, const std::vector<Unit>& units) {
    block.units.insert(block.units.end(), units.begin(), units.end());
  }

  void pass(const Unit& jump) {
    const auto set_up = std::find_if(above_.units.begin(), above_.units.end(), sets_up_loop);
    if (set_up == above_.units.end() || read_.has(kLoopCount0)) return;
    const Unit loop0 = *set_up;
    const std::ptrdiff_t place = set_up - above_.units.begin();
    above_.units.erase(set_up);
    // below the jump the count must still be what it was
    if (again_ || parts_.loop.trips || parts_.loop.count >= 0) below(jump, loop0);
    if (!again_) above_.units.insert(above_.units.begin() + place, loop0);
    above(jump);
  }

  void below(const Unit& jump, const Unit& loop0) {
    Lead lead;
    Block first = above_, second = guard_;
    first.units.push_back(jump);
    if (!again_) second.units.insert(second.units.begin(), loop0);
    lead.report = packed_(first);
    lead.guard = packed_(second);
    lead.guard->part = "guard";
    lead.guard->before = {};
    lead.guard->line = parts_.guard.line;
    lead.guard->label = parts_.guard.label;
    lead.without_set_up = true;
    offer(std::move(lead));
  }

  void above(const Unit& jump) {
    const RegisterSet decides = effects_of(jump.instructions[0]).reads;
    std::vector<Unit> jumps;
    Block both = above_;
    for (const Unit& unit : guard_.units) {
      if (leaves(unit)) {
        jumps.push_back(unit);
        continue;
      }
      const RegisterSet writes = effects_of(unit.instructions[0]).writes;
      if (writes.meets(decides) || writes.meets(*parts_.live)) return;
      if (!add_before(both, unit, machine_)) both.units.push_back(unit);
    }
    Lead lead;
    both.units.push_back(jump);
    append(both, jumps);
    lead.report = packed_(both);
    lead.without_set_up = again_;
    offer(std::move(lead));
  }

  const LeadParts& parts_;
  const Machine& machine_;
  const std::function<BlockReport(const Block&)>& packed_;
  bool again_;  // the prologue sets the loop up
  Block above_, guard_;
  RegisterSet read_;  // by the guard
  Lead best_;
};

}  // namespace

Lead lead(const LeadParts& parts, const Machine& machine,
          const std::function<BlockReport(const Block&)>& packed) {
  return Leader(parts, machine, packed).run();
}

}  // namespace burin::vliw
