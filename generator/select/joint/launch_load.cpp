#include "select/joint/launch_load.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "select/device/cooperative_groups.h"
#include "select/device/element_cost.h"
#include "select/device/launch_walk.h"

namespace burin {
namespace {

constexpr int kFloat = 4;          // bytes
constexpr int kMostResident = 32;  // work-groups that are of use at a time
// Bytes of a tensor among the arguments: where its buffer is, and where in it the tensor starts.
constexpr int64_t kTensorArgument = 16, kNumberArgument = 8;

double hinted(const Dim& dim) { return static_cast<double>(std::max<int64_t>(0, at_hints(dim))); }

class Loader {
 public:
  Loader(const KernelSchedule& schedule, const Launch& launch, const Hardware& hardware)
      : schedule_(schedule), kernel_(schedule.kernel), launch_(launch), hardware_(hardware) {}

  LaunchLoad run() {
    out_.parameter_bytes = parameters();
    out_.images_read = schedule_.images_read;
    out_.images_written = schedule_.images_written;
    if (launch_.product) {
      product();
    } else if (launch_.attention) {
      attention();
    } else if (launch_.cooperative > 0) {
      cooperative();
    } else {
      items();
    }
    return std::move(out_);
  }

 private:
  double far_latency() const { return hardware_.memory.caches.back().latency_cycles; }

  // At most: what is not used is left out when the launch is printed.
  int64_t parameters() const {
    const Step step = kernel_;
    const auto tensors = static_cast<int64_t>(reads_of(step).size() + writes_of(step).size());
    return kTensorArgument * (tensors + 1) +
           kNumberArgument * static_cast<int64_t>(symbols_of(step).size());
  }

  // Each work-item has one point.
  void items() {
    for (const Dimension& dimension : launch_.dimensions) {
      out_.items *= dimension.local;
      out_.groups *= ceildiv(dimension.extent, dimension.local);
    }
    out_.registers = kOtherRegisters + 2 * static_cast<int64_t>(kernel_.lets.size());
    const ItemWork each = work_at_hints(launch_.nodes, kernel_);
    const double points = launch_.coarsening * double(launch_.texels < 0 ? 1 : launch_.lanes);
    finish(points * each.operations, points * each.loads);
  }

  // A work-group has one point: every work-item a part of its loops.
  void cooperative() {
    out_.items = launch_.cooperative;
    out_.barriers = true;
    for (const Dimension& dimension : launch_.dimensions) out_.groups *= dimension.extent;
    out_.registers = kOtherRegisters + 2 * static_cast<int64_t>(kernel_.lets.size());
    std::set<Type> rooms;  // one for the sums of each type
    double operations = 0, loads = 0;
    for (const LoopNode& node : launch_.nodes) {
      const ItemWork all = work_at_hints({node}, kernel_);
      const bool loop = std::holds_alternative<ForLoop>(node.node);
      operations += std::ceil(loop ? all.operations / launch_.cooperative : all.operations);
      loads += loop ? all.loads / launch_.cooperative : all.loads;
      if (const auto* end = std::get_if<EndLet>(&node.node)) {
        operations += kOperationsPerJoin * std::log2(launch_.cooperative);
        rooms.insert(kernel_.lets[static_cast<size_t>(end->let)].accumulator[0]);
      }
    }
    for (const Type type : rooms)
      out_.local_bytes += int64_t{launch_.cooperative} * std::max(kFloat, size_bits(type) / 8);
    finish(operations, loads);
  }

  // Of work-items that do so much each, one operation after the other.
  void finish(double operations, double loads) {
    const OpenClDevice& device = hardware_.opencl;
    const double near = hardware_.memory.caches.front().bandwidth_bytes_per_cycle;
    out_.alone_cycles = operations * device.operation_cycles + far_latency();
    out_.busy_cycles =
        std::max(operations * out_.items / device.lanes, loads * kFloat * out_.items / near);
  }

