// State that the caller keeps from run to run in one buffer with room for all of it: a KV cache.
//
//   input P[past]   ...   output N[i] := {i < past: P[i]; else new[i - past]}
//
// becomes input P[room] and output N[room], where a run writes what is new at its place in N and
// everything that read P reads N. Where the caller passes one buffer for both, that is all; where
// they are two, a procedure (keep_state) copies all of the room. With one, the work of a run is
// that of what is new, whatever there was. An output as large as its input is overwritten in places
// (overwritten_state.h), and the same holds. onnxruntime's sharing of past and present buffers, and
// llama.cpp's cache, are the same.
#pragma once

#include <vector>

#include "kernel/caller_state.h"
#include "kernel/kernel.h"

namespace burin {

// Refused: names that the model has not, an output that is not its input with something behind it
// along one dimension, or in it, a length that nothing bounds (the --dim that would do is said).
KernelGraph keep_states(KernelGraph graph, const std::vector<CallerState>& states);

// The inputs and outputs of which keep_states would make one buffer, each alone, where their
// lengths are bounded. A graph is looked through once for each output that some kernel makes of an
// input.
std::vector<CallerState> states_to_keep(const KernelGraph& graph);

}  // namespace burin
