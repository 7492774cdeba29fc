// OpContext: what an operator's `lower` sees of its node, and what it may say.
//
//   void lower(OpContext& op) {                       // y = max(x, 0)
//     const Operand x = op.input(0);
//     const Operand y = op.output(0, x.type(), x.shape());
//     op.map(y, [&](const Indices& at) { return max(x.at(at), x.zero()); });
//   }
//
// Refusals thrown inside get the node's name and operator added by the caller.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "kernel/kernel.h"

namespace burin {

using Indices = std::vector<Index>;
using Shape = std::vector<Dim>;

inline constexpr int64_t kMostDimensions = 64;  // of a tensor, as in files

// A string is a row of UTF-8 bytes with zeros behind, in a dimension of its own that only operators
// about strings see: what moves elements moves a byte of each. The byte's place is this axis, which
// every kernel that is about strings has once; its extent is that of all strings of a model.
inline constexpr int kByteAxis = 255;
inline Index byte_axis() { return Index::axis(kByteAxis, Dim(int64_t{1} << 30)); }

// Refused where a tensor of `rank` dimensions has too many; asked before anything is made for each.
void check_rank(int64_t rank);

// The values that a dynamic size may have; `most` may be an expression over other sizes, which
// bounds the memory that is taken for it.
struct SizeRange {
  int64_t least = 0;
  Dim most = kUnbounded;
  bool operator==(const SizeRange&) const = default;
};

struct Tuple;

// A tensor that a lowering reads or writes; or a sequence or an optional, which only operators see
// that declare it (types::sequence, types::optional).
class Operand {
 public:
  Operand() = default;
  Operand(ValueId value, Type type, Shape shape)
      : value_(value), type_(type), shape_(std::move(shape)) {}
  explicit Operand(Tuple tuple);

  ValueId value() const { return value_; }
  Type type() const { return type_; }  // storage type
  Type compute() const { return type_ == Type::string ? Type::u8 : compute_type(type_); }
  const Shape& shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  const Dim& dim(int axis) const;  // negative counts from the end
  explicit operator bool() const { return value_ != kNoValue || tuple_ != nullptr; }
  const Tuple* tuple() const { return tuple_.get(); }  // nullptr: a tensor

  Expr at(Indices indices) const;  // one index per dimension; of a string the byte at byte_axis()
  Expr byte_at(Indices indices, const Index& byte) const;  // of a string
  // `indices` of a result that this operand is broadcast to (right-aligned, as ONNX says). A
  // dimension that may be 1 or the result's, which is dynamic, is indexed by min(i, extent
  // - 1).
  Expr broadcast_at(const Indices& indices) const { return at(broadcast_indices(indices)); }
  Indices broadcast_indices(const Indices& indices) const;
  Expr scalar() const;  // the only element (any rank, one element)
  Expr zero() const { return constant(0); }
  Expr constant(double value) const;  // of its compute type
  Expr constant(int64_t value) const;
  Expr constant(int value) const { return constant(int64_t{value}); }

 private:
  ValueId value_ = kNoValue;
  Type type_ = Type::none;
  Shape shape_;
  std::shared_ptr<const Tuple> tuple_;
};

// The tensors of a sequence of dynamic length, one after the other in one tensor.
struct Bounded {
  // [length, shape of each]. Where they differ along some dimensions: [sum of the products of these
  // extents, the other dimensions of each].
  Operand rows;
  // The dimensions along which each has an extent of its own, and what none of these is above.
  std::map<int, Dim> most = {};
  Operand ends = {};     // then where each ends in rows, i64 [length]
  Operand extents = {};  // and, where there are several, all of them: i64 [length, dimensions]
  // Of an optional that may hold a sequence, which all above is: 1 where it does, else 0; i64 [].
  Operand holds = {};
};

// What it is made of: those that there are, in the order above.
std::vector<Operand> tensors_of(const Bounded& sequence);

// What a sequence or an optional is while lowering: values, as many as it has, so that nothing of
// it is left in kernels; or, where it is dynamic how many, one tensor of all.
struct Tuple {
  enum class Kind : uint8_t { sequence, optional };
  Kind kind = Kind::sequence;
  std::vector<Operand> items = {};      // of an optional: none or one
  std::optional<Bounded> bounded = {};  // then there are no items
};

inline Operand::Operand(Tuple tuple) : tuple_(std::make_shared<const Tuple>(std::move(tuple))) {}

// The tensors of an operand in order, those of nested tuples included.
void collect_tensors(const Operand& operand, std::vector<Operand>& tensors);

// Builds one kernel. Axes are Indices; an axis of extent 1 is the constant 0 and does not exist.
class KernelBuilder {
 public:
  Index axis(const Dim& extent, std::string name = {}, AxisKind kind = AxisKind::parallel);
  Indices axes(const Shape& extents);  // one parallel axis per extent
  Index reduce_axis(const Dim& extent, std::string name = {}) {
    return axis(extent, std::move(name), AxisKind::reduce);
  }

