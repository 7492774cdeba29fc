// Schedules of a block and what they cost.
#pragma once

#include <string>
#include <vector>

#include "vliw/packet.h"

namespace burin::vliw {

// Units per packet, packets in order; inside a packet in block order.
using Schedule = std::vector<std::vector<int>>;

// In-order issue, one packet a cycle, a packet waits until all it reads is ready; sharing a packet
// across a soft dependence costs its penalty.
struct Cost {
  int packets = 0;
  double cycles = 0;  // from the first packet to the last, both included
  int stalls = 0;     // cycles in which no packet starts
  bool operator==(const Cost&) const = default;
};

Cost cost_of(const Schedule& schedule, const Graph& graph);

// Of a loop body that follows itself: cycles per iteration once it runs, from packets as text.
Cost loop_cost(const std::vector<Packet>& packets, const Machine& machine);

// Of packets as text, once through.
Cost straight_cost(const std::vector<Packet>& packets, const Machine& machine);

// Better: fewer cycles, then fewer packets.
bool better(const Cost& a, const Cost& b);

}  // namespace burin::vliw
