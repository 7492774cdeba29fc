// The procedures that have a form of kernels (procedure_kernels.h), one by one, and what their
// forms share.
#pragma once

#include <optional>
#include <string>

#include "kernel/procedures/procedure_kernels.h"

namespace burin {

// Each stands for a procedure that may count to all that there is. Where a user says that there is
// less, results have no room for all: the procedure stops there, kernels would not.
std::optional<ProcedureKernels> compaction_kernels(const Procedure& procedure,
                                                   std::vector<Value>& values);
std::optional<ProcedureKernels> ranking_kernels(const Procedure& procedure,
                                                std::vector<Value>& values);
std::optional<ProcedureKernels> distinct_kernels(const Procedure& procedure,
                                                 std::vector<Value>& values);
std::optional<ProcedureKernels> suppression_kernels(const Procedure& procedure,
                                                    std::vector<Value>& values);

// The order of runtime_min/procedures/order.h: NaN is the largest.
Expr exceeds(const Expr& a, const Expr& b);
// NaN is equal to NaN.
Expr is_same(const Expr& a, const Expr& b);
Expr both(const Expr& a, const Expr& b);

// The dimension of `shape` that lines run along.
std::optional<size_t> line_of(const std::vector<Dim>& shape, const Dim& outer, const Dim& inner);

// Of kernels that stand for a procedure.
class FormBuilder {
 public:
  FormBuilder(const Procedure& procedure, std::vector<Value>& values)
      : procedure_(procedure), values_(values) {}

 protected:
  ValueId add(const char* name, Type type, std::vector<Dim> shape);
  Kernel kernel(const char* what) const;
  const Value& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  const Procedure& procedure_;

 private:
  std::vector<Value>& values_;
};

// An element's number as data: at least 0, less than `extent`.
Index number_below(const Expr& number, const Dim& extent);
// Where a boolean holds.
Condition where(const Expr& boolean);

}  // namespace burin
