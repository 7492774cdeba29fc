#include "select/joint/step_order.h"

#include <algorithm>

#include "support/at.h"

namespace burin {
namespace {

// Symbols that a step gives a value to, inside of it too.
std::vector<std::string> found_by(const Step& step) {
  std::vector<std::string> out;
  for_each_step({step}, [&](const Step& inner) {
    if (const auto* bind = std::get_if<Bind>(&inner)) out.push_back(bind->symbol->name);
    if (const auto* procedure = std::get_if<Procedure>(&inner)) {
      for (const Symbol& symbol : procedure->results) out.push_back(symbol->name);
    }
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&inner)) {
      if ((*loop)->executed) out.push_back((*loop)->executed->name);
    }
  });
  return out;
}

// Symbols that it uses: its own, and those of the shapes that it addresses.
std::vector<std::string> used_by(const Step& step, const std::vector<Value>& values) {
  std::vector<Symbol> symbols = symbols_of(step);
  for (const std::vector<ValueId>& ids : {reads_of(step), writes_of(step)}) {
    for (const ValueId id : ids) {
      for (const Dim& dim : values[at(id)].shape) dim.collect_symbols(symbols);
    }
  }
  std::vector<std::string> out;
  for (const Symbol& symbol : symbols) out.push_back(symbol->name);
  return out;
}

}  // namespace

bool writes_apart(const Kernel& a, const Kernel& b, ValueId value) {
  for (const Write& one : a.writes) {
    if (one.to != value) continue;
    for (const Write& other : b.writes) {
      if (other.to != value) continue;
      bool apart = false;
      for (size_t d = 0; d < one.at.size() && !apart; ++d) {
        if (one.at[d].has_data() || other.at[d].has_data()) continue;
        const Range x = one.at[d].range(), y = other.at[d].range();
        apart = x.hi < y.lo || y.hi < x.lo;
      }
      if (!apart) return false;
    }
  }
  return true;
}

StepOrder::StepOrder(const KernelGraph& graph) : graph_(graph), values_(graph.values.size()) {}

int StepOrder::earliest(int step) const {
  const Step& here = graph_.steps[at(step)];
  // Nothing passes a test of an assumption, and it passes nothing.
  if (std::holds_alternative<Check>(here)) return last_;
  int after = checked_;
  const Kernel* kernel = std::get_if<Kernel>(&here);
  const auto behind_writers = [&](const Users& users, ValueId value, bool writes) {
    for (const auto& [slot, writer] : users.writers) {
      const Kernel* other = std::get_if<Kernel>(&graph_.steps[at(writer)]);
      if (writes && kernel && other && writes_apart(*kernel, *other, value)) continue;
      after = std::max(after, slot);
    }
  };
  const std::vector<ValueId> reads = reads_of(here);
  for (const ValueId id : reads) behind_writers(values_[at(id)], id, false);
  for (const ValueId id : writes_of(here)) {
    after = std::max(after, values_[at(id)].read);
    behind_writers(values_[at(id)], id, true);
  }
  const auto find = [&](const std::string& name, bool changed) {
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) return;
    for (const auto& [slot, writer] : found->second.writers) after = std::max(after, slot);
    if (changed) after = std::max(after, found->second.read);
  };
  for (const std::string& name : used_by(here, graph_.values)) find(name, false);
  for (const std::string& name : found_by(here)) find(name, true);
  return after;
}

void StepOrder::place(int step, int slot) {
  const Step& here = graph_.steps[at(step)];
  last_ = std::max(last_, slot);
  if (std::holds_alternative<Check>(here)) checked_ = slot;
  for (const ValueId id : reads_of(here))
    values_[at(id)].read = std::max(values_[at(id)].read, slot);
  for (const ValueId id : writes_of(here)) values_[at(id)].writers.emplace_back(slot, step);
  for (const std::string& name : used_by(here, graph_.values))
    symbols_[name].read = std::max(symbols_[name].read, slot);
  for (const std::string& name : found_by(here)) symbols_[name].writers.emplace_back(slot, step);
}

LiveBytes::LiveBytes(const KernelGraph& graph, const std::map<StepId, KernelSchedule>& kernels)
    : values_(graph.values.size()) {
  for (size_t v = 0; v < values_.size(); ++v) {
    const Value& value = graph.values[v];
    if (value.kind != ValueKind::internal) continue;
    values_[v].bytes = size_bytes(value.type, std::max<int64_t>(0, at_hints(product(value.shape))));
  }
  for (const Step& step : graph.steps) {
    const auto number = static_cast<int>(scratch_.size());
    for (const ValueId id : reads_of(step)) values_[at(id)].steps.push_back(number);
    for (const ValueId id : writes_of(step)) {
      values_[at(id)].steps.push_back(number);
      values_[at(id)].written = true;
    }
    const auto schedule = kernels.find(step.id);
    scratch_.push_back(schedule == kernels.end() ? 0 : at_hints(schedule->second.scratch_bytes));
    slot_of_.push_back(number);
  }
  given_peak_ = peak(slot_of_);
}

int64_t LiveBytes::peak(const std::vector<int>& slot_of) const {
  std::vector<int64_t> change(slot_of.size() + 2, 0);
  for (const Touched& value : values_) {
    if (!value.written || value.bytes == 0) continue;
    int first = slot_of[at(value.steps[0])], last = first;
    for (const int step : value.steps) {
      first = std::min(first, slot_of[at(step)]);
      last = std::max(last, slot_of[at(step)]);
    }
    change[at(first)] += value.bytes;
    change[at(last) + 1] -= value.bytes;
  }
  for (size_t step = 0; step < slot_of.size(); ++step) {
    change[at(slot_of[step])] += scratch_[step];
    change[at(slot_of[step]) + 1] -= scratch_[step];
  }
  int64_t sum = 0, most = 0;
  for (const int64_t one : change) most = std::max(most, sum += one);
  return most;
}

int64_t LiveBytes::peak_with(int step, int slot) const {
  std::vector<int> slots = slot_of_;
  slots[at(step)] = slot;
  for (size_t later = at(step) + 1; later < slots.size(); ++later)
    slots[later] = slots_ + static_cast<int>(later) - step - 1;
  return peak(slots);
}

void LiveBytes::place(int step, int slot, int slots) {
  slots_ = slots;
  slot_of_[at(step)] = slot;
  for (size_t later = at(step) + 1; later < slot_of_.size(); ++later)
    slot_of_[later] = slots_ + static_cast<int>(later) - step - 1;
}

}  // namespace burin
