// Emitted code in tests: many ONNX cases through one toolchain, and what they must give.
#pragma once

#include <string>
#include <vector>

#include "verify/verify_all.h"

namespace burin {

// configs/<name>.json of the project.
Hardware project_hardware(const std::string& name);

// The cases of the ONNX project, or of the folder that BURIN_ONNX_DATA names; those only whose path
// contains BURIN_ONNX_CASES.
std::vector<std::string> onnx_cases();
std::string onnx_root();

// Verifies `cases` and expects that none fails and at least `at_least` pass; prints the summary.
void expect_all_pass(const std::vector<std::string>& cases, const VerifyOptions& options,
                     int at_least);

}  // namespace burin
