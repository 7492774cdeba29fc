// The rewrites of `fuse` as one table: what they are called, when they are tried, and why then. The
// order of the table is the order of rewriting; `--without` and its help have the names from here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fuse/access/block_steps.h"
#include "fuse/access/options.h"
#include "kernel/kernel.h"

namespace burin {

enum class Phase : uint8_t {
  before,     // of the whole graph, once
  rounds,     // of each block, until nothing changes
  once,       // of each block, behind its rounds
  constants,  // of the whole graph, one after the other: what constants make
  end,        // of each block, when contractions have their final form
};

struct Rewrite {
  const char* name;       // that `--without` has; several may share one; "": it has none
  bool FuseOptions::*on;  // null: always
  Phase phase;
  const char* why;      // it stands here
  const char* of = "";  // what is rewritten, where the name alone does not tell
  // One of the two; none: a part of the rewrite in front of it.
  void (*of_kernel)(BlockSteps& block, int at, const FuseOptions& options) = nullptr;
  KernelGraph (*of_graph)(KernelGraph graph, const FuseOptions& options, Rewrites& made) = nullptr;
  bool (*applies)(const FuseOptions& options) = nullptr;  // what else has to be so; null: nothing
  bool from_last = false;                                 // the kernels of a block
};

std::span<const Rewrite> rewrites();

// The names, each once, in the order of the table.
struct FuseSwitch {
  const char* name;
  bool FuseOptions::*on;
  const char* of;
};
std::vector<FuseSwitch> fuse_switches();

}  // namespace burin
