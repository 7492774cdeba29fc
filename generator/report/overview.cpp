#include "report/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hardware/capabilities.h"
#include "kernel/run_order.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr size_t kMostBars = 8;
constexpr int kBar = 24;  // characters of the longest bar

std::string first_nodes(const std::vector<Origin>& all) {
  const std::vector<Origin> nodes = telling_first(all);
  std::string out;
  for (size_t i = 0; i < nodes.size() && i < 2; ++i)
    out += (i ? ", " : "") + nodes[i].op + " " + burin::quoted(nodes[i].node);
  if (nodes.size() > 2) out += fmt::format(" and {} more", nodes.size() - 2);
  return out;
}

// Bytes that are taken while each step runs, at the hints, and what of them is its scratch.
void warn_of_scratch(const ModelPlan& plan, const Analysis& analysis, Overview& out) {
  const MemoryPlan& memory = plan.memory;
  const auto bytes_at = [&](const Dim& dim) {
    return evaluate(memory, dim,
                    [&](const Symbol& symbol) { return plan.size_limits.usual(symbol); });
  };
  int64_t most = 0, scratch_at_most = 0;
  StepId step_of_most = kNoStep;
  const Positions positions(plan.graph);
  for (const ScratchPlacement& scratch : memory.scratch) {
    const int position = positions.at(scratch.step);
    const int64_t own = bytes_at(scratch.bytes * scratch.workers);
    int64_t taken = own;
    for (const PlannedBuffer& buffer : memory.buffers) {
      const bool live = std::any_of(buffer.live.begin(), buffer.live.end(), [&](const auto& one) {
        return one.first <= position && position <= one.last;
      });
      const bool is_scratch = buffer.live.size() == 1 && buffer.live[0].first == position &&
                              buffer.live[0].last == position;
      if (live && !is_scratch) taken += bytes_at(buffer.bytes);
    }
    if (taken > most) most = taken, scratch_at_most = own, step_of_most = scratch.step;
  }
  if (step_of_most == kNoStep || scratch_at_most * 2 < out.arena_bytes || out.arena_bytes == 0)
    return;
  for (const KernelFigures& kernel : analysis.kernels) {
    if (kernel.step != step_of_most) continue;
    out.warnings.push_back(fmt::format("the scratch of step {} ({}) makes the peak: {} of {} bytes",
                                       kernel.position, first_nodes(kernel.nodes), scratch_at_most,
                                       out.arena_bytes));
  }
}

bool is_byte(Type type) { return !is_float(type) && type != Type::boolean && size_bits(type) <= 8; }

// Products of quantised numbers that are not computed as such.
void warn_of_floats(const ModelPlan& plan, Overview& out) {
  int64_t count = 0;
  std::string first;
  for_each_step(plan.graph.steps, [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel) return;
    const std::vector<ValueId> reads = reads_of(step);
    const bool bytes = std::count_if(reads.begin(), reads.end(), [&](ValueId id) {
                         return is_byte(plan.graph.values[static_cast<size_t>(id)].type);
                       }) >= 1;
    const bool floats = std::any_of(kernel->lets.begin(), kernel->lets.end(), [](const Let& let) {
      return let.op == Combiner::sum && !let.accumulator.empty() && is_float(let.accumulator[0]);
    });
    if (!bytes || !floats) return;
    if (count++ == 0) first = first_nodes(kernel->origins.list());
  });
  if (count > 0)
    out.warnings.push_back(
        fmt::format("{} kernel{} of quantised numbers sum{} in floats; the first "
                    "is {}",
                    count, count == 1 ? "" : "s", count == 1 ? "s" : "", first));
}

// What the time rests on. A compiler may use vectors of which a description knows nothing.
std::string peaks_of(const Hardware& hardware) {
  std::string out = std::to_string(hardware.clock_mhz) + " MHz";
  if (has_device(hardware)) return out;
  const int lanes = hardware.vector.lanes(4);
  return out + (lanes > 1 ? ", vectors of " + std::to_string(lanes) + " floats" : ", no vectors");
}

}  // namespace

std::string usual_sizes(const ModelPlan& plan) {
  std::string out;
  for (const Symbol& symbol : plan.graph.symbols) {
    out += (out.empty() ? "" : ", ") + burin::quoted(symbol->name) + " = " +
           std::to_string(plan.size_limits.usual(symbol));
  }
  return out;
}

