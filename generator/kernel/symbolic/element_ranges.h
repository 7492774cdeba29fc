// What all elements of a tensor lie between, and so what a number that is computed from data is
// never above: an index of an axis, a minimum with a size, a sum of as many flags as there are
// places, a remainder. Read off the kernels that write the tensors; no operator is named.
//
// 64-bit integers and floats of which nothing is known count as less than 2^60 in magnitude: what
// is larger is no size, and the run holds every size against its range.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kernel/symbolic/symbolic.h"

namespace burin {

class ElementRanges {
 public:
  // `steps`: those that have been made, in lists of which none is a part of another; `known`:
  // elements that are known by themselves. All must outlive this.
  ElementRanges(const std::vector<const Steps*>& steps, const std::vector<Value>& values,
                const std::map<ValueId, SymbolicElements>& known);

  // What an integer without axes and lets is never above; nullopt where that is no size.
  std::optional<Dim> most(const Expr& value);
  // Of all elements of a tensor; nullopt where they are no whole numbers.
  std::optional<ElementBounds> range(ValueId id);

 private:
  friend class KernelRanges;

  SymbolicElement of_tensor(ValueId id);
  SymbolicElement found(ValueId id);
  void add_makers(const Steps& steps);

  // A write of a kernel, or a procedure.
  struct Maker {
    const Kernel* kernel = nullptr;
    const Write* write = nullptr;
    const Procedure* procedure = nullptr;
  };
  SymbolicElement made_by(const Maker& maker, ValueId id);
  Expr source(Expr expr) const;
  bool are_same(const Expr& a, const Expr& b) const;

  const std::vector<Value>& values_;
  const std::map<ValueId, SymbolicElements>& known_;
  std::map<ValueId, std::vector<Maker>> makers_;
  std::set<ValueId> opaque_;  // written by what is no kernel, too
  std::map<ValueId, SymbolicElement> ranges_;
  int left_;       // expressions that are looked at
  int depth_ = 0;  // tensors that are looked at for each other
};

}  // namespace burin
