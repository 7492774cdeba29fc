// What to say when a program that burin called failed.
#pragma once

#include <string>
#include <vector>

#include "support/process.h"
#include "verify/build.h"

namespace burin {

// "g++ failed with exit code 1" and the first lines of its output, safe to print.
ToolFailed tool_failure(const std::vector<std::string>& command, const ProcessResult& result);

// Runs a compiler, at most so many seconds, with its temporary files in `work`; throws ToolFailed
// where it does not succeed.
void run_tool(const std::vector<std::string>& command, double seconds, const std::string& work);

}  // namespace burin
