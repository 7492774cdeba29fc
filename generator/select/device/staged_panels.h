// Panels of constants that products of a device stage (select/device/device_product.h).
#pragma once

#include <vector>

#include "select/schedule/kernel_schedule.h"

namespace burin {

// Whether a product of one of the kernels reads the value as panels.
bool has_panels(const std::vector<const KernelSchedule*>& kernels, ValueId value);

// Whether panels are staged in vectors of four lanes: they are whole ones, and no step ends within
// the depth.
bool reads_panels_in_vectors(const StagedFactor& factor, const GroupTile& tile, int width);

}  // namespace burin
