// Sizes of a tree's code and its deepest stack, as a compiler makes them.
#pragma once

#include "backends/code_sizes.h"
#include "backends/cpp/emit_cpp.h"
#include "hardware/hardware.h"

namespace burin {

// Compiles every source of the tree by itself with the first compiler of the hardware and its
// flags, as a user's build does. Bytes are those of the objects' sections; the linker may leave out
// what nothing calls. GCC says which function calls which (-fcallgraph-info): the stack is then the
// deepest sum along calls, where a call by pointer may reach every function that nothing calls by
// name. Of other compilers it is the sum of the largest frames of the schedule, of a kernel and of
// the runtime. Throws ToolFailed; refused ("no-compiler") where the description names none.
CodeSizes measure_code(const cpp::EmittedTree& emitted, const Hardware& hardware);

}  // namespace burin
