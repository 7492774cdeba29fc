// SPDX-License-Identifier: MIT-0
// Asking for memory before it is read. It changes no value, and the address need not be one of the
// program's.
#ifndef BURIN_RT_PREFETCH_H
#define BURIN_RT_PREFETCH_H

#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// The line that lies `ahead` bytes behind an address.
static inline void prefetch(const void* from, uintptr_t ahead) {
#if defined(__GNUC__)
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(from) + ahead));
#else
  (void)from;
  (void)ahead;
#endif
}

// What is read behind this is not read before it.
static inline void read_late() {
#if defined(__GNUC__)
  __asm__ volatile("" ::: "memory");
#endif
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PREFETCH_H
