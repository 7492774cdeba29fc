// The dependences of a loop body on itself and on later iterations.
//
// An edge says: start(to) + distance * II >= start(from) + latency, or, where `forward` holds, the
// two may also start together (a new value, a new predicate, a current load). Write after read and
// write after write count with distance 1 too, so no value outlives II unless its register was
// renamed or copied before.
//
// Two relaxations, both proven again by the checker:
//   moving offsets: a register that only one add or post-increment changes, by a constant, orders
//     nothing for accesses and sums base + offset; what one overtakes goes into its offset;
//   apart: accesses over two registers that step by constants may be taken as disjoint where a
//     comparison in front of the loop makes sure (see software_pipeline.h).
//
// O(body^2 * accesses) plus one small graph per pair that shares a register.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "vliw/dependence.h"

namespace burin::vliw {

struct LoopEdge {
  int from = 0, to = 0;
  int latency = 0, distance = 0;
  bool forward = false;           // of a flow edge: sharing a packet may be possible
  bool flow = false;              // read after write of a register
  bool in_order = false;          // forward, of a store and a load: in the order of the text
  int reg = -1;                   // register of an edge that is not memory's
  std::optional<Edge> pair = {};  // of a flow edge: the edge between the two alone, 0 -> 1
};

// The only change of a pointer, and by how much.
struct Stepping {
  int unit = -1;
  int64_t step = 0;
};

struct LoopGraph {
  std::vector<LoopEdge> edges;
  std::array<std::optional<Stepping>, 32> stepping;      // per scalar register
  std::vector<bool> moves_offset;                        // per unit: its offset is adjusted
  std::vector<std::pair<int, int>> apart;                // registers taken to point apart, sorted
  std::array<std::optional<int64_t>, 32> per_iteration;  // what a register gains per iteration
};

struct LoopGraphOptions {
  bool apart = false;
  bool moving_offsets = true;
};

LoopGraph build_loop_graph(const std::vector<Instruction>& body, const Machine& machine,
                           const LoopGraphOptions& options);

// The bytes [low, high) that an access of the body touches, from its register's value at the start
// of the iteration; widened by a line where the low address bits are ignored.
struct LoopAccess {
  int unit = 0, root = -1;
  int64_t low = 0, high = 0;
  bool store = false;
};
std::vector<LoopAccess> loop_accesses(const std::vector<Instruction>& body);

// The size of what two pointers that step alike access, where accesses of one iteration meet only
// if the pointers are the same, provided that all are at multiples of their size; else 0.
int64_t size_of_meeting(const std::vector<Instruction>& body, int a, int b);

// Operands of an address, a register and a number that are added: of an access, or of an addition
// to another register. -1: there are none.
struct AddressOperands {
  int base = -1, offset = -1;
};
AddressOperands address_of(const Instruction& instruction);

// A block of these instructions, one a unit.
Block block_of(const std::vector<Instruction>& instructions);

}  // namespace burin::vliw
