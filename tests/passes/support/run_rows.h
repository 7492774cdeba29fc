// Programs over argument buffers of 3 x 40 floats, run.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernel/tensor.h"
#include "loops/run/run.h"

namespace burin::loops {

// What the buffers hold then; before, each has the same numbers, with few bits.
inline std::vector<HostTensor> run_rows(const Program& program, size_t buffers,
                                        const std::map<std::string, int64_t>& symbols = {}) {
  std::vector<Value> values(buffers);
  Environment environment;
  environment.symbols = symbols;
  for (size_t v = 0; v < buffers; ++v) {
    values[v].type = Type::f32;
    values[v].shape = {3, 40};
    values[v].kind = ValueKind::internal;
    HostTensor tensor = make_tensor(Type::f32, {3, 40});
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, {static_cast<double>(i % 7) / 4, 0});
    environment.tensors[static_cast<ValueId>(v)] = tensor;
  }
  const RunResult result = run_loops(program, values, environment);
  EXPECT_EQ(result.status, kRunOk) << result.message;
  std::vector<HostTensor> out;
  for (size_t v = 0; v < buffers; ++v)
    out.push_back(environment.tensor(values, static_cast<ValueId>(v)));
  return out;
}

}  // namespace burin::loops
