// A model whose results must not change on the way: the fuzzer `compare`, and the test that replays
// its corpus.
#pragma once

#include <string>
#include <string_view>

namespace burin::fuzz {

// Compiles the model for a description that the bytes choose, and runs it by the interpreter as it
// was lowered and as it is planned, and every kernel as its program. A difference that roundings do
// not explain leaves as an exception. Whether the model was accepted and had something to compare.
bool compare_input(std::string_view bytes, const std::string& scratch);

}  // namespace burin::fuzz
