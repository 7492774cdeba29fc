#include "select/products/contraction.h"

#include <algorithm>
#include <functional>
#include <set>

#include "fuse/attention/attention_form.h"
#include "hardware/capabilities.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "select/axes/regroup.h"
#include "select/products/compact.h"
#include "select/products/contraction_parts.h"
#include "select/products/operand_packing.h"
#include "select/products/unpacked.h"
#include "select/tiles/prefetch.h"
#include "select/tiles/short_code.h"
#include "select/tiles/window_guards.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kLeastRows = 2;
constexpr int64_t kLeastDepthOfAccumulators = 32;  // of sums that several accumulators make
constexpr int64_t kSmallFactor = 65536;            // elements that packing may make of few
// Elements between neighbours of the result: 1, or the phases of a transposed convolution.
constexpr int64_t kFarthest = 16;
constexpr int64_t kBandVectors = 16;  // that the columns of a band have at least
// Points of the depth that are widened at once, and what their rows take of the stack.
constexpr int kMostWidened = 128, kMostWidenedBytes = 4096;

bool is_fp16_load(const Expr& factor) {
  return factor.kind() == ExprKind::load && factor->storage == Type::f16;
}

// Whether all lets but the last are reductions of the rows of factor a: a normalisation of what it
// reads.
bool are_of_rows(const Kernel& kernel, const std::vector<int>& batch, const std::vector<int>& m) {
  const Let& product = kernel.lets.back();
  const auto last = static_cast<int>(kernel.lets.size()) - 1;
  for (const Let& let : kernel.lets) {
    if (&let == &product) break;
    if (let.body.size() != 1 || let.accumulator[0] != Type::f32 || let.reduced.empty())
      return false;
    for (const int axis : let.over) {
      if (!contains(batch, axis) && !contains(m, axis)) return false;
    }
    for (const int axis : let.reduced) {
      if (!contains(product.reduced, axis)) return false;
    }
  }
  bool only_product = true;
  visit(kernel.writes[0].value, [&](const ExprNode& node) {
    only_product = only_product && (node.kind != ExprKind::let || node.id == last);
  });
  return only_product && reads_lets_in_place(kernel);
}

// What factor a computes for a row again at every point of its depth becomes a let of the row.
void name_invariants(Kernel& kernel, ContractionSchedule& schedule) {
  const auto product = static_cast<int>(kernel.lets.size()) - 1;
  std::vector<Let> maps;
  std::vector<Expr> named;
  const std::function<Expr(const Expr&)> walk = [&](const Expr& expr) -> Expr {
    if (!has_let(expr) || expr.kind() == ExprKind::let) return expr;
    const std::vector<int> axes = axes_of(expr);
    const bool invariant = std::none_of(axes.begin(), axes.end(),
                                        [&](int axis) { return contains(schedule.k, axis); });
    if (invariant) {
      auto at = std::find(named.begin(), named.end(), expr);
      if (at == named.end()) {
        Let map;
        map.over = axes;
        map.body = {expr};
        map.accumulator = {expr.type()};
        maps.push_back(std::move(map));
        at = named.insert(named.end(), expr);
      }
      std::vector<Index> point;
      for (const int axis : axes)
        point.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
      return Expr::let(product + static_cast<int>(at - named.begin()), expr.type(), point);
    }
    switch (expr.kind()) {
      case ExprKind::unary:
        return Expr::unary(expr->unary(), walk(expr->operands[0]));
      case ExprKind::binary: {
        Expr a = walk(expr->operands[0]);
        return Expr::binary(expr->binary(), std::move(a), walk(expr->operands[1]));
      }
      case ExprKind::select: {
        Expr condition = walk(expr->operands[0]), a = walk(expr->operands[1]);
        return Expr::select(std::move(condition), std::move(a), walk(expr->operands[2]));
      }
      default:
        return expr;
    }
  };
  schedule.a.element = walk(schedule.a.element);
  const auto moved = product + static_cast<int>(maps.size());
  kernel.lets.insert(kernel.lets.end() - 1, maps.begin(), maps.end());
  kernel.lets.back().body[0] = schedule.a.element * schedule.b.element;
  kernel.writes[0].value = rewrite(
      kernel.writes[0].value,
      [&](const Expr& expr) -> Expr {
        if (expr.kind() != ExprKind::let || expr->id != product) return expr;
        return Expr::let(moved, expr.type(), expr->at, expr->component);
      },
      [](const Index& leaf) { return leaf; });
}

