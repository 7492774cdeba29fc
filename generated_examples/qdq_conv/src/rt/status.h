// SPDX-License-Identifier: MIT-0
// Status codes of emitted functions and procedures: 0 is success, everything else says what the
// caller got wrong. The numbers are part of the emitted interface and never change meaning.
#ifndef BURIN_RT_STATUS_H
#define BURIN_RT_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

enum Status : int32_t {
  kOk = 0,
  kNullArgument = 1,         // a pointer that must not be null is null
  kArenaTooSmall = 2,        // arena_bytes is less than this shape needs
  kArenaMisaligned = 3,      // the arena does not start at the required alignment
  kWeightsWrongSize = 4,     // weights_bytes differs from what the tree was emitted for
  kWeightsCorrupt = 5,       // the checksum of the weights differs
  kDimensionOutOfRange = 6,  // a size that the caller passes is outside its range
  kShapeMismatch = 7,        // sizes that must agree do not
  kCapacityExceeded = 8,     // an output of data-dependent size does not fit its capacity
  kInvalidArgument = 10,     // any other value that the operator does not define
  kNotInitialised = 11,      // run before init
  kIterationLimit = 12,      // a loop would go on beyond its declared bound
  kParallelForBroken = 13,   // the caller's parallel_for did not run every part as it should
  kValueOutOfRange = 14,     // what the inputs hold asks for what is outside its range
  kNoPath = 15,              // none of the paths of a Switch ran, and no result is made up
  kUnitRefused = 16,         // the operating system does not give the process a unit that it needs
};

// One line in English; "unknown status" for numbers that are none.
static inline const char* status_text(int32_t status) {
  switch (status) {
    case kOk:
      return "ok";
    case kNullArgument:
      return "a required pointer is null";
    case kArenaTooSmall:
      return "the arena is too small for this shape";
    case kArenaMisaligned:
      return "the arena is not aligned as required";
    case kWeightsWrongSize:
      return "the weights have the wrong size";
    case kWeightsCorrupt:
      return "the checksum of the weights differs";
    case kDimensionOutOfRange:
      return "a dimension is outside its declared range";
    case kShapeMismatch:
      return "sizes that must agree do not";
    case kCapacityExceeded:
      return "an output does not fit its capacity";
    case kInvalidArgument:
      return "an argument has a value that is not defined";
    case kNotInitialised:
      return "the context is not initialised";
    case kIterationLimit:
      return "a loop ran longer than its declared bound";
    case kParallelForBroken:
      return "the caller's parallel_for did not run every part once, under a worker of its own";
    case kValueOutOfRange:
      return "a value that the inputs hold, or a size that follows from them, is outside its range";
    case kNoPath:
      return "none of the paths ran of which at least one must";
    case kUnitRefused:
      return "the operating system refuses a unit of the processor";
    default:
      return "unknown status";
  }
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_STATUS_H
