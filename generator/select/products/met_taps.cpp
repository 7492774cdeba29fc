#include "select/products/met_taps.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_limit.h"
#include "select/axes/regroup.h"
#include "select/products/contraction.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr double kWorthIt = 0.9;  // of the products are left at most
// Multiplications in the time of an element of a result that lies in pieces.
constexpr double kScattered = 128;
constexpr double kOfWindow = 0.6;         // of the products of a window: fewer are worth packing
constexpr int64_t kMostBlocks = 1 << 16;  // that are looked at

// The greatest or least of an index over points [first, last] of an axis, by its terms; nullopt:
// it moves with the axis in a way that nothing is known of.
std::optional<Index> extreme(const Index& index, int axis, const Index& first, const Index& last,
                             bool greatest) {
  Index out = index.constant_term();
  for (const Index::Term& term : index.terms()) {
    Index whole = term.coefficient;
    for (const Index& atom : term.atoms) {
      if (!atom.uses_axis(axis)) {
        whole = whole * atom;
        continue;
      }
      if (term.atoms.size() > 1) return std::nullopt;
      const bool high = (term.coefficient > 0) == greatest;
      const Index& end = high ? last : first;
      const bool divided = atom.kind() == IndexKind::floordiv &&
                           atom.operands()[0].kind() == IndexKind::axis &&
                           atom.operands()[1].as_constant().value_or(0) > 0;
      const Range range = atom.range();
      if (atom.kind() == IndexKind::axis)
        whole = whole * end;
      else if (divided)
        whole = whole * floordiv(end, atom.operands()[1]);
      else if (range.bounded())
        whole = whole * (high ? range.hi : range.lo);
      else
        return std::nullopt;
    }
    out += whole;
  }
  return out;
}

// Every axis of a kernel as itself.
std::vector<Index> own_axes(const Kernel& kernel) {
  std::vector<Index> out;
  for (size_t k = 0; k < kernel.axes.size(); ++k)
    out.push_back(Index::axis(static_cast<int>(k), kernel.axes[k].extent));
  return out;
}

int64_t coefficient(const Index& index, int axis) {
  for (const Index::Term& term : index.terms()) {
    if (term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis &&
        term.atoms[0].axis_id() == axis)
      return term.coefficient;
  }
  return 0;
}

// Whether a condition ties an axis of the depth to the columns, and to nothing else of the depth.
bool ties(const Condition& one, int axis, const ContractionSchedule& schedule) {
  if (!one.index.uses_axis(axis) || !one.lo.is_constant() || !one.hi.is_constant()) return false;
  for (const int other : schedule.k) {
    if (other != axis && one.index.uses_axis(other)) return false;
  }
  const MetTaps taps{axis, one};
  const auto tied = within_index_limits([&] {
    return extreme(one.index, schedule.n, 0, 0, true) && bounds_of(one, axis) &&
           !taps_met(taps, schedule.n, 0, 0).begin.uses_axis(axis);
  });
  return tied.value_or(false);
}

// Stripes to try beside none; the number that a verb says, or none where it is left out.
std::vector<int> stripes_to_try(const Given& given) {
  if (!given.may("met taps")) return {};
  constexpr int kMostStripes = 8;
  const std::vector<int64_t>* const told = given.numbers("met taps");
  if (told != nullptr) {
    const int64_t stripes = std::clamp<int64_t>((*told)[0], 1, kMostStripes);
    return {static_cast<int>(stripes)};
  }
  std::vector<int> out;
  for (int stripes = 1; stripes <= kMostStripes; ++stripes) out.push_back(stripes);
  return out;
}

// A plane that conditions tie to axes of the depth, and what else is of b alone, as images of a
// batch.
struct Plane {
  std::vector<int> axes, beside;
  Guard conditions;
};
// nullopt: `column` is no axis of such a plane.
std::optional<Plane> plane_of(const Kernel& kernel, int column) {
  const Let& let = kernel.lets[0];
  const Expr& body = let.body[0];
  const bool first = contains(axes_of(body->operands[0]), column);
  const Expr &a = body->operands[first ? 1 : 0], &b = body->operands[first ? 0 : 1];
  if (b.kind() != ExprKind::cases) return std::nullopt;
  Plane out;
  for (const Expr::Case& one : b->cases) {
    for (const Condition& condition : one.guard) {
      const auto uses = [&](int axis) { return condition.index.uses_axis(axis); };
      if (!std::any_of(let.reduced.begin(), let.reduced.end(), uses)) continue;
      out.conditions.push_back(condition);
      for (const int axis : let.over) {
        if (uses(axis) && !contains(out.axes, axis)) out.axes.push_back(axis);
      }
    }
  }
  if (!contains(out.axes, column)) return std::nullopt;
  const std::vector<int> in_a = axes_of(a);
  std::copy_if(let.over.begin(), let.over.end(), std::back_inserter(out.beside),
               [&](int axis) { return !contains(in_a, axis) && !contains(out.axes, axis); });
  return out;
}

