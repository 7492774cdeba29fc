// Paths of a graph without nested ones (SoD2 section 4.1, <Switch, Combine>): what Switch and
// Combine say of them. Lowering puts the steps of every path into a branch of structured control
// flow (lower/paths.h), so that behind it there is nothing but If.
#pragma once

#include <functional>
#include <vector>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin {

namespace types {
// Of an operand that may come from a path that does not run. Every other operator runs only where
// all its operands are.
inline constexpr TypeSet path{uint64_t{1} << 61};
}  // namespace types

// How a predicate chooses among paths.
enum class PathForm : uint8_t {
  flag,    // one boolean: path 0 where it is false, path 1 where it is true
  number,  // one integer: that path; none where it is the number of no path
  mask,    // a boolean for each path: none, one or several of them
};

// Path `path` runs; without axes.
Expr runs(PathForm form, const Operand& predicate, int path);

class PathContext {
 public:
  // An operand that may run, of an operator that takes operands of paths.
  struct Arm {
    int input = 0;
    Operand value;
    Expr runs;  // whether it runs, given that the operator does
    bool always = false;
  };

  virtual ~PathContext() = default;
  // Output i of this node is on path i of `predicate`.
  virtual void route(const Operand& predicate, PathForm form) = 0;
  // The same where it is known while generating which of them run.
  virtual void route_known(const std::vector<bool>& runs) = 0;

  virtual std::vector<Arm> arms() const = 0;
  // Exactly one of the arms runs, or the predicate is the number of none.
  virtual bool alternatives() const = 0;
  // One runs whatever the predicate is.
  virtual bool certain() const = 0;
  // What `body` emits runs with the path of this arm.
  virtual void in_arm(const Arm& arm, const std::function<void()>& body) = 0;
};

PathContext& paths_of(OpContext& op);

}  // namespace burin
