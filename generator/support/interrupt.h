// Folders and child processes that must not outlive the program, also when a user ends it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace burin {

// From here on SIGINT, SIGTERM and SIGHUP kill the children that are registered, remove the folders
// that are registered, with their contents, and then end the program as they would have. Once per
// program, before it has threads.
void clean_up_on_interrupt();

// Makes a folder and registers it, with no moment between: `pattern` as mkdtemp's. Empty when it
// cannot be made.
std::string make_folder(std::string pattern);
void forget_folder(const std::string& path);

// Starts a child with `spawn`, which sets its process id, makes it the leader of its own process
// group and returns an errno, 0 for success; a child that started is registered with its group.
int start_child(pid_t& child, const std::function<int(pid_t&)>& spawn);
// Waits for a child of start_child: its status as of waitpid. It is registered no more.
int wait_for_child(pid_t child);

}  // namespace burin
