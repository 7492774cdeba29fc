// The dependence graph of a block.
//
// Instructions of one Hexagon packet read registers as they were before the packet. So a dependence
// may share a packet only where something makes that right:
//   write after read      the reader sees the old value anyway
//   load before store     a packet's loads see memory before its stores
//   store before load     of scalars, where the packet keeps the order of the text (:mem_noshuf)
//   new value, predicate  the consumer has a form that reads the producer's result (.new)
//   current load          a vector load hands its result to its packet (.cur)
//   anything before a change of flow, except what the jump reads
// These are the soft dependences, with the machine file's penalties; every other one is hard. A
// machine file may add soft rules of its own (the machine of the GCD2 paper).
//
// Memory dependences that a chain of others implies have no edge of their own. O(units * live
// registers + memory accesses^2 + edges * units / 64) per block.
#pragma once

#include <string>
#include <vector>

#include "vliw/blocks.h"
#include "vliw/effects.h"

namespace burin::vliw {

enum class Within {
  kNever,    // hard
  kFree,     // may share a packet as it is
  kForward,  // may share a packet after the changes in `forwards`
};

enum Cause : uint8_t {
  kReadAfterWrite = 1,
  kWriteAfterRead = 2,
  kWriteAfterWrite = 4,
  kMemory = 8,
  kFlow = 16,
  kOrder = 32,  // one of the two may not be moved at all
};

// One change of text that lets a consumer read its producer's result inside the packet.
struct Forward {
  enum class Kind { kNewValue, kNewPredicate, kCurrent } kind = Kind::kNewValue;
  int unit = 0, operand = 0;  // what gets the suffix; always the unit's only instruction
  bool operator==(const Forward&) const = default;
};

struct Edge {
  int from = 0, to = 0;
  int latency =
      0;  // packets from one to the other when they do not share one: at least 1; 0: none needed
  Within within = Within::kNever;
  bool soft = false;      // a real soft dependence: forwarded, or by a soft rule; not only an order
  bool in_order = false;  // a packet of both must keep the order of its text
  double penalty = 0;     // cycles lost by sharing
  uint8_t causes = 0;     // Cause bits
  int reg = -1;           // a register that it is about
  std::vector<Forward> forwards;
};

struct Graph {
  std::vector<Edge> edges;                // from < to, sorted by (from, to)
  std::vector<std::vector<int>> out, in;  // edge numbers per unit
};

Graph build_graph(const Block& block, const Machine& machine);

// May a load share a packet behind a store that it may touch? Plain accesses of scalars only: they
// can change places in the slots of memory.
bool may_keep_order(const Instruction& store, const Instruction& load, const Machine& machine);

// "read after write of r3", for reports.
std::string describe(const Edge& edge);

}  // namespace burin::vliw
