#include "support/refusals.h"

#include <algorithm>

namespace burin {

void Refusals::add(const Refused& one) {
  constexpr size_t kMost = 1000;  // kept; of a few, lines are printed
  any_ = true;
  for (const Diagnostic& diagnostic : one.diagnostics) {
    const bool again = diagnostic.rule == "limit" &&
                       std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& before) {
                         return before.rule == "limit" && before.message == diagnostic.message;
                       });
    if (again) check();
    all_.push_back(diagnostic);
    if (all_.size() >= kMost) check();
  }
}

void refuse_as_consequence() { throw Refused(std::vector<Diagnostic>{}); }

}  // namespace burin
