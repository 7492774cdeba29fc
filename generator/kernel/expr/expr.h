// Expr: the typed scalar expressions of kernels. They print as C++, OpenCL C and HVX, and are
// interpreted.
//
// The type of an Expr is always a compute type (kernel/expr/type.h): loading an f16 yields f32, and
// a write rounds to the storage type. f16 itself is a compute type where somebody decided so
// (select/precision/fp16_plan.h): every operation then rounds. Immutable, shared, structurally
// comparable. Constants fold when they are made.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel/expr/type.h"
#include "kernel/index/index.h"

namespace burin {

using ValueId = int;  // index into KernelGraph::values
inline constexpr ValueId kNoValue = -1;

enum class ExprKind : uint8_t {
  constant,
  index,
  load,
  let,
  unary,
  binary,
  select,
  fused,  // a * b + c, rounded once
  cast,
  cases
};

enum class Unary : uint8_t {
  neg,
  abs,
  sign,
  logical_not,
  bit_not,
  popcount,
  sqrt,
  rsqrt,
  exp,
  log,
  log1p,
  expm1,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  floor,
  ceil,
  trunc,
  round,  // round: half to even
  is_nan,
  is_inf,
};
inline constexpr int kUnaryCount = static_cast<int>(Unary::is_inf) + 1;

enum class Binary : uint8_t {
  add,
  sub,
  mul,
  div,  // integers: wrap; div truncates; x / 0 is 0
  mod,
  fmod,  // mod: the sign of the divisor; fmod: of the dividend; x mod 0 is 0 for integers
  min,
  max,  // NaN in, NaN out
  pow,
  atan2,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  logical_and,
  logical_or,
  logical_xor,  // of booleans
  lt,
  le,
  gt,
  ge,
  eq,
  ne,  // to boolean
};
inline constexpr int kBinaryCount = static_cast<int>(Binary::ne) + 1;

std::string_view to_string(Unary op);  // the name in runtime_min, where it is a function
std::string_view to_string(Binary op);
bool is_comparison(Binary op);

enum class CastMode : uint8_t {
  convert,   // as ONNX Cast: float to integer truncates (out of range: the nearest end; NaN: 0),
             // integers wrap
  saturate,  // integers and float8 clip to the range of the target
};

// lo <= index < hi. A congruence x = r (mod m) is the condition r <= x mod m < r + 1.
struct Condition {
  Index index;
  Dim lo, hi;
  bool operator==(const Condition&) const = default;
};
using Guard = std::vector<Condition>;  // all must hold

class Expr {
 public:
  Expr() = default;  // empty; only to be assigned
  explicit Expr(ExprPtr node) : node_(std::move(node)) {}

  static Expr constant(Type type, double value);  // rounded to the type
  static Expr constant(Type type, int64_t value);
  static Expr constant(Type type, int value) { return constant(type, int64_t{value}); }
  static Expr boolean(bool value) { return constant(Type::boolean, int64_t{value}); }
  static Expr index(const Index& index, Type type = Type::i64);  // an axis or a size as a number
  static Expr load(ValueId value, Type storage, std::vector<Index> at);
  // In fp16: an element that is stored so; a number, rounded; what is rounded from f32.
  static Expr fp16_load(ValueId value, std::vector<Index> at);
  static Expr fp16_constant(double value);
  static Expr to_half(const Expr& a);
  // Component `component` of let number `let` of the same kernel, at the given point of its `over`
  // axes (one entry per axis, in order); `type` is that of its accumulator. An index that lies one
  // step back on a sequential axis is the previous state.
  static Expr let(int let, Type type, std::vector<Index> at, int component = 0);
  static Expr unary(Unary op, Expr a);
  static Expr binary(Binary op, Expr a, Expr b);
  static Expr select(Expr condition, Expr a, Expr b);
  static Expr fused(Expr a, Expr b, Expr c);  // of f32: a * b + c, rounded once
  static Expr cast(Type storage, Expr a, CastMode mode = CastMode::convert);
  // The first case whose guard holds, else `otherwise`. Only the chosen expression is evaluated.
  struct Case;
  static Expr cases(std::vector<Case> cases, Expr otherwise);

