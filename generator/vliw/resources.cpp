// Slots and pipes of a packet. Each instruction takes one slot of each of its masks; each of its
// pipes takes one of the pipe's alternatives, a set of HVX units. At most 4 instructions: plain
// backtracking.
#include <map>

#include "support/check.h"
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

// What a form needs beside its timing class.
uint32_t traits_that_matter(const Form& form) {
  return form.traits & (kStore | kLoad | kNoSlot1Store | kSlot1Alu | kAlu32);
}

}  // namespace

Resources::Resources(const Machine& machine) : machine_(machine), known_(256) {
  std::map<std::pair<int, uint32_t>, uint16_t> numbers;
  for (const Form& form : machine.forms) {
    const auto next = static_cast<uint16_t>(numbers.size() + 1);
    need_.push_back(
        numbers.try_emplace({form.timing, traits_that_matter(form)}, next).first->second);
  }
}

Resources::Answer& Resources::slot_of(const std::array<uint16_t, 8>& needs) {
  uint64_t hash = 0;
  for (const uint16_t need : needs) hash = (hash ^ need) * 0x9e3779b97f4a7c15ull;
  size_t at = (hash >> 32) & (known_.size() - 1);
  while (known_[at].used && known_[at].needs != needs) at = (at + 1) & (known_.size() - 1);
  return known_[at];
}

std::string_view Resources::conflict(const Form* const* forms, size_t count) {
  std::array<uint16_t, 8> needs{};
  BURIN_CHECK(count <= needs.size());
  for (size_t i = 0; i < count; ++i) {  // sorted as they come; there are four
    const uint16_t need = need_[static_cast<size_t>(forms[i] - machine_.forms.data())];
    size_t at = i;
    for (; at > 0 && needs[at - 1] > need; --at) needs[at] = needs[at - 1];
    needs[at] = need;
  }
  Answer* answer = &slot_of(needs);
  if (answer->used) return answer->reason;
  if (2 * ++answers_ > known_.size()) {
    std::vector<Answer> before(known_.size() * 2);
    before.swap(known_);
    for (const Answer& old : before) {
      if (old.used) slot_of(old.needs) = old;
    }
    answer = &slot_of(needs);
  }
  *answer = {needs, assign(forms, count), true};
  return answer->reason;
}

std::string_view Resources::assign(const Form* const* forms, size_t count) const {
  bool no_slot1_store = false, slot1_alu = false, load = false;
  for (size_t i = 0; i < count; ++i) {
    const Form& form = *forms[i];
    no_slot1_store = no_slot1_store || form.is(kNoSlot1Store);
    slot1_alu = slot1_alu || form.is(kSlot1Alu);
    load = load || (form.is(kLoad) && !form.is(kStore));
  }
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
  if (!place_slots(slots, 0, 0)) return "no slots for all";
  if (!place_pipes(machine_, pipes, 0, 0)) return "no HVX pipes for all";
  return {};
}

}  // namespace burin::vliw
