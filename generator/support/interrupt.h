// Folders that must not outlive the program, also when a user ends it.
#pragma once

#include <string>

namespace burin {

// From here on SIGINT, SIGTERM and SIGHUP remove the folders that are registered, with their
// contents, and then end the program as they would have. Once per program, before it has threads.
void remove_folders_on_interrupt();

// Makes a folder and registers it, with no moment between: `pattern` as mkdtemp's. Empty when it
// cannot be made.
std::string make_folder(std::string pattern);
void forget_folder(const std::string& path);

}  // namespace burin