  // A let over the axes that occur in `body` and are not in `reduced`. Returns the reference at
  // those same axes.
  Expr reduce(Combiner op, const Indices& reduced, const Expr& body);
  // Of a tuple (key, payloads ...): the references to all components.
  std::vector<Expr> reduce_tuple(Combiner op, const Indices& reduced,
                                 const std::vector<Expr>& body);
  // A named intermediate over exactly the axes `over`: computed once, used often, or as recurrent
  // state.
  Expr let(const Indices& over, const Expr& body);
  // The number the next let will have; to refer to a let before it is made (recurrent state).
  int next_let() const { return static_cast<int>(kernel_.lets.size()); }

  void write(const Operand& to, Indices at, const Expr& value, Guard when = {},
             How how = How::store);
  // No step counts on the zeros that the last write selects instead of other elements.
  void leave_zeros_to_caller() { kernel_.writes.back().zeros_for_caller = true; }

  Kernel take() { return std::move(kernel_); }

 private:
  std::vector<int> ids(const Indices& axes) const;
  Indices at(const std::vector<int>& axes) const;
  Kernel kernel_;
};

// The kernel with byte_axis() as an axis of its own, of this extent, where it has it.
Kernel with_bytes(Kernel kernel, int64_t string_bytes);

// Implemented by the lowering engine (generator/lower).
class OpContext {
 public:
  virtual ~OpContext() = default;

  const Node& node() const { return node_; }
  int version() const { return node_.version; }  // opset of the node's domain

  // --- Attributes; a wrong kind is refused. The two-argument forms give the default. ---
  bool has(std::string_view attribute) const { return node_.find(attribute) != nullptr; }
  int64_t integer(std::string_view attribute) const;
  int64_t integer(std::string_view attribute, int64_t otherwise) const;
  double real(std::string_view attribute, double otherwise) const;  // NaN is refused
  double real_or_nan(std::string_view attribute, double otherwise) const;
  std::string text(std::string_view attribute, std::string_view otherwise) const;
  std::vector<int64_t> integers(std::string_view attribute) const;
  std::vector<int64_t> integers(std::string_view attribute, std::vector<int64_t> otherwise) const;
  std::vector<double> reals(std::string_view attribute, std::vector<double> otherwise) const;
  std::vector<double> reals_or_nan(std::string_view attribute) const;
  std::vector<std::string> texts(std::string_view attribute,
                                 std::vector<std::string> otherwise) const;
  const Tensor& tensor(std::string_view attribute) const;
  const Block& block(std::string_view attribute) const;

  // --- Inputs ---
  int input_count() const { return static_cast<int>(node_.inputs.size()); }
  bool has_input(int i) const;
  virtual Operand input(int i) const = 0;  // refused when absent
  // The elements of a small integer or boolean tensor as expressions over symbols, where they are
  // known before the run (SoD2's V lattice); row-major.
  virtual std::optional<std::vector<Dim>> known(int i) const = 0;
  // The same of a tensor that is no input, such as what a nested graph gives.
  virtual std::optional<std::vector<Dim>> known_of(const Operand& tensor) const = 0;
  // The same, but what is not known becomes run symbols that are bound to the elements when the run
  // gets there. `range`: the values that are legal; the run stops with a status at any other.
  // `prepare` (optional) maps the loaded i64 element number k to the value of the symbol: where the
  // operator gives a meaning to values that are no sizes, it wraps or clips them.
  using Prepare = std::function<Expr(int64_t k, const Expr& element)>;
  std::vector<Dim> elements(int i, const SizeRange& range, const Prepare& prepare = {}) {
    return elements_within(i, {range}, prepare);
  }
  // The same with a range for each element; the last one is that of all that follow.
  virtual std::vector<Dim> elements_within(int i, const std::vector<SizeRange>& ranges,
                                           const Prepare& prepare) = 0;
  // How many bytes every string has.
  virtual int64_t string_bytes() const = 0;
  // The bytes of an input that is a constant of the model or folded to one.
  virtual std::optional<Tensor> constant(int i) const = 0;

