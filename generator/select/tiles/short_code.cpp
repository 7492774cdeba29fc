#include "select/tiles/short_code.h"

#include <algorithm>

namespace burin {
namespace {

constexpr int kFloats = 4;  // of a vector of a tile

}  // namespace

Hardware tiles_of_scalars(Hardware hardware) {
  VectorUnit& unit = hardware.vector;
  if (unit.vector_bytes > 0) return hardware;
  unit.vector_bytes = kFloats * 4;
  unit.registers = std::max(1, unit.registers / kFloats);
  return hardware;
}

}  // namespace burin
