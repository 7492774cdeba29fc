// Statements of operations on bytes (byte_ops.h), 128 places at a time.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "loops/kernel_buffers.h"
#include "loops/program.h"
#include "select/bytes/byte_ops.h"

namespace burin {

// Where 128 bytes are: the first of them, and any of them by its number.
struct BytePlace {
  loops::BufferId buffer = -1;
  std::vector<Index> first;
  std::function<std::vector<Index>(const Index& number)> at;
};
// In a row of a buffer, from `first` on.
BytePlace bytes_in_row(loops::BufferId buffer, std::vector<Index> first);

class ByteStmts {
 public:
  // `only_count`: of operations that are all tables, which take as many bytes as they are told.
  ByteStmts(const ByteOps& ops, loops::Program& program, const loops::KernelBuffers& buffers,
            bool only_count = false);

  // All operations for places whose leaves are at `leaf`; the last one's bytes go to `to`. Of them
  // the first `count` matter: what else is in doubt nobody looks at. `lanes`: what the operations
  // were found with; `first`: the place of the first one along its axis.
  loops::Stmts block(const std::function<BytePlace(const Expr& leaf)>& leaf, const BytePlace& to,
                     const Dim& count, const ByteLanes& lanes = {}, const Index& first = 0);

 private:
  loops::Stmts one(const ByteOp& op, const BytePlace& to, const Dim& count);
  loops::Stmts line(const ByteOp& op, const BytePlace& to, const Dim& count);
  loops::Stmts product(const ByteOp& op, const BytePlace& to, const Dim& count);
  loops::Stmts sum(const ByteOp& op, const BytePlace& to, const Dim& count);
  loops::Stmts floats(const ByteOp& op, const BytePlace& to, const Dim& count);
  loops::Stmts begin_doubts();
  loops::Stmts doubts(const ByteOp& op, const BytePlace& to, const Dim& count,
                      bool in_a_row = false);
  loops::Region parts(const ByteOp& op, int first, int64_t count,
                      ValueId constant = kNoValue) const;
  loops::Region parts_along(const ByteOp& op, int part) const;
  loops::BufferId buffer(loops::Scope scope, const char* name, Type type, std::vector<Dim> shape);

  const ByteOps& ops_;
  loops::Program& program_;
  const loops::KernelBuffers& buffers_;
  const bool only_count_;
  std::map<Expr, BytePlace> places_;  // of bytes that are there
  loops::BufferId positions_ = -1, seen_ = -1;
  int word_ = -1, byte_ = -1, along_ = -1;
  Index first_ = 0;  // along that axis
  int64_t step_ = isa::kBytesAtOnce;
};

}  // namespace burin
