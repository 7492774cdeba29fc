#include "select/integers/slide.h"

#include "isa/all_rows.h"
#include "isa/dot_rows.h"
#include "isa/sliding_fours.h"
#include "select/bytes/known_rows.h"
#include "select/tiles/register_tile.h"
#include "select/tiles/window.h"
#include "support/at.h"

namespace burin {
namespace {

// Instructions for one vector of results, with groups along `axis`.
int64_t products(const IntegerSum& found, int axis, int group) {
  int64_t out = 1;
  for (const int one : found.reduced) {
    const int64_t points = at_least_one(found.kernel.axes[at(one)].extent);
    out *= one == axis ? (points + group - 1) / group : points;
  }
  return out;
}

}  // namespace

std::optional<Slide> find_slide(const IntegerSum& found, const RowChoice& choice,
                                const Hardware& hardware) {
  // What a group has beyond the last tap is multiplied by 0, so nobody may sum it as it is.
  if (!found.a.constant || found.b.constant || choice.offset_a != 0) return std::nullopt;
  const Kernel& kernel = found.kernel;
  const std::optional<SlidingAxis> columns =
      find_sliding_axis(found.b.element, found.column, found.reduced, kernel);
  if (!columns || columns->tap < 0 || columns->dilation != 1 ||
      columns->stride > isa::kMostSlidingStride)
    return std::nullopt;
  const int other = grouped_axis(found, choice.group);
  if (!is_tap(found, other)) {
    const int64_t sliding = products(found, columns->tap, choice.group),
                  apart = products(found, other, choice.group);
    const bool full = mod(kernel.axes[at(other)].extent, choice.group).is_constant(0);
    if (sliding > apart || (sliding == apart && full)) return std::nullopt;
  }
  Slide out{columns->tap, columns->stride, nullptr, nullptr};
  out.dot = isa::find_row(isa::sliding_name(choice.row->name, static_cast<int>(out.stride)));
  if (out.dot == nullptr) return std::nullopt;
  out.fours = isa::find_row(isa::sliding_fours_name(choice.row->name, out.stride));
  if (out.fours != nullptr && !has_row(hardware, *out.fours)) out.fours = nullptr;
  return out;
}

}  // namespace burin
