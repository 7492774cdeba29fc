#include "vliw/explain.h"

#include <algorithm>
#include <array>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

// The first assignment of slots and of units that works, in text order.
class Assignment {
 public:
  Assignment(const Packet& packet, const Machine& machine) : machine_(machine) {
    bool load = false, no_slot1_store = false;
    for (const Instruction& i : packet.instructions) {
      if (i.unknown()) return;
      load = load || (i.form->is(kLoad) && !i.form->is(kStore));
      no_slot1_store = no_slot1_store || i.form->is(kNoSlot1Store);
    }
    for (size_t k = 0; k < packet.instructions.size(); ++k) {
      const Form& form = *packet.instructions[k].form;
      const TimingClass& timing = machine.classes[static_cast<size_t>(form.timing)];
      for (uint8_t mask : timing.slots) {
        if (form.is(kStore) && timing.slots.size() == 1 && (load || no_slot1_store)) mask &= 0xfd;
        slots_.push_back({k, mask, -1});
      }
      for (const int pipe : timing.pipes) pipes_.push_back({k, pipe, 0});
    }
    ok_ = place_slot(0, 0) && place_pipe(0, 0);
  }

  std::string slots(size_t k) const {
    std::string text;
    for (const Slot& s : slots_) {
      if (ok_ && s.owner == k) text += (text.empty() ? "" : " ") + std::to_string(s.chosen);
    }
    return text;
  }

  std::string units(size_t k) const {
    std::string text;
    for (const Pipe& p : pipes_) {
      for (size_t u = 0; ok_ && p.owner == k && u < machine_.resources.size(); ++u) {
        if ((p.chosen >> u) & 1) text += (text.empty() ? "" : " ") + machine_.resources[u];
      }
    }
    return text;
  }

 private:
  struct Slot {
    size_t owner;
    uint8_t mask;
    int chosen;
  };
  struct Pipe {
    size_t owner;
    int pipe;
    uint16_t chosen;
  };

  bool place_slot(size_t i, uint32_t taken) {
    if (i == slots_.size()) return true;
    for (int s = machine_.slots - 1; s >= 0; --s) {
      if (!((slots_[i].mask >> s) & 1) || ((taken >> s) & 1)) continue;
      slots_[i].chosen = s;
      if (place_slot(i + 1, taken | 1u << s)) return true;
    }
    return false;
  }

  bool place_pipe(size_t i, uint32_t taken) {
    if (i == pipes_.size()) return true;
    for (const uint16_t units : machine_.pipes[static_cast<size_t>(pipes_[i].pipe)]) {
      if (units & taken) continue;
      pipes_[i].chosen = units;
      if (place_pipe(i + 1, taken | units)) return true;
    }
    return false;
  }

  const Machine& machine_;
  std::vector<Slot> slots_;
  std::vector<Pipe> pipes_;
  bool ok_ = false;
};

std::string first_register(const RegisterSet& set) {
  for (int r = 0; r < kRegisterCount; ++r) {
    if (set.has(r)) return name_of_register(r);
  }
  return {};
}

// Why `next` does not join `packet`, by the first rule that forbids it.
std::string why_closed(const Packet& packet, const Instruction& next, Resources& resources) {
  if (packet.end_loop0 || packet.end_loop1) return "the loop ends";
  const Machine& machine = resources.machine();
  if (next.unknown()) return "'" + next.text() + "' is not in the table";
  const Effects wanted = effects_of(next);
  std::vector<const Form*> forms;
  int words = words_of(next);
  for (const Instruction& i : packet.instructions) {
    if (i.unknown()) return "it holds an instruction that is not in the table";
    const Effects e = effects_of(i);
    if (changes_flow(i)) return "'" + i.text() + "' leaves the block";
    if (e.writes.meets(wanted.reads))
      return "'" + next.text() + "' reads " + first_register(e.writes & wanted.reads) +
             ", which it writes";
    RegisterSet both = e.writes & wanted.writes;
    both.remove(kSticky);
    if (!both.empty()) return "'" + next.text() + "' writes " + first_register(both) + " too";
    forms.push_back(i.form);
    words += words_of(i);
  }
  forms.push_back(next.form);
  if (static_cast<int>(forms.size()) > machine.instructions || words > machine.words)
    return "it is full";
  const std::string_view conflict = resources.conflict(forms.data(), forms.size());
  if (!conflict.empty()) return std::string(conflict) + " with '" + next.text() + "'";
  return "'" + next.text() + "' waits for an operand, for memory, or was placed later at no cost";
}

struct Waited {
  int cycle = 0, stall = 0;
  std::string what;
};

std::vector<Waited> times(const std::vector<Packet>& packets, const Machine& machine) {
  struct Writer {
    const Instruction* by = nullptr;
    int at = 0;
  };
  std::array<std::vector<Writer>, kRegisterCount> writers;
  std::vector<Waited> all;
  int now = 0;
  for (const Packet& packet : packets) {
    Waited w{now, 0, {}};
    RegisterSet shown;  // by current loads: nobody waits for an older value
    for (const Instruction& i : packet.instructions) {
      if (!i.unknown() && i.form->is(kCurrentLoad | kTemporaryLoad)) shown |= i.operands[0].set;
    }
    for (const Instruction& i : packet.instructions) {
      if (i.unknown()) continue;
      const RegisterSet reads = effects_of(i).reads - shown;
      for (int r = 0; r < kRegisterCount; ++r) {
        if (!reads.has(r)) continue;
        for (const Writer& writer : writers[static_cast<size_t>(r)]) {
          const int ready = writer.at + latency_of(machine, *writer.by, i, r);
          if (ready <= w.cycle) continue;
          w.cycle = ready;
          w.what =
              "'" + i.text() + "' needs " + name_of_register(r) + " of '" + writer.by->text() + "'";
        }
      }
    }
    w.stall = w.cycle - now;
    for (const Instruction& i : packet.instructions) {
      if (i.unknown()) continue;
      const Effects e = effects_of(i);
      for (int r = 0; r < kRegisterCount; ++r) {
        if (!e.writes.has(r)) continue;
        if (!e.conditional) writers[static_cast<size_t>(r)].clear();
        writers[static_cast<size_t>(r)].push_back({&i, w.cycle});
      }
    }
    now = w.cycle + 1;
    all.push_back(std::move(w));
  }
  return all;
}

}  // namespace

std::vector<ExplainedBlock> explain(const PackResult& result, const Machine& machine) {
  Resources resources(machine);
  std::vector<ExplainedBlock> blocks;
  for (const BlockReport& report : result.blocks) {
    ExplainedBlock block{report.label, report.line,   report.chosen,    report.optimal,
                         report.loop,  report.before, report.after,     report.bound,
                         {},           report.part,   report.pipelining};
    const std::vector<Waited> waited = times(report.packets, machine);
    for (size_t p = 0; p < report.packets.size(); ++p) {
      const Packet& packet = report.packets[p];
      const Assignment assignment(packet, machine);
      ExplainedPacket explained{
          waited[p].cycle, waited[p].stall, waited[p].what, {}, "the block ends"};
      for (size_t k = 0; k < packet.instructions.size(); ++k) {
        explained.instructions.push_back(
            {packet.instructions[k].text(), assignment.slots(k), assignment.units(k)});
      }
      if (p + 1 < report.packets.size())
        explained.closed = why_closed(packet, report.packets[p + 1].instructions[0], resources);
      block.packets.push_back(std::move(explained));
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace burin::vliw