  explicit operator bool() const { return node_ != nullptr; }
  const ExprNode& operator*() const { return *node_; }
  const ExprNode* operator->() const { return node_.get(); }
  const ExprPtr& ptr() const { return node_; }
  Type type() const;
  ExprKind kind() const;
  bool is_constant() const { return node_ && kind() == ExprKind::constant; }
  bool is_constant(double value) const;

  friend bool operator==(const Expr& a, const Expr& b);
  friend bool operator<(const Expr& a, const Expr& b);

 private:
  ExprPtr node_;
};

struct Expr::Case {
  Guard guard;
  Expr value;
  bool operator==(const Case&) const = default;
};

struct ExprNode {
  ExprKind kind = ExprKind::constant;
  Type type = Type::none;     // of the result
  Type storage = Type::none;  // load: of the value in memory; cast: the target
  uint8_t op = 0;             // Unary or Binary
  CastMode mode = CastMode::convert;
  double number = 0;      // constant of a float type
  int64_t integer = 0;    // constant of another type
  Index index;            // kind index
  int id = 0;             // load: ValueId; let: its number
  int component = 0;      // let
  std::vector<Index> at;  // load, let
  std::vector<Expr>
      operands;  // unary, binary, select (condition, a, b), fused, cast; cases: {otherwise}
  std::vector<Expr::Case> cases;
  size_t hash = 0;

  Unary unary() const { return static_cast<Unary>(op); }
  Binary binary() const { return static_cast<Binary>(op); }
};

// Arithmetic on expressions of one type.
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr compare(Binary op, const Expr& a, const Expr& b);
// With a constant of the other operand's type.
Expr operator+(const Expr& a, double b);
Expr operator-(const Expr& a, double b);
Expr operator-(double a, const Expr& b);
Expr operator*(const Expr& a, double b);
Expr operator/(const Expr& a, double b);
Expr operator/(double a, const Expr& b);

// Rewriting, bottom-up. The callback gets each node with its operands already rewritten and returns
// its replacement; indices inside loads, lets, guards and index nodes are rewritten by `on_index`,
// which must itself treat data leaves (see substitute_axes for the usual case).
Expr rewrite(const Expr& expr, const std::function<Expr(const Expr&)>& on_expr,
             const std::function<Index(const Index&)>& on_index);
Index rewrite(const Index& index, const std::function<Expr(const Expr&)>& on_expr,
              const std::function<Index(const Index&)>& on_index_leaf);

Expr substitute_axes(const Expr& expr, const std::vector<Index>& axes);
Guard substitute_axes(const Guard& guard, const std::vector<Index>& axes);
Expr substitute_symbol(const Expr& expr, std::string_view name, const Index& value);

// Visits every node as often as it occurs, also those inside indices; parents before children. What
// is shared is a tree of powers of two then: only where an answer depends on how often.
void visit(const Expr& expr, const std::function<void(const ExprNode&)>& on_node);
// Visits every node once, in the order in which visit() meets them first: linear in the nodes that
// there are, whatever shares them.
void visit_distinct(const Expr& expr, const std::function<void(const ExprNode&)>& on_node);
void visit_distinct(const Index& index, const std::function<void(const ExprNode&)>& on_node);
void visit_distinct_indices(const Expr& expr, const std::function<void(const Index&)>& on_index);
// The sum over all that visit() meets, at the price of visit_distinct(); at most kMostSum.
inline constexpr int64_t kMostSum = int64_t{1} << 60;
int64_t sum_over(const Expr& expr, const std::function<int64_t(const ExprNode&)>& of_node);
int64_t sum_over(const Index& index, const std::function<int64_t(const ExprNode&)>& of_node);
// Whether it reads a let.
bool has_let(const Expr& expr);
void visit(const Index& index, const std::function<void(const ExprNode&)>& on_node);
// Visits every index that occurs (of loads, lets, guards, index nodes), also inside data leaves.
void visit_indices(const Expr& expr, const std::function<void(const Index&)>& on_index);

// Conditions that hold for every point are dropped; nullopt when one can never hold.
std::optional<Guard> simplify(const Guard& guard);

int64_t count_operations(
    const Expr& expr);                    // arithmetic operations per evaluation, loads not counted
std::string to_string(const Expr& expr);  // "exp((v3[i0, i1] - let0[i0]))"
std::string to_string(const Guard& guard);

}  // namespace burin
