// Two kernels as one cascade: the lets of a producer, and its value, move into the kernel that
// reads its result. What went through memory is then a let.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// A producer and a reader whose axes are cut alike, so that the reader loads each element of the
// producer's result at that element's own point.
struct Fusible {
  Kernel producer, reader;
  std::vector<int> axis;  // of the reader, for each axis of the producer; -1: not in its result
};

// nullopt where the producer writes more than one value or under a condition, where the reader
// loads the result at several points or inside an index, or where the points are no permutation of
// the producer's axes, cut or joined (mixed radix). With `keeps` the producer may have further
// writes behind that of the result: they stay writes of the fused kernel, in front of the
// reader's.
std::optional<Fusible> find_fusible(const Kernel& producer, const Kernel& reader,
                                    bool keeps = false);

// The reader with the producer's lets in front of its own. A value of more than
// `recomputed_operations` that is used in several places, or for several points of the reader, is a
// let of its own; any other stands where it was loaded. The meaning is the same but for the
// rounding of the result to its storage type. What the producer alone reduces runs over axes of the
// reader as `shared` says, or over new ones.
enum class SharedAxes : uint8_t {
  none,
  read_alike,  // those along which both read the same
  any,         // those, or else any of the same extent
};
Kernel fused(const Fusible& fusible, int64_t recomputed_operations,
             SharedAxes shared = SharedAxes::read_alike);

// Nodes of all expressions of a kernel as trees.
int64_t tree_size(const Kernel& kernel);

}  // namespace burin
