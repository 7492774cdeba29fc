// The inside of Index; only kernel/index/index*.cpp include it.
#pragma once

#include <atomic>

#include "kernel/index/effort.h"
#include "kernel/index/index.h"

namespace burin {

// What an index is at the points where counterexamples are looked for (index_refute.cpp): computed
// once, when first asked for, by whichever thread asks first. A copy of a node has its own.
struct PointValues;
class PointCache {
 public:
  PointCache() = default;
  PointCache(const PointCache&) {}
  PointCache& operator=(const PointCache&) { return *this; }
  ~PointCache();
  const PointValues& of(const IndexNode& node) const;

 private:
  mutable std::atomic<const PointValues*> values_ = nullptr;
};

// Of a remainder mod(x, q): floordiv(x, q), which sums look for whenever one is made with it. Found
// once, by whichever thread asks first, unless effort was spent on the way.
class QuotientCache {
 public:
  QuotientCache() = default;
  QuotientCache(const QuotientCache&) {}
  QuotientCache& operator=(const QuotientCache&) { return *this; }
  ~QuotientCache();
  Index of(const IndexNode& remainder) const;

 private:
  mutable std::atomic<const Index*> quotient_ = nullptr;
};

struct IndexNode {
  IndexKind kind = IndexKind::constant;
  int64_t value = 0;               // constant; axis number; constant term of a polynomial
  Symbol symbol;                   // of a symbol
  std::vector<Index> operands;     // of floordiv, mod, min, max; {extent} of an axis
  ExprPtr data;                    // of data
  std::vector<Index::Term> terms;  // of a polynomial: sorted by atoms, coefficients not zero
  Range range;
  size_t hash = 0;
  int64_t written = 1;    // nodes when written out: operands that are shared count every time
  bool hard = false;      // made where the effort was spent: nothing more is proven about it
  bool has_data = false;  // some leaf is data; the extent of an axis is no leaf
  PointCache points;
  QuotientCache quotient;
};

// Structural order and hash of the expressions inside data leaves (kernel/expr/expr.cpp).
int compare_exprs(const ExprPtr& a, const ExprPtr& b);
size_t hash_expr(const ExprPtr& expr);
ExprPtr substitute_axes_in(const ExprPtr& expr, const std::vector<Index>& axes);
ExprPtr substitute_symbol_in(const ExprPtr& expr, std::string_view name, const Index& value);
void collect_axes_in(const ExprPtr& expr, std::vector<int>& axes);
void collect_symbols_in(const ExprPtr& expr, std::vector<Symbol>& symbols);

int compare(const Index& a, const Index& b);
int compare_atoms(const std::vector<Index>& a, const std::vector<Index>& b);

// Arithmetic that clips at the ends of int64, for ranges.
int64_t saturating_add(int64_t a, int64_t b);
int64_t saturating_mul(int64_t a, int64_t b);
int64_t floor_divide(int64_t a, int64_t b);
int64_t floor_modulo(int64_t a, int64_t b);

Range multiply(Range a, Range b);
Range range_of(const IndexNode& node);
size_t hash_of_node(const IndexNode& node);  // of its parts' hashes

// Whether a dynamic size has a bound that depends on sizes of the caller alone: what holds of it
// holds wherever the size is known.
bool has_bound_of_caller(const SymbolInfo& symbol);

// The proofs without replacements of atoms (index_proof.cpp): what construction can afford.
bool quickly_proven_le(const Index& a, const Index& b);
bool quickly_proven_lt(const Index& a, const Index& b);

// Whether a point is seen where a + slack <= b fails (index_refute.cpp); false: none is seen.
bool refuted_le(const Index& a, const Index& b, int64_t slack);
// Whether one is seen where a mod b is not `remainder`: a question that is cheaper than making the
// remainder.
bool refuted_remainder(const Index& a, const Index& b, const Index& remainder);

struct IndexBuilder {
  static Index make(IndexNode node);
  // Sum of terms that need not be sorted or distinct.
  static Index polynomial(std::vector<Index::Term> terms, int64_t constant);
};

// A sum of many parts. A short one is added up part by part; in a long one that would sort
// everything again for each of them.
class IndexSum {
 public:
  IndexSum(size_t parts, int64_t constant) : long_(parts > kLong), sum_(constant) {}
  void add(const Index& part);
  Index take();

 private:
  static constexpr size_t kLong = 64;
  bool long_;
  Index sum_;
  std::vector<Index::Term> terms_;
};

}  // namespace burin