// What is left of the products if every pixel skips the taps that it does not meet: no blocks of
// columns skip more.
double least_share(const Kernel& kernel, const Plane& plane) {
  double share = 1;
  const std::vector<Index> point = own_axes(kernel);
  for (const Condition& one : plane.conditions) {
    std::vector<int> taps, pixels;
    for (const int axis : kernel.lets[0].reduced)
      if (one.index.uses_axis(axis)) taps.push_back(axis);
    for (const int axis : plane.axes)
      if (one.index.uses_axis(axis)) pixels.push_back(axis);
    if (taps.size() != 1 || pixels.size() != 1) continue;
    const std::optional<int64_t> of_taps = kernel.axes[at(taps[0])].extent.as_constant(),
                                 of_pixels = kernel.axes[at(pixels[0])].extent.as_constant();
    if (!of_taps || !of_pixels || *of_taps < 1 || *of_pixels < 1 || *of_pixels > kMostBlocks)
      continue;
    int64_t met = 0;
    for (int64_t pixel = 0; pixel < *of_pixels; ++pixel) {
      std::vector<Index> there = point;
      there[at(pixels[0])] = pixel;
      const std::optional<Bounds> bounds =
          bounds_of({one.index.substitute_axes(there), one.lo, one.hi}, taps[0]);
      const std::optional<int64_t> begin = bounds ? bounds->begin.as_constant() : std::nullopt,
                                   end = bounds ? bounds->end.as_constant() : std::nullopt;
      // Nothing is known of it.
      met += begin && end
                 ? std::max<int64_t>(0, std::min(*end, *of_taps) - std::max<int64_t>(*begin, 0))
                 : *of_taps;
    }
    share *= static_cast<double>(met) / static_cast<double>(*of_taps * *of_pixels);
  }
  return share;
}

}  // namespace

Bounds taps_met(const MetTaps& taps, int columns, const Index& first, const Index& last) {
  // Where taps lie the further ahead the higher they are, the greatest pixel meets the first one
  // and the least pixel the last one; of taps that go backwards it is the other way round.
  const bool ahead = coefficient(taps.when.index, taps.axis) > 0;
  Condition begins = taps.when, ends = taps.when;
  begins.index = *extreme(begins.index, columns, first, last, ahead);
  ends.index = *extreme(ends.index, columns, first, last, !ahead);
  return {bounds_of(begins, taps.axis)->begin, bounds_of(ends, taps.axis)->end};
}

