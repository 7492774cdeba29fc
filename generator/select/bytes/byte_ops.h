// A byte that is computed from bytes, element by element, as operations that rows of isa/ do for
// many at a time: a table of one byte, a line of several (fixed_line.h), or of a number in f32 that
// is quantised (line.h).
//
// Bytes that move along the lanes are what operations read; of what does not, and of what moves
// along one axis of lanes, constants are known now, and one byte that is known as the tree runs
// chooses the line (a channel's factor). Bytes that are made on the way (quantised, dequantised)
// are operations of their own, unless one element of memory is behind all of it: then its table is.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "isa/byte_rows.h"
#include "isa/instruction.h"
#include "loops/program.h"
#include "select/bytes/fixed_line.h"

namespace burin {

struct ByteOp {
  Expr exact;                   // what the kernel says, over its axes
  std::vector<Expr> operands;   // bytes: leaves, or what operations before it say
  ValueId constant = kNoValue;  // [points][256], or [points][parts of the line]
  std::vector<Index> point;     // of the constant, all but its last dimension
  std::optional<FixedLine> line;
  loops::BufferId run_parts = -1;  // of a line that the tree computes; else `constant` has them
  bool floats = false;             // its operand is one number in f32; `constant` has the scale
  ValueId float_line = kNoValue;   // what isa/quantise_rows.h reads of it besides
  // Of a line whose numbers differ from lane to lane: [points][blocks][parts][vectors][lanes], and
  // which of these parts the beginning and each stage have; -1: `constant` has it.
  ValueId along = kNoValue;
  int along_start = -1;
  std::vector<int> along_stages;
  const isa::Instruction* table = nullptr;
  const isa::Instruction* digits = nullptr;  // of isa/digit_rows.h; `constant` has their words
  // Of a product of two bytes `constant` has isa::kLineParts, these the zero points.
  std::vector<ValueId> zeros;
  bool product_is_sure = false;
  bool has_doubts() const {
    return floats || (line && !line->sure) || (!zeros.empty() && !product_is_sure);
  }
};
// An operation, and what it computes.
struct SaidByteOp {
  ByteOp op;
  Expr said;
};
struct ByteOps {
  std::vector<ByteOp> ops;  // the last one is the whole
  Expr value;               // the same, as the kernel says it then
};

struct ByteLanes {
  std::vector<int> axes;  // that lanes run over
  Expr given = {};  // a byte that is there already, of which the kernel's lets are a part; or empty
  // One of the axes that constants may move with, too, and how many of its points are between two
  // blocks of lanes. -1: none.
  int along = -1;
  int64_t step = isa::kBytesAtOnce;
};

// nullopt: the description lacks rows for it (some have tables and no lines), or the value is
// something else. Constants are appended.
std::optional<ByteOps> find_byte_ops(const Expr& value, const Kernel& kernel,
                                     const ByteLanes& lanes, std::vector<Value>& values,
                                     const Hardware& hardware);

}  // namespace burin
