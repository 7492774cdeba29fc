// Tuning files: what `burin tune` found, as JSON that reads well in a diff; a line for each kernel.
//
//   {
//     "format": 2,
//     "hardware": "pocl",
//     "search": {"seed": 1, "population": 16, "generations": 12, "untuned_us": 812.4, "us": 640.1},
//     "kernels": {
//       "0a1b2c3d4e5f6071": {"what": "Conv, Relu", "verbs": ["work-group 64", "unroll 2"]},
//       "1a1b2c3d4e5f6071": {"what": "MaxPool", "verbs": ["vector 4", "images 1"], "us": 12.5}
//     },
//     "pairs": {
//       "0a1b2c3d4e5f6071 1a1b2c3d4e5f6071": {"what": "Conv, Relu beside MaxPool", "joint": true}
//     }
//   }
//
// Verbs are those of select/verbs/verbs.h. What is not said stays as it is without a file.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "select/device/tuning.h"

namespace burin {

struct TuningFile {
  std::string hardware;
  uint64_t seed = 1;
  int population = 0, generations = 0;
  double untuned_us = 0, us = 0;  // of a whole run, before and after
  Tuning tuning;
  std::map<std::string, std::string> what;  // the kernels' operators, for people
};

std::string to_json(const TuningFile& file);

// Refused as malformed JSON and descriptions are; and as inconsistent-hardware where it is for
// another description than `hardware`.
TuningFile read_tuning_file(const std::string& path, const std::string& hardware);
// The same of its text; `path` stands for it in messages.
TuningFile parse_tuning_file(std::string_view text, const std::string& path,
                             const std::string& hardware);

}  // namespace burin
