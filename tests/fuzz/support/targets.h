// What the fuzzers do with one input; the tests replay the committed corpora through the same
// functions.
//
// An input must succeed or be refused: every line of the refusal is printable ASCII and names its
// file first. Everything else, an InternalError above all, leaves as an exception.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "pipeline.h"

namespace burin::fuzz {

// Whether `body` refuses nothing; a refusal must be lines that begin with `file`.
bool accepted(std::string_view file, const std::function<void()>& body);

// Limits of the stages for a process that has 2 GB.
CompileOptions limited_options();

// Whether the input was accepted.
bool import_input(std::string_view bytes);  // a model, or the text of a graph that starts with 'g'
bool config_input(std::string_view text);   // a description of hardware
// A model through every stage to the text of its tree, for a description that the bytes choose;
// once more with something said about one of its sizes, where it has any.
// `scratch` is a folder of the caller for the model's file.
bool generate_input(std::string_view bytes, const std::string& scratch);

}  // namespace burin::fuzz
