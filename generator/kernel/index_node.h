// The inside of Index; only kernel/index*.cpp include it.
#pragma once

#include "kernel/index.h"

namespace burin {

struct IndexNode {
  IndexKind kind = IndexKind::constant;
  int64_t value = 0;               // constant; axis number; constant term of a polynomial
  Symbol symbol;                   // of a symbol
  std::vector<Index> operands;     // of floordiv, mod, min, max; {extent} of an axis
  ExprPtr data;                    // of data
  std::vector<Index::Term> terms;  // of a polynomial: sorted by atoms, coefficients not zero
  Range range;
  size_t hash = 0;
  int64_t written = 1;  // nodes when written out: operands that are shared count every time
};

// Structural order and hash of the expressions inside data leaves (kernel/expr.cpp).
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

// The proofs without replacements of atoms (index_proof.cpp): what construction can afford.
bool quickly_proven_le(const Index& a, const Index& b);
bool quickly_proven_lt(const Index& a, const Index& b);

struct IndexBuilder {
  static Index make(IndexNode node);
  // Sum of terms that need not be sorted or distinct.
  static Index polynomial(std::vector<Index::Term> terms, int64_t constant);
};

}  // namespace burin
