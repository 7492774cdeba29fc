#include "layout/layout_cost.h"

#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"
#include "select/axes/regroup.h"
#include "select/products/contraction.h"

namespace burin {
namespace {

constexpr int64_t kSteps = 32;  // neighbours that are looked at
constexpr int64_t kMost = int64_t{1} << 40;

int64_t hint(const Dim& dim) { return std::clamp<int64_t>(at_hints(dim), 1, kMost); }

int64_t times(int64_t a, int64_t b) { return a > kMost / std::max<int64_t>(1, b) ? kMost : a * b; }

class KernelCost {
 public:
  KernelCost(const Kernel& kernel, const std::vector<Value>& values, const Hardware& hardware)
      : kernel_(kernel), values_(values), hardware_(hardware) {}

  Cost run() {
    Cost total = 0;
    const int inner = innermost();
    for (const Let& let : kernel_.lets) {
      if (const Expr* product = product_of(let)) {
        total = plus(total, contraction(let, **product, inner));
      } else {
        std::vector<int> axes = let.over;
        axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
        const bool along = std::find(axes.begin(), axes.end(), inner) != axes.end();
        const int own = along || axes.empty() ? inner : axes.back();
        for (const Expr& body : let.body) total = plus(total, expression(body, axes, own));
      }
    }
    for (const Write& write : kernel_.writes) {
      total = plus(total, expression(write.value, write.over, inner));
      total = plus(total, touches(write.to, write.at, points(write.over), inner, false));
    }
    return total;
  }

 private:
  // The axis along which neighbours of the first result are neighbours in memory; the last one
  // where there is none.
  int innermost() const {
    const Write& write = kernel_.writes[0];
    for (const int axis : write.over) {
      if (unit_strides(write.to, write.at, axis).first > 0) return axis;
    }
    return write.over.empty() ? -1 : write.over.back();
  }

  int64_t points(const std::vector<int>& axes) const {
    int64_t count = 1;
    for (const int axis : axes)
      count = times(count, hint(kernel_.axes[static_cast<size_t>(axis)].extent));
    return count;
  }

  int64_t place(const Index& address, int axis, int64_t at) const {
    return address.evaluate([&](const Index& leaf) -> int64_t {
      switch (leaf.kind()) {
        case IndexKind::axis:
          return leaf.axis_id() == axis ? at : 0;
        case IndexKind::symbol:
          return hint(leaf);
        default:
          return std::max<int64_t>(0, leaf.range().lo);
      }
    });
  }

  // Of the steps along an axis those that go to the next element or stay, and all of them. An axis
  // that the address does not use stays.
  std::pair<int64_t, int64_t> unit_strides(ValueId id, const std::vector<Index>& at,
                                           int axis) const {
    const Index address = linearize(at, values_[static_cast<size_t>(id)].shape);
    if (axis < 0 || !address.uses_axis(axis)) return {0, 0};
    const int64_t extent = hint(kernel_.axes[static_cast<size_t>(axis)].extent);
    const int64_t all = std::min(kSteps, extent - 1);
    int64_t unit = 0, before = place(address, axis, 0);
    for (int64_t k = 1; k <= all; ++k) {
      const int64_t here = place(address, axis, k);
      unit += here - before == 1;
      before = here;
    }
    return {unit, all};
  }

  int bytes_of(ValueId id) const {
    return std::max(1, size_bits(values_[static_cast<size_t>(id)].type) / 8);
  }

  // Loading or storing so many elements along `axis`: whole vectors where they lie side by side,
  // one by one else, each with a line of its own from the cache that holds the tensor.
  Cost touches(ValueId id, const std::vector<Index>& at, int64_t count, int axis,
               bool loads) const {
    const VectorUnit& unit = hardware_.vector;
    const auto [contiguous, steps] = unit_strides(id, at, axis);
    const int64_t per_cycle = std::max(1, loads ? unit.loads_per_cycle : unit.stores_per_cycle);
    const int64_t lanes = unit.lanes(bytes_of(id));
    if (steps == 0) return times(count, kCycle) / (lanes * per_cycle);
    const int64_t wide = count / steps * contiguous, apart = count - wide;
    Cost cost = times(wide, kCycle) / (lanes * per_cycle) + times(apart, kCycle) / per_cycle;
    const std::vector<Cache>& caches = hardware_.memory.caches;
    const int64_t bytes =
        times(hint(product(values_[static_cast<size_t>(id)].shape)), bytes_of(id));
    if (caches.size() > 1 && bytes > caches[0].size_bytes) {
      // A line may serve its neighbours later, while it is still near: half of them are.
      const int64_t line = times(apart, hardware_.memory.cache_line_bytes) / 2;
      cost = plus(cost, times(line, kCycle) / std::max(1, caches[1].bandwidth_bytes_per_cycle) *
                            (loads ? 1 : 2));
    }
    return cost;
  }

