// Many cases in one process.
#pragma once

#include <string>
#include <vector>

#include "verify/verify.h"

namespace burin {

// The rule of a case in which a compiler or a runner failed.
inline constexpr const char* kToolRule = "tool";

enum class CaseOutcome { passed, failed, refused };

struct CaseVerdict {
  std::string path;  // below the root
  CaseOutcome outcome = CaseOutcome::passed;
  std::string rule;     // of a refusal
  std::string message;  // why it failed or was refused; may have several lines
};

// Verifies the model in every folder of `cases` on the data beside it, `jobs` at a time. The result
// is in the order of `cases` and does not depend on `jobs`. options.compile.model and options.data
// are not used; a tool that fails fails its case.
std::vector<CaseVerdict> verify_all(const std::vector<std::string>& cases, const std::string& root,
                                    const VerifyOptions& options, int jobs);

// `count` of the cases, or all when there are not so many, spread evenly over the list.
std::vector<std::string> sample(const std::vector<std::string>& cases, size_t count);

// "N passed, N failed, N refused", every failure by name, and refusals by rule.
std::string summary_text(const std::vector<CaseVerdict>& verdicts);
std::string summary_json(const std::vector<CaseVerdict>& verdicts);

}  // namespace burin
