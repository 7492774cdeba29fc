// What of a tile's results calls functions is computed in whole vectors where its sums lie, over
// all its columns, before elements go to their places: a loop over places ends where a row of the
// plane, or the tensor, does, and compilers take what is left of it one by one.
#pragma once

#include "select/programs/making.h"
#include "select/programs/tile_program.h"

namespace burin {

// A result: `made` of its sum and of what a row of the tile shares, then `rest`, which reads the
// sum's let where `made` stood.
struct ValueOfSum {
  Expr made, rest;
};

// The largest part of `value` that reads the let `sum` at its own point, and else nothing that
// moves with `columns` (axes of the kernel), no other let either; nullopt: there is none that has
// at least a function, or any operation.
enum class Least : uint8_t { function, any };
std::optional<ValueOfSum> value_of_sum(const Expr& value, int sum, const std::vector<int>& columns,
                                       Least least = Least::function);

// Stores of every element of rows [0, rows) of a tile, over a row and a column, in whole vectors;
// nullopt: they have no form for vectors.
std::optional<loops::Stmts> in_vectors_of(
    Making& making, const TileShape& shape, const Index& rows,
    const std::function<loops::Stmts(const Index& row, const Index& column)>& stores);

// Rows [0, rows) of a tile in an array, the first of which is point `first` of axis `m` (-1: none).
struct TileInArray {
  loops::BufferId array;
  const TileShape& shape;
  Index rows;
  int m = -1;
  Index first = 0;
};
// What of `value` is made of its sum, stored where the sum lies, behind `out`; what is then left to
// do with an element, the value itself where there is nothing, or no form for vectors.
Expr made_in_place(Making& making, const Expr& value, int sum, const std::vector<int>& columns,
                   const TileInArray& tile, loops::Stmts& out, Least least = Least::function);

// Whether a value calls a function that vectors have.
bool calls_function(const Expr& value);

}  // namespace burin
