// One packet: which units fit together, and its text once they are chosen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vliw/dependence.h"

namespace burin::vliw {

// Slots and HVX pipes, by exhaustive assignment; answers are remembered per set of what forms need.
class Resources {
 public:
  explicit Resources(const Machine& machine);

  // Can these instructions have different slots and pipes? An empty answer means yes; otherwise the
  // reason, in words. At most 8 forms.
  std::string_view conflict(const Form* const* forms, size_t count);

  const Machine& machine() const { return machine_; }

 private:
  struct Answer {
    std::array<uint16_t, 8> needs{};  // sorted; 0: none
    std::string_view reason;
    bool used = false;
  };
  std::string_view assign(const Form* const* forms, size_t count) const;
  Answer& slot_of(const std::array<uint16_t, 8>& needs);

  const Machine& machine_;
  std::vector<uint16_t> need_;  // per form of the machine: forms of one number need the same
  std::vector<Answer> known_;   // open addressing
  size_t answers_ = 0;
};

struct PacketShape {
  bool end_loop0 = false, end_loop1 = false;
};

// Turns units of one block into a packet, with every forward inside it applied. Nothing when the
// units may not share a packet; `why` then says which rule, for reports. Units are given in block
// order.
class PacketMaker {
 public:
  PacketMaker(const Block& block, const Graph& graph, Resources& resources);

  // soft: are forwards allowed at all (soft-to-hard says no)?
  std::optional<Packet> make(const std::vector<int>& units, const PacketShape& shape,
                             bool soft) const;
  // Why the units may not share a packet; empty if they may.
  std::string_view refusal(const std::vector<int>& units, const PacketShape& shape,
                           bool soft) const;
  bool fits(const std::vector<int>& units, const PacketShape& shape, bool soft) const {
    return refusal(units, shape, soft).empty();
  }

  // Would their packet have to keep the order of its text (a load behind a store)?
  bool in_order(const std::vector<int>& units) const;

 private:
  static constexpr int kVariants = 16;  // bits: new value, new predicate, current load, .tmp of it
  struct Variant {
    const Form* form = nullptr;
    int words = 1;
  };
  struct Part {  // an instruction of a unit
    Variant variants[kVariants];
    Effects effects;
    RegisterSet loaded;  // by a vector load, the register that .cur shows
  };
  struct Chosen {
    const Part* part;
    int variant;
    const Variant& form() const { return part->variants[variant]; }
  };
  std::string_view variant_in(int u, const std::vector<int>& units, bool soft, int& variant) const;
  Instruction variant_of(const Instruction& instruction, int variant, int unit) const;

  const Block& block_;
  const Graph& graph_;
  Resources& resources_;
  std::vector<std::vector<Part>> parts_;             // per unit
  std::vector<std::array<int, 3>> forward_operand_;  // per unit: operand per kind of forward, or -1
};

}  // namespace burin::vliw