namespace {

// Of the axes of the depth those whose taps columns may not meet, and how many columns of all taps
// take as long as blocks of columns that skip some.
struct FoundTaps {
  std::vector<MetTaps> taps;
  double columns = 0;
};
// nullopt: there are none, or the plane's sizes are not known.
// `stripes`: of the plane, the last axis around blocks of columns if there are several. O(blocks).
std::optional<FoundTaps> find_met_taps(const ContractionSchedule& schedule, const Kernel& kernel,
                                       int stripes) {
  const Expr& element = schedule.b.element;
  const int64_t columns = schedule.tile.columns(), lanes = schedule.tile.lanes;
  // What a factor that may be infinite is multiplied by counts, zeros too.
  if (!schedule.a.is_prepacked) return std::nullopt;
  if (schedule.window || schedule.n < 0 || element.kind() != ExprKind::cases ||
      element->cases.size() != 1 || !element->operands[0].is_constant(0))
    return std::nullopt;
  FoundTaps out;
  for (const int axis : schedule.k) {
    for (const Condition& one : element->cases[0].guard) {
      if (!ties(one, axis, schedule)) continue;
      out.taps.push_back({axis, one});
      break;
    }
  }
  const std::optional<int64_t> points = kernel.axes[at(schedule.n)].extent.as_constant();
  if (out.taps.empty() || !points || *points > kMostBlocks) return std::nullopt;
  // Images of a batch are alike; stripes are not.
  std::vector<Index> point = own_axes(kernel);
  double met = 0;
  for (int stripe = 0; stripe < stripes; ++stripe) {
    if (stripes > 1) point[at(schedule.around.back())] = stripe;
    for (int64_t first = 0; first < *points; first += columns) {
      const int64_t last = std::min(first + columns, *points) - 1;
      double share = 1;
      for (const MetTaps& taps : out.taps) {
        const Bounds bounds = taps_met(taps, schedule.n, first, last);
        const std::optional<int64_t> begin = bounds.begin.substitute_axes(point).as_constant(),
                                     end = bounds.end.substitute_axes(point).as_constant(),
                                     extent = kernel.axes[at(taps.axis)].extent.as_constant();
        if (!begin || !end || !extent || *extent < 1) return std::nullopt;
        const int64_t left = std::min(*end, *extent) - std::clamp(*begin, int64_t{0}, *extent);
        share *= static_cast<double>(std::max<int64_t>(0, left)) / static_cast<double>(*extent);
      }
      met +=
          share * static_cast<double>(ceildiv(Index(last - first + 1), lanes).constant() * lanes);
    }
  }
  out.columns = met;
  return out;
}

// The kernel with an axis of its results in so many stripes: the axis runs within one, and a new
// last axis over them. A kernel of one let.
Kernel in_stripes(const Kernel& given, int axis, int stripes) {
  Kernel out = given;
  const Dim whole = given.axes[at(axis)].extent, width = ceildiv(whole, stripes);
  const auto stripe = static_cast<int>(given.axes.size());
  out.axes.push_back({stripes, AxisKind::parallel, "stripe"});
  out.axes[at(axis)].extent = width;
  std::vector<Index> point = own_axes(given);
  const Index pixel = Index::axis(stripe, stripes) * width + Index::axis(axis, width);
  point[at(axis)] = pixel;
  Guard beyond;
  if (!(width * stripes == whole)) beyond.push_back({pixel, 0, whole});
  Let& let = out.lets[0];
  Write& write = out.writes[0];
  let.over.push_back(stripe);
  write.over.push_back(stripe);
  const Expr product = substitute_axes(let.body[0], point);
  const auto of_stripe = [&](const Expr& factor) {
    // What the stripe has beyond the plane reads nothing.
    if (beyond.empty() || factor.kind() != ExprKind::cases || factor->cases.size() != 1)
      return factor;
    Guard guard = factor->cases[0].guard;
    guard.insert(guard.end(), beyond.begin(), beyond.end());
    return Expr::cases({{std::move(guard), factor->cases[0].value}}, factor->operands[0]);
  };
  let.body[0] =
      Expr::binary(Binary::mul, of_stripe(product->operands[0]), of_stripe(product->operands[1]));
  std::vector<Index> own;
  for (const int over : let.over) own.push_back(Index::axis(over, out.axes[at(over)].extent));
  write.value = rewrite(
      write.value,
      [&](const Expr& expr) -> Expr {
        return expr.kind() == ExprKind::let ? Expr::let(expr->id, expr.type(), own, expr->component)
                                            : expr;
      },
      [&](const Index& leaf) {
        return leaf.kind() == IndexKind::axis ? point[at(leaf.axis_id())] : leaf;
      });
  for (Index& index : write.at) index = index.substitute_axes(point);
  write.when = substitute_axes(write.when, point);
  write.when.insert(write.when.end(), beyond.begin(), beyond.end());
  return out;
}

}  // namespace

Contraction with_met_taps(Contraction whole, const Kernel& kernel, const std::vector<Value>& values,
                          const Given& given,
                          const std::function<std::optional<Contraction>(
                              const Kernel& kernel, const std::vector<int>& apart)>& find) {
  const std::vector<int> choices = stripes_to_try(given);
  if (choices.empty() || kernel.lets.size() != 1 || whole.schedule.winograd ||
      (whole.schedule.n < 0 && !whole.schedule.window))
    return whole;
  const Expr& body = kernel.lets[0].body[0];
  const int column = closest_axis(kernel.writes[0], values, axes_of(body->operands[0]),
                                  axes_of(body->operands[1]));
  const std::optional<Plane> plane = plane_of(kernel, column);
  if (!plane) return whole;
  const auto depth = static_cast<double>(at_least_one(whole.schedule.depth)),
             points = static_cast<double>(at_least_one(extent_of(kernel, plane->axes)));
  // A window packs nothing, and stages its operand once for all taps.
  double least = (whole.schedule.window ? kOfWindow : kWorthIt) * depth * points;
  if (choices.size() == 1) least = std::numeric_limits<double>::max();
  if (least_share(kernel, *plane) * depth * points >= least) return whole;
  Contraction out = std::move(whole);
  for (const int stripes : choices) {
    std::vector<int> loops = plane->beside;
    if (stripes > 1) loops.push_back(static_cast<int>(kernel.axes.size()));
    std::optional<Contraction> one =
        find(stripes > 1 ? in_stripes(kernel, column, stripes) : kernel, loops);
    if (!one) continue;
    std::optional<FoundTaps> found = find_met_taps(one->schedule, one->kernel, stripes);
    if (!found) continue;
    const double work = found->columns * depth + (stripes > 1 ? kScattered * points : 0);
    if (work >= least) continue;
    least = work;
    std::vector<int> order;
    for (const MetTaps& taps : found->taps) order.push_back(taps.axis);
    for (const int k : one->schedule.k) {
      if (!contains(order, k)) order.push_back(k);
    }
    one->schedule.k = std::move(order);
    one->schedule.met = std::move(found->taps);
    one->schedule.stripes = stripes;
    out = std::move(*one);
  }
  return out;
}

}  // namespace burin
