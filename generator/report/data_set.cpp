#include "report/data_set.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "support/diagnostics.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

// The number in <prefix><number><suffix>.
std::optional<int> number_in(std::string_view name, std::string_view prefix,
                             std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
      name.size() <= prefix.size() + suffix.size()) {
    return std::nullopt;
  }
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool all = error == std::errc() && end == name.data() + name.size();
  return all && number >= 0 && number < 65536 ? std::optional(number) : std::nullopt;
}

using Files = std::map<size_t, std::string>;  // by number

// The tensors of `files` in order; what those inside containers hold goes to `contents`.
std::vector<std::optional<NamedTensor>> read_files(
    const Files& files, const std::vector<std::vector<Container>>& containers,
    std::map<size_t, Contents>& contents) {
  std::vector<std::optional<NamedTensor>> out;
  for (size_t k = 0; k < std::max(containers.size(), files.empty() ? 0 : files.rbegin()->first + 1);
       ++k) {
    const auto file = files.find(k);
    if (file == files.end()) {
      out.emplace_back();
      continue;
    }
    if (k >= containers.size() || containers[k].empty()) {
      out.emplace_back(import_tensor(file->second));
      continue;
    }
    NamedValue value = import_value(file->second, containers[k]);
    for (NamedTensor& tensor : value.tensors) out.emplace_back(std::move(tensor));
    contents.emplace(k, std::move(value.contents));
  }
  return out;
}

// Data may be numbered by all inputs, those that are constants included: then the files of these
// are left out, which their names tell, and the others move up.
Files without_defaults(const Files& inputs, const std::map<size_t, std::string>& defaults) {
  const bool all = std::any_of(defaults.begin(), defaults.end(), [&](const auto& one) {
    const auto file = inputs.find(one.first);
    return file != inputs.end() && import_tensor(file->second).name == one.second;
  });
  if (!all) return inputs;
  Files out;
  for (const auto& [number, path] : inputs) {
    if (defaults.contains(number)) continue;
    const auto before = std::distance(defaults.begin(), defaults.lower_bound(number));
    out.emplace(number - static_cast<size_t>(before), path);
  }
  return out;
}

}  // namespace

DataSet read_data_set(const std::string& folder, const std::string& model, bool needs_outputs) {
  DataSet set;
  set.path = folder;
  std::error_code error;
  Files inputs, outputs;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (const auto k = number_in(name, "input_", ".pb"))
      inputs.emplace(static_cast<size_t>(*k), entry.path().string());
    if (const auto k = number_in(name, "output_", ".pb"))
      outputs.emplace(static_cast<size_t>(*k), entry.path().string());
  }
  if (error)
    throw Refused({.where = {.file = folder},
                   .rule = "io",
                   .message = "the folder cannot be read: " + error.message(),
                   .hint = "give a test_data_set folder"});
  if (outputs.empty() && (needs_outputs || inputs.empty())) {
    Refused refused({.where = {.file = folder},
                     .rule = "io",
                     .message = "the folder holds no output_0.pb",
                     .hint = "give a test_data_set folder"});
    throw refused;
  }
  const Interface interface = import_interface(model);
  set.inputs =
      read_files(without_defaults(inputs, interface.defaults), interface.inputs, set.contents);
  set.outputs = read_files(outputs, interface.outputs, set.output_contents);
  return set;
}

std::vector<std::string> data_sets_of(const std::string& case_folder) {
  std::vector<std::pair<int, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(case_folder, error)) {
    if (const auto k = number_in(entry.path().filename().string(), "test_data_set_", ""))
      found.emplace_back(*k, entry.path().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> out;
  for (auto& [number, path] : found) out.push_back(std::move(path));
  return out;
}

std::vector<std::string> data_files_of(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (number_in(name, "input_", ".pb") || number_in(name, "output_", ".pb"))
      out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> find_cases(const std::string& root) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(root, error)) {
    if (entry.path().filename() == "model.onnx") out.push_back(entry.path().parent_path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

HostTensor to_host(const Tensor& tensor) {
  return to_tensor(tensor.type, tensor.shape, tensor.content);
}

}  // namespace burin
