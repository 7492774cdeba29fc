#include "loops/verify/races.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isa/instruction.h"
#include "loops/verify/distance.h"
#include "loops/verify/parallel_points.h"
#include "loops/verify/touches.h"
#include "loops/walk.h"
#include "support/at.h"

namespace burin::loops {
namespace {

constexpr int64_t kMostReach = int64_t{1} << 40;  // of a region

// How an index moves with a variable: coefficient * variable + rest, and whether that is all.
struct Moved {
  Index coefficient = 0, rest = 0;
  bool plain = true;
};
Moved along(const Index& index, int var) {
  Moved out;
  for (const Index::Term& term : index.terms()) {
    int times = 0;
    Index others = term.coefficient;
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis && atom.axis_id() == var) {
        ++times;
      } else {
        others *= atom;
      }
    }
    if (times == 0) {
      out.rest += others;
    } else if (times == 1) {
      out.coefficient += others;
    } else {
      out.plain = false;
    }
  }
  out.rest += index.constant_term();
  out.plain =
      out.plain && !out.rest.uses_axis(var) && !out.coefficient.has_axes() && !index.has_data();
  return out;
}

// A dimension as a digit: n places; of an index its remainder by n, or as it is.
struct Digit {
  Dim n;
  bool remainder = false;
  Index of(const Index& index) const { return remainder ? mod(index, n) : index; }
};

// n of (x % n), plus what does not move, or whole n: stripes of a row; else all places.
Digit digit_of(const Index& index, const Dim& extent) {
  for (const Index::Term& term : index.terms()) {
    if (term.coefficient != 1 || term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::mod)
      continue;
    const Index rest = index - term.atoms[0];
    const Dim& n = term.atoms[0].operands()[1];
    if (!rest.has_axes()) return {n};
    if (!rest.has_data() && mod(rest, n).is_constant(0)) return {n, true};
  }
  return {extent};
}

// Whether what a touch runs on to is not beyond `all`.
bool ends_within(const Touch& touch, const Index& end, const Dim& all) {
  return proven_le(spelled(end, touch.by), all) ||
         std::any_of(touch.limits.begin(), touch.limits.end(), [&](const auto& limit) {
           return proven_le(end, limit.first) && proven_le(limit.second, all);
         });
}

// Several dimensions as one: what was one axis may be spread over them as its digits. Of the last
// of them a piece of a row, of the others one place.
std::optional<std::pair<Index, Dim>> joined(const Touch& touch, const std::vector<size_t>& dims,
                                            const std::vector<Digit>& digits,
                                            const std::vector<Dim>& shape) {
  const size_t last = dims.back();
  const auto is_whole = [&](size_t d) { return digits[d].n == shape[d]; };
  Index at = 0;
  for (const size_t d : dims) {
    if (d != last && !touch.extent[d].is_constant(1)) return std::nullopt;
    at = at * digits[d].n + digits[d].of(touch.first[d]);
  }
  const Index end = at + touch.extent[last];
  at = spelled(at, touch.by);
  if (touch.runs_on) {
    // It goes on in the next row of these dimensions, and not beyond them.
    Dim all = 1;
    for (const size_t d : dims) all *= shape[d];
    if (last + 1 != shape.size() || !std::all_of(dims.begin(), dims.end(), is_whole) ||
        !ends_within(touch, end, all))
      return std::nullopt;
  } else if ((dims.size() > 1 || digits[last].remainder) && !touch.extent[last].is_constant(1) &&
             !is_whole(last)) {
    return std::nullopt;
  }
  const Dim extent = spelled(touch.extent[last], touch.by);
  if (!extent.has_axes()) return std::make_pair(std::move(at), extent);
  const std::optional<Dim> most = greatest_distance(0, extent);
  return most ? std::optional(std::make_pair(std::move(at), *most)) : std::nullopt;
}

// Without terms that are multiples of what all parts take: they leave the part as it is.
Index modulo(const Index& index, int64_t all) {
  Index out = index.constant_term();
  for (const Index::Term& term : index.terms()) {
    if (all > 0 && term.coefficient % all == 0) continue;
    Index product = term.coefficient;
    for (const Index& atom : term.atoms) product *= atom;
    out += product;
  }
  return out;
}

