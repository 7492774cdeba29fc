// The one door from std::string to Code, for render/ alone: what passes it was put together from
// typed text and from templates.
#pragma once

#include <string>
#include <utility>

#include "render/text.h"

namespace burin {

struct RenderedText {
  static Code code(std::string text) { return Code(std::move(text), 0); }
};

}  // namespace burin
