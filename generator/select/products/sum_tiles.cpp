#include "select/products/sum_tiles.h"

#include <algorithm>
#include <optional>

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "select/axes/affine_address.h"
#include "select/axes/guards.h"
#include "select/products/prepack.h"
#include "select/tiles/prefetch.h"
#include "support/at.h"

namespace burin {
namespace {

// Shorter sums and narrower rows are not worth an array.
constexpr int64_t kLeastDepth = 8;

// The factors of a sum that may have a tile; `otherwise` is the other one where `when` does not
// hold, if there is one.
struct Factors {
  Expr weights, other, otherwise = {};
  Guard when = {};
};

bool is_weights(const Expr& factor, const std::vector<Value>& values) {
  return factor.kind() == ExprKind::load &&
         (factor->storage == Type::f32 || factor->storage == Type::f16) &&
         values[at(factor->id)].kind == ValueKind::constant && values[at(factor->id)].constant.data;
}

// An element that lies in memory: of a tensor, or of a let, which has an array where it is read at
// points of a depth.
bool is_stored(const Expr& factor, const std::vector<Value>& values) {
  if (factor.kind() == ExprKind::let) return factor.type() == Type::f32;
  return factor.kind() == ExprKind::load && factor->storage == Type::f32 &&
         values[at(factor->id)].layout.blocks.empty();
}

class Finder {
 public:
  Finder(Kernel& kernel, std::vector<Value>& values, const VectorUnit& unit, const Given& given)
      : kernel_(kernel), values_(values), unit_(unit), given_(given) {}

  std::vector<SumTile> run() {
    std::vector<SumTile> out;
    for (size_t number = 0; number < kernel_.lets.size(); ++number) {
      if (std::optional<SumTile> one = tile_of(static_cast<int>(number)))
        out.push_back(std::move(*one));
    }
    return out;
  }

 private:
  const Let& let(int number) const { return kernel_.lets[at(number)]; }
  const Dim& extent(int axis) const { return kernel_.axes[at(axis)].extent; }
  bool is_sequential(int axis) const { return kernel_.axes[at(axis)].kind == AxisKind::sequential; }

  std::optional<SumTile> tile_of(int number) {
    const Let& one = let(number);
    const bool sum = one.op == Combiner::sum && one.body.size() == 1 &&
                     one.accumulator[0] == Type::f32 && !one.reduced.empty();
    if (kernel_.lets.size() < 2 || !given_.may("tile sums", number) || !sum || one.over.empty() ||
        is_sequential(one.over.back()))
      return std::nullopt;
    SumTile out;
    out.let = number;
    out.column = one.over.back();
    const Guarded guarded = strip_guard(one.op, one.body[0]);
    const std::optional<Factors> product = factors_of(guarded.value);
    if (!product || !holds_for_tiles(guarded.guard, one) || !holds_for_tiles(product->when, one))
      return std::nullopt;
    const std::vector<int> of_weights = axes_of(product->weights);
    std::vector<int> of_other = axes_of(product->other);
    if (product->otherwise) {
      const std::vector<int> more = axes_of(product->otherwise);
      of_other.insert(of_other.end(), more.begin(), more.end());
    }
    const bool along_depth = std::any_of(one.reduced.begin(), one.reduced.end(),
                                         [&](int axis) { return contains(of_other, axis); });
    if (!contains(of_weights, out.column) || contains(of_other, out.column) || !along_depth)
      return std::nullopt;
    for (const int axis : one.over) {
      if (axis == out.column) continue;
      if (contains(of_weights, axis)) {
        if (is_sequential(axis)) return std::nullopt;
        out.batch.push_back(axis);
      } else if (!is_sequential(axis) && contains(of_other, axis) &&
                 (out.row < 0 || at_hints(extent(axis)) > at_hints(extent(out.row)))) {
        out.row = axis;
      }
    }
    Dim depth = 1;
    for (const int axis : one.reduced) {
      if (!extent(axis).is_constant()) return std::nullopt;
      depth *= extent(axis);
    }
    const bool known = extent(out.column).is_constant() &&
                       std::all_of(out.batch.begin(), out.batch.end(),
                                   [&](int axis) { return extent(axis).is_constant(); });
    if (!known || depth.constant() < kLeastDepth || extent(out.column).constant() < lanes_of(unit_))
      return std::nullopt;
    const int64_t rows = out.row < 0 ? 1 : at_least_one(extent(out.row));
    out.tile = given_tile(given_.numbers("tile sums", number), 1, unit_,
                          out.row < 0 ? Dim(1) : extent(out.row))
                   .value_or(choose_tile(rows, extent(out.column).constant(), unit_));
    pack(product->weights, out);
    out.factor = product->other;
    out.otherwise = product->otherwise;
    out.when = product->when;
    const Expr packed = Expr::load(out.panels, product->weights->storage, place_in_panels(out));
    const Expr other =
        out.otherwise ? Expr::cases({{out.when, out.factor}}, out.otherwise) : out.factor;
    Expr body = other * packed;
    if (!guarded.guard.empty())
      body = Expr::cases({{guarded.guard, body}}, Expr::constant(Type::f32, 0));
    kernel_.lets[at(number)].body[0] = body;
    return out;
  }

