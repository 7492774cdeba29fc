// Taps that few columns meet. A factor that is zero outside of a plane, by conditions of a tap and
// of a pixel (a dilated convolution and its margins), adds nothing at taps that no column of a
// block meets. Axes of such taps become the outermost loops of the depth, and each block of columns
// runs them from the first to the last tap that it meets: index-set splitting, by conditions.
//
// A block of columns has few rows of the plane, but all its columns. Where the plane is cut into
// stripes, one after the other, blocks have few columns, too, and meet fewer taps; their results
// then lie in pieces. Dilations of 24 on a plane of 33 x 33 with three stripes meet 29 % of the
// products.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "select/axes/guards.h"
#include "select/verbs/verbs.h"

namespace burin {

struct Contraction;
struct ContractionSchedule;

// `axis` of the depth adds something where the condition holds: lo <= k * axis + pixel < hi, where
// k may be less than zero (a transposed convolution).
struct MetTaps {
  int axis = -1;
  Condition when;
  bool operator==(const MetTaps&) const = default;
};

// The taps that columns [first, last] of axis `columns` meet, not yet clipped to the axis.
Bounds taps_met(const MetTaps& taps, int columns, const Index& first, const Index& last);

// A product whose blocks of columns skip taps that they do not meet, in as many stripes as leave it
// the least work; `whole`, where it has less. `find` makes the product of a kernel without a
// window, with axes that stay loops around blocks of columns. `given`: verb "met taps".
Contraction with_met_taps(Contraction whole, const Kernel& kernel, const std::vector<Value>& values,
                          const Given& given,
                          const std::function<std::optional<Contraction>(
                              const Kernel& kernel, const std::vector<int>& apart)>& find);

}  // namespace burin
