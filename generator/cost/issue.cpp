#include "cost/issue.h"

#include <algorithm>
#include <set>

#include "hardware/capabilities.h"
#include "isa/instruction.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_operands.h"
#include "loops/lanewise.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::cost {
namespace {

bool moves(const std::vector<Index>& at, int var) {
  return std::any_of(at.begin(), at.end(), [&](const Index& one) { return one.uses_axis(var); });
}

int64_t at_least_one(int64_t value) { return std::max<int64_t>(1, value); }

// Registers of the machine that an operand of a row takes.
int64_t registers_of(const Value& operand, const VectorUnit& unit) {
  const int64_t bytes = size_bytes(operand.type, at_hints(product(operand.shape)));
  const int64_t each = unit.vector_bytes > 0 ? unit.vector_bytes : size_bits(operand.type) / 8;
  return at_least_one((bytes + each - 1) / at_least_one(each));
}

const VectorUnit& unit_of(const isa::Instruction& row, const Hardware& hardware) {
  return is_float(row.values.at(0).type) ? hardware.vector : integer_unit(hardware);
}

struct Timing {
  int64_t per_cycle, latency;
};
Timing timing_of(const isa::Instruction& row, const Hardware& hardware) {
  for (const RowTiming& one : hardware.rows) {
    if (one.instruction == row.instruction) return {one.per_cycle, one.latency_cycles};
  }
  return {hardware.vector.fma_per_cycle, hardware.vector.fma_latency_cycles};
}

}  // namespace

Issue& Issue::operator+=(const Issue& other) {
  arithmetic += other.arithmetic;
  loads += other.loads;
  stores += other.stores;
  functions += other.functions;
  latency = std::max(latency, other.latency);
  return *this;
}

Issue Issue::operator*(int64_t times) const {
  return {arithmetic * times, loads * times, stores * times, functions * times, latency};
}

int64_t Issue::cycles(const VectorUnit& unit) const {
  const int64_t exposed = arithmetic + loads * unit.exposed_load_percent / 100;
  return std::max({exposed, loads, stores, latency}) + functions;
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

Issue issue_of(const loops::Call& call, const WrittenOut& around, const Hardware& hardware) {
  const VectorUnit& unit = unit_of(*call.op, hardware);
  const Timing timing = timing_of(*call.op, hardware);
  Issue out;
  int64_t registers = 1;
  bool sums = false;
  for (size_t k = 0; k < call.operands.size(); ++k) {
    const isa::Operand& operand = call.op->operands[k];
    const int64_t own = registers_of(call.op->values[k], unit);
    if (operand.place == isa::Place::registers) {
      registers = std::max(registers, own);
      sums = sums || operand.access == isa::Access::update;
      continue;
    }
    const int64_t times = around.turns_of(call.operands[k].first) * own * kCycle;
    if (operand.access == isa::Access::write)
      out.stores += times / at_least_one(unit.stores_per_cycle);
    else
      out.loads += times / at_least_one(unit.loads_per_cycle);
  }
  if (call.op->meaning.writes.empty()) return out;  // it asks for memory
  // One operation for each register; of lanes that become one element as many as that takes.
  const Write& write = call.op->meaning.writes.at(0);
  const int64_t operations = count_operations(write.value);
  const bool copies = write.how == How::store && operations == 0;
  if (!copies || out.stores == 0)
    out.arithmetic = around.turns() * std::max(registers, write.over.empty() ? operations : 1) *
                     kCycle / at_least_one(timing.per_cycle);
  if (sums) out.latency = timing.latency * kCycle;
  return out;
}

StoreForm form_of(const loops::Program& program, const loops::Store& store, int along,
                  const Hardware& hardware) {
  StoreForm scalar{along, 1};
  if (along < 0 || store.to.size() != 1 || is_keyed(store.combine)) return scalar;
  const loops::Buffer& to = program.buffers[burin::at(store.to[0])];
  if (to.scope == loops::Scope::local ||
      loops::stride_of(program, store.to[0], store.at, along) != loops::Stride::one)
    return scalar;
  int64_t bytes = size_bits(to.type) / 8;
  bool whole = true, floats = is_float(to.type);
  visit(store.value[0], [&](const ExprNode& node) {
    floats = floats || is_float(node.type);
    if (node.kind == ExprKind::cases) whole = false;
    if (node.kind != ExprKind::load) return;
    if (loops::stride_of(program, node.id, node.at, along) == loops::Stride::other) whole = false;
    bytes = std::max<int64_t>(bytes, size_bits(node.storage) / 8);
  });
  if (!whole || bytes < 1) return scalar;
  const VectorUnit& unit = floats ? hardware.vector : integer_unit(hardware);
  return {along, unit.lanes(static_cast<int>(bytes))};
}

Issue issue_of(const loops::Program& program, const loops::Store& store, const StoreForm& form,
               const Hardware& hardware) {
  const VectorUnit& unit = hardware.vector;
  int64_t operations = 0, divisions = 0, loads = 0, stores = 0, functions = 0;
  std::set<const ExprNode*> met;
  for (const Expr& value : store.value) {
    visit(value, [&](const ExprNode& node) {
      if (!met.insert(&node).second) return;
      switch (node.kind) {
        case ExprKind::load:
          // What stays is loaded once.
          loads += form.along < 0 || moves(node.at, form.along);
          break;
        case ExprKind::unary: {
          const Unary op = node.unary();
          if (is_function(op))
            functions += unit.function_cycles;
          else if (op == Unary::sqrt)
            divisions += unit.division_cycles;
          else
            ++operations;
          break;
        }
        case ExprKind::binary: {
          const Binary op = node.binary();
          const bool divides = op == Binary::div || op == Binary::mod || op == Binary::fmod;
          if (op == Binary::pow || op == Binary::atan2)
            functions += 2 * int64_t{unit.function_cycles};
          else if (!divides)
            ++operations;
          else
            divisions += is_float(node.type) ? unit.division_cycles
                                             : int64_t{unit.integer_division_cycles} * form.lanes;
          break;
        }
        case ExprKind::select:
        case ExprKind::cast:
          ++operations;
          break;
        case ExprKind::cases:
          for (const Expr::Case& one : node.cases)
            operations += 1 + static_cast<int64_t>(one.guard.size());
          break;
        default:
          break;
      }
    });
  }
  Issue out;
  const bool combines = store.combine != Combiner::none;
  const loops::Buffer& to = program.buffers[burin::at(store.to[0])];
  if (combines) ++operations;
  if (to.scope != loops::Scope::local) {
    const bool stays = form.along >= 0 && !moves(store.at, form.along);
    stores += stays && combines ? 0 : 1;
    loads += combines && !stays;
  }
  out.arithmetic = operations * kCycle / at_least_one(unit.fma_per_cycle) + divisions * kCycle;
  out.loads = loads * kCycle / at_least_one(unit.loads_per_cycle);
  out.stores = stores * kCycle / at_least_one(unit.stores_per_cycle);
  // Of so many elements at a time.
  out.functions = functions * kCycle * form.lanes;
  // The next turn adds to the same element.
  if (combines && form.along >= 0 && !moves(store.at, form.along))
    out.latency = int64_t{unit.fma_latency_cycles} * kCycle;
  return out;
}

}  // namespace burin::cost
