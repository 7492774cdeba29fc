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

// One axis for each dimension of `shape`, all of its points.
bool is_whole(const Kernel& kernel, const Write& write, const std::vector<Dim>& shape);
// Whether a value is what the state has at the place where it is written, but for zeros that the
// write leaves to the caller.
bool is_old(const Expr& value, const Write& write, ValueId state);
// Whether a let is over an axis, or runs over it.
bool runs_over(const std::vector<Let>& lets, int axis);
// A kernel of one write, where `axis` runs over `extent` points from `begin` on; no let may run
// over it.
Kernel along_part(const Kernel& kernel, int axis, const Dim& begin, const Dim& extent);

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
