#include "cost/issue.h"

#include <algorithm>
#include <map>

#include "hardware/capabilities.h"
#include "isa/instruction.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_operands.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {
namespace {

bool moves(const std::vector<Index>& at, int var) {
  return std::any_of(at.begin(), at.end(), [&](const Index& one) { return one.uses_axis(var); });
}

// Registers of the machine that an operand of a row takes.
int64_t registers_of(const Value& operand, const VectorUnit& unit) {
  const int64_t bytes = size_bytes(operand.type, at_hints(product(operand.shape)));
  const int64_t each = unit.vector_bytes > 0 ? unit.vector_bytes : size_bits(operand.type) / 8;
  return at_least_one((bytes + each - 1) / at_least_one(each));
}

const VectorUnit& unit_of(const isa::Instruction& row, const Hardware& hardware) {
  return row.values.empty() || is_float(row.values[0].type) ? hardware.vector
                                                            : integer_unit(hardware);
}

Timing timing_of(const isa::Instruction& row, const Hardware& hardware) {
  for (const RowTiming& one : hardware.rows) {
    if (isa::is_named(row, one.instruction)) return {one.per_cycle, one.latency_cycles};
  }
  return {hardware.vector.fma_per_cycle, hardware.vector.fma_latency_cycles};
}

// Lanes of a register that a row makes one element of; 1: it makes none of several.
int64_t lanes_summed(const isa::Instruction& row) {
  int64_t most = 1, least = 0;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const int64_t elements = at_hints(product(row.values[k].shape));
    if (row.operands[k].access == isa::Access::read)
      most = std::max(most, elements);
    else
      least = std::max(least, elements);
  }
  const bool one = row.operands.size() == 2 && least == 1;
  return one ? most : 1;
}

}  // namespace

int64_t load_latency(const Hardware& hardware) {
  return hardware.memory.caches.empty() ? 1 : hardware.memory.caches[0].latency_cycles;
}

Issue& Issue::operator+=(const Issue& other) {
  arithmetic += other.arithmetic;
  loads += other.loads;
  stores += other.stores;
  functions += other.functions;
  latency = std::max(latency, other.latency);
  instructions += other.instructions;
  depth = std::max(depth, other.depth);
  exposed += other.exposed;
  return *this;
}

Issue Issue::operator*(int64_t times) const {
  Issue out = *this;
  for (int64_t* one :
       {&out.arithmetic, &out.loads, &out.stores, &out.functions, &out.instructions, &out.exposed})
    *one *= times;
  return out;
}

int64_t Issue::cycles(const VectorUnit& unit) const {
  return std::max({arithmetic, loads, stores, latency, instructions / unit.issued_per_cycle()}) +
         exposed + functions;
}

Issue issue_of(const Started& started, const Timing& timing, const VectorUnit& unit) {
  const int64_t loads = started.broadcasts + started.vectors;
  Issue out;
  out.arithmetic = started.operations * kCycle / at_least_one(timing.per_cycle);
  out.loads = loads * kCycle / at_least_one(unit.loads_per_cycle);
  out.stores = started.stores * kCycle / at_least_one(unit.stores_per_cycle);
  out.latency = started.chain * timing.latency * kCycle / at_least_one(started.apart);
  out.instructions = (started.operations + loads + started.stores) * kCycle;
  // A vector may lie across two lines.
  out.exposed =
      kCycle * unit.exposed_load_percent * (started.broadcasts + 2 * started.vectors) / 100;
  return out;
}

Issue issue_of_step(int rows, int vectors, int accumulators, const VectorUnit& unit) {
  Started step;
  step.operations = int64_t{rows} * vectors;
  step.broadcasts = rows;
  step.vectors = vectors;
  step.chain = 1;
  step.apart = accumulators;
  return issue_of(step, {unit.fma_per_cycle, unit.fma_latency_cycles}, unit);
}

int64_t WrittenOut::turns() const {
  int64_t out = 1;
  for (const auto& [var, turns] : vars) out *= turns;
  return out;
}

int64_t WrittenOut::turns_of(const std::vector<Index>& at) const {
  int64_t out = 1;
  for (const auto& [var, turns] : vars) {
    if (moves(at, var)) out *= turns;
  }
  return out;
}

Issue issue_of(const loops::Call& call, const WrittenOut& around, int turning,
               const Hardware& hardware) {
  const VectorUnit& unit = unit_of(*call.op, hardware);
  const Timing timing = timing_of(*call.op, hardware);
  Started started;
  int64_t registers = 1;
  for (size_t k = 0; k < call.operands.size(); ++k) {
    const isa::Operand& operand = call.op->operands[k];
    const int64_t own = registers_of(call.op->values[k], unit);
    const int64_t times = around.turns_of(call.operands[k].first);
    if (operand.place == isa::Place::registers) {
      registers = std::max(registers, own);
      const bool goes_on = turning < 0 || !moves(call.operands[k].first, turning);
      if (operand.access == isa::Access::update && goes_on) started.chain = around.turns() / times;
    } else if (operand.access == isa::Access::write) {
      started.stores += times * own;
    } else if (operand.place == isa::Place::memory) {
      started.vectors += times * own;
    } else {
      started.broadcasts += times * own;
    }
  }
  // What it asks for is not waited for.
  if (call.op->meaning.writes.empty()) return issue_of(started, timing, unit);
  // One operation for each register; of lanes that become one element as many as that takes.
  const Write& write = call.op->meaning.writes.at(0);
  const int64_t operations = count_operations(write.value);
  const bool copies = write.how == How::store && operations == 0;
  if (!copies || started.stores == 0)
    started.operations = around.turns() * call.op->operations *
                         std::max(registers, write.over.empty() ? operations : 1);
  Issue out = issue_of(started, timing, unit);
  out.depth = (load_latency(hardware) + timing.latency) * kCycle;
  if (const int64_t lanes = lanes_summed(*call.op); lanes > 1) {
    // Halves are added until one lane is left: each time a permutation and an operation.
    int64_t halves = 0;
    for (int64_t left = lanes; left > 1; left /= 2) ++halves;
    const int64_t adding = 2 * halves * around.turns() * kCycle;
    out.arithmetic += adding / at_least_one(timing.per_cycle);
    out.instructions += adding;
    out.depth += halves * (timing.latency + kPermuted) * kCycle;
  }
  return out;
}

}  // namespace burin::cost
