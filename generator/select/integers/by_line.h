// Whether the sums of a tile become bytes by a line (line.h): the description has the row for it,
// and what follows the sums is a line for each row of results, or begins with one.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "select/integers/constants.h"
#include "select/integers/plan.h"

namespace burin {

// Vectors of sums that the row takes at a time, where it may be used; 1: it may not.
int vectors_by_line(const IntegerPlan& plan, const Hardware& hardware);

// What the magnitude of a sum does not pass, for every point of what the constant factor has
// besides its `depths` reduced axes; less `offset`, and times bytes of type `other`.
std::vector<int64_t> bounds_of_sums(const FactorNumbers& factor, size_t depths, int32_t offset,
                                    Type other);

// The plan has its tile and its corrected kernel, which says then what is computed: the byte of the
// line, but where that is near to an end. `bounds`: of sums of products with a constant factor a,
// of each point of it; else empty. Lines are of that sum where all that it lacks are constants of
// its row, else of the corrected one. They are appended to `values`. Without lines: by_table.h.
std::optional<ByLine> find_by_line(IntegerPlan& plan, const std::vector<int64_t>& bounds,
                                   std::vector<Value>& values, const Hardware& hardware);

}  // namespace burin
