// The checker of pools of images: it follows the steps with a note per slot of which tensor it
// holds. Images belong to kernels of the graph's own list, so these are all that need be followed.
#include <algorithm>
#include <map>
#include <set>

#include "kernel/index/size_bound.h"
#include "plan/images/image_pool.h"
#include "support/at.h"

namespace burin {
namespace {

class ImagePoolChecker {
 public:
  ImagePoolChecker(const ImagePool& pool, const KernelGraph& graph, const AliasRules& rules)
      : pool_(pool), graph_(graph), rules_(rules) {}

  std::string run(const std::vector<PooledImage>& images) {
    for (size_t s = 0; s < pool_.slots.size(); ++s) {
      for (const ValueId id : pool_.slots[s].values) {
        if (!slot_.emplace(id, s).second) fault(id, "is in two slots");
      }
    }
    if (slot_.size() != images.size()) return "tensors in the pool that are no images";
    for (const PooledImage& image : images) {
      const auto found = slot_.find(image.value);
      if (found == slot_.end()) {
        fault(image.value, "has no slot");
        continue;
      }
      const ImageSlot& slot = pool_.slots[found->second];
      if (slot.type != graph_.values[at(image.value)].type) fault(image.value, "has another type");
      for (const auto& [size, room] :
           {std::pair(image.width, slot.width), std::pair(image.height, slot.height)}) {
        const std::optional<Dim> most = bound_before_run(size);
        if (!most || !proven_le(*most, room)) fault(image.value, "is larger than its slot");
        if (!is_known_before_run(room)) fault(image.value, "has a slot of dynamic size");
      }
    }
    if (fault_.empty()) follow();
    return fault_;
  }

 private:
  void fault(ValueId id, const std::string& what) {
    if (fault_.empty()) fault_ = "image '" + graph_.values[at(id)].name + "' " + what;
  }

  // Positions count what lies inside of regions too.
  void follow() {
    std::vector<const Step*> steps;
    for_each_step(graph_.steps, [&](const Step& step) { steps.push_back(&step); });
    for (size_t p = 0; p < steps.size();) {
      // All that runs at the same time reads before anything of it is known to be written.
      size_t end = p + 1;
      for (const AliasRule& rule : rules_) {
        const auto* group = std::get_if<Concurrent>(&rule);
        if (group && group->steps.front() == steps[p]->id) end = p + group->steps.size();
      }
      std::set<size_t> read, written;
      for (size_t i = p; i < end; ++i) {
        for (const ValueId id : reads_of(*steps[i])) {
          if (const auto found = slot_.find(id); found != slot_.end()) {
            read.insert(found->second);
            if (holds_[found->second] != id)
              fault(id, "is read where its slot holds another tensor");
          }
        }
      }
      for (size_t i = p; i < end; ++i) {
        for (const ValueId id : writes_of(*steps[i])) {
          const auto found = slot_.find(id);
          if (found == slot_.end()) continue;
          if (read.contains(found->second) || !written.insert(found->second).second)
            fault(id, "is written while its slot is in use");
          holds_[found->second] = id;
        }
      }
      p = end;
    }
  }

  const ImagePool& pool_;
  const KernelGraph& graph_;
  const AliasRules& rules_;
  std::map<ValueId, size_t> slot_;
  std::map<size_t, ValueId> holds_;
  std::string fault_;
};

}  // namespace

std::string check_image_pool(const ImagePool& pool, const KernelGraph& graph,
                             const std::vector<PooledImage>& images, const AliasRules& rules) {
  return ImagePoolChecker(pool, graph, rules).run(images);
}

}  // namespace burin
