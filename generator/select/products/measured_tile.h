// Tiles of products that were measured (select/device/tuning.h).
#pragma once

#include <optional>

#include "select/products/group_tile.h"

namespace burin {

// The tile with the time that the count gives it; nullopt where a product of this size or the
// device cannot have it.
std::optional<TileChoice> measured_tile(const GroupTile& tile, const ProductSize& size,
                                        const Hardware& hardware);

}  // namespace burin
