// What the program of a kernel owes the interpreter: where its bits must be the interpreter's, how
// far its sums may be off, and which registers it has.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "backends/model_plan.h"
#include "hardware/capabilities.h"
#include "kernel/tensor.h"
#include "loops/verify/verify_program.h"
#include "select/verbs/verbs.h"

namespace burin::programs_test {

// Sums of at most 2^12 terms in another order: 2^12 roundings of 2^-24 each, of the greatest
// element.
constexpr double kReordered = 0x1p-12;
// Tiles of a plane by fewer products: 5.5 times the estimate of the coarsest, 5.5e-6 of the root of
// the mean square. The greatest of thousands of roundings is four to five times their root.
constexpr double kFewerProducts = 0x1p-15;
// What is kept in fp16 may then round the other way: one unit in its last place.
constexpr double kOtherHalf = 0x1p-10;

inline bool has_points(const Kernel& kernel, const std::map<std::string, int64_t>& symbols) {
  for (const Write& write : kernel.writes) {
    bool some = true;
    for (const int axis : write.over) {
      const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
      some = some && extent.evaluate([&](const Index& leaf) {
        const auto known = symbols.find(leaf.as_symbol()->name);
        return known == symbols.end() ? 0 : known->second;
      }) > 0;
    }
    if (some) return true;
  }
  return false;
}

// Partial results that the definition has not: sums of lanes or of several accumulators.
inline bool reorders(const loops::Program& program) {
  for (const loops::Buffer& buffer : program.buffers) {
    if (buffer.name.starts_with("lanes")) return true;
    // Sums of work-items, and a running softmax.
    if (buffer.scope == loops::Scope::group &&
        (buffer.name.starts_with("partial_f") || buffer.name == "weight_tile"))
      return true;
    // [steps][rows][vectors][lanes]
    if (buffer.scope == loops::Scope::registers && buffer.name.starts_with("sums") &&
        buffer.shape.size() == 4)
      return true;
  }
  return false;
}

// Why two tensors are not the same; empty: they are. `share`: of the greatest element, that results
// may differ by.
inline std::string difference(const HostTensor& got, const HostTensor& wanted, double share) {
  if (got.shape != wanted.shape) return "another shape";
  double greatest = 0;
  for (int64_t i = 0; is_float(wanted.type) && i < wanted.elements(); ++i) {
    if (std::isfinite(wanted.get(i).number))
      greatest = std::max(greatest, std::abs(wanted.get(i).number));
  }
  const auto unit = [&](const ScalarValue& value) {
    return wanted.type == Type::f16 ? kOtherHalf * std::abs(value.number) : 0.0;
  };
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    const ScalarValue a = got.get(i), b = wanted.get(i);
    const bool same = a.integer == b.integer &&
                      (a.number == b.number || (std::isnan(a.number) && std::isnan(b.number)) ||
                       (share > 0 && std::abs(a.number - b.number) <= share * greatest + unit(b)));
    if (!same)
      return fmt::format("element {} is {} / {}, not {} / {}", i, a.number, a.integer, b.number,
                         b.integer);
  }
  return {};
}

// What the results of a kernel's program may be off, as a share of the greatest element: 0 where
// bits agree.
inline double share_of(const KernelSchedule& schedule) {
  // A running softmax sums what it rescales later, tiles of a plane sum products of points.
  if (find_verb(schedule.verbs, "winograd") != nullptr) return kFewerProducts;
  // Taps that blocks of columns skip are the outermost loops of the depth.
  const bool taps_first = find_verb(schedule.verbs, "met taps") != nullptr;
  const bool exact = !reorders(*schedule.program) && schedule.family != "attention" && !taps_first;
  return exact ? 0 : kReordered;
}

// Tiles lie in registers of the description: of vectors, or words where there are none. Those of a
// device's work-items are its compiler's.
inline loops::MachineLimits limits_of(const Hardware& hardware) {
  if (has_device(hardware)) return {};
  int64_t bytes = 0;
  for (const VectorUnit& unit : {hardware.vector, integer_unit(hardware)})
    bytes =
        std::max(bytes, int64_t{unit.registers} * (unit.vector_bytes > 0 ? unit.vector_bytes : 4));
  return {bytes};
}

}  // namespace burin::programs_test