// Where the lets of rows live: in scratch, over all rows of a batch point.
void plan_row_lets(Contraction& contraction) {
  const Kernel& kernel = contraction.kernel;
  for (size_t i = 0; i + 1 < kernel.lets.size(); ++i) {
    const Let& let = kernel.lets[i];
    const bool over_rows = contains(let.over, contraction.schedule.m);
    contraction.row_offsets.push_back(contraction.scratch_bytes);
    const Dim elements = over_rows ? contraction.schedule.rows : Dim(1);
    contraction.scratch_bytes += ceildiv(elements * 4, 64) * 64;
  }
}

}  // namespace

int closest_axis(const Write& write, const std::vector<Value>& values, const std::vector<int>& a,
                 const std::vector<int>& b) {
  const Index address = linearize(write.at, values[static_cast<size_t>(write.to)].shape);
  int closest = -1;
  int64_t distance = kFarthest + 1;
  for (const Index::Term& term : address.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis) continue;
    const int axis = term.atoms[0].axis_id();
    if (contains(a, axis) == contains(b, axis)) continue;
    if (term.coefficient < 1 || term.coefficient >= distance) continue;
    closest = axis;
    distance = term.coefficient;
  }
  return closest;
}

bool packed_ahead(const Expr& factor, const Kernel& kernel, const std::vector<Value>& values) {
  bool constant = true;
  int64_t stored = 0;
  std::set<ValueId> counted;
  visit(factor, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    constant = constant && value.kind == ValueKind::constant;
    // Bytes of integers may hold several numbers.
    const int64_t each = is_integer(value.type) && size_bits(value.type) == 8 ? 2 : 1;
    if (constant && counted.insert(node.id).second) stored += each * at_hints(product(value.shape));
  });
  std::vector<Symbol> symbols;
  visit_indices(factor, [&](const Index& index) { index.collect_symbols(symbols); });
  if (!constant || !symbols.empty()) return false;
  int64_t elements = 1;
  for (const int axis : axes_of(factor)) {
    const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
    if (!extent.is_constant()) return false;
    elements *= std::max<int64_t>(1, extent.constant());
    if (elements > std::max(kSmallFactor, 2 * stored)) return false;
  }
  return true;
}

