// Expressions as flat programs on registers, for the interpreter.
//
// A program is compiled for one execution of one step: symbols have their values and extents are
// numbers, so that indices become affine forms over axis registers and loads become offsets into
// memory. Every access is checked against the extents of what it reads; checks that hold for all
// axis values are made once, at compile time. Registers 0 .. axes-1 hold the axes. A shared
// subexpression is evaluated once, and only where every path to a use of it passes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernel/expr/expr.h"
#include "kernel/tensor.h"

namespace burin {

using Register = int32_t;

struct AffineTerm {
  Register from;
  int64_t coefficient;
};

// constant + sum of coefficient * register, over terms [first, first + count) of the program.
struct Affine {
  int64_t constant = 0;
  int32_t first = 0, count = 0;
};

// Where one element is read or written.
struct ProgramAccess {
  struct Bound {
    Affine index;  // must lie in [0, extent)
    int64_t extent;
  };
  Affine offset;              // in elements
  std::vector<Bound> bounds;  // that are not known to hold for all axis values
  const std::byte* data = nullptr;
  LoadFunction load = nullptr;
  const ScalarValue* let = nullptr;         // of a let: its elements ...
  const unsigned char* computed = nullptr;  // ... and which of them have a value
  std::string what;                         // for the message when it goes wrong
};

struct ProgramTest {
  Affine index, lo, hi;  // lo <= index < hi
};

struct Instruction {
  enum class Code : uint8_t {
    unary,
    binary,
    select,
    fused,
    copy,
    affine,
    wrap32,    // an index as i32
    multiply,  // the remaining codes are on indices
    floordiv,
    mod,
    min,
    max,
    in_range,
    load,
    let,
    offset,
    test,  // jumps when it does not hold
    jump,
    stop,  // a guard of the whole program failed
  };
  Code code;
  Register to = 0, a = 0, b = 0, c = 0;
  int32_t entry = 0;   // of affines, accesses, tests, ranges
  int32_t target = 0;  // of a jump
  UnaryFunction unary = nullptr;
  BinaryFunction binary = nullptr;
};

struct Program {
  std::vector<Instruction> code;
  std::vector<AffineTerm> terms;
  std::vector<Affine> affines;
  std::vector<ProgramAccess> accesses;
  std::vector<ProgramTest> tests;
  std::vector<Range> ranges;
  std::vector<ScalarValue> registers;  // initial values: constants are in place
  std::vector<Register> results;

  // False when a guard of the whole program failed. A failed check when an access leaves its value.
  bool run();
  const ScalarValue& result(size_t i) const { return registers[static_cast<size_t>(results[i])]; }
};

// A tensor in memory, as a program sees it.
struct TensorView {
  Type type = Type::none;
  std::vector<int64_t> shape;
  const std::byte* data = nullptr;
  std::string name;
};

// The elements of a let, row-major over its `over` axes.
struct LetStorage {
  std::vector<int64_t> extents;
  std::vector<std::vector<ScalarValue>> components;
  std::vector<unsigned char> computed;
};

// What a program may refer to; must outlive it.
struct ProgramScope {
  std::vector<int64_t> axes;  // extents
  std::function<int64_t(const Index& symbol)> symbol;
  std::function<TensorView(ValueId)> tensor;
  const std::vector<LetStorage>* lets = nullptr;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const ProgramScope& scope);
  ~ProgramBuilder();

  void guard(const Guard& guard);  // run() is false where it does not hold
  void result(const Expr& expr);
  // A result that is the offset of the element of `tensor` at the given point.
  void result_offset(const TensorView& tensor, const std::vector<Index>& at);
  Program take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Row-major strides, in elements.
std::vector<int64_t> strides_of(const std::vector<int64_t>& extents);

}  // namespace burin
