// Decode attention, of few queries: SoD2's skinny version (4.4.2) of what
// select/products/attention_schedule.h tiles.
//
//   for batch:  for each query:
//     q = the query
//     scores[key] = rows of K times q           score_rows
//     scores = mask(scores), their softmax      weigh_row
//     sums[element] = scores times rows of V    add_rows
//     write sums
//
// Packing K and V pays when many queries share it. Few read rows as they lie. A row is a range of a
// tensor, or, where it is computed (scaled, converted, put together from pieces), made for a block
// of keys at a time; then all queries take their turn at each step. Scratch is of the size of the
// scores, not of K and V.
//
// Tiles cost the same for any number of queries up to their columns, rows the more the more there
// are. The most for which rows are cheaper follows from the description of the hardware: a few
// more than a block of a tile has would fill little of a second one. Where code is to be short, all
// queries read rows that lie in memory, one row and one vector at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/verbs/verbs.h"

namespace burin {

struct Attention;

// The rows of K or V: a row's elements over the depth, or over the elements of the result.
struct RowFactor {
  ValueId tensor = kNoValue;  // whose last axis rows lie along; kNoValue: they are computed
  bool rows_inside = false;   // computed: neighbouring rows are neighbours in memory
  bool operator==(const RowFactor&) const = default;
};

struct DecodeAttention {
  int most = 1;     // queries that this version is for
  int lanes = 4;    // of a vector
  int rows = 1;     // of K at a time; of K and V that are computed at a time
  int vectors = 1;  // of elements at a time
  RowFactor k, v;   // of the same elements as the panels of tiles
  Dim scores_offset = 0, q_offset = 0, sums_offset = 0, rows_offset = 0;  // in scratch
  // Queries go one by one through all steps: no row is computed for several of them.
  bool is_only() const { return k.tensor != kNoValue && v.tensor != kNoValue; }
  // Scores of a row, whole vectors.
  Dim padded(const Dim& keys) const { return ceildiv(keys, lanes) * lanes; }
  bool operator==(const DecodeAttention&) const = default;
};

// Adds the version where there may be so few queries, beside the tiles or instead of them. Nothing
// where scores of positions are read, or rows are shorter than a vector. `given`: verb "decode".
void add_decode_attention(Attention& attention, const std::vector<Value>& values,
                          const Hardware& hardware, const Given& given = {});

// What is wrong with the scratch of the version that runs at some sizes (`at`: a size there):
// arrays that overlap, or end beyond it. Empty: nothing.
std::string check_scratch(const Attention& attention, const std::function<int64_t(const Dim&)>& at);

}  // namespace burin
