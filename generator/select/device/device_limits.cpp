#include "select/device/device_limits.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

bool has_doubles(const Kernel& kernel, const std::vector<Value>& values) {
  bool found = false;
  const auto on_node = [&](const ExprNode& node) {
    found = found || node.type == Type::f64 || node.storage == Type::f64;
  };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit(body, on_node);
    found = found || std::count(let.accumulator.begin(), let.accumulator.end(), Type::f64) > 0;
  }
  for (const Write& write : kernel.writes) {
    for (const Index& index : write.at) visit(index, on_node);
    for (const Condition& condition : write.when) visit(condition.index, on_node);
    visit(write.value, on_node);
    found = found || values[static_cast<size_t>(write.to)].type == Type::f64;
  }
  return found;
}

}  // namespace

void refuse_what_device_lacks(const Kernel& kernel, const std::vector<Value>& values,
                              const Hardware& hardware) {
  if (hardware.opencl.fp64 || !has_doubles(kernel, values)) return;
  refuse("device", quoted(hardware.name) + " has no double precision",
         "take a model in single precision, or a description whose opencl.has lists \"fp64\"");
}

}  // namespace burin