namespace {

// `apart`: axes of b alone that stay loops around blocks of columns; then without a window.
std::optional<Contraction> contraction_of(const Kernel& given, const std::vector<Value>& values,
                                          const Hardware& hardware, int column, const Given& verbs,
                                          const std::vector<int>* apart = nullptr) {
  if (!verbs.may("tile") || given.lets.empty() || given.writes.size() != 1) return std::nullopt;
  const Kernel kernel = given.lets.size() == 1 ? given : without_maps(given);
  if (!ends_in_reduction(kernel)) return std::nullopt;
  const Let& let = kernel.lets.back();
  const Write& write = kernel.writes[0];
  if (let.op != Combiner::sum) return std::nullopt;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
  Expr first = body->operands[0], second = body->operands[1];
  std::vector<int> in_first = axes_of(first), in_second = axes_of(second);
  const int closest = column >= 0 ? column : closest_axis(write, values, in_first, in_second);
  if (closest < 0) return std::nullopt;
  // b is the factor that has this axis, so that a row of the tile is a piece of the result, or one
  // phase of it.
  if (contains(in_first, closest)) {
    std::swap(first, second);
    std::swap(in_first, in_second);
  }
  std::vector<int> batch, m, n;
  for (const int axis : let.over) {
    const bool a = contains(in_first, axis), b = contains(in_second, axis);
    if (a && b) {
      batch.push_back(axis);
    } else if (a) {
      m.push_back(axis);
    } else if (b && (apart == nullptr || !contains(*apart, axis))) {
      n.push_back(axis);
    } else if (!b) {
      return std::nullopt;
    }
  }
  const Dim rows = extent_of(kernel, m), columns = extent_of(kernel, n),
            depth = extent_of(kernel, let.reduced);
  const int64_t work = at_least_one(rows) * at_least_one(columns) * at_least_one(depth);
  if (at_least_one(depth) < kLeastTiledDepth ||
      work * at_least_one(extent_of(kernel, batch)) < kLeastWork) {
    return std::nullopt;
  }
  const bool a_constant = packed_ahead(first, kernel, values),
             b_constant = packed_ahead(second, kernel, values);
  if (has_let(second) || (kernel.lets.size() == 1 && has_let(first))) return std::nullopt;
  if (kernel.lets.size() > 1 && !are_of_rows(kernel, batch, m)) return std::nullopt;

  Contraction out;
  Regrouping regrouping(kernel, out.kernel);
  ContractionSchedule& schedule = out.schedule;
  for (const int axis : batch) schedule.batch.push_back(regrouping.keep(axis));
  schedule.m = regrouping.flatten(m, "m");
  if (apart != nullptr) {
    for (const int axis : *apart) schedule.around.push_back(regrouping.keep(axis));
  }
  // Windows keep the axes of their plane apart. Devices stage elements one by one.
  const bool device = has_device(hardware);
  if (!device && apart == nullptr && !b_constant && kernel.lets.size() == 1 &&
      (verbs.may("window") || verbs.numbers("winograd") != nullptr)) {
    Regrouping apart = regrouping;
    Kernel with_window = out.kernel;
    apart.into(with_window);
    std::vector<int> outputs, reduced;
    for (const int axis : n) outputs.push_back(apart.keep(axis));
    for (const int axis : let.reduced) reduced.push_back(apart.keep(axis));
    const int columns_axis =
        outputs[static_cast<size_t>(std::find(n.begin(), n.end(), closest) - n.begin())];
    const SlidingOperand operand =
        sliding_operand(apart.moved(second), apart.moved(write.when), outputs, values);
    const std::optional<WinogradChoice> few = given_winograd(verbs);
    if (few && schedule.m >= 0 && a_constant && operand.taps.empty() && rows.is_constant()) {
      std::optional<WinogradPlane> plane = find_winograd(
          operand.element, outputs, columns_axis, reduced, with_window, hardware.memory, *few);
      if (!plane) return std::nullopt;
      schedule.window = std::move(plane->window);
      schedule.winograd = std::move(plane->form);
    }
    std::optional<SlidingWindow> window;
    if (!schedule.window && verbs.may("window"))
      window = find_window(
          operand.element, outputs, columns_axis, reduced, with_window, hardware.memory,
          {hardware.threads_max, kBandVectors * lanes_of(hardware.vector), given_band(verbs)});
    if (window) window->taps = operand.taps;
    if (window)
      settle_window(schedule, std::move(*window), reduced,
                    schedule.m < 0 ? ReadBy::one_row : ReadBy::rows, with_window, hardware.vector,
                    verbs);
    if (schedule.window) {
      schedule.k = reduced;
      out.kernel = std::move(with_window);
      regrouping = apart;
      regrouping.into(out.kernel);
    }
  }
  // One row: a product of a matrix and a vector, bound by memory; b must then be packed already or
  // not at all.
  if (!schedule.window && work < kLeastWork) return std::nullopt;
  if (rows.is_constant() && rows.constant() < kLeastRows && !b_constant && !schedule.window)
    return std::nullopt;
  if (!schedule.window) {
    schedule.n = regrouping.flatten(n, "n");
    for (const int axis : let.reduced) schedule.k.push_back(regrouping.keep(axis));
  }
  if (!regrouping.move_lets(out.kernel)) return std::nullopt;
  const Guard written = out.kernel.writes[0].when;
  if (schedule.winograd) tile_plane(out.kernel, *schedule.window, *schedule.winograd);
  schedule.rows = rows;
  schedule.columns = columns;
  schedule.depth = depth;
  // The factors as they are over the new axes.
  const Expr& product = out.kernel.lets.back().body[0];
  const bool swapped = first == body->operands[1];
  schedule.a.element = product->operands[swapped ? 1 : 0];
  schedule.b.element = product->operands[swapped ? 0 : 1];
  schedule.a.is_prepacked = a_constant;
  schedule.b.is_prepacked = b_constant;
  const auto compact = [&](TileFactor& factor, int lane) {
    if (!factor.is_prepacked || lane < 0 || schedule.k.empty()) return false;
    const Compactness found = compactness_of(factor.element, out.kernel, values, hardware);
    factor.is_few = found == Compactness::few;
    return found == Compactness::yes && verbs.may("compact");
  };
  schedule.a.compact = !schedule.winograd && compact(schedule.a, schedule.m);
  schedule.b.compact = !schedule.window && compact(schedule.b, schedule.n);
  // Panels of fp16 are as small; rows are read for every block of columns, so that has to be one
  // instruction.
  if (!device && schedule.a.compact > 0 && is_fp16_load(schedule.a.element)) {
    schedule.a.compact = 0;
    schedule.a.keeps_fp16 = hardware.instructions.half_convert;
  }
  if (!device && hardware.keeps_fp16) {
    schedule.a.keeps_fp16 = schedule.a.keeps_fp16 ||
                            (a_constant && !schedule.winograd && is_fp16_load(schedule.a.element));
    schedule.b.keeps_fp16 =
        b_constant && schedule.b.compact == 0 && is_fp16_load(schedule.b.element);
  }
  if (kernel.lets.size() > 1) name_invariants(out.kernel, schedule);
  schedule.value = out.kernel.writes[0].value;
  // Loops over tiles end where the plane does.
  schedule.when = schedule.winograd ? written : out.kernel.writes[0].when;
  settle_tile(schedule, b_constant, hardware, verbs);
  // Panels that one block of rows reads are read once: halves need not become floats in scratch.
  if (!device && schedule.b.compact > 0 && is_fp16_load(schedule.b.element) &&
      rows.range().hi <= schedule.tile.rows) {
    schedule.b.compact = 0;
    schedule.b.keeps_fp16 = true;
  }
  const bool widened =
      schedule.a.keeps_fp16 && hardware.vector.vector_bytes > 0 && !short_code(hardware);
  if (widened || (!device && schedule.a.compact > 0))
    schedule.a.widen_points = std::min(kMostWidened, kMostWidenedBytes / (4 * schedule.tile.rows));
  const bool streams = (a_constant && !schedule.a.compact) || (b_constant && !schedule.b.compact);
  if (streams && !schedule.plane_rows && verbs.may("prefetch")) {
    const int64_t across = at_least_one(a_constant ? rows : columns);
    const bool halves = (a_constant ? schedule.a : schedule.b).keeps_fp16;
    const int64_t bytes =
        schedule.winograd ? winograd_bytes(out) : at_least_one(depth) * across * (halves ? 2 : 4);
    const std::vector<int64_t>* const numbers = verbs.numbers("prefetch");
    schedule.prefetch = prefetch_bytes(
        schedule.tile, {a_constant, bytes, 0}, hardware,
        numbers == nullptr ? std::nullopt : std::optional<int64_t>(numbers->front()));
  }
  const auto pack_points = [&](const TileFactor& factor, int lane) {
    if (factor.is_prepacked || schedule.k.empty()) return 0;
    const bool vary = lane >= 0 && !out.kernel.axes[static_cast<size_t>(lane)].extent.is_constant();
    return pack_points_of(factor.element, lane, vary, schedule.k.back(), values, hardware.vector);
  };
  schedule.a_unpacked = !device && reads_rows_in_place(out, values, hardware, verbs);
  if (!schedule.a_unpacked) schedule.a.pack_points = pack_points(schedule.a, schedule.m);
  if (!schedule.window) schedule.b.pack_points = pack_points(schedule.b, schedule.n);
  schedule.b_unpacked = !device && reads_unpacked(schedule, out.kernel, values, hardware, verbs);
  schedule.b_overlaps = schedule.b_unpacked && overlaps_last_columns(out, values, hardware);
  if (schedule.winograd)
    lay_out_winograd(out);
  else
    lay_out_scratch(schedule, !a_constant && !schedule.a_unpacked,
                    !b_constant && !schedule.b_overlaps, out.scratch_bytes);
  if (kernel.lets.size() > 1) plan_row_lets(out);
  return out;
}

}  // namespace

