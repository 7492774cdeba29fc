// A module as straight runs of packets between labels and directives that mean something.
#pragma once

#include <string>
#include <vector>

#include "vliw/assembly.h"

namespace burin::vliw {

struct Stretch {
  std::vector<std::string> anchors;  // in front of it: directives, and labels as "label NAME"
  std::vector<const Packet*> packets;
  std::vector<size_t> items;  // the packets' places in the module
  int line = 0;

  // Packets [from, to) without anchors.
  Stretch part(size_t from, size_t to) const;
};

std::vector<Stretch> stretches(const Module& module);

}  // namespace burin::vliw