  Cost expression(const Expr& expr, const std::vector<int>& axes, int inner) const {
    const int64_t count = points(axes);
    const int64_t lanes = hardware_.vector.lanes(4);
    Cost total = times(count, count_operations(expr) * kCycle) /
                 (lanes * std::max(1, hardware_.vector.fma_per_cycle));
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load)
        total = plus(total, touches(node.id, node.at, count, inner, true));
    });
    return total;
  }

  // A sum of products of two factors that run over different axes.
  static const Expr* product_of(const Let& let) {
    if (let.op != Combiner::sum || let.body.size() != 1) return nullptr;
    const Expr& body = let.body[0];
    if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return nullptr;
    const std::vector<int> a = axes_of(body->operands[0]), b = axes_of(body->operands[1]);
    for (const int axis : let.over) {
      const bool in_a = std::find(a.begin(), a.end(), axis) != a.end();
      if (in_a != (std::find(b.begin(), b.end(), axis) != b.end())) return &body;
    }
    return nullptr;
  }

  // Multiplications in tiles, and the packing of every factor that is no constant. The factor that
  // runs along the columns is packed along them, the other one along its rows.
  Cost contraction(const Let& let, const ExprNode& product, int inner) const {
    std::vector<int> a = axes_of(product.operands[0]), b = axes_of(product.operands[1]);
    size_t columns = 1;
    if (std::find(b.begin(), b.end(), inner) == b.end()) {
      std::swap(a, b);
      columns = 0;
    }
    const auto only = [&](const std::vector<int>& in, const std::vector<int>& out) {
      std::vector<int> axes;
      for (const int axis : let.over) {
        const bool has = std::find(in.begin(), in.end(), axis) != in.end();
        if (has && std::find(out.begin(), out.end(), axis) == out.end()) axes.push_back(axis);
      }
      return axes;
    };
    const std::vector<int> m = only(a, b), n = only(b, a);
    const int64_t rows = points(m), cols = points(n), depth = points(let.reduced);
    const int64_t batch = points(let.over) / std::max<int64_t>(1, times(rows, cols));
    const Tile tile = choose_tile(rows, cols, hardware_.vector);
    const int64_t tiles =
        times((rows + tile.rows - 1) / tile.rows, (cols + tile.columns() - 1) / tile.columns());
    const int64_t fma =
        times(tile.rows, tile.vectors) * kCycle / std::max(1, hardware_.vector.fma_per_cycle);
    const int64_t load =
        (tile.rows + tile.vectors) * kCycle / std::max(1, hardware_.vector.loads_per_cycle);
    Cost total = times(times(times(batch, tiles), depth), std::max(fma, load));
    for (const size_t side : {columns, 1 - columns}) {
      const std::vector<int>& own = side == columns ? n : m;
      const Expr& factor = product.operands[side];
      std::vector<int> axes = axes_of(factor);
      // Packed along its own axis that moves fastest in memory, where there is one.
      int along = own.empty() ? (let.reduced.empty() ? -1 : let.reduced.back()) : own.back();
      if (side == columns && std::find(own.begin(), own.end(), inner) != own.end()) along = inner;
      bool constant = true;
      visit(factor, [&](const ExprNode& node) {
        if (node.kind == ExprKind::load)
          constant = constant && values_[static_cast<size_t>(node.id)].kind == ValueKind::constant;
      });
      if (constant) continue;
      total = plus(total, packing(factor, axes, along, side == columns));
      total = plus(total,
                   times(points(axes), count_operations(factor) * kCycle) /
                       (hardware_.vector.lanes(4) * std::max(1, hardware_.vector.fma_per_cycle)));
    }
    return total;
  }

  // A window that is read along its columns is staged, every element once; else every tap is
  // packed.
  Cost packing(const Expr& factor, const std::vector<int>& axes, int along, bool columns) const {
    Cost total = 0;
    visit(factor, [&](const ExprNode& node) {
      if (node.kind != ExprKind::load) return;
      int64_t count = points(axes);
      const bool wide = unit_strides(node.id, node.at, along).first > 0;
      if (columns && wide && is_window(node))
        count = std::min(count, hint(product(values_[static_cast<size_t>(node.id)].shape)));
      total = plus(total, touches(node.id, node.at, count, along, true));
      total = plus(total, times(count, kCycle) / (hardware_.vector.lanes(4) *
                                                  std::max(1, hardware_.vector.stores_per_cycle)));
    });
    return total;
  }

  static bool is_window(const ExprNode& load) {
    return std::any_of(load.at.begin(), load.at.end(), [](const Index& index) {
      std::vector<int> axes;
      index.collect_axes(axes);
      return axes.size() > 1;
    });
  }

  const Kernel& kernel_;
  const std::vector<Value>& values_;
  const Hardware& hardware_;
};

