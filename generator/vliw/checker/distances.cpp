#include "vliw/checker/distances.h"

#include <algorithm>
#include <array>

#include "vliw/machine.h"

namespace burin::vliw {
namespace {

// Is the pointer a multiple of `size` where the body does not fault? Some access says so: none at
// another address can be done.
bool is_multiple(int pointer, int64_t size, const SymbolicRun& once, const Values& values,
                 const Machine& machine) {
  if (!machine.aligned_accesses) return false;
  const std::vector<Touch>& all = once.touched();
  return std::any_of(all.begin(), all.end(), [&](const Touch& x) {
    const int64_t bytes = x.high - x.low;
    const bool natural = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    return x.root == values.start(pointer) && natural && bytes % size == 0 && x.address % size == 0;
  });
}

}  // namespace

bool compares_distance(const PipelinedClaim::Guard& guard, const SymbolicRun& run, int predicate,
                       const TripCount& trips, Values& values) {
  const auto apply = [&](const char* name, const std::vector<int>& operands) {
    return values.operation(values.name(name), operands, 0);
  };
  const auto at = [&](int r) { return run.state().registers[static_cast<size_t>(r)]; };
  const auto more = [&](int value, int64_t than) {
    return predicate == apply("P=cmp.gtu(R,#)", {value, values.tag(std::to_string(than))});
  };
  if (guard.aligned > 0) return predicate == apply("P=cmp.eq(R,R)", {at(guard.a), at(guard.b)});
  const int distance = apply("R=abs(R)", {apply("R=sub(R,R)", {at(guard.a), at(guard.b)})});
  if (guard.shift == 0) {
    const int moved =
        apply("R=add(R,sub(#,R))",
              {at(guard.a), at(guard.b), values.tag(std::to_string(guard.window))});
    return more(distance, guard.window) || more(moved, 2 * guard.window);
  }
  const int units = apply("R=lsr(R,#)", {distance, values.tag(std::to_string(guard.shift))});
  if (trips.constant) return more(units, *trips.constant + guard.room);
  return std::any_of(trips.values.begin(), trips.values.end(), [&](int n) {
    return predicate == apply("P=cmp.gtu(R,R)", {units, values.plus(n, guard.room)});
  });
}

std::string stays_apart(const PipelinedClaim::Guard& guard, const SymbolicRun& once,
                        const Values& values, const Machine& machine) {
  std::array<int64_t, 2> gain{};
  const std::array<int, 2> both = {guard.a, guard.b};
  for (size_t k = 0; k < 2; ++k) {
    const int value = once.state().registers[static_cast<size_t>(both[k])];
    const auto [root, constant] = values.split(value);
    if (root != values.start(both[k]))
      return name_of_register(both[k]) + " is no pointer that steps";
    gain[k] = constant;
  }
  const int64_t change = gain[0] < gain[1] ? gain[1] - gain[0] : gain[0] - gain[1];
  bool holds = false;
  if (guard.aligned > 0) {
    holds = change == 0 && guard.window == guard.aligned - 1 &&
            is_multiple(guard.a, guard.aligned, once, values, machine) &&
            is_multiple(guard.b, guard.aligned, once, values, machine);
  } else if (guard.shift == 0) {
    holds = change == 0;
  } else {
    constexpr int kMostShift = 28;
    holds = guard.shift > 0 && guard.shift < kMostShift && guard.room >= 0 &&
            guard.room < (int64_t{1} << kMostShift) && change <= (int64_t{1} << guard.shift) &&
            (guard.room << guard.shift) >= guard.window;
  }
  if (!holds || guard.window < 0 || guard.window >= (int64_t{1} << 30))
    return "its pointers do not stay apart";
  return {};
}

}  // namespace burin::vliw
