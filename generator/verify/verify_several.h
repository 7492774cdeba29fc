// The same for several models in one tree: each through its own interface on its own data, and the
// joint run on all of them together.
#pragma once

#include <string>
#include <vector>

#include "verify/verify.h"

namespace burin {

struct SeveralVerdict {
  std::vector<Verdict> models;  // the joint run's last
  bool agrees() const;
};

// `models`: as options.compile for each; options.compile is the joint run's, with the name of the
// tree. options.data: one folder per model, or none: those beside the models. Data sets are run
// jointly by their places: where a model has fewer, from its first again. Refused and thrown as
// verify does.
SeveralVerdict verify_several(const VerifyOptions& options,
                              const std::vector<CompileOptions>& models);

}  // namespace burin
