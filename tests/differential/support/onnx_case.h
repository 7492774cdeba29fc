// One folder of the ONNX project's test data, run through import, lowering and the interpreter.
#pragma once

#include <optional>
#include <string>

#include "fuse/fuse.h"
#include "lower/lower.h"

namespace burin {

enum class Outcome : uint8_t {
  passed,
  open,         // ran; types and shapes agree, and the model leaves the values open (is_open_case)
  unsupported,  // refused by a rule "unsupported-...": an operator, type or feature that burin
                // lacks
  refused,      // refused for another reason
  failed,       // ran and differs, or is a bug
};

struct CaseResult {
  Outcome outcome = Outcome::passed;
  std::string rule;     // of a refusal
  std::string message;  // why it did not pass
  // Inputs that were held constant because their contents decide a rank or an axis.
  std::string held;
};

struct CaseOptions {
  // Every extent above 1 of an input is taken to be a symbol, and what the file says about the
  // shapes of other tensors is forgotten.
  bool symbolic = false;
  LowerOptions lower = {};
  std::optional<FuseOptions> fuse = {};  // the kernels are fused before they run
};

// Whether the model leaves open what its data expect: draws of a generator, and an Adam with an
// epsilon that the file does not have. Only types and shapes of such outputs are compared.
bool is_open_case(const std::string& folder);

// The model of a case; sequences and optionals among its inputs hold what they hold in its first
// data set.
Graph import_case(const std::string& folder, int64_t least_size = 1);

// The graph with a symbol for every extent above 1 of an input, and without what the file says
// about the shapes of other tensors.
Graph with_symbolic_extents(const Graph& given);

// The kernels of a case before they are fused; with `hold`, inputs whose contents decide a rank or
// an axis are held. nullopt where the case is refused.
std::optional<Lowered> lower_onnx_case(const std::string& folder, bool symbolic, bool hold = true);

// All fusions, as cpp-generic has them.
FuseOptions fuse_options_of_a_cpu();
// The same, but for one at a time; the last one has none at all.
std::vector<FuseOptions> fuse_options_with_one_off();

CaseResult run_onnx_case(const std::string& folder, const CaseOptions& options = {});

}  // namespace burin
