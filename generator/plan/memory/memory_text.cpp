// Text of memory plans.
#include <algorithm>
#include <tuple>

#include "kernel/run_order.h"
#include "plan/memory/memory_plan.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

std::string value_text(ValueId id) { return "v" + std::to_string(id); }

std::string to_text(const std::vector<Interval>& live) {
  std::string text;
  for (const Interval& interval : live) {
    text += (text.empty() ? "" : " ") + std::to_string(interval.first) + ".." +
            std::to_string(interval.last);
  }
  return text;
}

std::string summary(const MemoryPlan& plan) {
  std::string text = "arena " + to_string(plan.arena_bytes) + " bytes, lower bound " +
                     to_string(plan.lower_bound) + ", without reuse " + to_string(plan.naive_bytes);
  if (plan.arena_bound && !plan.arena_bytes.is_constant()) {
    text += ", at most " + std::to_string(*plan.arena_bound);
  }
  text += plan.optimal ? ", optimal" : ", not proven optimal";
  if (!plan.arena_bytes.is_constant()) text += " at the hints";
  text += "; alignment " + std::to_string(plan.alignment) + "; " + plan.method;
  if (plan.nodes > 0) text += ", " + std::to_string(plan.nodes) + " nodes";
  return text + "\n";
}

std::string place_of(const Placement& placement) {
  const std::string offset = to_string(placement.offset);
  return placement.root == kNoValue ? offset : value_text(placement.root) + " + " + offset;
}

// Columns to the width of their longest entry; the last one is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string_view to_string(Sharing sharing) {
  static constexpr std::string_view kNames[] = {"none", "own", "in place of", "view of", "part of"};
  return kNames[static_cast<size_t>(sharing)];
}

std::string to_string(const SharedMemory& shared) {
  std::string text;
  for (size_t v = 0; v < shared.bytes.sharing.size(); ++v) {
    if (shared.bytes.base[v] == kNoValue) continue;
    text += value_text(static_cast<ValueId>(v)) + " " +
            std::string(to_string(shared.bytes.sharing[v])) + " " +
            value_text(shared.bytes.base[v]) + "\n";
  }
  for (const StepId step : shared.bytes.dropped) text += "dropped " + to_string(step) + "\n";
  return text;
}

std::string to_string(const MemoryPlan& plan) {
  std::string text = summary(plan);
  for (const NamedSize& named : plan.named) {
    text += quoted(named.symbol->name) + " = " + to_string(named.value) + "\n";
  }
  for (size_t v = 0; v < plan.values.size(); ++v) {
    const Placement& placement = plan.values[v];
    if (placement.sharing == Sharing::none) continue;
    text += value_text(static_cast<ValueId>(v)) + ": " + to_string(placement.bytes) + " bytes at " +
            place_of(placement) + ", live " + to_text(placement.live);
    if (placement.base != kNoValue) {
      text += ", " + std::string(to_string(placement.sharing)) + " " + value_text(placement.base);
    }
    text += "\n";
  }
  for (const ScratchPlacement& scratch : plan.scratch) {
    text += "scratch of " + to_string(scratch.step) + ": " + to_string(scratch.bytes) +
            " bytes at " + to_string(scratch.offset) + ", " + to_string(scratch.workers) +
            " times every " + to_string(scratch.stride) + "\n";
  }
  for (const StepId step : plan.dropped) text += "dropped " + to_string(step) + "\n";
  return text;
}

std::string memory_map(const MemoryPlan& plan, const KernelGraph& graph) {
  // The order of the arena, then of time: what lies together stands together.
  std::vector<size_t> order;
  for (size_t v = 0; v < plan.values.size(); ++v) {
    if (plan.values[v].sharing != Sharing::none) order.push_back(v);
  }
  const auto hints = [](const Symbol& symbol) { return at_hints(Index::symbol(symbol)); };
  std::vector<int64_t> offsets(plan.values.size(), 0);
  for (const size_t v : order) offsets[v] = evaluate(plan, plan.values[v].offset, hints);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const Placement& x = plan.values[a];
    const Placement& y = plan.values[b];
    return std::tuple(x.root, offsets[a], x.live.front().first) <
           std::tuple(y.root, offsets[b], y.live.front().first);
  });
  std::vector<std::vector<std::string>> rows = {{"offset", "bytes", "steps", "value", "shares"}};
  for (const size_t v : order) {
    const Placement& placement = plan.values[v];
    std::string shares;
    if (placement.base != kNoValue) {
      shares = std::string(to_string(placement.sharing)) + " " +
               quoted(graph.values[static_cast<size_t>(placement.base)].name);
    }
    rows.push_back({place_of(placement), to_string(placement.bytes), to_text(placement.live),
                    quoted(graph.values[v].name), std::move(shares)});
  }
  const Positions positions(graph);
  for (const ScratchPlacement& scratch : plan.scratch) {
    const int position = positions.at(scratch.step);
    rows.push_back({to_string(scratch.offset), to_string(scratch.bytes),
                    to_text({{position, position}}), "scratch", ""});
  }
  return summary(plan) + table(rows);
}

}  // namespace burin
