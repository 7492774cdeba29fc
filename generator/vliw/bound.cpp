// What no schedule can beat: the longest chain of hard dependences, and counting: any set of slots
// (or of HVX units) serves at most its size per packet of what can go nowhere else.
#include <algorithm>
#include <bit>

#include "vliw/policy.h"
#include "vliw/temporary.h"

namespace burin::vliw {
namespace {

int ceiling(int amount, int per) { return (amount + per - 1) / per; }

}  // namespace

int counting_bound(const std::vector<Unit>& units, const Machine& machine) {
  int words = 0, closed = 0, instructions = 0;
  std::vector<uint32_t> slots;
  std::vector<std::vector<uint16_t>> pipes;
  for (const Unit& unit : units) {
    if (unit.closed) {
      ++closed;
      continue;
    }
    for (const Instruction& instruction : unit.instructions) {
      const Form* form = instruction.form;
      // At best it is a load whose value stays in its packet.
      if (unit.readers > 0) {
        const Instruction temporary = as_temporary(instruction, machine);
        if (!temporary.unknown()) form = temporary.form;
      }
      const TimingClass& timing = machine.classes[static_cast<size_t>(form->timing)];
      words += words_of(instruction);
      ++instructions;
      slots.insert(slots.end(), timing.slots.begin(), timing.slots.end());
      for (const int pipe : timing.pipes) pipes.push_back(machine.pipes[static_cast<size_t>(pipe)]);
    }
  }
  int packets =
      std::max(ceiling(words, machine.words), ceiling(instructions, machine.instructions));
  for (uint32_t set = 1; set < 1u << machine.slots; ++set) {
    const auto inside = std::count_if(slots.begin(), slots.end(),
                                      [&](uint32_t mask) { return (mask & ~set) == 0; });
    packets = std::max(packets, ceiling(static_cast<int>(inside), std::popcount(set)));
  }
  const auto resources = static_cast<uint32_t>(machine.resources.size());
  for (uint32_t set = 1; set < 1u << std::min(resources, 8u); ++set) {
    int amount = 0;
    for (const std::vector<uint16_t>& alternatives : pipes) {
      int least = 16;
      for (const uint16_t mask : alternatives) least = std::min(least, std::popcount(mask & set));
      amount += least;
    }
    packets = std::max(packets, ceiling(amount, std::popcount(set)));
  }
  return packets + closed;
}

Bound lower_bound(const BlockProblem& problem) {
  int packets = counting_bound(problem.block.units, problem.machine);
  // A chain takes its latencies and the packet of its last unit.
  const std::vector<int> height = heights(problem.graph);
  const int chain = height.empty() ? 0 : *std::max_element(height.begin(), height.end()) + 1;
  // Latencies above 1 are stalls, not packets.
  std::vector<int> steps(height.size(), 0);
  int hard = 0;
  for (size_t e = problem.graph.edges.size(); e-- > 0;) {
    const Edge& edge = problem.graph.edges[e];
    int& s = steps[static_cast<size_t>(edge.from)];
    s = std::max(s, steps[static_cast<size_t>(edge.to)] + (edge.within == Within::kNever ? 1 : 0));
    hard = std::max(hard, s);
  }
  packets = std::max(packets, problem.block.units.empty() ? 0 : hard + 1);
  return {packets, std::max(packets, chain)};
}

}  // namespace burin::vliw
