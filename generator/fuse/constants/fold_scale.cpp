// Scales of sums of products move into their constant factor: sum(x * w) * a + c with constant a is
// sum(x * (w * a)) + c, computed now. BatchNormalization after a convolution or a product leaves
// nothing but a bias; so do alpha of Gemm and the scale of scores, where a factor is constant.
//
// What it may change: roundings of the sum's terms, each by that of w * a, and of its result. That
// is no more than another order of the sum does, which is free (kernel/README.md): both are a few
// roundings of sum |x * w * a|. A bias between sum and scale is scaled, too, and added to the shift
// behind it; where all of these are at most kMostShift of the largest sum |w * a| of a row, what
// that changes is as much as if inputs were changed by kMostShift of their rounding at 1. Larger
// ones, which round what they are added to, stay where they are, and so do two in a row.
//
// What it must not: leave the range of numbers where the model does not. So no scale is above
// kMostScale, nor, of several in a row, below its inverse, and no product with a weight is
// infinite or below the normal numbers; inputs within kMostScale of the largest number's share are
// safe. Whole numbers stay: sums of whole numbers are exact, and the signs and comparisons of
// networks with one or two bits depend on that.
#include <algorithm>
#include <cmath>
#include <map>

#include "fuse/access/known.h"
#include "fuse/algebra/float_intervals.h"
#include "fuse/constants/constant_rewrites.h"
#include "fuse/constants/scale_remover.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostFactorElements = int64_t{1} << 22;  // of a factor that is computed again
constexpr double kMostScale = 0x1p16;
constexpr double kMostShift = 16;

bool uses_let(const Expr& expr, int let) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) {
    found = found || (node.kind == ExprKind::let && node.id == let);
  });
  return found;
}

class ScaleFolder {
 public:
  ScaleFolder(KernelGraph& graph, bool fast_math) : graph_(graph), fast_math_(fast_math) {
    for_each_step(graph.steps, [&](const Step& step) {
      for (const ValueId id : reads_of(step)) ++readers_[id];
    });
  }

  void run(Kernel& kernel) {
    for (size_t let = 0; let < kernel.lets.size(); ++let) {
      std::optional<Kernel> folded;
      for (const bool shared : {false, true}) {
        for (const bool moves : {true, false}) {
          if (!folded) folded = with_folded(kernel, static_cast<int>(let), moves, shared);
        }
      }
      if (folded) kernel = std::move(*folded);
    }
  }

 private:
  std::optional<Kernel> with_folded(const Kernel& kernel, int number, bool moves, bool shared) {
    const Let& let = kernel.lets[static_cast<size_t>(number)];
    if (let.op != Combiner::sum || let.body.size() != 1 || !is_float(let.accumulator[0]))
      return std::nullopt;
    for (const Expr& body : let.body) {
      if (uses_let(body, number)) return std::nullopt;
    }
    const std::optional<int> constant = constant_factor(let);
    if (!constant) return std::nullopt;
    KnownExpressions known(graph_, kernel);
    ScaleRemover remover(number, known, moves);
    Kernel out = kernel;
    std::vector<Expr*> users;
    for (Let& other : out.lets) {
      for (Expr& body : other.body) users.push_back(&body);
    }
    for (Write& write : out.writes) users.push_back(&write.value);
    std::erase_if(users, [&](const Expr* value) { return !uses_let(*value, number); });
    if (shared) {
      std::vector<Expr> values;
      for (const Expr* value : users) values.push_back(*value);
      remover.end_at_shared(values);
    }
    for (Expr* const value : users) {
      const std::optional<Expr> without = remover.without_scale(*value);
      if (!without) return std::nullopt;
      *value = *without;
    }
    if (!remover.scale() || remover.scale()->is_constant(1) || !stands_at_own_point(kernel, number))
      return std::nullopt;
    const Expr& factor = let.body[0]->operands[static_cast<size_t>(*constant)];
    const std::vector<int> own = axes_of(factor), scaled = axes_of(*remover.scale());
    if (!std::includes(own.begin(), own.end(), scaled.begin(), scaled.end())) return std::nullopt;
    // An axis that the sum runs over is another one outside of it, where a write may have it, too.
    if (std::any_of(scaled.begin(), scaled.end(),
                    [&](int axis) { return contains(let.reduced, axis); }))
      return std::nullopt;
    if (all(factor->id, [](double one) { return std::trunc(one) == one; })) return std::nullopt;
    const std::optional<Expr> product =
        known.compute(factor * *remover.scale(), kMostFactorElements);
    if (!product) return std::nullopt;
    if (!stays_in_range(kernel, remover, factor, (*product)->id) ||
        !shifts_are_small(kernel, let, remover, *product)) {
      graph_.values.pop_back();  // the one that has just been made
      return std::nullopt;
    }
    const Expr& other = let.body[0]->operands[static_cast<size_t>(1 - *constant)];
    out.lets[static_cast<size_t>(number)].body[0] =
        *constant == 0 ? *product * other : other * *product;
    return out;
  }

  // Which operand of a product of two is a constant of the sum's own type that nobody else reads.
  std::optional<int> constant_factor(const Let& let) const {
    const Expr& body = let.body[0];
    if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
    for (int i = 0; i < 2; ++i) {
      const Expr& factor = body->operands[static_cast<size_t>(i)];
      if (factor.kind() != ExprKind::load || factor->storage != let.accumulator[0]) continue;
      if (graph_.values[static_cast<size_t>(factor->id)].kind != ValueKind::constant) continue;
      const auto readers = readers_.find(factor->id);
      if (readers != readers_.end() && readers->second == 1) return i;
    }
    return std::nullopt;
  }

