// The checker of image plans. It knows nothing of candidates or costs: it looks at what is an image
// and at the launches as they are.
#include <algorithm>
#include <set>

#include "select/device/launch_walk.h"
#include "select/images/image_plan.h"
#include "support/at.h"

namespace burin {
namespace {

class ImageChecker {
 public:
  ImageChecker(const ImagePlan& plan, const KernelGraph& graph,
               const std::map<StepId, KernelSchedule>& kernels, const Hardware& hardware)
      : plan_(plan), graph_(graph), kernels_(kernels), images_(hardware.opencl.images) {}

  std::string run() {
    for (const auto& [id, map] : plan_.maps) one(id, map);
    if (!fault_.empty()) return fault_;
    std::set<const Step*> own;
    for (const Step& step : graph_.steps) own.insert(&step);
    for_each_step(graph_.steps, [&](const Step& step) {
      const Kernel* kernel = std::get_if<Kernel>(&step);
      const std::vector<ValueId> reads = reads_of(step), writes = writes_of(step);
      for (const auto* list : {&reads, &writes}) {
        for (const ValueId id : *list) {
          if (plan_.maps.contains(id) && (!kernel || !own.contains(&step)))
            fault(id, "is used by more than kernels");
        }
      }
      if (kernel) uses(*kernel, kernels_.at(step.id), reads);
    });
    for (const auto& [id, map] : plan_.maps) {
      if (graph_.values[at(id)].kind == ValueKind::internal && written_[id] != 1)
        fault(id, "is not written by one statement");
    }
    return fault_;
  }

 private:
  void fault(ValueId id, const std::string& what) {
    if (fault_.empty())
      fault_ = "image v" + std::to_string(id) + " '" + graph_.values[at(id)].name + "' " + what;
  }

  void one(ValueId id, const ImageMap& map) {
    const Value& value = graph_.values[at(id)];
    if (value.kind != ValueKind::internal && value.kind != ValueKind::constant)
      fault(id, "is the caller's");
    if (!((value.type == Type::f32 && images_.f32) || (value.type == Type::f16 && images_.f16)))
      fault(id, "has components that the device has not");
    std::vector<int> all = map.x;
    all.insert(all.end(), map.y.begin(), map.y.end());
    std::sort(all.begin(), all.end());
    for (size_t d = 0; d < all.size(); ++d) {
      if (all[d] != static_cast<int>(d)) fault(id, "has a dimension twice or not at all");
    }
    if (all.size() != value.shape.size() || map.texel < 0 || at(map.texel) >= all.size()) {
      fault(id, "has a map of another rank");
      return;
    }
    const ImageExtent extent = image_extent(map, value.shape);
    const auto fits = [](const Dim& size, int most) {
      return size.range().hi != kUnbounded && size.range().hi <= most;
    };
    if (!fits(extent.width, images_.width_max) || !fits(extent.height, images_.height_max))
      fault(id, "is larger than images of the device");
  }

  // Only read or only written; written in whole texels.
  void uses(const Kernel& kernel, const KernelSchedule& schedule,
            const std::vector<ValueId>& reads) {
    int read = 0, written = 0;
    for (const ValueId id : reads) read += plan_.maps.contains(id);
    std::set<ValueId> targets;
    for (const Write& write : kernel.writes) {
      if (!plan_.maps.contains(write.to)) continue;
      ++written;
      if (!targets.insert(write.to).second) fault(write.to, "is written twice by one kernel");
      if (std::binary_search(reads.begin(), reads.end(), write.to))
        fault(write.to, "is read by the kernel that writes it");
      if (write.how != How::store) fault(write.to, "is written by combining");
    }
    if (read > images_.read_arguments_max || written > images_.written_arguments_max)
      fault(plan_.maps.begin()->first, "is one of too many images of a kernel");
    for (const Launch* launch : launches_of(schedule.launches)) {
      std::vector<const Store*> stores;
      for_each_statement(launch->nodes, [&](const LoopNode& node) {
        if (const auto* store = std::get_if<Store>(&node.node)) stores.push_back(store);
      });
      for (const Store* store : stores) writes_texels(schedule, *launch, store->write);
      // Attention stores by itself.
      if (launch->attention && stores.empty()) writes_texels(schedule, *launch, 0);
    }
  }

  // The four points of the launch's axis, from a multiple of four on, are the components of one
  // texel: found by moving the point by one.
  void writes_texels(const KernelSchedule& schedule, const Launch& launch, int number) {
    const Write& write = schedule.kernel.writes[at(number)];
    const auto map = plan_.maps.find(write.to);
    if (map == plan_.maps.end()) return;
    ++written_[write.to];
    if (launch.texels < 0 || launch.lanes != kTexel)
      return fault(write.to, "is written point by point");
    const Dim& extent = schedule.kernel.axes[at(launch.texels)].extent;
    const Index four =
        Index::axis(static_cast<int>(schedule.kernel.axes.size()), ceildiv(extent, kTexel));
    std::vector<ImagePoint> points;
    for (int lane = 0; lane < kTexel; ++lane) {
      std::vector<Index> at;
      for (const Index& index : write.at) {
        at.push_back(index.map_leaves([&](const Index& leaf) -> Index {
          const bool moves = leaf.kind() == IndexKind::axis && leaf.axis_id() == launch.texels;
          return moves ? four * kTexel + lane : leaf;
        }));
      }
      points.push_back(image_point(map->second, graph_.values[burin::at(write.to)].shape, at));
      if (!points.back().component.is_constant(lane) || points.back().x != points[0].x ||
          points.back().y != points[0].y)
        return fault(write.to, "is not written in whole texels");
    }
  }

  const ImagePlan& plan_;
  const KernelGraph& graph_;
  const std::map<StepId, KernelSchedule>& kernels_;
  const DeviceImages& images_;
  std::map<ValueId, int> written_;
  std::string fault_;
};

}  // namespace

std::string check_images(const ImagePlan& plan, const KernelGraph& graph,
                         const std::map<StepId, KernelSchedule>& kernels,
                         const Hardware& hardware) {
  return ImageChecker(plan, graph, kernels, hardware).run();
}

}  // namespace burin