  void product() {
    const Product& product = *launch_.product;
    const GroupTile& tile = product.tile;
    out_.items = tile.items();
    out_.barriers = true;
    out_.groups = ceildiv(launch_.dimensions[0].extent, tile.columns) *
                  ceildiv(launch_.dimensions[1].extent, tile.rows) * launch_.dimensions[2].extent;
    out_.local_bytes = tile.local_bytes();
    out_.registers = registers_of(tile);
    const auto staging = [&](const StagedFactor& factor) {
      return factor.panels != kNoValue ? kLeastStagedWork
                                       : work_of(factor.element, hardware_.opencl);
    };
    const StepTime step = step_time(tile, staging(product.a), staging(product.b), hardware_);
    const double steps =
        hinted(kernel_.axes[static_cast<size_t>(product.step)].extent) + 1;  // the first is fetched
    out_.alone_cycles = steps * step.alone;
    out_.busy_cycles = steps * step.busy;
  }

  void attention() {
    const GroupAttention& one = *launch_.attention;
    const OpenClDevice& device = hardware_.opencl;
    out_.items = one.items;
    out_.barriers = true;
    out_.groups = ceildiv(launch_.dimensions[0].extent, one.queries) * launch_.dimensions[1].extent;
    out_.local_bytes = one.local_bytes();
    const int64_t each = one.items / one.queries;
    out_.registers = kOtherRegisters + one.elements / each + one.queries * one.keys / one.items;
    const double blocks = std::ceil(hinted(one.form.keys) / one.keys);
    double sums = one.depth + one.elements;
    for (const PositionTable& table : one.form.positions) sums += hinted(table.depth_extent);
    const double products = double{1} * one.queries * one.keys * sums;
    // Keys, then values come from memory.
    out_.alone_cycles = blocks * (products / one.items + 2 * far_latency());
    out_.busy_cycles = blocks * products / device.lanes;
  }

  const KernelSchedule& schedule_;
  const Kernel& kernel_;
  const Launch& launch_;
  const Hardware& hardware_;
  LaunchLoad out_;
};

// When as many places as a device has become free, for work-groups that take the next free one.
class Places {
 public:
  explicit Places(double places) : places_(places) { free_[0] = places; }

  void take(double groups, double time) {
    if (time <= 0) return;
    // Whole rounds move all places alike.
    const double rounds = std::floor(groups / places_);
    if (rounds > 0) {
      std::map<double, double> later;
      for (const auto& [at, count] : free_) later[at + rounds * time] += count;
      free_ = std::move(later);
      groups -= rounds * places_;
    }
    while (groups > 0) {
      const auto [at, count] = *free_.begin();
      const double taken = std::min(count, groups);
      free_.erase(free_.begin());
      if (count > taken) free_[at] += count - taken;
      free_[at + time] += taken;
      groups -= taken;
    }
  }
  double end() const { return free_.rbegin()->first; }

 private:
  double places_;
  std::map<double, double> free_;  // time: places
};

}  // namespace

LaunchLoad load_of(const KernelSchedule& schedule, const Launch& launch, const Hardware& hardware) {
  return Loader(schedule, launch, hardware).run();
}

LaunchLoad in_groups_of(const LaunchLoad& load, int items) {
  if (items == load.items) return load;
  LaunchLoad out = load;
  const double times = double(items) / load.items;
  out.items = items;
  out.groups = ceildiv(load.groups * load.items, items);
  out.busy_cycles *= times;
  // Each of its own work-groups keeps its local memory.
  out.local_bytes = static_cast<int64_t>(std::ceil(double(load.local_bytes) * times));
  return out;
}

int64_t resident_groups(const std::vector<LaunchLoad>& members, const Hardware& hardware) {
  int64_t items = 1, registers = 1, local = 0;
  for (const LaunchLoad& one : members) {
    items = std::max<int64_t>(items, one.items);
    registers = std::max(registers, one.registers);
    local = std::max(local, one.local_bytes);
  }
  const OpenClDevice& device = hardware.opencl;
  int64_t most = std::min<int64_t>(device.register_bytes / (registers * kFloat * items),
                                   device.items_max / items);
  if (local > 0) most = std::min(most, device.unit_local_memory_bytes / local);
  return std::clamp<int64_t>(most, 1, kMostResident);
}

double launch_us(const std::vector<LaunchLoad>& members, const Hardware& hardware) {
  const double units = hardware.opencl.compute_units;
  Places waiting(units * double(resident_groups(members, hardware))), busy(units);
  for (const LaunchLoad& one : members) {
    waiting.take(hinted(one.groups), one.alone_cycles);
    busy.take(hinted(one.groups), one.busy_cycles);
  }
  return hardware.opencl.launch_us + std::max(waiting.end(), busy.end()) / hardware.clock_mhz;
}

}  // namespace burin