  std::optional<Factors> factors_of(const Expr& body) const {
    if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
    const Expr a = body->operands[0], b = body->operands[1];
    for (const auto& [weights, other] : {std::pair(b, a), std::pair(a, b)}) {
      if (!is_weights(weights, values_) ||
          !affine_address(linearize(weights->at, values_[at(weights->id)].shape),
                          kernel_.axes.size()))
        continue;
      if (is_stored(other, values_)) return Factors{weights, other};
      // The state before the first step.
      if (other.kind() == ExprKind::cases && other->cases.size() == 1 &&
          is_stored(other->cases[0].value, values_) && is_stored(other->operands[0], values_))
        return Factors{weights, other->cases[0].value, other->operands[0], other->cases[0].guard};
    }
    return std::nullopt;
  }

  // Whether the guard says the same of all that a tile has.
  bool holds_for_tiles(const Guard& guard, const Let& one) const {
    return std::none_of(guard.begin(), guard.end(), [&](const Condition& condition) {
      const Index* const all[] = {&condition.index, &condition.lo, &condition.hi};
      const auto has_data = [](const Index* index) { return index->has_data(); };
      if (std::any_of(std::begin(all), std::end(all), has_data)) return true;
      const auto moves = [&](int axis) {
        return !is_sequential(axis) &&
               std::any_of(std::begin(all), std::end(all),
                           [&](const Index* index) { return index->uses_axis(axis); });
      };
      return std::any_of(one.over.begin(), one.over.end(), moves) ||
             std::any_of(one.reduced.begin(), one.reduced.end(), moves);
    });
  }

  // [batch][blocks][reduced][columns], zero beyond the last column.
  void pack(const Expr& weights, SumTile& tile) {
    const Let& one = let(tile.let);
    Contraction contraction;
    contraction.kernel = kernel_;
    contraction.schedule.batch = tile.batch;
    contraction.schedule.k = one.reduced;
    TileFactor factor;
    factor.element = weights;
    Value packed;
    packed.name = kernel_.name + "_columns" + std::to_string(tile.let);
    packed.type = weights->storage;  // fp16 is widened as it is loaded
    packed.kind = ValueKind::constant;
    packed.constant =
        pack_constant(contraction, factor, tile.column, tile.tile.columns(), values_, packed.type);
    for (const int axis : tile.batch) packed.shape.push_back(extent(axis));
    packed.shape.push_back(ceildiv(extent(tile.column), tile.tile.columns()));
    for (const int axis : one.reduced) packed.shape.push_back(extent(axis));
    packed.shape.push_back(tile.tile.columns());
    for (size_t d = 0; d < packed.shape.size(); ++d)
      packed.layout.order.push_back(static_cast<int>(d));
    tile.panels = static_cast<ValueId>(values_.size());
    values_.push_back(std::move(packed));
  }

  std::vector<Index> place_in_panels(const SumTile& tile) const {
    const Index column = Index::axis(tile.column, extent(tile.column));
    std::vector<Index> out;
    for (const int axis : tile.batch) out.push_back(Index::axis(axis, extent(axis)));
    out.push_back(floordiv(column, tile.tile.columns()));
    for (const int axis : let(tile.let).reduced) out.push_back(Index::axis(axis, extent(axis)));
    out.push_back(mod(column, tile.tile.columns()));
    return out;
  }

  Kernel& kernel_;
  std::vector<Value>& values_;
  const VectorUnit& unit_;
  const Given given_;
};

}  // namespace

std::vector<SumTile> find_sum_tiles(Kernel& kernel, std::vector<Value>& values,
                                    const Hardware& hardware, const Given& given) {
  std::vector<SumTile> out = Finder(kernel, values, hardware.vector, given).run();
  // Panels that stay in the second cache are there at every step of a loop around.
  for (SumTile& tile : out) {
    if (!given.may("prefetch sums", tile.let)) continue;
    const Value& panels = values[static_cast<size_t>(tile.panels)];
    const int64_t bytes = size_bytes(panels.type, at_hints(product(panels.shape)));
    const std::vector<int64_t>* const numbers = given.numbers("prefetch sums", tile.let);
    const std::optional<int64_t> told =
        numbers == nullptr ? std::nullopt : std::optional<int64_t>((*numbers)[1]);
    tile.prefetch = prefetch_bytes(tile.tile, {false, bytes, 1}, hardware, told);
  }
  return out;
}

}  // namespace burin
