// How long a stage of the pipeline took.
#pragma once

#include <string>

namespace burin {

struct StageTime {
  std::string name;
  double seconds = 0;
};

}  // namespace burin
