#include "select/device/staged_panels.h"

#include <algorithm>

#include "select/device/launch_walk.h"

namespace burin {

bool has_panels(const std::vector<const KernelSchedule*>& kernels, ValueId value) {
  const auto reads = [&](const Launch* launch) {
    return launch->product &&
           (launch->product->a.panels == value || launch->product->b.panels == value);
  };
  return std::any_of(kernels.begin(), kernels.end(), [&](const KernelSchedule* kernel) {
    const std::vector<const Launch*> launches = launches_of(kernel->launches);
    return std::any_of(launches.begin(), launches.end(), reads);
  });
}

bool reads_panels_in_vectors(const StagedFactor& factor, const GroupTile& tile, int width) {
  return factor.panels != kNoValue && factor.element.kind() == ExprKind::load && width % 4 == 0 &&
         tile.depth * width % (4 * tile.items()) == 0;
}

}  // namespace burin
