// A data set as a run of a compiled model: the inputs that are left, the symbols that they
// determine, and what is expected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline.h"
#include "report/data_set.h"
#include "verify/exchange.h"

namespace burin {

struct DataCase {
  Run run;
  std::vector<std::optional<HostTensor>> wanted;  // by output
};

// Refused (io, type): the data do not fit the model.
DataCase read_case(const ModelPlan& plan, const DataSet& set, const CompileOptions& options);

}  // namespace burin
