// --state INPUT=OUTPUT: state that the caller keeps in one buffer (plan/append/keep_states.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kernel/caller_state.h"

namespace burin {

void add_state_flag(CLI::App& command, std::vector<std::string>& states);

// Throws UsageError for what is not two names around a '='.
std::vector<CallerState> parse_states(const std::vector<std::string>& states);

}  // namespace burin
