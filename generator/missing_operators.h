// What a model would need that burin has not: all of it at once, where the stages of the pipeline
// stop at the first.
#pragma once

#include <string>
#include <vector>

#include "import/operators.h"
#include "support/diagnostics.h"

namespace burin {

// A line for each fault of the file's versions, and for each operator that burin lacks, whatever
// the number of its nodes.
std::vector<Diagnostic> missing_operators(const UsedOperators& used, const std::string& model);

// Where what was refused is one of these: the others behind it, each once.
void add_missing_operators(Refused& refused, const std::string& model,
                           const ImportOptions& options);

}  // namespace burin
