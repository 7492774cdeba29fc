// The line that burin prints when it refuses what `body` does.
#pragma once

#include <string>

#include "support/diagnostics.h"

namespace burin {

template <class Body>
std::string refusal(Body&& body) {
  try {
    body();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

}  // namespace burin
