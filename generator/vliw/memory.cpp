#include "vliw/memory.h"

#include <algorithm>
#include <array>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

// Addresses have 32 bits and wrap.
int64_t wrapped(int64_t offset) {
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(offset)));
}
int64_t from_to(int64_t a, int64_t b) {
  return static_cast<uint32_t>(static_cast<uint64_t>(b - a));
}

struct Address {
  int root = 0;
  int64_t offset = 0;
  bool conditional = false;  // the register may hold an older value
};

class Tracker {
 public:
  Tracker() {
    for (int r = 0; r < 32; ++r) registers_[static_cast<size_t>(r)] = {next_++, 0, false};
  }

  Access access(const Instruction& instruction) const {
    const Form* form = instruction.form;
    Access a;
    a.load = form == nullptr || form->is(kLoad);
    a.store = form == nullptr || form->is(kStore);
    if (form == nullptr || form->base < 0 || form->bytes == 0) return a;
    const Operand& base = instruction.operands[static_cast<size_t>(form->base)];
    if (base.first < 0 || base.first >= 32) return a;
    int64_t offset = 0;
    if (form->offset >= 0 && !form->post_increment && !step_of(instruction, offset)) return a;
    const Address& address = registers_[static_cast<size_t>(base.first)];
    // Under a condition the register may be known better than its root says; see the checker.
    if (address.conditional && form->is(kIfTrue | kIfFalse)) return a;
    a.known = true;
    a.root = address.root;
    a.start = wrapped(address.offset + offset);
    a.low = a.start;
    a.high = a.low + form->bytes;
    if (form->aligned_vector) {
      a.aligned_vector = true;
      a.low -= form->bytes - 1;
    }
    return a;
  }

  void advance(const Instruction& instruction) {
    const Effects effects = effects_of(instruction);
    const Form* form = instruction.form;
    std::array<Address, 32> after = registers_;
    for (int r = 0; r < 32; ++r) {
      if (effects.writes.has(r) || form == nullptr)
        after[static_cast<size_t>(r)] = {next_++, 0, effects.conditional};
    }
    if (form != nullptr && !effects.conditional) {
      if (form->post_increment && form->base >= 0) {
        const int r = instruction.operands[static_cast<size_t>(form->base)].first;
        int64_t step = 0;
        if (r >= 0 && r < 32 && step_of(instruction, step))
          after[static_cast<size_t>(r)] = moved(r, step);
      }
      if (form->key == "R=add(R,#)" && instruction.operands[2].has_value) {
        after[static_cast<size_t>(instruction.operands[0].first)] =
            moved(instruction.operands[1].first, instruction.operands[2].value);
      }
      if (form->key == "R=R") {
        after[static_cast<size_t>(instruction.operands[0].first)] =
            moved(instruction.operands[1].first, 0);
      }
    }
    registers_ = after;
  }

 private:
  static bool step_of(const Instruction& instruction, int64_t& bytes) {
    const Operand& offset = instruction.operands[static_cast<size_t>(instruction.form->offset)];
    if (!offset.has_value) return false;
    bytes = offset.value * (instruction.form->vector_access ? instruction.form->bytes : 1);
    return true;
  }

  Address moved(int r, int64_t by) const {
    const Address& from = registers_[static_cast<size_t>(r)];
    return {from.root, wrapped(from.offset + by), from.conditional};
  }

  std::array<Address, 32> registers_{};
  int next_ = 0;
};

}  // namespace

std::vector<std::vector<Access>> accesses_of(const Block& block) {
  std::vector<std::vector<Access>> all;
  Tracker tracker;
  for (const Unit& unit : block.units) {
    std::vector<Access> mine;
    for (const Instruction& instruction : unit.instructions) {
      const Effects effects = effects_of(instruction);
      if (effects.load || effects.store) mine.push_back(tracker.access(instruction));
    }
    // A kept packet's instructions all start from the same registers.
    for (const Instruction& instruction : unit.instructions) tracker.advance(instruction);
    all.push_back(std::move(mine));
  }
  return all;
}

bool may_touch(const Access& a, const Access& b) {
  if (!a.known || !b.known || a.root != b.root) return true;
  // Two aligned vectors whose addresses differ by a vector or more lie in different lines.
  if (a.aligned_vector && b.aligned_vector) {
    const int64_t bytes = a.high - a.start;
    return std::min(from_to(a.start, b.start), from_to(b.start, a.start)) < bytes;
  }
  return from_to(a.low, b.low) < a.high - a.low || from_to(b.low, a.low) < b.high - b.low;
}

}  // namespace burin::vliw
