#include "select/axes/merge_axes.h"

#include <algorithm>
#include <optional>

#include "fuse/attention/attention_form.h"
#include "kernel/layout.h"
#include "select/axes/inductions.h"
#include "select/axes/regroup.h"

namespace burin {
namespace {

// Whether something in the kernel needs the axis in parts again.
bool counts_along(const Kernel& kernel, int axis, const std::vector<Value>& values) {
  const auto in_let = [&](const Let& let) { return counts_along(let.body[0], axis, values); };
  const auto in_write = [&](const Write& write) {
    const Value& value = values[static_cast<size_t>(write.to)];
    return counts_along(write.value, axis, values) || divides_along(write.when, axis) ||
           divides_along(address(value.layout, value.shape, write.at), axis);
  };
  return std::any_of(kernel.lets.begin(), kernel.lets.end(), in_let) ||
         std::any_of(kernel.writes.begin(), kernel.writes.end(), in_write);
}

bool may_merge(const Kernel& kernel) {
  const bool plain = std::all_of(kernel.lets.begin(), kernel.lets.end(),
                                 [](const Let& let) { return let.body.size() == 1; });
  const bool parallel = std::none_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) {
    return axis.kind == AxisKind::sequential;
  });
  return plain && parallel && reads_lets_in_place(kernel);
}

std::optional<Kernel> merged(const Kernel& kernel, int outer, int inner,
                             const std::vector<Value>& values) {
  Kernel out;
  Regrouping regrouping(kernel, out);
  int flat = -1;
  for (int axis = 0; axis < static_cast<int>(kernel.axes.size()); ++axis) {
    if (axis == outer)
      flat =
          regrouping.flatten({outer, inner}, kernel.axes[static_cast<size_t>(inner)].name.c_str());
    else if (axis != inner)
      regrouping.keep(axis);
  }
  if (flat < 0 || !regrouping.move_lets(out) || counts_along(out, flat, values))
    return std::nullopt;
  return out;
}

// A pair of neighbours among the axes of some reduction that can be merged.
std::optional<Kernel> with_one_pair_merged(const Kernel& kernel, const std::vector<Value>& values) {
  for (const Let& let : kernel.lets) {
    for (size_t k = let.reduced.size(); k-- > 1;) {
      if (std::optional<Kernel> out = merged(kernel, let.reduced[k - 1], let.reduced[k], values))
        return out;
    }
  }
  return std::nullopt;
}

}  // namespace

Kernel merge_reduced_axes(const Kernel& kernel, const std::vector<Value>& values) {
  if (!may_merge(kernel)) return kernel;
  Kernel out = kernel;
  while (std::optional<Kernel> next = with_one_pair_merged(out, values)) out = std::move(*next);
  return out;
}

std::optional<Kernel> merge_pair(const Kernel& kernel, int outer, int inner,
                                 const std::vector<Value>& values) {
  return may_merge(kernel) ? merged(kernel, outer, inner, values) : std::nullopt;
}

}  // namespace burin
