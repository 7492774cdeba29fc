#include "vliw/support/mutate.h"

namespace burin::vliw::testing {

std::optional<Mutation> mutate(const Module& packed, const Machine& machine, Random& random) {
  std::vector<size_t> packets;
  for (size_t i = 0; i + 1 < packed.items.size(); ++i) {
    if (packed.items[i].kind == Item::Kind::kPacket) packets.push_back(i);
  }
  if (packets.empty()) return std::nullopt;
  const size_t at = packets[static_cast<size_t>(random.below(static_cast<int>(packets.size())))];
  Mutation mutation{"", packed};
  std::vector<Item>& items = mutation.module.items;
  Packet& first = items[at].packet;
  const bool pair = items[at + 1].kind == Item::Kind::kPacket && !first.end_loop0;
  const int kind = random.below(5);
  if (kind == 4) {
    for (Instruction& instruction : first.instructions) {
      for (size_t k = 0; k < instruction.operands.size(); ++k) {
        if (suffix_of(instruction, static_cast<int>(k)) != "new") continue;
        const Instruction old = with_suffix(instruction, static_cast<int>(k), "", machine);
        if (old.form == nullptr) continue;
        instruction = old;
        mutation.kind = "drop-new";
        return mutation;
      }
    }
    return std::nullopt;
  }
  if (!pair) return std::nullopt;
  Packet& second = items[at + 1].packet;
  if (kind == 0) {
    mutation.kind = "merge";
    second.instructions.insert(second.instructions.begin(), first.instructions.begin(),
                               first.instructions.end());
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (kind == 1) {
    mutation.kind = "swap";
    std::swap(first.instructions, second.instructions);
  } else {
    mutation.kind = kind == 2 ? "move-up" : "move-down";
    Packet& from = kind == 2 ? second : first;
    Packet& to = kind == 2 ? first : second;
    if (from.instructions.size() < 2) return std::nullopt;
    const auto which = random.below(static_cast<int>(from.instructions.size()));
    to.instructions.push_back(from.instructions[static_cast<size_t>(which)]);
    from.instructions.erase(from.instructions.begin() + which);
  }
  return mutation;
}

}  // namespace burin::vliw::testing