Cost plain_cost(const Kernel& kernel) {
  Cost all = 0;
  for (const Let& let : kernel.lets) {
    std::vector<int> axes = let.over;
    axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
    all = plus(all, at_least_one(extent_of(kernel, axes)) * kCycle);
  }
  return all;
}

}  // namespace

Cost kernel_cost(const Kernel& kernel, const std::vector<Value>& values, const Hardware& hardware) {
  if (kernel.writes.empty()) return 0;
  return KernelCost(kernel, values, hardware).run();
}

Cost in_place_gain(const Value& value, const Hardware& hardware) {
  const std::vector<Cache>& caches = hardware.memory.caches;
  const int64_t bytes = times(hint(product(value.shape)), std::max(1, size_bits(value.type) / 8));
  if (caches.size() < 2 || bytes <= caches[0].size_bytes) return 0;
  return times(bytes, kCycle) / std::max(1, caches[1].bandwidth_bytes_per_cycle);
}

LayoutCost::LayoutCost(const Kernel& kernel, std::vector<Value>& values, const Hardware& hardware,
                       const CostOptions& options)
    : kernel_(kernel), values_(values), hardware_(hardware), tuning_(options.tuning) {
  if (options.tiled) tiled_ = true;
  if (const std::optional<Cost> known = measured(kernel)) {
    const Cost counted = kernel_cost(kernel, values_, hardware_);
    scale_ = static_cast<double>(*known) / static_cast<double>(std::max<Cost>(1, counted));
  }
}

bool LayoutCost::is_tiled() {
  if (!tiled_) tiled_ = has_tiles(kernel_);
  return *tiled_;
}

bool LayoutCost::has_tiles(const Kernel& kernel) const {
  return find_contraction(kernel, values_, hardware_).has_value() ||
         find_window_reduction(kernel, values_, hardware_).has_value();
}

std::optional<Cost> LayoutCost::measured(const Kernel& moved) const {
  if (!tuning_) return std::nullopt;
  const auto found = tuning_->kernels.find(kernel_key(moved, values_));
  if (found == tuning_->kernels.end() || !found->second.us) return std::nullopt;
  const double cycles = *found->second.us * static_cast<double>(hardware_.clock_mhz);
  return static_cast<Cost>(cycles * static_cast<double>(kCycle));
}

Cost LayoutCost::scaled(Cost estimate) const {
  return scale_ == 1 ? estimate : static_cast<Cost>(static_cast<double>(estimate) * scale_);
}

Cost LayoutCost::in(const Layouts& layouts) {
  if (layouts.empty()) {
    const Cost counted = kernel_cost(kernel_, values_, hardware_);
    const bool lost = tiled_ && *tiled_ && !has_tiles(kernel_);  // of a form that had some
    return measured(kernel_).value_or(scaled(lost ? plus(counted, plain_cost(kernel_)) : counted));
  }
  const bool had_tiles = is_tiled();
  std::vector<std::vector<Dim>> logical;
  for (const auto& [id, layout] : layouts) {
    Value& value = values_[static_cast<size_t>(id)];
    logical.push_back(value.shape);
    value.shape = physical_shape(layout, value.shape);
  }
  const Kernel moved = relayout(kernel_, layouts);
  Cost out = 0;
  if (const std::optional<Cost> known = measured(moved)) {
    out = *known;
  } else {
    const Cost counted = kernel_cost(moved, values_, hardware_);
    out = scaled(had_tiles && !has_tiles(moved) ? plus(counted, plain_cost(moved)) : counted);
  }
  size_t at = 0;
  for (const auto& [id, layout] : layouts)
    values_[static_cast<size_t>(id)].shape = std::move(logical[at++]);
  return out;
}

}  // namespace burin
