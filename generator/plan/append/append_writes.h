// What writes of grown state do, as plan_appends and apply_appends see them.
#pragma once

#include <optional>
#include <vector>

#include "plan/append/append.h"

namespace burin {

// The value that a kernel copies, point by point and as a whole.
std::optional<ValueId> copied_by(const Kernel& kernel);

// The place of the step that binds a symbol to this size.
std::optional<size_t> bind_of(const Steps& steps, const Dim& size);

enum class AppendWrite : uint8_t {
  old,    // all of the state, to the same indices
  both,   // the same, and something behind it, by a case each
  added,  // something behind it
  other
};

// `write` of `kernel` is one of append.grown.front().
AppendWrite append_write(const Kernel& kernel, const Write& write, const Append& append,
                         const std::vector<Value>& values);

// Of a kernel whose only write is AppendWrite::both: what it puts behind the state.
Kernel without_old(const Kernel& kernel, const Append& append, const std::vector<Value>& values);

}  // namespace burin
