// A folder of test data as the ONNX project lays it out: model.onnx beside test_data_set_<n>
// folders with input_<k>.pb and output_<k>.pb, one tensor each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "import/import.h"
#include "kernel/tensor.h"

namespace burin {

struct DataSet {
  std::string path;
  // By number; nullopt where there is no file with that number. A sequence or an optional stands as
  // the tensors that it holds, which is what the network takes and gives.
  std::vector<std::optional<NamedTensor>> inputs, outputs;
  // Of those, by number; inputs as ImportOptions has them.
  std::map<size_t, Contents> contents, output_contents;
};

// `model`: the file that the data are for. Refused (rule "io") when the folder has no outputs; a
// file that does not hold what the model declares is refused as import_value does.
// Without outputs only where they are not needed, and there are inputs.
DataSet read_data_set(const std::string& folder, const std::string& model,
                      bool needs_outputs = true);

// The test_data_set_<n> folders of a case, in numeric order.
std::vector<std::string> data_sets_of(const std::string& case_folder);

// The files of one data set that are read, sorted.
std::vector<std::string> data_files_of(const std::string& folder);

// Every folder below `root`, at any depth, that holds a model.onnx, sorted.
std::vector<std::string> find_cases(const std::string& root);

HostTensor to_host(const Tensor& tensor);

}  // namespace burin
