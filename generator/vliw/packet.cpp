#include "vliw/packet.h"

#include <algorithm>

#include "support/check.h"
#include "vliw/temporary.h"

namespace burin::vliw {
namespace {

constexpr int kMost = 8;  // instructions of a packet on any machine

int bit_of(Forward::Kind kind) { return 1 << static_cast<int>(kind); }
constexpr int kTemporary = 8;  // the variant of a current load that writes no register

// The store of a packet that keeps the order of its text goes into slot 1, the load behind it into
// slot 0: what fits the other way about fits so, unless something else wants slot 1.
std::string_view order_against(const Form* const* forms, size_t count, const Machine& machine) {
  int accesses = 0;
  for (size_t i = 0; i < count; ++i) {
    const Form& form = *forms[i];
    const bool memory = form.is(kLoad | kStore);
    accesses += memory ? 1 : 0;
    if (form.is(kNoSlot1Store | kSlot1Alu) ||
        (memory && (machine.classes[static_cast<size_t>(form.timing)].slots[0] & 3) != 3))
      return "no slots for a store in front of a load";
  }
  return accesses == 2 ? std::string_view{}
                       : std::string_view("no slots for a store in front of a load");
}

// Rules between the instructions of one packet that are neither slots nor pipes.
std::string_view rule_against(const Form* const* forms, size_t count, const PacketShape& shape) {
  int flows = 0;
  const Form* first_flow = nullptr;
  bool vector_store = false, constant_store = false;
  for (size_t i = 0; i < count; ++i) {
    vector_store = vector_store || (forms[i]->is(kStore) && forms[i]->vector_access);
    constant_store = constant_store || (forms[i]->is(kStore) && forms[i]->key.ends_with("=#"));
  }
  // Legal, but the emulator (7.2) loses the store of the constant, and no chip was at hand to tell.
  if (vector_store && constant_store) return "a vector store beside a store of a constant";
  for (size_t i = 0; i < count; ++i) {
    const Form& form = *forms[i];
    if (count > 1 && form.is(kSolo)) return "an instruction that goes alone";
    if (form.is(kSoloAx)) {
      for (size_t j = 0; j < count; ++j) {
        if (j != i && !forms[j]->is(kAlu32 | kXtype)) return "beside alu32 and xtype only";
      }
    }
    if ((shape.end_loop0 || shape.end_loop1) && form.is(kChangesFlow))
      return "no change of flow at the end of a loop";
    if ((shape.end_loop0 && form.is(kLoop0)) || (shape.end_loop1 && form.is(kLoop1)))
      return "loop set-up at its own end";
    if (!form.is(kChangesFlow)) continue;
    ++flows;
    if (flows == 2 && (!first_flow->is(kFlowFirst) || !form.is(kFlowSecond)))
      return "two changes of flow";
    if (flows > 2) return "three changes of flow";
    first_flow = &form;
  }
  return {};
}

}  // namespace

Instruction PacketMaker::variant_of(const Instruction& instruction, int variant, int unit) const {
  const Machine& machine = resources_.machine();
  Instruction changed = instruction;
  const std::array<int, 3>& operands = forward_operand_[static_cast<size_t>(unit)];
  if (variant & bit_of(Forward::Kind::kNewValue))
    changed = with_suffix(changed, operands[0], "new", machine);
  if (variant & kTemporary)
    changed = as_temporary(changed, machine);
  else if (variant & bit_of(Forward::Kind::kCurrent))
    changed = with_suffix(changed, operands[2], "cur", machine);
  if ((variant & bit_of(Forward::Kind::kNewPredicate)) && changed.form != nullptr)
    changed = with_new_predicate(changed, machine);
  return changed;
}

PacketMaker::PacketMaker(const Block& block, const Graph& graph, Resources& resources)
    : block_(block), graph_(graph), resources_(resources) {
  forward_operand_.assign(block.units.size(), {-1, -1, -1});
  std::vector<int> kinds(block.units.size(), 0);
  for (const Edge& edge : graph.edges) {
    for (const Forward& forward : edge.forwards) {
      forward_operand_[static_cast<size_t>(forward.unit)][static_cast<size_t>(forward.kind)] =
          forward.operand;
      kinds[static_cast<size_t>(forward.unit)] |= bit_of(forward.kind);
    }
  }
  for (size_t u = 0; u < block.units.size(); ++u) {
    if (block.units[u].readers > 0) kinds[u] |= kTemporary;
  }
  for (size_t u = 0; u < block.units.size(); ++u) {
    std::vector<Part> parts;
    for (const Instruction& instruction : block.units[u].instructions) {
      Part part;
      part.effects = effects_of(instruction);
      if (!instruction.operands.empty()) part.loaded = instruction.operands[0].set;
      for (int v = 0; v < kVariants; ++v) {
        if ((v & kinds[u]) != v) continue;
        const Instruction changed = variant_of(instruction, v, static_cast<int>(u));
        part.variants[v] = {changed.form, words_of(changed)};
      }
      parts.push_back(part);
    }
    parts_.push_back(std::move(parts));
  }
}

// The forwards that unit u needs among these units; or why an edge between them forbids it.
std::string_view PacketMaker::variant_in(int u, const std::vector<int>& units, bool soft,
                                         int& variant) const {
  int shown_to = 0;
  for (const int e : graph_.out[static_cast<size_t>(u)]) {
    const Edge& edge = graph_.edges[static_cast<size_t>(e)];
    if (std::find(units.begin(), units.end(), edge.to) == units.end()) continue;
    if (edge.within == Within::kNever) return "a hard dependence";
    if (edge.soft && !soft) return "a soft dependence, taken as hard";
    for (const Forward& f : edge.forwards) {
      if (f.unit != u) continue;
      variant |= bit_of(f.kind);
      shown_to += f.kind == Forward::Kind::kCurrent ? 1 : 0;
    }
  }
  // All that read what it loads are here.
  if (shown_to > 0 && shown_to == block_.units[static_cast<size_t>(u)].readers)
    variant = (variant & ~bit_of(Forward::Kind::kCurrent)) | kTemporary;
  for (const int e : graph_.in[static_cast<size_t>(u)]) {
    const Edge& edge = graph_.edges[static_cast<size_t>(e)];
    if (edge.forwards.empty() || std::find(units.begin(), units.end(), edge.from) == units.end())
      continue;
    for (const Forward& f : edge.forwards) variant |= f.unit == u ? bit_of(f.kind) : 0;
  }
  return {};
}

// Is there a store in front of a load that may read it?
bool PacketMaker::in_order(const std::vector<int>& units) const {
  for (const int u : units) {
    for (const int e : graph_.out[static_cast<size_t>(u)]) {
      const Edge& edge = graph_.edges[static_cast<size_t>(e)];
      if (edge.in_order && std::find(units.begin(), units.end(), edge.to) != units.end())
        return true;
    }
  }
  return false;
}

std::string_view PacketMaker::refusal(const std::vector<int>& units, const PacketShape& shape,
                                      bool soft) const {
  const Machine& machine = resources_.machine();
  if (static_cast<int>(units.size()) > machine.instructions) return "the packet is full";
  std::array<Chosen, kMost> chosen{};
  size_t count = 0;
  for (const int u : units) {
    if (block_.units[static_cast<size_t>(u)].closed) {
      return units.size() == 1 ? std::string_view{}
                               : std::string_view("a packet that is kept as it is");
    }
    int variant = 0;
    const std::string_view reason = variant_in(u, units, soft, variant);
    if (!reason.empty()) return reason;
    for (const Part& part : parts_[static_cast<size_t>(u)]) {
      if (count == static_cast<size_t>(machine.instructions)) return "the packet is full";
      if (part.variants[variant].form == nullptr) return "no form with both kinds of forwarding";
      chosen[count++] = {&part, variant};
    }
  }
  int words = 0;
  std::array<const Form*, kMost> forms{};
  for (size_t i = 0; i < count; ++i) {
    forms[i] = chosen[i].form().form;
    words += chosen[i].form().words;
  }
  if (words > machine.words) return "no room for its words";
  for (size_t i = 0; i < count; ++i) {
    const Effects& a = chosen[i].part->effects;
    // A current load shows its new value to the whole packet: nobody in it may want the old one.
    if (forms[i]->is(kCurrentLoad | kTemporaryLoad)) {
      for (size_t j = 0; j < count; ++j) {
        if (i == j || !chosen[j].part->effects.reads.meets(chosen[i].part->loaded)) continue;
        if (j < i) return "an older reader of a current load's register";
        if (forms[j]->is(kStore) && !(chosen[j].variant & bit_of(Forward::Kind::kNewValue)))
          return "a store reads a current load's register";
      }
    }
    // Complementary writers of one register must take their predicate from the same side.
    for (size_t j = i + 1; j < count; ++j) {
      const Effects& b = chosen[j].part->effects;
      RegisterSet both = a.writes & b.writes;
      both.remove(kSticky);
      if (both.empty()) continue;
      const int fresh = bit_of(Forward::Kind::kNewPredicate);
      if (a.predicate < 0 || a.predicate != b.predicate ||
          ((chosen[i].variant ^ chosen[j].variant) & fresh) != 0)
        return "two writers";
    }
  }
  std::string_view rule = rule_against(forms.data(), count, shape);
  if (rule.empty() && in_order(units)) rule = order_against(forms.data(), count, machine);
  return rule.empty() ? resources_.conflict(forms.data(), count) : rule;
}

std::optional<Packet> PacketMaker::make(const std::vector<int>& units, const PacketShape& shape,
                                        bool soft) const {
  if (!fits(units, shape, soft)) return std::nullopt;
  Packet packet;
  packet.end_loop0 = shape.end_loop0;
  packet.end_loop1 = shape.end_loop1;
  packet.line = block_.line;
  for (const int u : units) {
    const Unit& unit = block_.units[static_cast<size_t>(u)];
    int variant = 0;
    variant_in(u, units, soft, variant);
    for (const Instruction& instruction : unit.instructions) {
      packet.instructions.push_back(variant == 0 ? instruction
                                                 : variant_of(instruction, variant, u));
    }
    if (unit.closed) packet.memory_in_order = unit.memory_in_order;
  }
  if (block_.units[static_cast<size_t>(units[0])].closed) return packet;  // kept to the letter
  packet.memory_in_order = in_order(units);
  // Else loads go before stores in the text, which is the order of memory.
  std::stable_partition(packet.instructions.begin(), packet.instructions.end(),
                        [&](const Instruction& i) {
                          return packet.memory_in_order || i.form == nullptr || !i.form->is(kStore);
                        });
  std::stable_partition(
      packet.instructions.begin(), packet.instructions.end(),
      [](const Instruction& i) { return i.form == nullptr || !i.form->is(kChangesFlow); });
  return packet;
}

}  // namespace burin::vliw
