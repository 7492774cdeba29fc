// Tiles of products that are given: measured ones (select/device/tuning.h), those of a lock.
#pragma once

#include <optional>

#include "select/tiles/group_tile.h"
#include "select/verbs/verbs.h"

namespace burin {

// A tile as the verb "group tile", and the one that is given; nullopt: none, or beyond any device.
Verb verb_of(const GroupTile& tile);
std::optional<GroupTile> given_group_tile(const Given& given);

// The tile with the time that the count gives it; nullopt where a product of this size or the
// device cannot have it.
std::optional<TileChoice> measured_tile(const GroupTile& tile, const ProductSize& size,
                                        const Hardware& hardware);

}  // namespace burin
