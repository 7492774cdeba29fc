// Slots and pipes of a packet. Each instruction takes one slot of each of its masks; each of its
// pipes takes one of the pipe's alternatives, a set of HVX units. At most 4 instructions: plain
// backtracking.
#include <algorithm>

#include "vliw/packet.h"

namespace burin::vliw {
namespace {

bool place_slots(const std::vector<uint8_t>& masks, size_t i, uint32_t taken) {
  if (i == masks.size()) return true;
  for (uint32_t free = masks[i] & ~taken; free != 0; free &= free - 1) {
    if (place_slots(masks, i + 1, taken | (free & (~free + 1)))) return true;
  }
  return false;
}

bool place_pipes(const Machine& machine, const std::vector<int>& pipes, size_t i, uint32_t taken) {
  if (i == pipes.size()) return true;
  for (const uint16_t units : machine.pipes[static_cast<size_t>(pipes[i])]) {
    if ((units & taken) == 0 && place_pipes(machine, pipes, i + 1, taken | units)) return true;
  }
  return false;
}

}  // namespace

std::string_view Resources::conflict(const Form* const* forms, size_t count) {
  std::string key;
  bool no_slot1_store = false, slot1_alu = false, load = false;
  for (size_t i = 0; i < count; ++i) {
    const Form& form = *forms[i];
    const int traits = (form.is(kStore) ? 1 : 0) + (form.is(kLoad) ? 2 : 0) +
                       (form.is(kNoSlot1Store) ? 4 : 0) + (form.is(kSlot1Alu) ? 8 : 0) +
                       (form.is(kAlu32) ? 16 : 0);
    key += static_cast<char>(form.timing & 127);
    key += static_cast<char>(form.timing >> 7);
    key += static_cast<char>(traits);
    no_slot1_store = no_slot1_store || form.is(kNoSlot1Store);
    slot1_alu = slot1_alu || form.is(kSlot1Alu);
    load = load || (form.is(kLoad) && !form.is(kStore));
  }
  const auto at = known_.find(key);
  if (at != known_.end()) return at->second;
  std::vector<uint8_t> slots;
  std::vector<int> pipes;
  for (size_t i = 0; i < count; ++i) {
    const TimingClass& timing = machine_.classes[static_cast<size_t>(forms[i]->timing)];
    for (uint8_t mask : timing.slots) {
      // A store beside a load goes last, in slot 0.
      if (forms[i]->is(kStore) && timing.slots.size() == 1 && (no_slot1_store || load))
        mask &= 0xfd;
      if (slot1_alu && !forms[i]->is(kAlu32)) mask &= 0xfd;
      slots.push_back(mask);
    }
    pipes.insert(pipes.end(), timing.pipes.begin(), timing.pipes.end());
  }
  std::string_view reason;
  if (!place_slots(slots, 0, 0))
    reason = "no slots for all";
  else if (!place_pipes(machine_, pipes, 0, 0))
    reason = "no HVX pipes for all";
  known_.emplace(std::move(key), reason);
  return reason;
}

}  // namespace burin::vliw
