// The list of ONNX's cases that do not pass (tests/differential/data/onnx_not_passed.txt), and its
// comparison with what a run of them found: nothing passes that is listed, nothing else fails to.
#pragma once

#include <string>
#include <vector>

namespace burin {

// What became of one case.
struct Found {
  std::string name;  // "node/test_abs"
  bool passed = false;
  std::string rule, message;  // of a refusal; rule "open": values that the model leaves open
};

// The runs that a line of the list may be about.
enum class ListedRun { interpreter, symbolic, emitted };

// Expects that those of `found` that did not pass are the ones that the list has for `run`, each
// with its rule, and that the message of a refusal names the listed operator. `whole`: `found` has
// all cases, so that everything that is listed must be there.
void expect_as_listed(ListedRun run, const std::vector<Found>& found, bool whole);

}  // namespace burin
