#include "select/programs/vectors.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "loops/transforms/vectorise.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin {
namespace {

// Whether elements are narrower than the lanes that compute with them: compilers lose their way
// there.
bool has_narrow_elements(const loops::Stmts& body, const loops::Program& program) {
  constexpr int kLaneBits = 32;
  const auto is_narrow = [&](loops::BufferId id) {
    const loops::Buffer& one = program.buffers[at(id)];
    return !one.shape.empty() && size_bits(one.type) < kLaneBits;
  };
  const std::set<loops::BufferId> touched = loops::touched_by(body);
  return std::any_of(touched.begin(), touched.end(), is_narrow);
}

// Functions of many operations in rows that compilers do in vectors, too, but for what is left of
// them: that costs as much as several vectors.
bool leaves_functions(const loops::For& loop, int lanes) {
  constexpr int kLongRow = 64;  // vectors, beside which a rest is nothing
  const Index length = loop.end - loop.begin;
  if (mod(length, lanes).is_constant(0) || !proven_le(length, kLongRow * lanes)) return false;
  bool found = false;
  loops::for_each(loop.body, [&](const loops::Stmt& stmt) {
    loops::for_each_expr(stmt, [&](const Expr& whole) {
      visit(whole, [&](const ExprNode& node) {
        found = found || (node.kind == ExprKind::unary && loops::is_lane_function(node.unary()));
      });
    });
  });
  return found;
}

}  // namespace

loops::Program in_vectors(loops::Program program, int lanes, bool masks) {
  // As many as runtime_min/vec.h has vectors of.
  if (lanes != 4 && lanes != 8 && lanes != 16) return program;
  const std::vector<int> vars = loops::give_own_variables(program, [&](const loops::For& loop) {
    // Of several loops, those over a piece of a row have few whole vectors.
    const bool rows = loop.begin.is_constant() || loops::find_loop(program, loop.var) != nullptr;
    const bool pays =
        has_narrow_elements(loop.body, program) || (masks && leaves_functions(loop, lanes));
    return rows && pays && loops::why_no_vectors(program, loop, lanes).empty();
  });
  for (const int var : vars) {
    loops::Change change = loops::vectorise(program, var, lanes,
                                            masks ? loops::Rest::masked : loops::Rest::one_by_one);
    if (change.done()) program = std::move(change.program);
  }
  return program;
}

}  // namespace burin
