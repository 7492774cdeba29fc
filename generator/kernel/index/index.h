// Index: a quasi-affine integer expression, and Dim, the same without axes.
//
// Leaves are constants, symbols (sizes that are known only at run time), iteration axes and
// integers that a kernel loads from data; operations are + * floordiv mod min max. Values are
// immutable and kept in one canonical form: a polynomial (sum of integer coefficients times
// products of atoms), where an atom is a leaf or a floordiv/mod/min/max whose operands are
// canonical. Equal values are therefore structurally equal, and == decides equality for everything
// this form can see.
//
// The bounds of symbols and the extents of axes take part in simplification: (i*W + j) // W is i
// when j runs over W (SmartMem, Figure 3: identity, split and merge are the cases of these rules).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace burin {

class Index;
using Dim = Index;  // by convention: no axes inside

inline constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

// Where a run-time size comes from.
enum class SymbolOrigin : uint8_t {
  param,  // a named dimension of the model's inputs: a field of <name>_dims
  run,    // a size or value that the run itself produces (NonZero, a Slice bound that is an input)
  iter,   // the counter of a loop region
  unknown,  // a dimension that no fact determines yet; only while shapes are being resolved
};

struct SymbolInfo {
  std::string name;  // unique in a model; raw text of the model for `param`
  SymbolOrigin origin;
  int64_t min = 0;  // inclusive bounds; kUnbounded where nothing bounds it from above
  int64_t max = kUnbounded;
  int64_t hint = 0;  // the size to optimise for; 0: none given
  // A bound from above that depends on sizes which are known when this one is: NonZero finds at
  // most as many places as its input has elements. Null: `max` is all that is known.
  std::shared_ptr<const Index> most = {};
  // Ends that the model's own checks leave: no --dim goes beyond.
  bool least_of_model = false, most_of_model = false;
};
using Symbol = std::shared_ptr<const SymbolInfo>;  // identified by name

// Inclusive numeric bounds; saturated at the ends of int64.
struct Range {
  int64_t lo = std::numeric_limits<int64_t>::min();
  int64_t hi = std::numeric_limits<int64_t>::max();
  bool operator==(const Range&) const = default;
  bool bounded() const;
};

enum class IndexKind : uint8_t {
  constant,
  symbol,
  axis,
  data,
  polynomial,
  floordiv,
  mod,
  min,
  max
};

struct ExprNode;  // kernel/expr/expr.h
using ExprPtr = std::shared_ptr<const ExprNode>;

// An atom to a power is the atom repeated. Sorted, so that products are canonical.
struct Monomial;
struct IndexNode;

class Index {
 public:
  Index() : Index(0) {}
  Index(int64_t constant);                           // NOLINT: a number is an index
  Index(int constant) : Index(int64_t{constant}) {}  // NOLINT

  static Index symbol(Symbol symbol);
  // Axis number `axis` of a kernel, running over [0, extent).
  static Index axis(int axis, const Dim& extent);
  // The integer that `value` (an Expr of integer type) yields, known to lie in `range`.
  static Index data(ExprPtr value, Range range);

  IndexKind kind() const;
  bool is_constant() const { return kind() == IndexKind::constant; }
  bool is_constant(int64_t value) const;
  int64_t constant() const;  // requires is_constant()
  std::optional<int64_t> as_constant() const;
  int axis_id() const;                         // requires kind axis
  const Dim& axis_extent() const;              // requires kind axis
  const Symbol& as_symbol() const;             // requires kind symbol
  const ExprPtr& as_data() const;              // requires kind data
  const std::vector<Index>& operands() const;  // of floordiv, mod, min, max

  // The value as a sum: terms of (coefficient, product of atoms) and a constant. Every kind has
  // this view.
  struct Term {
    int64_t coefficient;
    std::vector<Index> atoms;  // sorted, not empty
  };
  std::vector<Term> terms() const;  // sorted
  int64_t constant_term() const;

  Range range() const;  // numeric bounds from symbols and extents
  // Symbolic bounds: every axis replaced by its last (or first) value where the sign of its
  // coefficient is known; nullopt where that cannot be told.
  std::optional<Dim> upper_bound() const;
  std::optional<Dim> lower_bound() const;

  bool has_axes() const;
  bool has_data() const;
  bool uses_axis(int axis) const;
  void collect_axes(std::vector<int>& axes) const;           // sorted, unique
  void collect_symbols(std::vector<Symbol>& symbols) const;  // sorted by name, unique
  void collect_data(std::vector<ExprPtr>& exprs) const;      // in order of appearance

  // Bottom-up rewriting: `leaf` gets every constant-free leaf (symbol, axis, data) and returns its
  // replacement; the result is canonical again.
  Index map_leaves(const std::function<Index(const Index&)>& leaf) const;
  // Axis i becomes axes[i]; axes outside the list stay.
  Index substitute_axes(const std::vector<Index>& axes) const;
  Index substitute_symbol(std::string_view name, const Index& value) const;

  // Value at a point. Floor semantics for floordiv and mod; division by zero is a failed check.
  int64_t evaluate(const std::function<int64_t(const Index& leaf)>& leaf) const;

  size_t hash() const;
  const IndexNode& node() const { return *node_; }

  friend bool operator==(const Index& a, const Index& b);
  friend bool operator<(const Index& a, const Index& b);  // canonical order; not numeric

  friend Index operator+(const Index& a, const Index& b);
  friend Index operator-(const Index& a, const Index& b);
  friend Index operator*(const Index& a, const Index& b);
  friend Index operator-(const Index& a);
  Index& operator+=(const Index& b) { return *this = *this + b; }
  Index& operator-=(const Index& b) { return *this = *this - b; }
  Index& operator*=(const Index& b) { return *this = *this * b; }

 private:
  friend struct IndexBuilder;
  explicit Index(std::shared_ptr<const IndexNode> node) : node_(std::move(node)) {}
  std::shared_ptr<const IndexNode> node_;
};

// By 0 both are 0, as in emitted code (runtime_min/integer.h): a size that is 0 divides places of
// what is empty.
Index floordiv(const Index& a, const Index& b);
Index ceildiv(const Index& a, const Index& b);
Index mod(const Index& a, const Index& b);  // result has the sign of b
Index min(const Index& a, const Index& b);
Index max(const Index& a, const Index& b);

// Proofs: true only when it holds for every value of symbols within their bounds and axes within
// their extents; false means "not known".
bool proven_le(const Index& a, const Index& b);
bool proven_lt(const Index& a, const Index& b);
inline bool proven_nonnegative(const Index& a) { return proven_le(0, a); }
bool proven_ne(const Index& a, const Index& b);

// The product of all entries: number of elements of a shape.
Dim product(const std::vector<Dim>& shape);

// Text that parse_index reads back: "3*N + (i0 // 2)", symbols as their names when those are plain
// identifiers and as quoted strings otherwise, axes as i<number>.
std::string to_string(const Index& index);
std::string to_string(const std::vector<Dim>& shape);  // "[1, N, 8]"

// The value at the hints of symbols (max where there is no hint and a bound, 64 clipped into the
// bounds otherwise).
int64_t at_hints(const Dim& dim);

}  // namespace burin