  // Lets and writes take the let at the point of its own axes: an axis means the same in all.
  static bool stands_at_own_point(const Kernel& kernel, int number) {
    const std::vector<int>& over = kernel.lets[static_cast<size_t>(number)].over;
    bool own = true;
    const auto look = [&](const Expr& value) {
      visit(value, [&](const ExprNode& node) {
        if (node.kind != ExprKind::let || node.id != number) return;
        for (size_t d = 0; d < over.size(); ++d) {
          const Dim& extent = kernel.axes[static_cast<size_t>(over[d])].extent;
          own = own && node.at[d] == Index::axis(over[d], extent);
        }
      });
    };
    for (const Let& let : kernel.lets) {
      for (const Expr& body : let.body) look(body);
    }
    for (const Write& write : kernel.writes) look(write.value);
    return own;
  }

  // The elements of something known over the axes that it depends on; empty: not known.
  std::vector<double> elements_of(const Kernel& kernel, const Expr& expr,
                                  const std::vector<int>& over) {
    std::vector<Symbol> symbols;
    visit_indices(expr, [&](const Index& index) { index.collect_symbols(symbols); });
    if (!symbols.empty()) return {};
    int64_t count = 1;
    for (const int axis : over) {
      const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
      if (!extent.is_constant()) return {};
      count *= std::max<int64_t>(1, extent.constant());
      if (count > kMostFactorElements) return {};
    }
    const std::optional<HostTensor> held = evaluated(expr, kernel.axes, over, graph_.values);
    std::vector<double> out;
    for (int64_t i = 0; held && i < held->elements(); ++i) out.push_back(held->get(i).number);
    return out;
  }

  // Whether no scale and no product with a weight leaves the normal numbers; see above.
  bool stays_in_range(const Kernel& kernel, const ScaleRemover& remover, const Expr& factor,
                      ValueId scaled) {
    const double least = fast_math_ ? 0 : least_normal(factor.type());
    bool small = false;
    const bool finite = all(scaled, [&](double one) {
      small = small || std::abs(one) < least;
      return std::isfinite(one);
    });
    if (!finite || fast_math_) return finite;
    for (const Expr& one : remover.scales()) {
      const std::vector<double> scales = elements_of(kernel, one, axes_of(one));
      const bool last = one == remover.scales().back();
      if (scales.empty() || !std::all_of(scales.begin(), scales.end(), [&](double scale) {
            return std::abs(scale) <= kMostScale &&
                   (last || scale == 0 || std::abs(scale) >= 1 / kMostScale);
          }))
        return false;
    }
    if (!small) return true;
    // Only what a zero makes is that small.
    const std::vector<int> over = axes_of(factor);
    const std::vector<double> weights = elements_of(kernel, factor, over),
                              scales = elements_of(kernel, *remover.scale(), over);
    if (weights.empty() || scales.size() != weights.size()) return false;
    size_t i = 0;
    return all(scaled, [&](double one) {
      const bool zero = weights[i] == 0 || scales[i] == 0;
      ++i;
      return zero || std::abs(one) >= least;
    });
  }

  // Whether no shift that was moved is beyond what the sum itself is made of.
  bool shifts_are_small(const Kernel& kernel, const Let& let, const ScaleRemover& remover,
                        const Expr& scaled) {
    if (fast_math_ || remover.moved().empty()) return true;
    const double most = kMostShift * largest_row(let, scaled->id, axes_of(scaled));
    return std::all_of(remover.moved().begin(), remover.moved().end(), [&](const Expr& shift) {
      const std::vector<double> all = elements_of(kernel, shift, axes_of(shift));
      return !all.empty() &&
             std::all_of(all.begin(), all.end(), [&](double one) { return std::abs(one) <= most; });
    });
  }

  // The largest sum of the magnitudes of weights that one sum takes. They lie over the axes `over`,
  // some of which `let` sums up.
  double largest_row(const Let& let, ValueId scaled, const std::vector<int>& over) const {
    const std::vector<Dim>& shape = graph_.values[static_cast<size_t>(scaled)].shape;
    std::vector<int64_t> extents, strides(shape.size(), 0), at(shape.size(), 0);
    for (const Dim& dim : shape) extents.push_back(dim.constant());
    int64_t count = 1, row = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      if (contains(let.reduced, over[d])) continue;
      strides[d] = count;
      count *= extents[d];
    }
    std::vector<double> rows(static_cast<size_t>(count), 0);
    all(scaled, [&](double one) {
      rows[static_cast<size_t>(row)] += std::abs(one);
      for (size_t d = at.size(); d-- > 0;) {
        row += strides[d];
        if (++at[d] < extents[d]) break;
        row -= strides[d] * extents[d];
        at[d] = 0;
      }
      return true;
    });
    return *std::max_element(rows.begin(), rows.end());
  }

  // Whether something holds for every element of a constant.
  template <class Holds>
  bool all(ValueId id, const Holds& holds) const {
    const Value& value = graph_.values[static_cast<size_t>(id)];
    const LoadFunction load = load_function(value.type);
    const auto count = static_cast<int64_t>(value.constant.bytes) * 8 / size_bits(value.type);
    for (int64_t i = 0; i < count; ++i) {
      if (!holds(load(value.constant.data, i).number)) return false;
    }
    return true;
  }

  KernelGraph& graph_;
  const bool fast_math_;
  std::map<ValueId, int> readers_;
};

}  // namespace

KernelGraph fold_scales(KernelGraph graph, bool fast_math) {
  ScaleFolder folder(graph, fast_math);
  for_each_kernel(graph.steps, [&](Kernel& kernel) { folder.run(kernel); });
  return remove_dead(std::move(graph));
}

}  // namespace burin
