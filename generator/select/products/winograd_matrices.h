// Winograd's minimal filtering (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks,
// 2015; the matrices by Toom and Cook): neighbouring results of a filter from fewer products.
//
// m results of r taps read m + r - 1 elements. Filter and elements are the coefficients of two
// polynomials; taken at m + r - 2 numbers and at infinity, they are multiplied there, and results
// are found from these m + r - 1 products instead of m * r:
//
//   y = output ((filter g) * (input d))
//
// Of a plane both axes are done so, one after the other.
#pragma once

#include <vector>

#include "kernel/expr/expr.h"

namespace burin {

using Matrix = std::vector<std::vector<double>>;  // of rows

struct WinogradMatrices {
  int outputs = 1, taps = 1;  // m, r
  Matrix output;              // m x points
  Matrix filter;              // points x r
  Matrix input;               // points x points
  int points() const { return outputs + taps - 1; }
};

// The most results of a tile along an axis.
inline constexpr int kMostWinogradOutputs = 6;
// `outputs` and `taps` are at least 2 and have at most 8 points. Elements of `output` and `input`
// are exact, those of `filter` rounded to a double.
WinogradMatrices winograd_matrices(int outputs, int taps);

// The filter from what was made of it: taps x points, filter's left inverse.
Matrix taps_of_points(const WinogradMatrices& matrices);

// What the roundings of a plane's results are, as a share of the root of the mean square of these
// results, where filters and elements are independent numbers of the same sizes: those of a direct
// sum are about one unit in the last place, here differences of large numbers have them.
double winograd_error(const WinogradMatrices& matrices);

// matrix * terms; what two rows, or two terms in all rows, have in common is one expression.
std::vector<Expr> times(const Matrix& matrix, const std::vector<Expr>& terms);

}  // namespace burin
