#include "vliw/block_schedule.h"

#include <algorithm>
#include <array>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

// Registers whose new value all of the packet sees.
RegisterSet shown_in(const Packet& packet) {
  RegisterSet shown;
  for (const Instruction& i : packet.instructions) {
    if (!i.unknown() && i.form->is(kCurrentLoad | kTemporaryLoad)) shown |= i.operands[0].set;
  }
  return shown;
}

// Issue times of packets from their text alone: for each register its last writer and issue time.
struct Clock {
  struct Written {
    const Instruction* by = nullptr;
    int at = 0;
  };
  std::array<std::vector<Written>, kRegisterCount> writers;
  int now = 0;  // earliest issue of the next packet
  int stalls = 0;

  int issue(const Packet& packet, const Machine& machine) {
    int at = now;
    const RegisterSet shown = shown_in(packet);
    for (const Instruction& i : packet.instructions) {
      if (i.unknown()) continue;
      (effects_of(i).reads - shown).each([&](int r) {
        for (const Written& w : writers[static_cast<size_t>(r)]) {
          at = std::max(at, w.at + latency_of(machine, *w.by, i, r));
        }
      });
    }
    stalls += at - now;
    for (const Instruction& i : packet.instructions) {
      if (i.unknown() || i.form->is(kTemporaryLoad)) continue;
      const Effects e = effects_of(i);
      e.writes.each([&](int r) {
        std::vector<Written>& list = writers[static_cast<size_t>(r)];
        if (!e.conditional) list.clear();
        // A writer more than 8 packets old cannot stall anybody.
        std::erase_if(list, [&](const Written& w) { return w.at + 8 < at; });
        list.push_back({&i, at});
      });
    }
    now = at + 1;
    return at;
  }
};

}  // namespace

Cost cost_of(const Schedule& schedule, const Graph& graph) {
  std::vector<int> packet_of(graph.out.size(), 0);
  for (size_t p = 0; p < schedule.size(); ++p) {
    for (const int u : schedule[p]) packet_of[static_cast<size_t>(u)] = static_cast<int>(p);
  }
  Cost cost;
  cost.packets = static_cast<int>(schedule.size());
  std::vector<int> issue(schedule.size(), 0);
  double penalties = 0;
  for (size_t p = 0; p < schedule.size(); ++p) {
    int at = p == 0 ? 0 : issue[p - 1] + 1;
    const int earliest = at;
    double worst = 0;
    for (const int u : schedule[p]) {
      for (const int e : graph.in[static_cast<size_t>(u)]) {
        const Edge& edge = graph.edges[static_cast<size_t>(e)];
        const auto from = static_cast<size_t>(packet_of[static_cast<size_t>(edge.from)]);
        if (from == p)
          worst = std::max(worst, edge.penalty);
        else
          at = std::max(at, issue[from] + edge.latency);
      }
    }
    cost.stalls += at - earliest;
    penalties += worst;
    issue[p] = at;
  }
  cost.cycles = (schedule.empty() ? 0 : issue.back() + 1) + penalties;
  return cost;
}

Cost straight_cost(const std::vector<Packet>& packets, const Machine& machine) {
  Clock clock;
  for (const Packet& packet : packets) clock.issue(packet, machine);
  return {static_cast<int>(packets.size()), static_cast<double>(clock.now), clock.stalls};
}

Cost loop_cost(const std::vector<Packet>& packets, const Machine& machine) {
  // The fourth time round is as all later ones: latencies are shorter than three bodies of one
  // packet.
  constexpr int kWarm = 8, kMeasured = 8;
  Clock clock;
  for (int i = 0; i < kWarm; ++i) {
    for (const Packet& packet : packets) clock.issue(packet, machine);
  }
  const int start = clock.now, stalls = clock.stalls;
  for (int i = 0; i < kMeasured; ++i) {
    for (const Packet& packet : packets) clock.issue(packet, machine);
  }
  return {static_cast<int>(packets.size()), static_cast<double>(clock.now - start) / kMeasured,
          (clock.stalls - stalls) / kMeasured};
}

bool better(const Cost& a, const Cost& b) {
  if (a.cycles != b.cycles) return a.cycles < b.cycles;
  return a.packets < b.packets;
}

}  // namespace burin::vliw
