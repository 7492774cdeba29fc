// Integer products by a unit for matrices (isa/matrix_rows.h): tiles of several of its registers,
// whose sums go through memory.
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "isa/matrix_rows.h"
#include "kernel/kernel.h"
#include "select/integers/row_choice.h"

namespace burin {

struct IntegerPlan;

struct MatrixTile {
  isa::MatrixRows rows;
  isa::MatrixShape shape;  // in registers
  int groups = 1;          // of the reduced axis in a step
  // Rows, and vectors of kMatrixColumns sums.
  std::pair<int, int> tile() const { return {shape.rows * isa::kMatrixRows, shape.columns}; }
};

// Of so many groups of the reduced axis, which vectors would multiply so: as many, or the
// few more that steps of the unit divide with fewer steps. What is more is multiplied by 0.
Dim groups_in_steps(const Dim& groups, const RowChoice& choice, const Hardware& hardware);

// The tile that takes the fewest cycles; nullopt: the description has no such unit, groups of
// factor b do not lie evenly apart or are of no known number, or tiles of vectors take no more than
// `cycles`. Of a plan with `dot`, its window and its axes. `given`: rows, vectors and groups, which
// are taken if they may be; others than three numbers ask for vectors; may be null.
std::optional<MatrixTile> choose_matrix(const IntegerPlan& plan, const Hardware& hardware,
                                        int64_t cycles, const std::vector<int64_t>* given);

// Bytes from a group of factor b to the next one, of a plan with such a tile.
Dim pitch_of_groups(const IntegerPlan& plan);

}  // namespace burin
