// Kernel: a loop nest as a cascade of lets and writes, and KernelGraph: what a model is after
// lowering.
//
// A kernel has iteration axes. A let is a tensor over some of the axes, combined over others; it
// may use the lets before it. A write stores into a value. Softmax is
//     axes i, j;  m[i] = max_j x[i,j];  z[i] = sum_j exp(x[i,j] - m[i]);  y[i,j] := exp(x[i,j] -
//     m[i]) / z[i]
// Attention has five lets, a convolution one. A recurrent network has a sequential axis t and reads
// its own state at t - 1. Sequential axes run outermost and in order, everything else in any order.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kernel/expr/expr.h"
#include "kernel/layout.h"
#include "kernel/origins.h"

namespace burin {

enum class AxisKind : uint8_t { parallel, reduce, sequential };

struct Axis {
  Dim extent;
  AxisKind kind = AxisKind::parallel;
  std::string name;  // for people: "channel"; may be empty
  bool operator==(const Axis&) const = default;
};

enum class Combiner : uint8_t {
  none,  // a map: nothing is reduced
  sum,
  product,
  min,
  max,
  logical_and,
  logical_or,
  first_max,
  last_max,
  first_min,
  last_min,  // of tuples (key, payload ...): the payload of the extreme key
};
std::string_view to_string(Combiner op);

struct Let {
  std::vector<int> over;     // axes that index the result, ascending
  std::vector<int> reduced;  // axes that are combined, ascending; the order of evaluation
  Combiner op = Combiner::none;
  std::vector<Expr> body;         // one component, or a tuple
  std::vector<Type> accumulator;  // compute type of each component
  bool operator==(const Let&) const = default;
};

enum class How : uint8_t { store, add, mul, min, max };
std::string_view to_string(How how);

struct Write {
  std::vector<int> over;  // axes that it iterates, ascending
  ValueId to = kNoValue;
  std::vector<Index> at;  // one per dimension of the value
  Expr value;             // compute type of the value; rounded when stored
  Guard when;             // empty: always
  How how = How::store;
  // No step counts on the zeros that its value selects instead of elements of a tensor: where the
  // caller keeps that tensor in the same buffer (--state), what is there stays.
  bool zeros_for_caller = false;
  bool operator==(const Write&) const = default;
};

struct Kernel {
  std::string name;  // readable, from the model; made an identifier by emission
  std::vector<Axis> axes;
  std::vector<Let> lets;
  std::vector<Write> writes;
  Origins origins;
  bool operator==(const Kernel&) const = default;
};

// What is not a loop nest: one function of runtime_min/procedures, with a uniform calling
// convention.
struct Procedure {
  std::string name;
  std::string function;       // "top_k": runtime_min/procedures/top_k.h
  Type element = Type::none;  // instantiates the template
  std::vector<ValueId> reads, writes;
  std::vector<Dim> arguments;   // as the function documents
  std::vector<Symbol> results;  // run symbols that it determines, in order
  Dim scratch_bytes = 0;
  Origins origins;
};

// A run symbol gets its value from data: `value` is an i64 expression without axes.
struct Bind {
  Symbol symbol;
  Expr value;
  Origins origins;
};

// An assumption of the file that could not be proven: equal or in range, else the run returns a
// status.
struct Check {
  Guard guard;
  std::string what;  // "input 'x' dimension 1"
  Origins origins;
};

// Which step of a graph. It is given once (kernel/run_order.h) and does not change wherever the
// step moves and whatever becomes of its kernel; what is known of a step is found by it.
enum class StepId : int {};
inline constexpr StepId kNoStep{-1};

struct If;
struct Loop;
using AnyStep =
    std::variant<Kernel, Procedure, Bind, Check, std::shared_ptr<If>, std::shared_ptr<Loop>>;
struct Step : AnyStep {
  using AnyStep::AnyStep;
  using AnyStep::operator=;  // what it does becomes something else; it stays this step
  StepId id = kNoStep;
};
using Steps = std::vector<Step>;  // in an order that respects data

struct If {
  Expr condition;                // boolean, without axes
  Steps then_steps, else_steps;  // both write the values that stand for the outputs
  Origins origins;
};

struct Loop {
  Symbol iteration;  // origin iter: 0, 1, ... inside the body
  Dim trips;         // at most so many
  Expr condition;    // boolean, without axes: evaluated before every iteration
  Steps body;        // carried state is copied by kernels at its end
  Symbol executed;   // run symbol: the iterations that ran, known afterwards; may be null
  Origins origins;
};

enum class ValueKind : uint8_t { input, output, constant, internal };

// Bytes of a constant: row-major, little-endian, shared and never written.
struct Constant {
  const std::byte* data = nullptr;
  size_t bytes = 0;
  std::shared_ptr<const void> owner;  // keeps `data` alive: a vector, or a mapped file
};
Constant make_constant(std::vector<std::byte> bytes);

struct Value {
  std::string name;  // raw text of the model, or derived from it
  Type type = Type::none;
  std::vector<Dim> shape;  // extents at run time; memory is taken for their upper bounds
  ValueKind kind = ValueKind::internal;
  Constant constant;      // of a constant
  Layout layout = {};     // how the bytes lie; `constant` is laid out so
  std::string note = {};  // what else people want to know of it, where it is an output
  bool strings = false;   // the last dimension is the bytes of strings, with zeros behind
};

struct KernelGraph {
  std::string name;
  std::vector<Value> values;
  std::vector<ValueId> inputs, outputs;  // in ONNX order
  std::vector<Symbol> symbols;           // `param` symbols, in order of first use by the inputs
  Steps steps;
};

// Whether a kernel only puts elements, constants and places elsewhere.
bool only_moves(const Kernel& kernel);
// Whether it has an axis whose points run in order.
bool is_sequential(const Kernel& kernel);

// Calls for every step, inside If and Loop too, parents first.
void for_each_step(const Steps& steps, const std::function<void(const Step&)>& visit);
void for_each_kernel(const Steps& steps, const std::function<void(const Kernel&)>& visit);

// Whether what is written is of the compute type of elements that are stored as `storage`; fp16
// may be stored as such.
bool writes_type(const Write& write, Type storage);

std::vector<ValueId> reads_of(const Step& step);  // sorted, unique; of regions: everything inside
std::vector<ValueId> reads_of(const Kernel& kernel);
std::vector<ValueId> writes_of(const Step& step);
std::vector<Symbol> symbols_of(const Step& step);  // that it uses, sorted by name

// Textual dump: one value or kernel per paragraph, stable. Not read back.
std::string to_string(const Kernel& kernel, const std::vector<Value>& values);
std::string to_string(const KernelGraph& graph);

// Invariants of the representation: axis numbers, types, ranks, and that values, lets and symbols
// are defined before they are used. A violation is a failed check.
void check_kernel_graph(const KernelGraph& graph);

}  // namespace burin
