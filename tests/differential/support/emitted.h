// Emitted code in tests: many ONNX cases through one toolchain, and what they must give.
#pragma once

#include <string>
#include <vector>

#include "differential/support/onnx_list.h"
#include "verify/verify_all.h"

namespace burin {

// configs/<name>.json of the project.
Hardware project_hardware(const std::string& name);

// The cases of the ONNX project, or of the folder that BURIN_ONNX_DATA names; those only whose path
// contains BURIN_ONNX_CASES, and whose values are not left open (is_open_case).
std::vector<std::string> onnx_cases();
std::string onnx_root();

// Verifies `cases` and expects that all of them pass; prints the summary.
void expect_all_pass(const std::vector<std::string>& cases, const VerifyOptions& options);

// Verifies cases of onnx_cases() and expects that those which do not pass are listed (onnx_list.h).
// `whole`: they are all that there are.
void expect_pass_but_listed(ListedRun run, const std::vector<std::string>& cases,
                            const VerifyOptions& options, bool whole = false);

}  // namespace burin
