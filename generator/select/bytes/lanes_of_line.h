// Lines whose points are lanes of vectors: what differs from lane to lane, and what does not.
#pragma once

#include <optional>
#include <vector>

#include "select/bytes/fixed_line.h"

namespace burin {

struct LanesOfLine {
  int start = -1;           // which part the beginning is; -1: all lanes begin alike
  std::vector<int> stages;  // of each stage the part that its factor is, likewise
  int64_t blocks = 0, parts = 0;
  // [outer points][blocks][parts][isa::kByteVectors][isa::kByteLanes], as rows of isa/byte_rows.h
  // read them; lanes behind the last one are what that is.
  std::vector<int32_t> numbers;
};

// Of a line whose last `lanes` points are lanes each; blocks of them begin every `step`. The line
// keeps its outer points. nullopt: more differs than beginnings and factors.
std::optional<LanesOfLine> lanes_apart(FixedLine& line, int64_t lanes, int64_t step);

}  // namespace burin
