#include "vliw/support/mutate.h"

#include <algorithm>
#include <utility>

namespace burin::vliw::testing {
namespace {

size_t draw(size_t n, Random& random) {
  return static_cast<size_t>(random.below(static_cast<int>(n)));
}

bool is(const Instruction& i, uint32_t traits) { return i.form != nullptr && i.form->is(traits); }
bool has(const Packet& p, uint32_t traits) {
  return std::any_of(p.instructions.begin(), p.instructions.end(),
                     [&](const Instruction& i) { return is(i, traits); });
}

// Frames stay where they are: a lost return address only kills the emulator.
bool frame(const Instruction& i) {
  return i.form != nullptr && i.form->key.find("frame") != std::string::npos;
}
bool frames(const Packet& p) {
  return std::any_of(p.instructions.begin(), p.instructions.end(), frame);
}

// The instruction with operand k spelt otherwise.
Instruction respelt(const Instruction& instruction, size_t k, const std::string& text,
                    const Machine& machine) {
  Instruction changed = instruction;
  changed.operands[k].text = text;
  return parse_instruction(changed.text(), machine, instruction.line, instruction.column);
}

class Mutator {
 public:
  Mutator(std::vector<Item>& items, const Machine& machine, Random& random)
      : items_(items), machine_(machine), random_(random) {}

  bool apply(const std::string& kind) {
    std::vector<size_t> packets;
    for (size_t i = 0; i + 1 < items_.size(); ++i) {
      if (items_[i].kind == Item::Kind::kPacket) packets.push_back(i);
    }
    if (packets.empty()) return false;
    const size_t at = packets[draw(packets.size(), random_)];
    Packet& first = items_[at].packet;
    if (kind == "merge" || kind == "swap" || kind == "move-up" || kind == "move-down") {
      const bool next = items_[at + 1].kind == Item::Kind::kPacket;
      return next && !first.end_loop0 && between(kind, at);
    }
    if (kind == "across-label") return across_label(at);
    if (kind == "across-call") return across_call(at);
    if (kind == "loop-end") return loop_end(at);
    if (kind == "drop-new" || kind == "new-producer" || kind == "make-new")
      return forwarding(kind, first);
    if (kind == "order") return order(first);
    return instruction(kind, first);
  }

 private:
  bool between(const std::string& kind, size_t at) {
    Packet &first = items_[at].packet, &second = items_[at + 1].packet;
    if (frames(first) || frames(second)) return false;
    if (kind == "merge") {
      second.instructions.insert(second.instructions.begin(), first.instructions.begin(),
                                 first.instructions.end());
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    }
    if (kind == "swap") {
      std::swap(first.instructions, second.instructions);
      return true;
    }
    return kind == "move-up" ? move(second, first) : move(first, second);
  }

  // Loop set-ups stay: over a label they would loop for ever.
  bool move(Packet& from, Packet& to) {
    if (from.instructions.size() < 2) return false;
    const size_t which = draw(from.instructions.size(), random_);
    if (is(from.instructions[which], kJump | kCall | kLoop0 | kLoop1) ||
        frame(from.instructions[which]))
      return false;
    to.instructions.push_back(from.instructions[which]);
    from.instructions.erase(from.instructions.begin() + static_cast<std::ptrdiff_t>(which));
    return true;
  }

  bool across_label(size_t at) {
    size_t next = at + 1;
    while (next < items_.size() && items_[next].kind == Item::Kind::kLabel) ++next;
    if (next == at + 1 || next == items_.size() || items_[next].kind != Item::Kind::kPacket)
      return false;
    Packet &first = items_[at].packet, &second = items_[next].packet;
    return random_.chance(50) ? move(first, second) : move(second, first);
  }

  bool across_call(size_t at) {
    if (at == 0 || !has(items_[at].packet, kCall)) return false;
    if (items_[at - 1].kind != Item::Kind::kPacket || items_[at + 1].kind != Item::Kind::kPacket)
      return false;
    Packet &before = items_[at - 1].packet, &behind = items_[at + 1].packet;
    return random_.chance(50) ? move(before, behind) : move(behind, before);
  }

  bool loop_end(size_t at) {
    if (items_[at + 1].kind != Item::Kind::kPacket || !items_[at + 1].packet.end_loop0)
      return false;
    items_[at].packet.end_loop0 = true;
    items_[at + 1].packet.end_loop0 = false;
    return true;
  }

