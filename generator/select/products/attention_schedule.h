// Attention (fuse/attention/attention_form.h) as two register-tiled products around a softmax, for
// a block of queries and a block of keys at a time:
//
//   for batch:  pack K and V
//     for each block of queries:  pack Q;  greatest = -infinity, total = 0, sums = 0
//       positions[row][query] = P's panels * Q's panel         where S reads scores of positions
//       for each block of keys:
//         scores[key][query] = K's panels * Q's panel
//         scores = mask(scores)
//         greatest, total, scores = running softmax
//         sums[element][query] = sums * rescale + V's panels * scores
//       write sums / total
//
// Weights that are masked or scaled behind the softmax are so in front of the second product, and
// what divides the sums is whatever a model makes of greatest and total
// (fuse/attention/attention_rows.h):
//
//         gained = gained * rescale + sum of gain(scores)    where the factor has it
//         scores = gain(scores)
//       write sums * factor(greatest, total, gained)
//
// Queries run along the lanes: a block of scores is at once the result of the first product and the
// panel of the second, and rows of the softmax need no sum across lanes. The matrix of scores never
// exists; scratch holds one block of it, half of the nearest cache at most. Panels: Q as
// [depth][columns], K as [keys / rows][depth][rows], V as [elements / rows][keys][rows].
//
// Of the scores of positions a block of queries computes the rows that it reads with all keys: as
// many as there are keys and queries of the block, where rows go by distance. S reads them where
// its index says.
//
// The running form computes with the greatest score so far and rescales what was summed when it
// grows. A row whose scores so far are all -infinity is taken relative to 0: its weights are 0
// until a score is finite, and NaN (0 / 0) or 0 at the end, as EmptyRows says.
//
// Few queries read the rows of K and V as they lie (decode attention,
// select/products/decode_attention.h): a version beside the tiles, or alone where there are never
// more.
#pragma once

#include <optional>

#include "fuse/attention/attention_form.h"
#include "hardware/hardware.h"
#include "select/products/contraction.h"
#include "select/products/decode_attention.h"

namespace burin {

// A table of scores of positions, for a block of queries.
struct PositionTable {
  int let = 0;             // of the kernel
  int row = 0;             // flattened axis
  std::vector<int> depth;  // loops of its sum, in order
  Dim rows = 1, depth_extent = 1;
  Expr q, p;
  Index read = 0;  // the row that S reads, over query and key
  Tile tile;       // rows of positions, as many columns as that of the scores
  // The rows for a block that begins at the query's axis: from `first` on, a multiple of the tile's
  // rows, and at most as many as `window`.
  Index first = 0, end = 0;
  Dim window = 1;
  Dim q_offset = 0, p_offset = 0, scores_offset = 0;  // in scratch
  bool operator==(const PositionTable&) const = default;
};

struct AttentionSchedule {
  std::vector<int> batch;    // loops around everything
  int query = -1;            // -1: one query
  int key = 0, element = 0;  // flattened axes
  std::vector<int> depth;    // loops of the scores' sum, in order
  Dim queries = 1, keys = 1, elements = 1, depth_extent = 1;
  Tile scores, values;    // of the two products: rows of keys, and of elements
  int64_t key_block = 1;  // keys at a time, a multiple of scores.rows
  Expr q, k, v;
  std::vector<PositionTable> positions;
  Expr masked;  // a score, over let 0 and those of `positions`
  int greatest = 1, total = 2, gained = -1, result = 3;  // lets
  Expr value;                                            // what is written, over the result
  EmptyRows empty = EmptyRows::nan;
  Expr gain, factor;     // of weights, over let 0, and of sums, over the others; may be empty
  bool selects = false;  // the gain leaves keys out
  Dim q_offset = 0, k_offset = 0, v_offset = 0, scores_offset = 0, sums_offset = 0;  // in scratch
  bool tiled = true;                      // off: `decode` alone
  std::optional<DecodeAttention> decode;  // the version of few queries
  SumsGo sums_go = SumsGo::registers;
  int columns() const { return scores.columns(); }
  bool gains() const { return gain && gain.kind() != ExprKind::let; }
  // The gain where weights are NaN.
  Expr gain_of_nan() const;
  bool operator==(const AttentionSchedule&) const = default;
};

// A kernel over the flattened axes, with the form's lets, and its schedule; nullopt where it
// is no attention, or too small for tiles. One query has no tiles. `given`: verbs "tile scores",
// "tile values", "block keys".
struct Attention {
  Kernel kernel;
  AttentionSchedule schedule;
  Dim scratch_bytes = 0;
};
std::optional<Attention> find_attention_schedule(const Kernel& kernel,
                                                 const std::vector<Value>& values,
                                                 const Hardware& hardware, const Given& given = {});

}  // namespace burin
