// Contractions: kernels with one sum of products, as register-tiled products of packed panels.
//
// With the axes of one let sorted into
//   batch   in both factors      (groups, heads)
//   m       in factor a only     (rows)
//   n       in factor b only     (columns; the axis that is contiguous in the result is one of
//   these) k       reduced              (depth)
// the kernel is a batch of products of an M x K and a K x N matrix, whatever its operators were:
// a matrix product, a convolution (n runs over the pixels), an attention score. m and n are
// flattened: the axes that they stand for are m // c and m % c, which vanish again in linear
// addresses.
//
// Panels: a as [M / rows][K][rows], b as [N / columns][K][columns], zero beyond M and N. A constant
// factor is packed now, the other when the kernel runs: b one panel at a time, a as a whole.
//
//   for batch:  pack a
//     for each block of columns:  pack b's panel
//       for each block of rows:  tile = a's panel * b's panel;  write the tile's elements
//       (epilogue)
//
// Factor a may be a normalisation of what it reads: lets before the product, reductions of rows
// over the depth, are computed for a block of rows just before it is packed.
//
// Where b is read through windows (select/tiles/window.h), n stays apart: its plane is staged in
// bands instead of packed, a block of columns is a range of positions, and a row of b's panel is
// the staged operand, shifted. With one row and a window in the batch this is a depthwise
// convolution; without factor a, a pool: `op` combines b alone.
//
// Where the rows may not fill the last block (or, of a symbolic size, the only one), tiles of fewer
// rows are edge tiles, and the block's rows choose at run time: SoD2's fat, regular and
// skinny versions (4.4.2) of one kernel, over the same panels. Tiles of few sums may add several
// points of the depth apart (tile.h), so last bits of a row go by the tile that it is in.
#pragma once

#include <algorithm>
#include <optional>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/products/met_taps.h"
#include "select/products/winograd.h"
#include "select/tiles/plane_rows.h"
#include "select/tiles/register_tile.h"
#include "select/tiles/window.h"

