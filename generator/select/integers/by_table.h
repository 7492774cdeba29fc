// Where a description has tables of bytes and no lines (isa/byte_rows.h): the byte of a sum is
// computed by floats in vectors, and what is made of that byte and of constants (another scale, an
// activation and what it is made of) is a table of 256.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "select/integers/plan.h"

namespace burin {

// The innermost byte on the way from the plan's sum to what it writes of which the rest is tables;
// the kernel says these then, and they are appended to `values`. nullopt: there is none.
std::optional<ByLine> find_by_table(IntegerPlan& plan, std::vector<Value>& values,
                                    const Hardware& hardware);

}  // namespace burin