std::optional<Contraction> find_contraction(const Kernel& kernel, const std::vector<Value>& values,
                                            const Hardware& hardware, int column,
                                            const Given& verbs) {
  std::optional<Contraction> out = contraction_of(kernel, values, hardware, column, verbs);
  if (!out || column >= 0 || has_device(hardware)) return out;
  return with_met_taps(std::move(*out), kernel, values, verbs,
                       [&](const Kernel& given, const std::vector<int>& apart) {
                         return contraction_of(given, values, hardware, -1, verbs, &apart);
                       });
}

bool has_only_plane_rows(const ContractionSchedule& schedule) {
  return schedule.plane_rows && has_only_plane_rows(*schedule.plane_rows, *schedule.window);
}

EdgeOptions edge_options(const ContractionSchedule& schedule, bool b_constant, const Given& given) {
  EdgeOptions edges;
  edges.rows = !schedule.window && schedule.m >= 0;
  edges.small_m = b_constant;
  edges.vectors = schedule.window || schedule.n >= 0;
  edges.blocks = schedule.m >= 0 && !schedule.winograd && schedule.a.compact == 0;
  edges.ends_vary = schedule.window && schedule.window->banded();
  // A sum more for each element has to be worth it.
  if (!schedule.window && schedule.a.compact == 0 &&
      schedule.depth.range().hi >= kLeastDepthOfAccumulators && given.may("accumulators")) {
    edges.accumulators = kMostAccumulators;
    const std::vector<int64_t>* const most = given.numbers("accumulators");
    if (most != nullptr && (*most)[0] >= 1 && (*most)[0] <= kMostAccumulators)
      edges.accumulators = static_cast<int>((*most)[0]);
  }
  return edges;
}

}  // namespace burin
