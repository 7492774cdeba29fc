// Program: the loops of one kernel, as they are printed and as run_loops() executes them.
//
// Variables are counted like the axes of a kernel and used as such in indices: Index::axis(v,
// extent) is variable v, whose values lie in [0, extent). Buffers are what statements read and
// write; a load in an expression names a buffer where a kernel's names a value. There are no lets:
// what a kernel keeps in one has a buffer.
//
//   for i0 in 0 .. 4 {
//     alloc sum0
//     sum0[] = 0
//     for i1 in 0 .. 8 {
//       sum0[] += (x0[i0, i1] * x1[i1])
//     }
//     y0[i0] = max(sum0[], 0)
//   }
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernel/image_map.h"
#include "kernel/kernel.h"

namespace burin::isa {
struct Instruction;
}

namespace burin::loops {

using BufferId = int;  // index into Program::buffers

enum class Scope : uint8_t {
  argument,   // a tensor of the network
  scratch,    // bytes that the caller of the kernel provides
  group,      // an array that the work-items of a group share
  stack,      // an array of the function
  registers,  // an array that is never in memory: every index is a number once loops are unrolled
  local,      // one variable
};
inline constexpr std::array kScopes = {Scope::argument, Scope::scratch,   Scope::group,
                                       Scope::stack,    Scope::registers, Scope::local};
std::string_view to_string(Scope scope);

struct Buffer {
  std::string name;  // an identifier, unique in the program
  Type type = Type::none;
  std::vector<Dim> shape;  // of a local: none
  Layout layout = {};
  Scope scope = Scope::local;
  ValueId value = kNoValue;  // of an argument
  bool written = false;      // of an argument: a store goes there
  Dim offset = 0;            // of scratch: in bytes, from its beginning
  // Of an argument that is an image: how the tensor lies in it. The shape is that of the image:
  // rows, columns, components of a texel; components that have no element are 0.
  std::optional<ImageMap> image = {};
  bool operator==(const Buffer&) const = default;
};

struct Var {
  std::string name;  // in code
  Dim extent;        // values lie in [0, extent)
  bool operator==(const Var&) const = default;
};

// Who runs the points of a loop.
enum class Kind : uint8_t {
  serial,
  unrolled,     // written out
  independent,  // one after the other; compilers are told that any order would do
  outlined,     // one point, in a function of its own: nothing around it takes its registers
  vector,       // the lanes of vectors
  thread,       // threads share it
  group,        // work-groups of a device
  item,         // the work-items of a group; outside of one, all of a launch
  host,         // one launch of a device after the other
  launch,       // one point, a launch: around it are loops of the host
};
inline constexpr std::array kKinds = {
    Kind::serial, Kind::unrolled, Kind::independent, Kind::outlined, Kind::vector,
    Kind::thread, Kind::group,    Kind::item,        Kind::host,     Kind::launch};
std::string_view to_string(Kind kind);

struct Stmt;
using Stmts = std::vector<Stmt>;

// A quotient and a remainder that follow a loop's variable instead of being divided at its every
// point (strength reduction, transforms/strength_reduce.h). They are names for what indices in the
// loop say; the divisor is settled outside of the loop.
struct InductionVariable {
  enum class Moved : uint8_t {
    by_axis,      // the dividend gains `step`, settled outside of the loop, from point to point
    by_quotient,  // it gains `step` where the quotient of induction variable `parent` moves, by one
    by_much,      // anything else: it is computed at every point, and the remainder brought back
  };
  std::string quotient, remainder;
  Index dividend, divisor;
  Moved moved = Moved::by_axis;
  Index step = 0;
  int parent = -1;
  // Whether the quotient moves by at most one at a time, in the direction of the step.
  bool carries_one() const;
  bool operator==(const InductionVariable&) const = default;
};
std::string_view to_string(InductionVariable::Moved moved);

struct For {
  int var = 0;
  Index begin, end;
  int64_t step = 1;
  Kind kind = Kind::serial;
  Stmts body;
  // Of a loop over threads: the variable that is one past the last point of a part, which may be
  // several steps.
  int part_end = -1;
  std::vector<InductionVariable> inductions = {};
  int unroll = 0;  // turns that are written out at a time; 0: as a compiler likes
  int lanes = 0;   // of a vector, of which the loop's points are the first; 0: they are all
  bool operator==(const For&) const;
};
struct If {
  Guard when;
  Stmts then, otherwise;
  bool operator==(const If&) const;
};
// Names a number: a variable that no loop counts, to the end of the block.
struct Let {
  int var = 0;
  Index value;
  bool operator==(const Let&) const = default;
};
// What code computes once, here, and knows by its name to the end of the block. Statements keep
// saying the index, so that what is proven of it stays proven.
struct Name {
  std::string name;
  Index value;
  bool operator==(const Name&) const = default;
};
// From here to the end of the block there is the buffer; what it holds is not defined yet. Scratch
// that is allocated inside of a loop over threads is a thread's own.
struct Alloc {
  BufferId buffer = 0;
  bool operator==(const Alloc&) const = default;
};
// to[at] = value, or combined with what is there. Of a keyed combiner `to` are the key, its
// payloads and a boolean that says whether there is a key yet; `value` are a key and payloads.
struct Store {
  std::vector<BufferId> to;
  std::vector<Index> at;
  std::vector<Expr> value;
  Combiner combine = Combiner::none;
  bool operator==(const Store&) const = default;
};
// A part of a buffer: `extent[d]` elements of dimension d from first[d] on. An operand of rank r
// has the last r of its dimensions; those before are one element. Where the operand
// runs on, elements behind the end of a row are those of the next one.
struct Region {
  BufferId buffer = 0;
  std::vector<Index> first;
  std::vector<Dim> extent;
  bool operator==(const Region&) const = default;
};
// An instruction on regions, one for each of its operands; `sizes` for each symbol of its meaning.
struct Call {
  const isa::Instruction* op = nullptr;
  std::vector<Region> operands;
  std::vector<Dim> sizes;
  bool operator==(const Call&) const = default;
};
// All work-items of a group come here before any goes on.
struct Barrier {
  Scope scope = Scope::group;  // whose contents all of them see then
  bool operator==(const Barrier&) const = default;
};

struct Stmt {
  std::variant<For, If, Let, Name, Alloc, Store, Call, Barrier> node;
  bool operator==(const Stmt&) const = default;
};

inline bool For::operator==(const For& other) const {
  return var == other.var && begin == other.begin && end == other.end && step == other.step &&
         kind == other.kind && body == other.body && part_end == other.part_end &&
         inductions == other.inductions && unroll == other.unroll && lanes == other.lanes;
}
inline bool If::operator==(const If& other) const {
  return when == other.when && then == other.then && otherwise == other.otherwise;
}

struct Program {
  std::string name;  // of the kernel
  std::vector<Var> vars;
  std::vector<Buffer> buffers;
  Stmts body;
  Dim scratch_bytes = 0;
  // Compilers are told that no two buffers in scratch share bytes: those that pipeline loops move
  // loads of the next turn before stores of this one.
  bool told_apart = false;
  bool operator==(const Program&) const = default;

  Index var(int number) const;  // as an index
  int add(Var var);             // its number
  BufferId add(Buffer buffer);
  // The element of a buffer, as an expression of its compute type; or of a type that is computed
  // with: fp16 that stays fp16 is of f16.
  Expr element(BufferId buffer, std::vector<Index> at) const;
  Expr element(BufferId buffer, Type type, std::vector<Index> at) const;
};

}  // namespace burin::loops
