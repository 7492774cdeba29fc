#include "select/products/winograd_matrices.h"

#include <cmath>
#include <optional>

#include "support/check.h"

namespace burin {
namespace {

// Numbers whose powers are neither large nor small, in pairs of opposite signs: sums of a pair are
// used twice.
constexpr double kPoints[] = {0, 1, -1, 2, -2, 0.5, -0.5};
constexpr double kUnitRoundoff = 1.0 / (1 << 24);  // of a float

// Coefficients, the lowest first, of the product of (x - p) over all finite points but one.
std::vector<double> product_of_others(int finite, int but) {
  std::vector<double> out{1};
  for (int l = 0; l < finite; ++l) {
    if (l == but) continue;
    out.push_back(0);
    for (size_t k = out.size(); k-- > 0;) out[k] = (k > 0 ? out[k - 1] : 0) - kPoints[l] * out[k];
  }
  return out;
}

double power(double x, int n) {
  double out = 1;
  for (int k = 0; k < n; ++k) out *= x;
  return out;
}

double sum_of_squares(const std::vector<double>& row) {
  double out = 0;
  for (const double one : row) out += one * one;
  return out;
}

// Terms with positive weights first; those of 1 are no products.
Expr weighted_sum(const std::vector<double>& weights, const std::vector<Expr>& terms) {
  Expr out;
  for (const bool positive : {true, false}) {
    for (size_t j = 0; j < terms.size(); ++j) {
      const double weight = weights[j];
      if (weight == 0 || (weight > 0) != positive) continue;
      const double size = std::abs(weight);
      const Expr term = size == 1 ? terms[j] : terms[j] * size;
      out = !out ? (positive ? term : -term) : positive ? out + term : out - term;
    }
  }
  return out ? out : Expr::constant(terms[0].type(), 0);
}

// Whether two lists of weights differ in signs only, and in some.
bool are_opposites(const std::vector<double>& a, const std::vector<double>& b) {
  bool differ = false;
  for (size_t k = 0; k < a.size(); ++k) {
    if (std::abs(a[k]) != std::abs(b[k])) return false;
    differ = differ || a[k] != b[k];
  }
  return differ;
}

std::vector<double> column_of(const Matrix& matrix, size_t column) {
  std::vector<double> out;
  for (const std::vector<double>& row : matrix) out.push_back(row[column]);
  return out;
}

// Where two neighbouring terms have the same weights but for signs: their sum and difference
// instead.
std::optional<std::vector<Expr>> by_pairs_of_terms(const Matrix& matrix,
                                                   const std::vector<Expr>& terms) {
  Matrix weights = matrix;
  std::vector<Expr> made = terms;
  bool found = false;
  for (size_t j = 0; j + 1 < terms.size(); ++j) {
    if (!are_opposites(column_of(matrix, j), column_of(matrix, j + 1))) continue;
    made[j] = terms[j] + terms[j + 1];
    made[j + 1] = terms[j] - terms[j + 1];
    for (std::vector<double>& row : weights) {
      const bool same = row[j] == row[j + 1];
      row[j + 1] = same ? 0 : row[j];
      row[j] = same ? row[j] : 0;
    }
    found = true;
    ++j;
  }
  if (!found) return std::nullopt;
  std::vector<Expr> out;
  for (const std::vector<double>& row : weights) out.push_back(weighted_sum(row, made));
  return out;
}

}  // namespace

WinogradMatrices winograd_matrices(int outputs, int taps) {
  WinogradMatrices out;
  out.outputs = outputs;
  out.taps = taps;
  const int points = out.points(), finite = points - 1;
  BURIN_CHECK(outputs >= 2 && taps >= 2 && finite <= static_cast<int>(std::size(kPoints)),
              "no such filter");
  out.output.assign(static_cast<size_t>(outputs), {});
  for (int p = 0; p < finite; ++p) {
    double scale = 1;
    for (int l = 0; l < finite; ++l) {
      if (l != p) scale *= kPoints[p] - kPoints[l];
    }
    std::vector<double> filter;
    for (int k = 0; k < taps; ++k) filter.push_back(power(kPoints[p], k) / scale);
    out.filter.push_back(std::move(filter));
    std::vector<double> input = product_of_others(finite, p);
    input.resize(static_cast<size_t>(points), 0);
    out.input.push_back(std::move(input));
    for (int i = 0; i < outputs; ++i)
      out.output[static_cast<size_t>(i)].push_back(power(kPoints[p], i));
  }
  // At infinity only the highest coefficients count.
  std::vector<double> filter(static_cast<size_t>(taps), 0);
  filter.back() = 1;
  out.filter.push_back(std::move(filter));
  out.input.push_back(product_of_others(finite, -1));
  for (int i = 0; i < outputs; ++i)
    out.output[static_cast<size_t>(i)].push_back(i + 1 == outputs ? 1 : 0);
  return out;
}

Matrix taps_of_points(const WinogradMatrices& matrices) {
  // Of as many points as there are taps, infinity among them: the polynomial through the others,
  // from which its highest term was taken.
  const int taps = matrices.taps, finite = matrices.points() - 1;
  Matrix out(static_cast<size_t>(taps), std::vector<double>(static_cast<size_t>(finite) + 1, 0));
  out.back().back() = 1;
  for (int p = 0; p + 1 < taps; ++p) {
    // Lagrange's polynomial of point p, times what `filter` was divided by.
    double scale = 1;
    std::vector<double> lagrange{1};
    for (int l = 0; l + 1 < taps; ++l) {
      if (l == p) continue;
      scale *= kPoints[p] - kPoints[l];
      lagrange.push_back(0);
      for (size_t k = lagrange.size(); k-- > 0;)
        lagrange[k] = (k > 0 ? lagrange[k - 1] : 0) - kPoints[l] * lagrange[k];
    }
    double divided = 1;
    for (int l = 0; l < finite; ++l) {
      if (l != p) divided *= kPoints[p] - kPoints[l];
    }
    for (size_t k = 0; k < lagrange.size(); ++k) {
      const double weight = lagrange[k] / scale;
      out[k][static_cast<size_t>(p)] += weight * divided;
      out[k].back() -= weight * power(kPoints[p], taps - 1);
    }
  }
  return out;
}

double winograd_error(const WinogradMatrices& matrices) {
  // A product at a point has the square of sum_of_squares(filter) * sum_of_squares(input) of those
  // of single elements, and is rounded in proportion.
  double worst = 0;
  for (size_t i = 0; i < matrices.output.size(); ++i) {
    double squares = 0;
    for (size_t p = 0; p < matrices.filter.size(); ++p) {
      const double weight = matrices.output[i][p];
      squares +=
          weight * weight * sum_of_squares(matrices.filter[p]) * sum_of_squares(matrices.input[p]);
    }
    worst = std::max(worst, squares / matrices.taps);
  }
  // Elements are rounded as they are transformed, filters too, and so are sums of products.
  constexpr double kRoundings = 2;
  return kUnitRoundoff * kRoundings * worst;
}

std::vector<Expr> times(const Matrix& matrix, const std::vector<Expr>& terms) {
  if (std::optional<std::vector<Expr>> pairs = by_pairs_of_terms(matrix, terms))
    return std::move(*pairs);
  std::vector<Expr> out;
  for (size_t i = 0; i < matrix.size(); ++i) {
    const bool pair = i + 1 < matrix.size() && are_opposites(matrix[i], matrix[i + 1]);
    if (!pair) {
      out.push_back(weighted_sum(matrix[i], terms));
      continue;
    }
    std::vector<double> same(terms.size(), 0), opposite(terms.size(), 0);
    for (size_t j = 0; j < terms.size(); ++j)
      (matrix[i][j] == matrix[i + 1][j] ? same : opposite)[j] = matrix[i][j];
    const Expr a = weighted_sum(same, terms), b = weighted_sum(opposite, terms);
    out.push_back(a + b);
    out.push_back(a - b);
    ++i;
  }
  return out;
}

}  // namespace burin