// Whether all touches lie in parts of their own along these dimensions as one: part v is [c*v +
// low, c*v + low + c) with one c and one low.
bool in_parts(const std::vector<Touch>& touches, const std::vector<size_t>& dims,
              const std::vector<Digit>& digits, const std::vector<Dim>& shape, const For& loop,
              const std::set<int>& inner) {
  std::vector<Moved> moved;
  std::vector<Dim> extents;
  for (const Touch& touch : touches) {
    const auto place = joined(touch, dims, digits, shape);
    if (!place) return false;
    extents.push_back(place->second);
    moved.push_back(along(place->first, loop.var));
    if (!moved.back().plain || !(moved.back().coefficient == moved.front().coefficient))
      return false;
  }
  // Of one element at least, since every touch lies in it.
  const Index width = moved.front().coefficient * loop.step;
  const std::optional<int64_t> all = (width * (loop.end - loop.begin)).as_constant();
  if (all && loop.step == 1) {
    for (Moved& one : moved) one.rest = modulo(one.rest, *all);
  }
  // The part of a point begins at the least of all touches; what does not move is the same for all
  // points, so it only moves all parts.
  std::optional<Index> low;
  for (const Moved& one : moved) {
    const Index least = one.rest.map_leaves([&](const Index& leaf) {
      return leaf.kind() == IndexKind::axis && inner.contains(leaf.axis_id()) ? Index(0) : leaf;
    });
    if (!low || proven_le(least, *low)) low = least;
  }
  for (size_t k = 0; k < touches.size(); ++k) {
    const Index begin = moved[k].rest - *low;
    if (!proven_le(0, begin) || !proven_le(begin + extents[k], width)) return false;
  }
  return true;
}

bool are_disjoint(const std::vector<Touch>& touches, const std::vector<Dim>& shape, const For& loop,
                  const std::set<int>& inner) {
  std::vector<size_t> moving;
  std::vector<Digit> digits;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool moves = false;
    for (const Touch& touch : touches) {
      if (touch.first.size() != shape.size()) return false;
      moves = moves || spelled(touch.first[d], touch.by).uses_axis(loop.var);
      const Digit own = digit_of(touch.first[d], shape[d]);
      if (&touch == &touches.front()) {
        digits.push_back(own);
      } else if (digits[d].n == own.n) {
        digits[d].remainder = digits[d].remainder || own.remainder;
      } else {
        digits[d] = {shape[d]};
      }
    }
    if (moves) moving.push_back(d);
    if (in_parts(touches, {d}, digits, shape, loop, inner)) return true;
  }
  // What runs on takes all dimensions behind.
  if (std::any_of(touches.begin(), touches.end(), [](const Touch& one) { return one.runs_on; })) {
    while (!moving.empty() && moving.back() + 1 < shape.size()) moving.push_back(moving.back() + 1);
  }
  return moving.size() > 1 && in_parts(touches, moving, digits, shape, loop, inner);
}

// Whether each point has a buffer of its own that is allocated inside.
bool has_own(const For& loop, const Buffer& buffer) {
  if (loop.kind == Kind::vector) return false;
  return loop.kind != Kind::independent || buffer.scope == Scope::local;
}

// x % n and (x + k) % n for a k that n does not divide, where x is the same for all points: rows of
// the step before and of this one.
bool are_other_remainders(const Index& a, const Index& b, const For& loop,
                          const std::set<int>& inner) {
  std::vector<int> axes;
  a.collect_axes(axes);
  const bool moves = std::any_of(
      axes.begin(), axes.end(), [&](int axis) { return axis == loop.var || inner.contains(axis); });
  if (moves || a.has_data()) return false;
  if (a.kind() != IndexKind::mod || b.kind() != IndexKind::mod) return false;
  const Index &n = a.operands()[1], distance = a.operands()[0] - b.operands()[0];
  return n.is_constant() && n == b.operands()[1] && distance.is_constant() &&
         distance.constant() % n.constant() != 0;
}

