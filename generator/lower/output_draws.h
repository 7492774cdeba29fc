// Which outputs of a model are drawn at random, and which are computed from such.
#pragma once

#include <optional>
#include <vector>

#include "kernel/draws.h"
#include "lower/lower.h"

namespace burin {

struct OutputDraw {
  bool depends = false;                           // its elements follow from draws
  bool shape_depends = false;                     // its extents do
  std::optional<Distribution> distribution = {};  // it is itself what was drawn
};

// In the order of the outputs.
std::vector<OutputDraw> output_draws(const Lowered& lowered);

}  // namespace burin
