// Modulo scheduling: one start time per instruction of a loop body, repeated every II packets.
//
// ResMII: a set of slots (or HVX units, or words) serves at most its size per packet of what can go
// nowhere else. RecMII: the largest sum of latencies over sum of distances of any cycle of
// dependences. At each II the longest ways between all pairs bound every start time from both
// sides; a depth-first search places the instruction with the fewest times left next, earliest
// time first, and goes back when a window is empty or no packet takes the instruction. It finds a
// schedule at II if there is one, unless its limit of tries ends it; then II + 1 is tried. A
// schedule has no stalls by construction: dependences are either forwarded or as far apart as
// their latency.
//
// O(body^3) per II for the ways; the search is exponential at worst, hence the limit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vliw/loop_graph.h"
#include "vliw/packet.h"

namespace burin::vliw {

struct ModuloSchedule {
  int ii = 0, stages = 0;
  std::vector<int> start;  // per instruction; the smallest is in [0, ii)
  bool operator==(const ModuloSchedule&) const = default;
};

// Packets that an iteration needs by counting alone; `readers`: lone_readers() of the body.
int resource_bound(const std::vector<Instruction>& body, const std::vector<int>& readers,
                   const Machine& machine);

// The smallest II that no cycle of dependences forbids; with names only the flow of values and
// memory count, not the reuse of registers. More than `most`: most + 1.
int recurrence_bound(const LoopGraph& graph, int instructions, bool names, int most);

// Longest ways between instructions at this II: way[u][v] = least start(v) - start(u); kNoWay where
// there is none. Nothing if a cycle forbids II; `cycle` then holds the numbers of its edges.
constexpr int kNoWay = -(1 << 20);
std::optional<std::vector<std::vector<int>>> longest_ways(const LoopGraph& graph, int instructions,
                                                          int ii, std::vector<int>& cycle);

// Which instructions of which iterations may share a packet, remembered.
class ModuloPackets {
 public:
  ModuloPackets(const std::vector<Instruction>& body, const LoopGraph& graph,
                const std::vector<int>& readers, Resources& resources)
      : body_(body), graph_(graph), readers_(readers), resources_(resources) {}

  struct Member {
    int unit = 0, iteration = 0;  // older iterations have smaller numbers
    bool operator==(const Member&) const = default;
    auto operator<=>(const Member&) const = default;
  };

  bool fits(std::vector<Member> members, bool last);
  // The packet; `body` may differ from the constructor's in offsets.
  std::optional<Packet> make(std::vector<Member> members, bool last,
                             const std::vector<Instruction>& body) const;

 private:
  const std::vector<Instruction>& body_;
  const LoopGraph& graph_;
  const std::vector<int>& readers_;
  Resources& resources_;
  std::map<std::string, bool> known_;
};

// tied_first: instructions that start together with others are placed before all others; nothing
// where there are none.
std::optional<ModuloSchedule> modulo_schedule(const std::vector<std::vector<int>>& ways,
                                              const LoopGraph& graph, ModuloPackets& packets,
                                              int instructions, int ii, bool tied_first,
                                              int64_t limit, int64_t& tries);

}  // namespace burin::vliw