  bool forwarding(const std::string& kind, Packet& packet) {
    for (Instruction& i : packet.instructions) {
      if (i.form == nullptr) continue;
      for (size_t k = 0; k < i.operands.size(); ++k) {
        const bool fresh = suffix_of(i, static_cast<int>(k)) == "new";
        Instruction changed;
        if (kind == "drop-new" && fresh) {
          changed = with_suffix(i, static_cast<int>(k), "", machine_);
        } else if (kind == "make-new" && !fresh && i.form->roles[k].role == 's') {
          changed = with_suffix(i, static_cast<int>(k), "new", machine_);
        } else if (kind == "new-producer" && fresh) {
          const std::string other = other_result(packet, i, k);
          if (other.empty()) continue;
          changed = respelt(i, k, other, machine_);
        } else {
          continue;
        }
        if (changed.form == nullptr) continue;
        i = changed;
        return true;
      }
    }
    return false;
  }

  // Another register that the packet writes, for operand k of the consumer.
  static std::string other_result(const Packet& packet, const Instruction& consumer, size_t k) {
    const Operand& now = consumer.operands[k];
    for (const Instruction& i : packet.instructions) {
      if (&i == &consumer || i.form == nullptr) continue;
      for (size_t o = 0; o < i.operands.size(); ++o) {
        const Operand& operand = i.operands[o];
        if (i.form->roles[o].role == 'd' && operand.kind == now.kind && operand.width == 1 &&
            operand.text != now.text)
          return operand.text;
      }
    }
    return {};
  }

  bool order(Packet& packet) {
    std::vector<size_t> memory;
    for (size_t i = 0; i < packet.instructions.size(); ++i) {
      if (is(packet.instructions[i], kLoad | kStore)) memory.push_back(i);
    }
    if (memory.size() < 2) {
      if (packet.instructions.size() < 2) return false;
      memory = {0, packet.instructions.size() - 1};
    }
    std::swap(packet.instructions[memory[0]], packet.instructions[memory[1]]);
    return true;
  }

  bool instruction(const std::string& kind, Packet& packet) {
    const size_t which = draw(packet.instructions.size(), random_);
    Instruction& i = packet.instructions[which];
    if (i.form == nullptr || is(i, kJump | kCall | kLoop0 | kLoop1) || frame(i)) return false;
    if (kind == "drop") {
      if (packet.instructions.size() < 2) return false;
      packet.instructions.erase(packet.instructions.begin() + static_cast<std::ptrdiff_t>(which));
      return true;
    }
    if (kind == "twice") {
      const auto at = std::find_if(items_.begin(), items_.end(),
                                   [&](const Item& item) { return &item.packet == &packet; });
      Item again = *at;
      again.packet.instructions = {i};
      again.packet.end_loop0 = false;
      for (size_t k = 0; k < i.operands.size(); ++k) {
        if (!suffix_of(i, static_cast<int>(k)).empty()) return false;
      }
      items_.insert(at, again);
      return true;
    }
    const size_t k = i.operands.empty() ? 0 : draw(i.operands.size(), random_);
    if (i.operands.empty()) return false;
    Operand& operand = i.operands[k];
    Instruction changed;
    if (kind == "register") {
      const bool address = is(i, kLoad | kStore) && (operand.kind == 'R' || operand.kind == 'M') &&
                           i.form->roles[k].role != 'd';
      if (address || operand.width != 1 || operand.first < 0 ||
          std::string_view("RVPQ").find(operand.kind) == std::string_view::npos ||
          (operand.kind == 'R' && operand.first > 15))
        return false;
      const int most = operand.kind == 'P' || operand.kind == 'Q' ? 4
                       : operand.kind == 'R'                      ? 8
                                                                  : 32;
      const char file = static_cast<char>(std::tolower(operand.kind));
      const std::string other = file + std::to_string(random_.below(most));
      if (other == operand.text) return false;
      changed = respelt(i, k, other, machine_);
    } else {  // offset
      if (static_cast<int>(k) != i.form->offset || !operand.has_value) return false;
      const int64_t step = i.form->vector_access ? 1 : std::max(1, i.form->bytes);
      changed = respelt(i, k, std::to_string(operand.value + (operand.value > 0 ? -step : step)),
                        machine_);
    }
    if (changed.form == nullptr) return false;
    i = changed;
    return true;
  }

  std::vector<Item>& items_;
  const Machine& machine_;
  Random& random_;
};

}  // namespace

const std::vector<std::string> kMutations = {
    "merge",       "swap",     "move-up",  "move-down", "across-label",
    "across-call", "order",    "drop-new", "make-new",  "drop",
    "twice",       "register", "offset",   "loop-end",  "new-producer"};

std::optional<Mutation> mutate(const std::string& kind, const Module& packed,
                               const Machine& machine, Random& random) {
  Mutation mutation{kind, packed};
  Mutator mutator(mutation.module.items, machine, random);
  for (int tries = 0; tries < 200; ++tries) {
    if (mutator.apply(kind)) return mutation;
  }
  return std::nullopt;
}

}  // namespace burin::vliw::testing
