// Tiles of products that are given: measured ones (select/device/tuning.h), those of a lock.
#pragma once

#include <optional>

#include "select/products/group_tile.h"
#include "select/verbs/verbs.h"

namespace burin {

// Of the verb "group tile"; nullopt: it is not given, or beyond any device.
std::optional<GroupTile> given_group_tile(const Given& given);

// The tile with the time that the count gives it; nullopt where a product of this size or the
// device cannot have it.
std::optional<TileChoice> measured_tile(const GroupTile& tile, const ProductSize& size,
                                        const Hardware& hardware);

}  // namespace burin
