#include "select/integers/integer_program.h"

#include "select/integers/stmts.h"

namespace burin {

loops::Program integer_program(const IntegerPlan& plan, const std::vector<Value>& values) {
  return (plan.window ? window_stmts(plan, values) : panel_stmts(plan, values))->run();
}

}  // namespace burin
