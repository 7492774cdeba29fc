// What programs of rows of bytes share (row_schedule.h, exponent_rows.h): buffers, the lets of a
// row, a row in an array of whole vectors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/byte_rows.h"
#include "isa/instruction.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "loops/kernel_buffers.h"
#include "loops/program.h"
#include "loops/transforms/change.h"
#include "loops/walk.h"
#include "select/bytes/known_rows.h"
#include "select/programs/making.h"
#include "support/at.h"

namespace burin {

inline bool lies_in_row(const Value& value, const std::vector<Index>& place, int axis,
                        const Dim& extent) {
  const Index where = address(value.layout, value.shape, place);
  return !where.has_data() && !(where - Index::axis(axis, extent)).uses_axis(axis);
}

// The axis along which a kernel writes a row of bytes behind lets over all other axes, in f32 or
// sums of integers; -1: it is no such kernel. `anywhere`: they need not lie side by side.
int axis_of_row(const Kernel& kernel, const std::vector<Value>& values, bool anywhere);

class RowStmts {
 protected:
  using Stmt = loops::Stmt;
  using Stmts = loops::Stmts;

  RowStmts(const Kernel& kernel, int axis, const std::vector<Value>& values);

  const Dim& extent(int axis) const { return kernel_.axes[at(axis)].extent; }
  const Dim& length() const { return extent(axis_); }
  // Of the row, in whole vectors.
  Dim whole() const { return ceildiv(length(), isa::kBytesAtOnce) * isa::kBytesAtOnce; }
  Index lane() const { return program_.var(axis_); }
  loops::BufferId buffer(const std::string& name, Type type, std::vector<Dim> shape);
  int variable(const char* name, const Dim& extent) {
    return program_.add(loops::Var{loops::free_var(program_, name), extent});
  }
  // A let of the row; in partial results as loops of floats have them on a machine of scalars
  // (select/schedule/lanes.h). Integers by rows of isa/sum_rows.h, where `sums_bytes`.
  Stmts let(size_t number, bool sums_bytes);
  // The write, one by one; or another one of its places.
  Stmts one_by_one(const Write& write) const {
    return {loop(axis_, 0, length(), {loops::store_of(write, buffers_)})};
  }
  Stmts one_by_one() const { return one_by_one(kernel_.writes[0]); }
  // alloc, and a row of bytes in it; behind the last one there is the first again.
  Stmts staged(loops::BufferId to, const Expr& load);
  // Around what happens for each row.
  Stmts over_rows(Stmts body) const;
  static Guard is_true(const Expr& condition) {
    return {{Index::data(Expr::cast(Type::i64, condition).ptr(), {0, 1}), 1, 2}};
  }

  const Kernel& kernel_;
  const int axis_;
  const std::vector<Value>& values_;
  loops::Program program_;
  loops::KernelBuffers buffers_;
  std::vector<loops::BufferId> lets_;

 private:
  Stmts in_lanes(const Let& one, size_t number, int axis);
  Stmts integers(const Let& one, size_t number, bool sums_bytes);
  Stmts call_of(const isa::Instruction* row, const Expr& load, int axis, loops::BufferId to,
                const Index& first, const Dim& count);
};

}  // namespace burin
