#include "vliw/effects.h"

#include <algorithm>

namespace burin::vliw {
namespace {

constexpr Timing kImplicitWrite{3, 's'}, kImplicitRead{2, 's'};  // registers without an operand

Timing timing_at(const TimingClass& timing, int index, Timing otherwise) {
  if (index < 0 || index >= static_cast<int>(timing.operands.size())) return otherwise;
  return timing.operands[static_cast<size_t>(index)];
}

}  // namespace

Effects effects_of(const Instruction& instruction) {
  Effects e;
  const Form* form = instruction.form;
  if (form == nullptr) {
    e.barrier = e.load = e.store = true;
    for (const Operand& operand : instruction.operands) {
      e.reads |= operand.set;
      e.writes |= operand.set;
    }
    return e;
  }
  e.reads = form->uses;
  e.writes = form->defs;
  e.conditional = form->is(kIfTrue | kIfFalse);
  e.sense = !form->is(kIfFalse);
  e.gathers = form->defs.has(kSticky);
  e.load = form->is(kLoad);
  e.store = form->is(kStore);
  e.barrier =
      form->is(kSolo | kSoloAx) || (form->is(kLoad) && form->is(kStore) && form->bytes == 0);
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const OperandRole& role = form->roles[i];
    const RegisterSet& set = instruction.operands[i].set;
    const bool fresh = suffix_of(instruction, static_cast<int>(i)) == "new";
    if (role.role == 's' || role.role == 'x') (fresh ? e.new_reads : e.reads) |= set;
    if (role.role == 'd' || role.role == 'x' || role.role == 'f') {
      e.writes |= set;
      if (set.has(kSticky)) e.gathers = false;
    }
    if (e.conditional && e.predicate < 0 && (instruction.operands[i].kind == 'P') &&
        role.role != 'd') {
      e.predicate = instruction.operands[i].first;
      e.predicate_new = fresh;
    }
  }
  // In a compound the compare is unconditional and only the jump depends on it.
  if (form->key.find(';') != std::string::npos) {
    e.conditional = false;
    e.predicate = -1;
  }
  if (form->is(kTemporaryLoad)) e.barrier = true;
  if (form->is(kCall)) e.barrier = true;
  // A write of usr as a whole is one of its parts too, and a read of it sees the sticky bits.
  return e;
}

int latency_of(const Machine& machine, const Instruction& producer, const Instruction& consumer,
               int r) {
  const TimingClass& from = machine.classes[static_cast<size_t>(producer.form->timing)];
  const TimingClass& to = machine.classes[static_cast<size_t>(consumer.form->timing)];
  Timing write = kImplicitWrite, read = kImplicitRead;
  for (size_t i = 0; i < producer.operands.size(); ++i) {
    const int index = producer.form->roles[i].write;
    if (index >= 0 && producer.operands[i].set.has(r))
      write = timing_at(from, index, kImplicitWrite);
  }
  bool found = false;
  for (size_t i = 0; i < consumer.operands.size(); ++i) {
    const int index = consumer.form->roles[i].read;
    if (index < 0 || !consumer.operands[i].set.has(r)) continue;
    const Timing t = timing_at(to, index, kImplicitRead);
    if (!found || t.cycle < read.cycle) read = t;
    found = true;
  }
  int cycles = write.cycle - read.cycle + 1;
  if (write.net != 0 && write.net == read.net)
    cycles -= machine.net_gain[static_cast<size_t>(write.net)];
  const int step = machine.cycles_per_packet;
  return std::max(1, (cycles + step - 1) / step);
}

bool changes_flow(const Instruction& instruction) {
  return instruction.form != nullptr && instruction.form->is(kJump | kCall);
}

}  // namespace burin::vliw
