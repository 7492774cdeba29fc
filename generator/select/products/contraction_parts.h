// What products and reductions through windows share on their way to a schedule. For
// contraction.cpp and window_reduction.cpp only.
#pragma once

#include "select/products/contraction.h"

namespace burin {

// Sums that are fewer are left to generic loops.
inline constexpr int64_t kLeastWork = 4096;  // multiplications

// A reduction in f32, the last let, to one write at the same points, all in any order.
bool ends_in_reduction(const Kernel& kernel);

// Rows of results of a band, as a verb gives them; 0: it gives none.
int64_t given_band(const Given& given);
// What reads a window: rows of a factor that share it, one row of a factor (each channel its own),
// or nothing but the window (pools).
enum class ReadBy : uint8_t { rows, one_row, nothing };
// The window, and rows of its plane where no rows share what is read; not a window in whose
// positions more is computed in vain than it is worth.
void settle_window(ContractionSchedule& schedule, SlidingWindow window, const std::vector<int>& k,
                   ReadBy by, const Kernel& kernel, const VectorUnit& unit, const Given& given);
// Positions from the first result of a band to its last.
Dim most_positions(const SlidingWindow& window);
// The tile and the versions beside it.
void settle_tile(ContractionSchedule& schedule, bool b_constant, const Hardware& hardware,
                 const Given& given);
// Offsets of what the kernel packs and stages; `bytes` grows by them.
void lay_out_scratch(ContractionSchedule& schedule, bool packs_a, bool packs_b, Dim& bytes);

}  // namespace burin
