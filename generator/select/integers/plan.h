// Integer products: kernels whose one sum is of products of 8-bit integers, as register tiles of an
// instruction of isa/ (YFlows 2: output-anchored, weights and inputs pass by). Products of bf16 are
// the same with sums of floats, and without zero points and what follows from these.
//
//   sum over k of (a - za)(b - zb) = sum a' b' - za sum b' - zb sum a' + K za zb
//
// where a' and b' are what the instruction takes and za, zb their zero points: integers, so the
// identity is exact in 32 bits that wrap. Sums of constants are prepacked, sums of what the kernel
// stages are made beside it; a zero point that is known to be 0 takes its sum with it. Where a
// convolution looks beside the tensor it reads the zero point.
//
// The reduced axis with neighbours in it is cut into the groups that the instruction multiplies,
// and padded to whole ones. Factor b is the one whose axis is contiguous in the result; its lanes
// are the vector's. A constant factor is packed now; another is staged by the kernel: rows of a,
// panels of b, or b's plane once for all taps where it is read through windows
// (select/tiles/window.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hardware/hardware.h"
#include "isa/instruction.h"
#include "isa/requantise_rows.h"
#include "select/bytes/byte_ops.h"
#include "select/integers/bundle.h"
#include "select/integers/factor.h"
#include "select/integers/matrix.h"
#include "select/products/repacked_constant.h"
#include "select/tiles/window.h"
#include "select/verbs/verbs.h"

namespace burin {

struct IntegerFactor {
  Type type = Type::none;     // of the instruction's operand
  ValueId packed = kNoValue;  // panels of a constant
  Expr staged;                // else: of that type, over the kernel's axes
  int sums = -1;              // the let that sums what is staged; -1: nobody asks
};

// How sums become bytes without floats (line.h), or by floats with what follows that byte in tables
// (by_table.h); then there is no row.
struct ByLine {
  // Of four vectors, of three and of two (there may be none), with marks of doubts and with the
  // lowest.
  std::map<std::pair<int, isa::Doubts>, const isa::Instruction*> rows;
  const isa::Instruction* row(int vectors, isa::Doubts doubts) const {
    return rows.at({vectors, doubts});
  }
  Expr exact;  // what is written, by floats only
  Expr byte;   // what is a line of that: all of it, or a part that the rest is computed from
  ValueId lines = kNoValue;   // [axes][isa::kLineParts], i32
  ValueId limits = kNoValue;  // [axes][2], of sums before; kNoValue: there are none
  // Lines differ from lane to lane: [batch axes][vectors][factor, offset][lanes], i32. What else
  // `lines` says is then the same for all lanes.
  ValueId along = kNoValue;
  // The line is of the corrected sum: what the product lacks is subtracted first.
  bool corrected = false;
  std::vector<int> axes;
  ByteLanes lanes;              // that the rest has
  std::optional<ByteOps> rest;  // of the byte, where all of it is made of bytes
};

// Which loop threads share, a part of it each.
enum class Share : uint8_t { none, batch, bands, rows, columns };

struct IntegerPlan {
  Kernel kernel;           // with what is stored, packed and corrected
  std::vector<int> batch;  // axes in both factors
  int m = -1, n = -1;      // of one only, flattened; -1: one point, or a window's plane
  std::vector<int> k;      // reduced axes but `within`; the last one counts groups
  int within = -1;         // the axis within a group
  Dim rows = 1, columns = 1, groups = 1;
  Dim places = 1;  // of the axis that is cut into groups; what these have beyond is 0
  IntegerFactor a, b;
  std::vector<RepackedConstant> repacked;  // constants of which it has panels
  ValueId ones = kNoValue;                 // a group of ones, where lanes of b are summed
  std::optional<SlidingWindow> window;
  const isa::Instruction *dot = nullptr, *zero = nullptr, *store = nullptr;
  // Four vectors at a time instead of `dot`, with their lanes in another order.
  const isa::Instruction* fours = nullptr;
  isa::LaneOrder order = isa::LaneOrder::in_a_row;
  // Several rows of a tile at a time instead of `dot`.
  Bundle bundle;
  ValueId start_group = kNoValue;  // what was taken off the constants, for `bundle.starts`
  // Whole tiles instead of `dot`, by a unit for matrices; their sums are read from memory.
  std::optional<MatrixTile> matrix;
  int group = 1, lanes = 1, tile_rows = 1, vectors = 1;
  bool looked_at_once = false;  // doubts of lines, once for all tiles of a block of rows
  int product = 0;              // its let
  // What its sum lacks, by rows and by columns of the result; either may be empty.
  Expr missing_rows, missing_columns;
  std::optional<ByLine> line;
  isa::Rows moves;                               // that carry what is staged, and results
  const isa::Instruction* sum_of_row = nullptr;  // of a, where it is staged; null: one by one
  bool float_vectors = true;                     // else floats behind sums are computed one by one
  bool masks = false;                            // vectors may be loaded and stored in part
  // Rows of isa/ do, whole planes of it (pad_rows.h, pad_fours.h).
  bool pads = false, pads_fours = false;
  // How far ahead of a tile constant panels are asked for, in bytes; whether what it reads and
  // writes besides is, a block of rows ahead (ahead.h).
  int64_t panels_ahead = 0;
  bool results_ahead = false;
  bool reads_late = false;  // constants behind the sums of a tile, which take all registers
  Share share = Share::none;
  int64_t grain = 1;  // points of the shared loop in one part
  Dim parts = 1;
  bool one_by_one = false;  // a call makes its parts so, although all at once would do
  // Whether it does: what it stages of its rows is a part's.
  bool counts_parts() const { return one_by_one || (share == Share::rows && a.packed == kNoValue); }
  Type sum() const { return zero->values[0].type; }
  int tile_columns() const { return vectors * lanes; }
  std::vector<int> axes_of_columns() const {
    if (!window) return n < 0 ? std::vector<int>{} : std::vector<int>{n};
    std::vector<int> own = window->outer;
    if (window->rows.output >= 0) own.push_back(window->rows.output);
    own.push_back(window->columns.output);
    return own;
  }
  // Of one tile's row: positions of a band where there is a window.
  Dim tiled_columns() const {
    if (!window) return columns;
    return (window->band - 1) * window->places() + window->columns.outputs;
  }
};

// nullopt: the kernel is something else, the machine has no row that fits, or it is too small to be
// worth a tile. Constants are appended to `values`.
// `given`: verb "instruction". Products are made by one of `rows`. Nothing is shared yet (share.h).
std::optional<IntegerPlan> plan_integers(const Kernel& kernel, std::vector<Value>& values,
                                         const Hardware& hardware, const Given& given,
                                         const isa::Rows& rows);

}  // namespace burin
