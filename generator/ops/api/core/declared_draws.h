// What a random operator says of its outputs, so that `verify` knows what to expect of them.
#pragma once

#include <optional>

#include "kernel/draws.h"
#include "ops/api/core/op_context.h"

namespace burin {

class DrawContext {
 public:
  virtual ~DrawContext() = default;
  // The elements of output i are drawn independently of each other; without a distribution: they
  // are computed from what is drawn.
  virtual void drawn(int i, std::optional<Distribution> distribution) = 0;
};

DrawContext& draws_of(OpContext& op);

}  // namespace burin
