// Rules of single packets, each a function that answers for itself.
#include <algorithm>
#include <functional>

#include "vliw/checker/checker.h"

namespace burin::vliw {
namespace {

using Report = std::function<void(std::string, std::string)>;

// Kuhn's algorithm: every demand gets a place of its own.
bool all_placed(const std::vector<uint32_t>& demands) {
  std::vector<int> holder(32, -1);
  const std::function<bool(int, uint32_t&)> place = [&](int d, uint32_t& tried) {
    for (int s = 0; s < 32; ++s) {
      if (!((demands[static_cast<size_t>(d)] >> s) & 1) || ((tried >> s) & 1)) continue;
      tried |= 1u << s;
      if (holder[static_cast<size_t>(s)] < 0 || place(holder[static_cast<size_t>(s)], tried)) {
        holder[static_cast<size_t>(s)] = d;
        return true;
      }
    }
    return false;
  };
  for (size_t d = 0; d < demands.size(); ++d) {
    uint32_t tried = 0;
    if (!place(static_cast<int>(d), tried)) return false;
  }
  return true;
}

bool any(const Packet& packet, uint32_t trait, const Instruction* except = nullptr) {
  return std::any_of(packet.instructions.begin(), packet.instructions.end(),
                     [&](const Instruction& i) { return &i != except && i.form->is(trait); });
}

void check_words(const Packet& packet, const Machine& machine, const Report& report) {
  int words = 0;
  for (const Instruction& i : packet.instructions) words += words_of(i);
  if (words > machine.words)
    report("words",
           std::to_string(words) + " words, a packet has " + std::to_string(machine.words));
}

void check_slots(const Packet& packet, const Machine& machine, const Report& report) {
  bool alu_only = any(packet, kSlot1Alu);
  const auto accesses =
      std::count_if(packet.instructions.begin(), packet.instructions.end(),
                    [](const Instruction& i) { return i.form->is(kLoad | kStore); });
  const bool in_order = packet.memory_in_order && accesses == 2;
  const Instruction* first_access = nullptr;
  for (const Instruction& i : packet.instructions) {
    if (first_access == nullptr && i.form->is(kLoad | kStore)) first_access = &i;
  }
  std::vector<uint32_t> demands;
  for (const Instruction& i : packet.instructions) {
    const TimingClass& timing = machine.classes[static_cast<size_t>(i.form->timing)];
    bool load_beside = false;
    for (const Instruction& j : packet.instructions)
      load_beside = load_beside || (&j != &i && j.form->is(kLoad));
    for (uint32_t mask : timing.slots) {
      const bool plain_store = i.form->is(kStore) && timing.slots.size() == 1;
      // Kept in the order of the text: the first access in slot 1, the second in slot 0.
      if (in_order && i.form->is(kLoad | kStore) && timing.slots.size() == 1)
        mask &= &i == first_access ? 2u : 1u;
      if (plain_store && load_beside && !packet.memory_in_order) mask &= ~2u;
      if (plain_store && any(packet, kNoSlot1Store, &i)) mask &= ~2u;
      if (alu_only && !i.form->is(kAlu32)) mask &= ~2u;
      demands.push_back(mask);
    }
  }
  if (!all_placed(demands)) report("slots", "its instructions do not fit the slots");
}

void check_pipes(const Packet& packet, const Machine& machine, const Report& report) {
  // All ways at once: the set of unit masks that can be in use.
  std::vector<uint32_t> reachable = {0};
  for (const Instruction& i : packet.instructions) {
    for (const int pipe : machine.classes[static_cast<size_t>(i.form->timing)].pipes) {
      std::vector<uint32_t> next;
      for (const uint32_t used : reachable) {
        for (const uint32_t units : machine.pipes[static_cast<size_t>(pipe)]) {
          if ((used & units) == 0) next.push_back(used | units);
        }
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      reachable = std::move(next);
    }
  }
  if (reachable.empty()) report("pipes", "its instructions do not fit the HVX pipes");
}

struct Condition {
  int predicate = -1;
  bool sense = true, fresh = false;
};

Condition condition_of(const Instruction& i) {
  if (!i.form->is(kIfTrue | kIfFalse)) return {};
  for (size_t k = 0; k < i.operands.size(); ++k) {
    if (i.operands[k].kind == 'P' && i.form->roles[k].role == 's') {
      return {i.operands[k].first, i.form->is(kIfTrue), suffix_of(i, static_cast<int>(k)) == "new"};
    }
  }
  return {};
}

RegisterSet written_by(const Instruction& i) {
  RegisterSet set = i.form->defs;
  for (size_t k = 0; k < i.operands.size(); ++k) {
    // What a temporary load shows is written nowhere; its pointer is.
    if (k == 0 && i.form->is(kTemporaryLoad)) continue;
    if (std::string_view("dxf").find(i.form->roles[k].role) != std::string_view::npos)
      set |= i.operands[k].set;
  }
  return set;
}

void check_writers(const Packet& packet, const Report& report) {
  for (size_t a = 0; a < packet.instructions.size(); ++a) {
    for (size_t b = a + 1; b < packet.instructions.size(); ++b) {
      const Instruction &x = packet.instructions[a], &y = packet.instructions[b];
      RegisterSet both = written_by(x) & written_by(y);
      // Two may add to the sticky bits; one that puts others in their place goes without.
      if (x.form->defs.has(kSticky) && y.form->defs.has(kSticky)) both.remove(kSticky);
      if (both.empty()) continue;
      const Condition p = condition_of(x), q = condition_of(y);
      const bool apart = p.predicate >= 0 && p.predicate == q.predicate && p.sense != q.sense &&
                         p.fresh == q.fresh;
      bool predicates_only = true;  // two compares of one predicate are anded
      for (int r = 0; r < kRegisterCount; ++r) {
        predicates_only =
            predicates_only && (!both.has(r) || (r >= kPredicate && r < kVectorPredicate));
      }
      if (!apart && !predicates_only)
        report("two-writers", "'" + x.text() + "' and '" + y.text() + "' write the same register");
    }
  }
}

// One register; of vectors, also one half of a pair.
bool hands_over(const Operand& from, const Operand& to) {
  return from.set == to.set || (to.kind == 'V' && (from.set & to.set) == to.set);
}

// Every .new operand needs a producer in the packet that can hand its result over.
void check_producers(const Packet& packet, const Report& report) {
  for (const Instruction& consumer : packet.instructions) {
    for (size_t k = 0; k < consumer.operands.size(); ++k) {
      if (suffix_of(consumer, static_cast<int>(k)) != "new" || consumer.form->roles[k].role == 'n')
        continue;
      bool found = false;
      for (const Instruction& producer : packet.instructions) {
        if (&producer == &consumer) continue;
        for (size_t o = 0; o < producer.operands.size(); ++o) {
          const char role = producer.form->roles[o].role;
          if ((role != 'd' && role != 'x' && role != 'f') ||
              !hands_over(producer.operands[o], consumer.operands[k]))
            continue;
          const bool predicate = consumer.operands[k].kind == 'P';
          if (predicate ? producer.form->is(kPredicateLate)
                        : producer.form->produces != static_cast<int>(o))
            continue;
          const Condition p = condition_of(producer), c = condition_of(consumer);
          if (!predicate && p.predicate >= 0 &&
              (c.predicate != p.predicate || c.sense != p.sense || c.fresh != p.fresh))
            continue;
          found = true;
        }
      }
      if (!found)
        report("no-producer",
               "'" + consumer.text() + "' reads a new value that its packet does not produce");
    }
  }
}

void check_solo(const Packet& packet, const Report& report) {
  for (const Instruction& i : packet.instructions) {
    if (i.form->is(kSolo) && packet.instructions.size() > 1)
      report("solo", "'" + i.text() + "' goes alone");
    if (!i.form->is(kSoloAx)) continue;
    for (const Instruction& j : packet.instructions) {
      if (&j != &i && !j.form->is(kAlu32 | kXtype))
        report("solo", "'" + i.text() + "' goes with alu32 and xtype only");
    }
  }
}

void check_flow(const Packet& packet, const Report& report) {
  std::vector<const Instruction*> flows;
  for (const Instruction& i : packet.instructions) {
    if (i.form->is(kChangesFlow)) flows.push_back(&i);
  }
  if (flows.size() > 2) report("flow", "more than two changes of flow");
  if (flows.size() == 2 && (!flows[0]->form->is(kFlowFirst) || !flows[1]->form->is(kFlowSecond))) {
    report("flow", "'" + flows[0]->text() + "' and '" + flows[1]->text() +
                       "' may not share a packet in this order");
  }
  if (!flows.empty() && (packet.end_loop0 || packet.end_loop1))
    report("loop-end", "a change of flow at the end of a loop");
  if (packet.end_loop0 && any(packet, kLoop0)) report("loop-end", "loop0 at its own end");
  if (packet.end_loop1 && any(packet, kLoop1)) report("loop-end", "loop1 at its own end");
}

}  // namespace

std::vector<Violation> check_packets(const Module& module, const Machine& machine) {
  std::vector<Violation> violations;
  for (const Item& item : module.items) {
    if (item.kind != Item::Kind::kPacket) continue;
    const Packet& packet = item.packet;
    const bool known = std::none_of(packet.instructions.begin(), packet.instructions.end(),
                                    [](const Instruction& i) { return i.unknown(); });
    if (!known) continue;  // kept as read; named by a warning
    const Report report = [&](std::string rule, std::string message) {
      violations.push_back({packet.line, packet.column, std::move(rule),
                            std::move(message) + " in " + print_packet(packet)});
    };
    check_words(packet, machine, report);
    check_slots(packet, machine, report);
    check_pipes(packet, machine, report);
    check_writers(packet, report);
    check_producers(packet, report);
    check_solo(packet, report);
    check_flow(packet, report);
  }
  return violations;
}

std::string describe(const Violation& violation) {
  return std::to_string(violation.line) + ": " + violation.rule + ": " + violation.message;
}

}  // namespace burin::vliw
