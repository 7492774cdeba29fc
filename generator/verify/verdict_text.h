// Verdicts as text for people and as JSON for programs.
#pragma once

#include <string>

#include "verify/verify.h"
#include "verify/verify_several.h"

namespace burin {

// One line per data set and one per output.
std::string verdict_text(const Verdict& verdict);

// {"model", "hardware", "compiler", "agrees", "problem", "held", "data_sets": [{"path", "agrees",
// "problem", "arena_bytes", "device_bytes", "outputs": [{"name", "absolute", "relative", "ulps",
// "elements", "different", "tolerance": {"absolute", "relative"}, "mismatch", "agrees"}]}]}. An
// infinite difference is null. `problem`: why nothing was compared at all.
std::string verdict_json(const Verdict& verdict, const std::string& problem = {});

// Those of all networks of a tree, each under its name; {"agrees", "networks": [as above]}.
std::string verdict_text(const SeveralVerdict& verdict);
std::string verdict_json(const SeveralVerdict& verdict);

}  // namespace burin
