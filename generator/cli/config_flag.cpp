#include "cli/config_flag.h"

#include <algorithm>
#include <filesystem>

#include "hardware/host.h"
#include "hardware/json_file.h"
#include "hardware/load.h"
#include "support/diagnostics.h"
#include "support/embedded.h"
#include "support/spelling.h"

namespace burin {
namespace {

constexpr std::string_view kFolder = "configs/", kEnding = ".json";

bool is_file(const std::string& config) {
  // What cannot be looked at may be one: reading it says why.
  std::error_code error;
  return std::filesystem::exists(config, error) || error;
}

bool is_shipped(const std::string& name) {
  const std::vector<std::string> all = shipped_configs();
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::string path_of(const std::string& name) {
  return std::string(kFolder) + name + std::string(kEnding);
}

// The name that was meant by a file that is not there: "configs/x86-64-v3.json", "X86-64-V3".
std::string name_in(const std::string& config) {
  return std::filesystem::path(config).filename().stem().string();
}

[[noreturn]] void refuse_unknown(const std::string& config) {
  std::vector<std::string> names = shipped_configs();
  names.emplace_back("host");
  const std::string name = name_in(config);
  std::string hint = std::find(names.begin(), names.end(), name) != names.end()
                         ? "did you mean " + burin::quoted(name) + "?"
                         : did_you_mean(name, names);
  if (!hint.empty()) hint += "; ";
  throw Refused(
      Diagnostic{{.file = config},
                 "cannot-read",
                 "there is no such file, and no description of that name comes with burin",
                 hint + "known are " + known_configs()});
}

}  // namespace

std::vector<std::string> shipped_configs() {
  std::vector<std::string> out;
  for (std::string_view path : embedded_files(kFolder)) {
    if (path == "configs/schema.json") continue;
    path.remove_prefix(kFolder.size());
    path.remove_suffix(kEnding.size());
    // Folders have what descriptions name.
    if (path.find('/') == std::string_view::npos) out.emplace_back(path);
  }
  return out;
}

std::vector<std::string> words_of_configs() {
  std::vector<std::string> out = shipped_configs();
  out.insert(out.begin(), "host");
  return out;
}

std::string known_configs() {
  std::string out;
  for (const std::string& name : words_of_configs()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

Hardware load_hardware_flag(const std::string& config, ReadFiles& read) {
  if (is_file(config))
    return parse_hardware(read.bytes(config, kDescriptionLimits.bytes, "json-limit"), config);
  if (config == "host") return parse_hardware(read.made(config, host_description), "host");
  if (is_shipped(config)) return parse_hardware(embedded_file(path_of(config)), path_of(config));
  refuse_unknown(config);
}

Hardware load_hardware_flag(const std::string& config) {
  ReadFiles read;
  return load_hardware_flag(config, read);
}

std::string config_bytes(const std::string& config) {
  if (!is_file(config)) {
    if (config == "host") return host_description();
    if (is_shipped(config)) return std::string(embedded_file(path_of(config)));
    refuse_unknown(config);
  }
  return located({.file = config}, [&] { return read_file(config); });
}

}  // namespace burin