Overview overview(const ModelPlan& plan, const Analysis& analysis, int64_t weights_bytes) {
  Overview out;
  out.parameters = analysis.parameters;
  out.macs = analysis.macs;
  out.weights_bytes = weights_bytes;
  out.arena_bytes = analysis.arena_at_hints;
  out.device = has_device(plan.hardware);
  out.at = usual_sizes(plan);
  out.machine = peaks_of(plan.hardware);
  const MemoryPlan& memory = plan.memory;
  if (memory.arena_bytes.is_constant()) {
    out.arena_most = memory.arena_bytes.constant();
  } else {
    out.arena_most = memory.arena_bound;
  }
  for (const std::string& name : memory.open_sizes)
    out.open += (out.open.empty() ? "" : " ") + dim_flag(name, "1..MOST");
  for (const KernelFigures& kernel : analysis.kernels) {
    if (kernel.dropped) continue;
    const auto ns = static_cast<int64_t>(kernel.work.least_ns(plan.hardware));
    out.least_ns += ns;
    out.kernels.push_back({first_nodes(kernel.nodes), kernel.work.macs, ns, kernel.step});
  }
  std::stable_sort(out.kernels.begin(), out.kernels.end(),
                   [](const KernelShare& a, const KernelShare& b) { return a.ns > b.ns; });
  warn_of_floats(plan, out);
  if (!out.device) warn_of_scratch(plan, analysis, out);
  if (!out.arena_most && !out.open.empty())
    out.warnings.push_back("no number is enough memory for every size; bound them with " +
                           out.open);
  return out;
}

int64_t Overview::least_of(StepId step) const {
  for (const KernelShare& one : kernels) {
    if (one.step == step) return one.ns;
  }
  return 0;
}

std::string with_separators(int64_t number) {
  std::string out = std::to_string(number);
  for (auto at = static_cast<int64_t>(out.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    out.insert(static_cast<size_t>(at), ",");
  return out;
}

std::string bytes_text(int64_t bytes) {
  constexpr int64_t kKiB = 1024, kMiB = kKiB * kKiB;
  if (bytes < 10 * kKiB) return fmt::format("{} bytes", bytes);
  if (bytes < kMiB) return fmt::format("{} bytes ({:.1f} KiB)", bytes, double(bytes) / kKiB);
  return fmt::format("{} bytes ({:.1f} MiB)", bytes, double(bytes) / kMiB);
}

std::string time_text(int64_t ns) {
  if (ns < 1000) return fmt::format("{} ns", ns);
  if (ns < 1000 * 1000) return fmt::format("{:.3g} us", double(ns) / 1e3);
  if (ns < 1000 * 1000 * 1000) return fmt::format("{:.3g} ms", double(ns) / 1e6);
  return fmt::format("{:.3g} s", double(ns) / 1e9);
}

std::string memory_text(const Overview& overview) {
  std::string out = bytes_text(overview.arena_bytes) + " of arena";
  if (overview.device) out += " on the device";
  if (overview.arena_most && *overview.arena_most != overview.arena_bytes) {
    out += " at " + overview.at + ", at most " + bytes_text(*overview.arena_most);
  } else if (!overview.arena_most) {
    out += " at " + overview.at;
  }
  return out;
}

std::string to_text(const Overview& overview) {
  std::string out;
  out += fmt::format("parameters  {}\n", with_separators(overview.parameters));
  out += fmt::format("MACs        {}{}\n", with_separators(overview.macs),
                     overview.at.empty() ? "" : " at " + overview.at);
  out +=
      fmt::format("flash       {} of weights, and the code\n", bytes_text(overview.weights_bytes));
  out += fmt::format("RAM         {}\n", memory_text(overview));
  out += fmt::format("time        at least {} on a machine that is as described ({})\n",
                     time_text(overview.least_ns), overview.machine);
  const int64_t longest = overview.kernels.empty() ? 0 : overview.kernels[0].ns;
  if (longest > 0) out += "\nkernels, the longest first:\n";
  for (size_t i = 0; longest > 0 && i < overview.kernels.size() && i < kMostBars; ++i) {
    const KernelShare& one = overview.kernels[i];
    const auto length = static_cast<size_t>((one.ns * kBar + longest - 1) / longest);
    out += fmt::format("  {:<24} {:>3}%  {}\n", std::string(length, '#'),
                       one.ns * 100 / std::max<int64_t>(1, overview.least_ns), one.nodes);
  }
  if (longest > 0 && overview.kernels.size() > kMostBars)
    out += fmt::format("  and {} more\n", overview.kernels.size() - kMostBars);
  for (const std::string& warning : overview.warnings) out += "\nwarning: " + warning + "\n";
  return out;
}

}  // namespace burin
