// fuse_at: what fills a buffer is computed inside of a loop that reads it, at each of its points no
// more than that point reads. The buffer becomes an array of the loop (Halide's compute_at; a let
// of a cascade inside the loop that its rows share).
//
// Legal where one nest fills the buffer, a point for each element, and stores nothing else that is
// there behind it; where nothing but the loop reads the buffer; where a point of the loop reads a
// box of known extent; and where nothing behind the nest writes what it reads. Elements that
// several points read are computed for each of them.
#pragma once

#include "loops/transforms/change.h"

namespace burin::loops {

Change fuse_at(const Program& program, BufferId buffer, int var);

}  // namespace burin::loops
