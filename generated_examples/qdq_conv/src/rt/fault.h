// SPDX-License-Identifier: MIT-0
// What a status is about, where it is about one size, value or tensor: in the caller's context, and
// as text. A Fault is the emitted <name>_fault.
#ifndef BURIN_RT_FAULT_H
#define BURIN_RT_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class Fault>
static inline void clear(Fault& fault) {
  fault.what = nullptr;
  fault.value = 0;
  fault.least = 0;
  fault.most = 0;
}

// Whether least <= value <= most; where not, that is written down.
template <class Fault>
static inline bool within(Fault& fault, const char* what, int64_t value, int64_t least,
                          int64_t most) {
  if (value >= least && value <= most) return true;
  fault.what = what;
  fault.value = value;
  fault.least = least;
  fault.most = most;
  return false;
}

// The status, with what it is about.
template <class Fault>
static inline int32_t about(Fault& fault, const char* what, int32_t status) {
  fault.what = what;
  return status;
}

// The status of fewer bytes than are needed.
template <class Fault>
static inline int32_t too_few(Fault& fault, const char* what, size_t bytes, int64_t needed,
                              int32_t status) {
  within(fault, what, static_cast<int64_t>(bytes), needed, INT64_MAX);
  return status;
}

// A line of text that is cut where the room ends.
struct Line {
  char* at;
  size_t room;
  size_t length;  // that it would have

  void add(char c) {
    if (length + 1 < room) at[length] = c;
    ++length;
  }
  void add(const char* text) {
    while (*text != 0) add(*text++);
  }
  void add(int64_t number) {
    char digits[20];
    int count = 0;
    uint64_t left = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    do {
      digits[count++] = static_cast<char>('0' + static_cast<char>(left % 10));
      left /= 10;
    } while (left != 0);
    if (number < 0) add('-');
    while (count > 0) add(digits[--count]);
  }
  size_t end() {
    if (room > 0) at[length + 1 < room ? length : room - 1] = 0;
    return length;
  }
};

// "a dimension is outside its declared range: rows is 65, not from 1 to 64" into `text`, cut to
// `room` bytes with the 0 at its end; the length of all of it. `meaning`: of the status.
template <class Context>
static inline size_t explain(const Context* context, const char* meaning, char* text, size_t room) {
  Line line = {text, text == nullptr ? 0 : room, 0};
  line.add(meaning);
  if (context == nullptr || context->fault.what == nullptr) return line.end();
  const auto& fault = context->fault;
  line.add(": ");
  line.add(fault.what);
  // All 0: it is about no range.
  if (fault.value >= fault.least && fault.value <= fault.most) return line.end();
  line.add(" is ");
  line.add(fault.value);
  if (fault.most == INT64_MAX) {
    line.add(", less than ");
    line.add(fault.least);
    return line.end();
  }
  line.add(", not from ");
  line.add(fault.least);
  line.add(" to ");
  line.add(fault.most);
  return line.end();
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_FAULT_H
