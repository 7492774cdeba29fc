#include "select/bits/bit_sum.h"

#include "fuse/access/products.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/sign_sums.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
std::optional<BitSum> find_bit_sum(const Kernel& kernel, const std::vector<Value>& values) {
  if (kernel.lets.empty() || kernel.lets.size() > 2 || kernel.writes.size() != 1)
    return std::nullopt;
  // Nothing is computed, and nothing is there to stage.
  for (const Axis& axis : kernel.axes) {
    if (proven_le(axis.extent, 0)) return std::nullopt;
  }
  BitSum out;
  bool found = false;
  for (size_t k = 0; k < kernel.lets.size(); ++k) {
    const Expr word = counted_word(kernel.lets[k]);
    if (!word) return std::nullopt;
    const std::optional<SignWords> words = sign_words(word);
    if (!words) {
      out.ones = static_cast<int>(k);
      continue;
    }
    if (found) return std::nullopt;
    found = true;
    out.negatives = static_cast<int>(k);
    out.present = words->present;
    out.negative = words->negative;
    out.other = words->other;
  }
  if (!found || !is_of_constants(out.other, values)) return std::nullopt;
  const Let& let = kernel.lets[at(out.negatives)];
  if (out.ones >= 0) {
    const Let& ones = kernel.lets[at(out.ones)];
    if (!(counted_word(ones) == out.present) || ones.reduced != let.reduced) return std::nullopt;
  }
  out.reduced = let.reduced;
  std::vector<int> own = axes_of(out.present);
  for (const int axis : axes_of(out.negative)) {
    if (!contains(own, axis)) own.push_back(axis);
  }
  const std::vector<int> others = axes_of(out.other);
  for (const int axis : let.over) {
    const bool in_own = contains(own, axis), in_others = contains(others, axis);
    (in_own && in_others ? out.batch : in_others ? out.others : out.own).push_back(axis);
  }
  for (const int axis : kernel.writes[0].over) {
    if (!contains(let.over, axis)) return std::nullopt;
  }
  out.column = contiguous_axis(kernel.writes[0], values);
  if (out.column < 0 || contains(out.batch, out.column)) return std::nullopt;
  return out;
}

}  // namespace burin