namespace burin {

// One factor: its element for (batch, m, k) or (batch, n, k), over the axes of the flattened
// kernel.
struct TileFactor {
  Expr element;
  bool is_prepacked = false;     // a constant, packed now
  ValueId prepacked = kNoValue;  // the packed constant; kNoValue: packed by the kernel
  int pack_points = 0;  // points of the depth that are computed side by side (operand_packing.h)
  bool keeps_fp16 = false;  // panels are fp16, widened as they are read
  int widen_points = 0;     // of the depth, that become floats at once; 0: each as it is loaded
  int compact = 0;          // points of its depth that are unpacked together: a constant whose
                            // parts are packed now, panels by the kernel (compact.h)
  bool is_few = false;      // as that, but for constants that are few together
  // Whether its panels lie in scratch: they are no constants, and no parts of one that become
  // floats beside the tile.
  bool is_packed_by_kernel() const {
    return element && prepacked == kNoValue && (compact == 0 || widen_points == 0);
  }
  bool operator==(const TileFactor&) const = default;
};

// A normalisation of the rows of the result (select/rows/row_epilogue.h): tiles store the value of
// a row as a let, and what follows it runs over the rows once all their columns are there.
struct RowEpilogue {
  int value = 0;   // the let behind the product's, over batch, m and n
  int write = -1;  // that stores it, where it is then read; -1: it is in scratch
  bool operator==(const RowEpilogue&) const = default;
};

struct ContractionSchedule {
  std::vector<int> batch;                // loops around everything
  int m = -1, n = -1;                    // flattened axes; -1: extent 1
  std::vector<int> k;                    // loops of the depth, in order
  std::vector<int> around;               // loops around blocks of columns, of b alone
  std::vector<MetTaps> met;              // of k, outermost: what blocks of columns skip
  int stripes = 1;                       // of the plane, where blocks skip taps; one of around
  Dim rows = 1, columns = 1, depth = 1;  // M, N, K
  Tile tile;
  Versions versions;                    // edge tiles, of the same panels
  TileFactor a, b;                      // a may have no element: b alone is combined
  Combiner op = Combiner::sum;          // of b alone
  Expr value;                           // what is written; refers to the last let
  Guard when;                           // where it is written
  std::optional<SlidingWindow> window;  // of b; then n is -1
  std::optional<PlaneRows> plane_rows;  // of a window without m: results row by row
  std::optional<Winograd> winograd;     // then the window is that of tiles of the plane
  std::optional<RowEpilogue> row_epilogue;
  int64_t block_rows = 0;  // that are packed, multiplied and normalised before the next ones
                           // (row_blocks.h); 0: all of a call
  Dim a_offset = 0, b_offset = 0;  // of the panels that the kernel packs, in its scratch; of the
                                   // staged operand, where there is a window
  Dim shifts_offset = 0;           // of the places of its taps, 32-bit integers
  SumsGo sums_go = SumsGo::registers;
  bool a_unpacked = false;  // rows of a are read where they lie (unpacked.h)
  bool b_unpacked = false;  // whole blocks of columns are read where b lies (unpacked.h)
  bool b_overlaps = false;  // and the last one, which computes columns of the one before again
  int prefetch = 0;         // bytes by which panels of constants are asked for before they are read
  // Whether a call begins by packing rows of a.
  bool packs_rows() const { return a.is_packed_by_kernel() && !a_unpacked; }
  bool operator==(const ContractionSchedule&) const = default;
};

// Whether no result of a window is reached through its positions.
bool has_only_plane_rows(const ContractionSchedule& schedule);
// Elements behind a staged operand that the last block of positions reads.
inline int64_t columns_behind(const ContractionSchedule& schedule) {
  if (!has_only_plane_rows(schedule)) return schedule.tile.columns();
  return is_narrow(*schedule.plane_rows, *schedule.window) ? schedule.plane_rows->columns() : 0;
}

// The edge tiles that a product may have. `given`: verb "accumulators".
EdgeOptions edge_options(const ContractionSchedule& schedule, bool b_constant,
                         const Given& given = {});

// A kernel whose axes are batch, m, n and k, and the schedule over them; nullopt when it is no
// contraction, or one that generic loops serve better (no rows or no depth to speak of). `column`:
// an axis of n, where it is not the write that tells. `given`: verbs of a product.
struct Contraction {
  Kernel kernel;
  ContractionSchedule schedule;
  Dim scratch_bytes = 0;
  std::vector<Dim> row_offsets = {};  // in scratch, of the lets before the product
};
std::optional<Contraction> find_contraction(const Kernel& kernel, const std::vector<Value>& values,
                                            const Hardware& hardware, int column = -1,
                                            const Given& given = {});

// The same for one sum, least or greatest of an operand alone that is read through windows.
std::optional<Contraction> find_window_reduction(const Kernel& kernel,
                                                 const std::vector<Value>& values,
                                                 const Hardware& hardware, const Given& given = {});

// Whether a factor is packed now: it loads constants only, depends on no dynamic size, and its
// panels are not much larger than what they are made of (a table that positions look things up in
// stays a table).
bool packed_ahead(const Expr& factor, const Kernel& kernel, const std::vector<Value>& values);

// Of the axes of one factor only, the one whose neighbouring points lie closest in the result's
// memory; -1: none.
int closest_axis(const Write& write, const std::vector<Value>& values, const std::vector<int>& a,
                 const std::vector<int>& b);

// Below, packing costs more than tiles save.
inline constexpr int64_t kLeastTiledDepth = 4;

// The packed panels of a constant factor as bytes, [batch][blocks][depth][width]. `lane` is the
// flattened axis that runs within a panel (m or n), `type` that of the panels: f32 or f16.
Constant pack_constant(const Contraction& contraction, const TileFactor& factor, int lane,
                       int width, const std::vector<Value>& values, Type type = Type::f32);

}  // namespace burin
