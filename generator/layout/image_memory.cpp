#include "layout/image_memory.h"

#include "support/check.h"

namespace burin {

std::map<ValueId, Constant> constants_in_images(const ImagePlan& plan,
                                                const std::vector<Value>& values) {
  std::map<ValueId, Constant> out;
  for (const auto& [id, map] : plan.maps) {
    const Value& value = values[static_cast<size_t>(id)];
    if (value.kind == ValueKind::constant) out[id] = make_constant(image_bytes(map, value));
  }
  return out;
}

ImagePool share_images(const ImagePlan& plan, const KernelGraph& graph, const AliasRules& rules) {
  std::vector<PooledImage> images;
  for (const auto& [id, map] : plan.maps) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    if (value.kind == ValueKind::constant) continue;
    ImageExtent extent = image_extent(map, value.shape);
    images.push_back({id, std::move(extent.width), std::move(extent.height)});
  }
  ImagePool pool = pool_images(graph, images, rules);
  const std::string fault = check_image_pool(pool, graph, images, rules);
  BURIN_CHECK(fault.empty(), fault);
  return pool;
}

}  // namespace burin
