// Addresses of vectors that lie a few vectors apart, each computed into a register of its own: they
// share one, by the offsets of their accesses.
#pragma once

#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

// The loop body without additions that only compute such an address: "r7 = add(r5,#-4096)" with
// "v0 = vmem(r7+#0)", where "r2 = add(r5,#-4224)" stands before, is "v0 = vmem(r2+#1)". What is
// read `behind` the loop or in the next iteration stays. O(body^2).
std::vector<Instruction> with_shared_bases(std::vector<Instruction> body,
                                           const RegisterSet& behind);

}  // namespace burin::vliw