// Without what is only read, and lies apart from all that is written.
std::vector<Touch> without_apart(const std::vector<Touch>& touches, const For& loop,
                                 const std::set<int>& inner) {
  const auto apart = [&](const Touch& read, const Touch& written) {
    if (read.first.size() != written.first.size() || read.runs_on || written.runs_on) return false;
    for (size_t d = 0; d < read.first.size(); ++d) {
      if (are_other_remainders(spelled(read.first[d], read.by),
                               spelled(written.first[d], written.by), loop, inner))
        return true;
      const Range a = spelled(read.first[d], read.by).range(),
                  b = spelled(written.first[d], written.by).range();
      const int64_t a_more = read.extent[d].range().hi - 1,
                    b_more = written.extent[d].range().hi - 1;
      if (!a.bounded() || !b.bounded() || a_more > kMostReach || b_more > kMostReach) continue;
      if (a.hi + a_more < b.lo || b.hi + b_more < a.lo) return true;
    }
    return false;
  };
  std::vector<Touch> out;
  for (const Touch& one : touches) {
    const bool alone =
        !one.writes && std::all_of(touches.begin(), touches.end(), [&](const Touch& other) {
          return !other.writes || apart(one, other);
        });
    if (!alone) out.push_back(one);
  }
  return out;
}

std::set<BufferId> shared_by(const For& loop, const Program& program);

Program without_body(const Program& program) {
  Program out;
  out.vars = program.vars;
  out.buffers = program.buffers;
  return out;
}

// Of all loops of one kind inside of each other.
std::set<BufferId> shared_by_nest(const For& loop, const Program& program) {
  std::set<BufferId> out;
  for_each({{loop}}, [&](const Stmt& stmt) {
    const auto* one = std::get_if<For>(&stmt.node);
    if (one == nullptr || one->kind != loop.kind) return;
    const std::set<BufferId> shared = shared_by(*one, program);
    out.insert(shared.begin(), shared.end());
  });
  return out;
}

// Buffers that points of the loop share.
std::set<BufferId> shared_by(const For& flat, const Program& program) {
  std::set<BufferId> out;
  const For loop = over_digits(flat, program);
  if (loop.var != flat.var) return shared_by_nest(loop, program);
  if (loop.end == loop.begin + 1) return out;
  const Touched touches = touches_of(loop, program);
  for (const auto& entry : touches.all) {
    const BufferId buffer = entry.first;
    const std::vector<Touch>& all = entry.second;
    if (touches.own.contains(buffer) && has_own(loop, program.buffers[burin::at(buffer)])) continue;
    const bool written =
        std::any_of(all.begin(), all.end(), [](const Touch& touch) { return touch.writes; });
    const bool one_point = std::all_of(all.begin(), all.end(), [&](const Touch& touch) {
      return touch.point && touch.point == all[0].point;
    });
    if (!written || one_point ||
        are_disjoint(without_apart(all, loop, touches.inner),
                     program.buffers[burin::at(buffer)].shape, loop, touches.inner))
      continue;
    if (const std::optional<For> turns = over_turns(loop, program, buffer);
        turns && !shared_by(*turns, program).contains(buffer))
      continue;
    Program with_parts = without_body(program);
    const std::optional<For> parts = over_parts(loop, with_parts, buffer);
    if (parts && !shared_by_nest(*parts, with_parts).contains(buffer)) continue;
    Program with_marks = without_body(program);
    const std::optional<ThroughLet> through = through_let(loop, with_marks, buffer);
    if (!through || shared_by(through->numbers, with_marks).contains(buffer) ||
        shared_by(through->of_points, with_marks).contains(through->marks))
      out.insert(buffer);
  }
  return out;
}

}  // namespace

std::vector<std::string> races_of(const For& loop, const Program& program) {
  std::vector<std::string> out;
  for (const BufferId buffer : shared_by(loop, program)) {
    out.push_back("points of i" + std::to_string(loop.var) + " (" +
                  std::string(to_string(loop.kind)) + ") share " +
                  program.buffers[burin::at(buffer)].name);
  }
  return out;
}

}  // namespace burin::loops
