// Kernels that are alike: what transforms make of their programs is made once.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "loops/program.h"

namespace burin {

// Answers for programs that were asked of before, up to the kernel's name and which values its
// arguments are: a transform knows of neither.
class AlikePrograms {
 public:
  using Transform = std::function<loops::Program(loops::Program)>;
  explicit AlikePrograms(Transform transform) : transform_(std::move(transform)) {}

  loops::Program of(loops::Program program);
  int64_t made() const { return made_; }  // how often the transform ran

 private:
  struct Pair {
    loops::Program given, made;
  };
  Transform transform_;
  std::unordered_map<size_t, std::vector<Pair>> known_;  // by hash; looked up only
  int64_t made_ = 0;
};

}  // namespace burin
