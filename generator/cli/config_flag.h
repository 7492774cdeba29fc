// What --config may be: a file, the name of a description that comes with burin, or `host`.
#pragma once

#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "support/file_bytes.h"

namespace burin {

// Names of the descriptions that are built in, sorted.
std::vector<std::string> shipped_configs();

// The words that --config takes beside files; and these for messages.
std::vector<std::string> words_of_configs();
std::string known_configs();

// A file is tried first. Refused as load_hardware does, with the names where there is no such file.
Hardware load_hardware_flag(const std::string& config);
// The same, of the files that a command line has read.
Hardware load_hardware_flag(const std::string& config, ReadFiles& read);

// The text of the same description.
std::string config_bytes(const std::string& config);

}  // namespace burin
