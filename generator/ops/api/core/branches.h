// What the lowering of If does beside OpContext: a branch that may turn out not to be one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ops/api/core/op_context.h"

namespace burin {

class BranchContext {
 public:
  virtual ~BranchContext() = default;
  // Runs `body`. Where it refuses, what it declared, named and found out is forgotten before that
  // goes on to the caller.
  virtual void attempt_all(const std::function<void()>& body) = 0;
  // Steps that were collected, as they are.
  virtual void splice(Steps steps) = 0;
  // Tells the user, who is not stopped.
  virtual void warn(std::string_view rule, std::string text) = 0;
};

// The same context (generator/lower).
BranchContext& branches_of(OpContext& op);

}  // namespace burin
