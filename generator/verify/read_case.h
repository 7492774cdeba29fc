// A data set as a run of a compiled model: the inputs that are left, the symbols that they
// determine, and what is expected.
#pragma once

#include <map>
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
  bool of_interpreter = false;                    // it said what is wanted
};

// What a data set expects of the outputs of a graph, where its sizes are `sizes`; nullopt where it
// says nothing. A sequence or an optional of which `packed` tells is as many outputs as that has.
std::vector<std::optional<HostTensor>> read_outputs(const KernelGraph& graph,
                                                    const std::vector<PackedValue>& packed,
                                                    const DataSet& set,
                                                    const std::map<std::string, int64_t>& sizes);

// Refused (io, type): the data do not fit the model.
DataCase read_case(const Compiled& compiled, const DataSet& set, const CompileOptions& options);

}  // namespace burin
