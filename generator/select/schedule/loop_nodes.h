// Generic loops over the axes of a kernel, as policies write them before they are statements of a
// program (select/programs/generic.cpp).
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Where the result of a let lives while the kernel runs.
struct LetPlace {
  bool scalar = true;       // one variable per component, inside the loops that share its axes
  std::vector<int> axes;    // otherwise: the axes that its scratch array spans, in order
  int sequential_rows = 0;  // 2: rows t and t - 1 of the sequential axis are kept
  int panel_rows = 0;       // the first of two axes in panels of so many: [blocks][second][rows]
  bool combined =
      false;  // there, element by element: its loops are vectorised along the outer axis
  std::vector<Dim> offset;  // of each component, in bytes from the kernel's scratch
  bool operator==(const LetPlace&) const = default;
};

struct LoopNode;
using LoopNodes = std::vector<LoopNode>;

struct ForLoop {
  ForLoop(int over, Index from, Index to, LoopNodes inside);
  int axis = 0;
  Index begin = 0, end = 0;  // over outer axes and symbols
  LoopNodes nodes;
  bool by_texels = false;  // four points at a time: components of the texels that it reads or
                           // writes (select/images/image_launches.h)
  // Where all `strides` are 1, `unit_stride` runs for every point instead
  // (select/schedule/unit_stride.h).
  std::vector<Index> strides;
  LoopNodes unit_stride;
};
struct BeginLet {  // accumulators start at the identity of the combiner
  int let = 0;
};
struct Accumulate {  // combines `body` into the accumulators, where `when` holds
  int let = 0;
  std::vector<Expr> body;
  Guard when;
};
struct RowsOfLanes {  // a loop around rows
  int axis = 0;
  Index begin = 0, end = 0;
};
struct LaneLoop {  // a loop around Accumulate, in partial results that are combined at its end
  int axis = 0;
  Index begin = 0, end = 0;
  int lanes = 1;  // a power of two
  int let = 0;
  std::vector<Expr> body;  // of Accumulate
  int64_t block = 0;       // points whose partial results are combined before the next ones; 0: all
  Guard when = {};         // of the whole row
  std::vector<RowsOfLanes> around = {};  // rows that share the partial results, outermost first
};
struct EndLet {  // the accumulators go to their scratch
  int let = 0;
};
struct Define {  // a map let: nothing to combine
  int let = 0;
};
struct Store {
  int write = 0;
  Expr value;
  Guard when;
};

// One element of a window's staged operand.
struct Fill {
  Expr value;
  Index at;
};

struct LoopNode {
  std::variant<ForLoop, BeginLet, Accumulate, LaneLoop, EndLet, Define, Store, Fill> node;
};

// Here, where a LoopNode is complete.
inline ForLoop::ForLoop(int over, Index from, Index to, LoopNodes inside)
    : axis(over), begin(std::move(from)), end(std::move(to)), nodes(std::move(inside)) {}

}  // namespace burin
