// What is known of a procedure of runtime_min by its name.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

// Whether it does arithmetic on floats; the others move and compare them.
bool rounds(const Procedure& procedure);

// Why a run ends that cannot go on: a loop would go on beyond its bound, none of several paths ran,
// an operator does not define what follows from a value.
enum class Stop : uint8_t { iterations, no_path, undefined };

// Ends the run where `reason` holds, a boolean of one element.
Procedure stop_if(ValueId reason, Stop why);

// What it writes to one of its values: elements of what it reads first, or integers of 0 and above;
// nullopt where neither is known.
struct Written {
  bool chosen = false;
  Dim most = 0;  // of the integers
};
std::optional<Written> written(const Procedure& procedure, ValueId to);

}  // namespace burin
