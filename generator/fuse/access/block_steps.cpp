#include "fuse/access/block_steps.h"

#include <algorithm>
#include <utility>

#include "fuse/access/access.h"
#include "kernel/defined_symbols.h"
#include "kernel/index/effort.h"
#include "kernel/rewrite_kernel.h"

namespace burin {

BlockSteps::BlockSteps(Steps& steps, std::vector<Value>& values, const Shared& shared)
    : values_(values), shared_(shared) {
  for (Step& step : steps) steps_.emplace_back(std::move(step));
  versions_.resize(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    add(static_cast<int>(i));
    for (const std::string& symbol : defined_symbols(*steps_[i]))
      binds_[symbol].insert(static_cast<int>(i));
  }
}

Kernel* BlockSteps::kernel(int at) {
  std::optional<Step>& step = steps_[static_cast<size_t>(at)];
  return step ? std::get_if<Kernel>(&*step) : nullptr;
}

void BlockSteps::add(int at) {
  for (const ValueId id : reads_of(*steps_[static_cast<size_t>(at)])) readers_[id].insert(at);
  for (const ValueId id : writes_of(*steps_[static_cast<size_t>(at)])) writers_[id].insert(at);
}

void BlockSteps::remove(int at) {
  for (const ValueId id : reads_of(*steps_[static_cast<size_t>(at)])) readers_[id].erase(at);
  for (const ValueId id : writes_of(*steps_[static_cast<size_t>(at)])) writers_[id].erase(at);
}

void BlockSteps::replace(int at, Step step) {
  remove(at);
  ++versions_[static_cast<size_t>(at)];
  steps_[static_cast<size_t>(at)] = std::move(step);
  add(at);
  changed = true;
}

void BlockSteps::keep_apart(int at, int reader) {
  apart_.insert(
      {at, versions_[static_cast<size_t>(at)], reader, versions_[static_cast<size_t>(reader)]});
}

bool BlockSteps::is_kept_apart(int at, int reader) const {
  return apart_.contains(
      {at, versions_[static_cast<size_t>(at)], reader, versions_[static_cast<size_t>(reader)]});
}

void BlockSteps::erase(int at) {
  remove(at);
  steps_[static_cast<size_t>(at)].reset();
  changed = true;
}

Steps BlockSteps::take() {
  Steps out;
  for (std::optional<Step>& step : steps_) {
    if (step) out.push_back(std::move(*step));
  }
  return out;
}

namespace {

const std::set<int>& places(const std::map<ValueId, std::set<int>>& of, ValueId id) {
  static const std::set<int> kNone;
  const auto at = of.find(id);
  return at == of.end() ? kNone : at->second;
}

}  // namespace

const std::set<int>& BlockSteps::readers(ValueId id) const { return places(readers_, id); }
const std::set<int>& BlockSteps::writers(ValueId id) const { return places(writers_, id); }

bool BlockSteps::is_private(ValueId id) const {
  return value(id).kind == ValueKind::internal && !shared_.values.contains(id) &&
         writers(id).size() == 1;
}

namespace {

// Symbols of a kernel and of the sizes of what it reads and writes.
std::vector<Symbol> used_symbols(const Kernel& kernel, const std::vector<Value>& values) {
  std::vector<Symbol> used = symbols_of(kernel);
  for (const std::vector<ValueId>& touched : {reads_of(kernel), writes_of(kernel)}) {
    for (const ValueId id : touched) {
      for (const Dim& dim : values[static_cast<size_t>(id)].shape) dim.collect_symbols(used);
    }
  }
  return used;
}

// Whether one of the places is in [from, to).
bool any_between(const std::set<int>& places, int from, int to) {
  const auto next = places.lower_bound(from);
  return next != places.end() && *next < to;
}

}  // namespace

bool BlockSteps::sizes_are_stable(const Kernel& kernel) const {
  if (binds_.empty()) return true;
  int first = static_cast<int>(size()), last = -1;
  for (const Write& write : kernel.writes) {
    if (!writers(write.to).empty()) first = std::min(first, *writers(write.to).begin());
    if (!readers(write.to).empty()) last = std::max(last, *readers(write.to).rbegin());
  }
  if (first >= last) return true;
  return binds_none(used_symbols(kernel, values_), first + 1, last);
}

bool BlockSteps::reads_are_stable(const Kernel& kernel) const {
  if (!sizes_are_stable(kernel)) return false;
  const std::vector<ValueId> reads = reads_of(kernel);
  return std::all_of(reads.begin(), reads.end(), [&](ValueId id) {
    const auto at = shared_.writers.find(id);
    return at == shared_.writers.end() || at->second <= 1;
  });
}

bool BlockSteps::reads_are_stable_from(int at, const Kernel& kernel) const {
  if (!sizes_are_stable(kernel)) return false;
  const std::vector<ValueId> reads = reads_of(kernel);
  return std::all_of(reads.begin(), reads.end(), [&](ValueId id) {
    const auto all = shared_.writers.find(id);
    if (all == shared_.writers.end() || all->second <= 1) return true;
    const std::set<int> own = writers(id);
    return !shared_.values.contains(id) && !own.empty() && *own.rbegin() < at;
  });
}

bool BlockSteps::binds_none(const std::vector<Symbol>& symbols, int from, int to) const {
  return std::none_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
    const auto bound = binds_.find(symbol->name);
    return bound != binds_.end() && any_between(bound->second, from, to);
  });
}

bool BlockSteps::may_run_at(int to, int at) {
  const Kernel& moved = *kernel(at);
  const std::vector<ValueId> reads = reads_of(moved);
  return binds_none(used_symbols(moved, values_), to, at) && reads_are_stable(moved) &&
         std::none_of(reads.begin(), reads.end(),
                      [&](ValueId id) { return any_between(writers(id), to, at); });
}

int BlockSteps::maker(ValueId id) {
  if (!is_private(id)) return -1;
  const int at = *writers(id).begin();
  const Kernel* one = kernel(at);
  return one && reads_are_stable(*one) ? at : -1;
}

int BlockSteps::only_maker(ValueId id) { return readers(id).size() == 1 ? maker(id) : -1; }

Kernel inlined(const Kernel& reader, const Kernel& map) { return inlined(reader, {&map}); }

Kernel inlined(const Kernel& reader, const std::vector<const Kernel*>& maps) {
  // Indices that do not cancel grow, and the work on them grows with their square and more. Those
  // of models as exporters write them take less than a third of what is given here.
  const Effort effort(kEffort);
  std::map<ValueId, const Kernel*> makers;
  for (const Kernel* map : maps) makers.emplace(map->writes[0].to, map);
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load) return expr;
    const auto maker = makers.find(expr->id);
    return maker == makers.end() ? expr : value_at(*maker->second, expr->at);
  };
  Kernel out = reader;
  rewrite_exprs(out, on_expr);
  Effort::check();
  for (const Kernel* map : maps) merge_origins(out, *map, true);
  return out;
}

void merge_origins(Kernel& into, const Kernel& from, bool first) {
  into.origins = first ? Origins::merged(from.origins, into.origins)
                       : Origins::merged(into.origins, from.origins);
}

}  // namespace burin
