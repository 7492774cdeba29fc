// A description of the machine that burin runs on: the shipped one that it has all instructions of,
// with the caches and the number of processors that the system tells.
#pragma once

#include <string>

namespace burin {

// JSON, as load.h reads it. Other machines, and other systems on the same machine, give another
// text: keep it as a file where trees must stay the same.
std::string host_description();

}  // namespace burin
