#include "vliw/far_jumps.h"

#include <cstdlib>
#include <map>
#include <vector>

namespace burin::vliw {
namespace {

constexpr int64_t kWord = 4;  // bytes

// The operand and the reach of a jump or the set-up of a loop without an extender; null if it needs
// none.
const ExtendRange* reach_of(const Instruction& i) {
  if (i.unknown() || !i.form->is(kJump | kLoop0 | kLoop1)) return nullptr;
  for (const ExtendRange& range : i.form->extend) {
    const Operand& operand = i.operands[static_cast<size_t>(range.operand)];
    if (operand.kind == '@' && !operand.extended) return &range;
  }
  return nullptr;
}

int words_in(const Packet& packet) {
  int words = 0;
  for (const Instruction& i : packet.instructions) words += words_of(i);
  return words;
}

// The most words that an alignment may add.
int64_t padding_of(const std::string& directive) {
  const size_t at = directive.find(".p2align");
  if (at == std::string::npos) return 0;
  const int power = std::atoi(directive.c_str() + at + 8);
  return power > 2 && power < 20 ? (int64_t{1} << power) / kWord : 0;
}

}  // namespace

std::set<std::string> labels_too_far(const Module& module, const Machine& machine) {
  std::map<std::string, int64_t> places;
  std::vector<int64_t> at;
  int64_t place = 0;
  for (const Item& item : module.items) {
    at.push_back(place);
    if (item.kind == Item::Kind::kLabel) places[item.text] = place;
    if (item.kind == Item::Kind::kDirective) place += padding_of(item.text);
    if (item.kind != Item::Kind::kPacket) continue;
    place += words_in(item.packet);
    for (const Instruction& i : item.packet.instructions) place += reach_of(i) != nullptr ? 1 : 0;
  }
  std::set<std::string> labels;
  for (size_t k = 0; k < module.items.size(); ++k) {
    const Item& item = module.items[k];
    if (item.kind != Item::Kind::kPacket) continue;
    std::vector<std::string> far;  // each takes a word of its own
    for (const Instruction& i : item.packet.instructions) {
      const ExtendRange* range = reach_of(i);
      if (range == nullptr) continue;
      const std::string& label = i.operands[static_cast<size_t>(range->operand)].text;
      const auto to = places.find(label);
      if (to == places.end()) continue;  // the linker's
      const int64_t most = (int64_t{1} << (range->bits - 1)) - 2 * machine.words * kWord;
      if (std::abs(to->second - at[k]) * kWord > most) far.push_back(label);
    }
    if (words_in(item.packet) + static_cast<int>(far.size()) > machine.words)
      labels.insert(far.begin(), far.end());
  }
  return labels;
}

bool extend_jumps(Block& block, const std::set<std::string>& labels) {
  if (labels.empty()) return false;
  bool changed = false;
  const auto extend = [&](Instruction& i) {
    const ExtendRange* range = reach_of(i);
    if (range == nullptr) return;
    Operand& operand = i.operands[static_cast<size_t>(range->operand)];
    if (labels.count(operand.text) == 0) return;
    operand.extended = changed = true;
  };
  for (Unit& unit : block.units) {
    for (Instruction& i : unit.instructions) extend(i);
  }
  for (Packet& packet : block.original) {
    for (Instruction& i : packet.instructions) extend(i);
  }
  return changed;
}

}  // namespace burin::vliw