  // --- Outputs ---
  int output_count() const { return static_cast<int>(node_.outputs.size()); }
  bool has_output(int i) const;
  // Declares output i and gives it as an operand to write; required for every output that
  // has_output().
  virtual Operand output(int i, Type type, Shape shape) = 0;
  // The rank that the file declares of output i. No more than a hint: it decides between ranks that
  // are both possible.
  virtual std::optional<int> declared_rank(int i) const = 0;
  // What input i is called where the caller gives it; else empty.
  virtual std::string name_of_caller(int i) const = 0;
  // Output i is the same tensor as `value` (Identity, Dropout): no kernel.
  virtual void forward(int i, const Operand& value) = 0;
  // What people want to know of output i where the caller gets it: "0 is 'cat', 1 is 'dog'".
  virtual void set_note(int i, const std::string& note) = 0;
  // Whether a node, or a block as its result, reads output i: it is not only the model's.
  virtual bool is_read(int i) const = 0;
  // Declares what the elements of output i are (Shape, Size), beside the kernel that writes them.
  virtual void set_known(int i, std::vector<Dim> elements) = 0;
  // The same of a tensor that is no output, such as the number of an iteration.
  virtual void set_known_of(const Operand& tensor, std::vector<Dim> elements) = 0;
  // Declares of a tensor of a known number of elements what all of them lie between.
  virtual void set_range_of(const Operand& tensor, const Dim& lo, const Dim& hi) = 0;
  virtual Operand temporary(std::string_view what, Type type, Shape shape) = 0;
  // A constant that the operator itself brings (row-major bytes).
  virtual Operand constant_operand(std::string_view what, const Tensor& tensor) = 0;

  // --- Facts and run-time assumptions ---
  // a and b must be equal: proven, refused, solved for an unknown symbol, or checked by the run.
  virtual void require_equal(const Dim& a, const Dim& b, std::string_view what) = 0;
  virtual void require(const Guard& guard, std::string_view what) = 0;
  // A new run symbol that a procedure or a Bind determines, named after the node and `what`. The
  // user may narrow its range (--dim), which the run then checks.
  virtual Symbol run_symbol(std::string_view what, SizeRange range) = 0;
  virtual void bind(const Symbol& symbol, const Expr& value) = 0;
  // The size `value` (i64): an expression over other sizes where what is known before the run says
  // so, else a run symbol that is bound to it, with a bound that follows from what is known. The
  // run stops with a status at what `range` does not have.
  virtual Dim run_size(std::string_view what, const SizeRange& range, const Expr& value) = 0;

  // --- What it computes ---
  virtual void emit(Kernel kernel) = 0;  // name and origin are filled in
  virtual void emit(Procedure procedure) = 0;
  // One kernel that writes value(at) for every point of `to`.
  void map(const Operand& to, const std::function<Expr(const Indices& at)>& value);
  void emit(KernelBuilder& builder) { emit(builder.take()); }

  // --- Regions (If, Loop, Scan) ---
  // Lowers a nested block with its formal inputs standing for `arguments`; the steps go where steps
  // go now.
  virtual std::vector<Operand> inline_block(const Block& block,
                                            const std::vector<Operand>& arguments) = 0;
  // Redirects steps into `steps` while `body` runs.
  virtual void collect(Steps& steps, const std::function<void()>& body) = 0;
  // Runs `body`. Where it returns false, what it declared, named and found out is forgotten, as if
  // it had not been run; run symbols that it made for good must be made outside.
  virtual bool attempt(const std::function<bool()>& body) = 0;
  virtual void emit(Step region) = 0;
  virtual Symbol iteration_symbol(std::string_view what, SizeRange range) = 0;

 protected:
  explicit OpContext(const Node& node) : node_(node) {}
  const Node& node_;
};

// The shape that several shapes are broadcast to (ONNX multidirectional broadcasting). Ambiguities
// that are dynamic give max(a, b) and one run-time check.
Shape broadcast(OpContext& op, const std::vector<Shape>& shapes);

// A dimension that is broadcast to another one, never the other way: it is 1 or the same, which for
// open sizes is dynamic. Reads then go by Operand::broadcast_at.
void require_one_or_equal(OpContext& op, const Dim& from, const Dim& to, std::string_view what);

// axis counted from the end when negative; refused outside [-rank, rank).
int normalize_axis(int64_t axis, int rank, std::string_view what = "axis");
// The same for a list; sorted when `sorted`; duplicates refused.
std::vector<int> normalize_axes(const std::vector<int64_t>& axes, int rank, bool sorted = true);

// A number of an attribute as a constant of the type. Refused (bad-attribute): an integer type does
// not hold it.
Expr constant_of(Type type, double value, std::string_view attribute);

}  // namespace burin
