#include "loops/program.h"

#include "support/at.h"

namespace burin::loops {

std::string_view to_string(Scope scope) {
  static constexpr std::string_view kNames[] = {"argument", "scratch",   "group",
                                                "stack",    "registers", "local"};
  return kNames[static_cast<size_t>(scope)];
}

std::string_view to_string(Kind kind) {
  static constexpr std::string_view kNames[] = {"serial", "unrolled", "independent", "outlined",
                                                "vector", "thread",   "group",       "item",
                                                "host",   "launch"};
  return kNames[static_cast<size_t>(kind)];
}

bool InductionVariable::carries_one() const {
  if (moved == Moved::by_much || !step.is_constant()) return false;
  const int64_t size = step.constant() < 0 ? -step.constant() : step.constant();
  return size == 1 || proven_le(size, divisor);
}

std::string_view to_string(InductionVariable::Moved moved) {
  static constexpr std::string_view kNames[] = {"by_axis", "by_quotient", "by_much"};
  return kNames[static_cast<size_t>(moved)];
}

Index Program::var(int number) const { return Index::axis(number, vars[burin::at(number)].extent); }

int Program::add(Var var) {
  vars.push_back(std::move(var));
  return static_cast<int>(vars.size()) - 1;
}

BufferId Program::add(Buffer buffer) {
  buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(buffers.size()) - 1;
}

Expr Program::element(BufferId buffer, std::vector<Index> at) const {
  return Expr::load(buffer, buffers[burin::at(buffer)].type, std::move(at));
}

Expr Program::element(BufferId buffer, Type type, std::vector<Index> at) const {
  return type == Type::f16 ? Expr::fp16_load(buffer, std::move(at))
                           : element(buffer, std::move(at));
}

}  // namespace burin::loops
