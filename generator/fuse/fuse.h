// fuse: KernelGraph -> KernelGraph with fewer kernels and the same meaning.
//
// Rewrites are statements about accesses, none about operators. fuse/rewrites.h has them in order,
// README.md says what each does, and when.
#pragma once

#include "fuse/access/options.h"
#include "fuse/constants/constant_rewrites.h"
#include "kernel/kernel.h"

namespace burin {

KernelGraph fuse(KernelGraph graph, const FuseOptions& options, Rewrites* made = nullptr);

}  // namespace burin
