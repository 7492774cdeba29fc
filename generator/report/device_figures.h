// What a device gets of a plan: launches, tensors in images, memory. For `burin analyze`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipeline.h"

namespace burin {

struct DeviceFigures {
  size_t launches = 0;  // in the code of a run; those in loops once
  MemoryUse memory = MemoryUse::buffers;
  size_t pool = 0;  // images that kernels write, which tensors share
  struct Tensor {
    std::string name, reason;
    std::string map;  // empty: in a buffer
  };
  std::vector<Tensor> tensors;        // that images were thought of for
  std::vector<std::string> in_image;  // constants whose texels are images of their own
  std::string bytes;                  // a number or an expression
  int64_t bytes_at_hints = 0;
};

DeviceFigures device_figures(const ModelPlan& plan);

std::string to_text(const DeviceFigures& figures);
nlohmann::ordered_json json_of(const DeviceFigures& figures);

}  // namespace burin
