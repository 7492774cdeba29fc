// run_loops: executes a program on tensors of the host, statement by statement, with the
// interpreter's arithmetic. It is what loops are tested with before any compiler sees them.
//
// Every index is checked against the buffer's shape and every variable against its extent; a
// violation is an InternalError. Memory that was not written yet is all ones: NaN in floats, -1 in
// integers. Buffers in scratch lie in one block at their offsets, so that what overlaps is wrong
// here, too. A buffer of another layout than row-major keeps its elements in their logical order:
// what a layout does to addresses is not executed. Parts of threads' loops run one after the other, in
// the order that is asked for: of two parts either is first in one of the two orders, so where both
// give the same bits no part depends on what another one did before it.
#pragma once

#include "kernel/interpreter/interpreter.h"
#include "loops/program.h"

namespace burin::loops {

// Reads and writes the arguments in `environment`, as execute_steps() does for the kernel; `values`
// are those of the graph. Only `status` and `message` of the result are set.
enum class PartOrder : uint8_t { forward, backward };

RunResult run_loops(const Program& program, const std::vector<Value>& values,
                    Environment& environment, PartOrder order = PartOrder::forward);

}  // namespace burin::loops
