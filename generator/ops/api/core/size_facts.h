// Conditions on sizes that operators share, and sizes of the caller at which they hold.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ops/api/core/op_context.h"

namespace burin {

// `size` is not negative: proven, refused, or checked by the run.
inline void require_nonnegative(OpContext& op, const Dim& size, std::string_view what) {
  op.require({{size, 0, size + 1}}, what);
}

class SizeContext {
 public:
  virtual ~SizeContext() = default;
  // A size for every symbol of the caller, near those to optimise for, such that `wanted` holds
  // and with it all that nodes have required so far and sizes alone decide; nullopt: none is found.
  virtual std::optional<std::map<std::string, int64_t>> sizes_with(const Guard& wanted) const = 0;
};

// The same context (generator/lower).
const SizeContext& sizes_of(const OpContext& op);

}  // namespace burin
