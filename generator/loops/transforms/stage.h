// stage: the part of a buffer that a loop reads is copied in front of the loop, in the order in
// which an instruction wants it (packing; a window is a staged region; panels of 4 x 16 are
// dimension 0 divided by 4, dimension 1, and the rest of dimension 0). Beyond the end of the buffer
// the copy is zero.
//
// Legal where the loop does not write the buffer and what it reads is a box of known extent.
// `buffers` of the change: the copy.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

// One dimension of the copy: place / divisor % modulus of a dimension of the buffer, counted from
// where the part begins. modulus 0: what is left.
struct StagedDim {
  int dim = 0;
  int64_t divisor = 1, modulus = 0;
};

Change stage(const Program& program, BufferId buffer, int var, const std::vector<StagedDim>& dims);

}  // namespace burin::loops
