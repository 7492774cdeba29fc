// Scales of sums of products move into their constant factor: sum(x * w) * a + c with constant a is
// sum(x * (w * a)) + c, computed now. BatchNormalization after a convolution or a product leaves
// nothing but a bias; so do alpha of Gemm and the scale of scores, where a factor is constant.
//
// Two factors stay as they are. Whole numbers: sums of whole numbers are exact, and the signs and
// comparisons of networks with one or two bits depend on that. And those that a scale takes out of
// range: it would not have taken the sum there.
#include <algorithm>
#include <cmath>
#include <map>

#include "fuse/fuse.h"
#include "fuse/known.h"
#include "kernel/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostFactorElements = int64_t{1} << 22;  // of a factor that is computed again

// The value of a write in terms of one let, as scale * let + shift as far up as that holds. Empty
// scale: 1; empty shift: 0.
struct AffinePart {
  Expr rest;  // where it is no such thing: the expression, with lets unscaled inside
  bool affine = false, uses = false;
  Expr scale, shift;
};

class ScaleRemover {
 public:
  ScaleRemover(int let, KnownExpressions& known) : let_(let), known_(known) {}

  // The value with the let unscaled; every place where it stood agrees on `scale()`. nullopt: it is
  // used in a way that hides a scale.
  std::optional<Expr> without_scale(const Expr& value) {
    const AffinePart part = visit_node(value);
    const Expr out = settled(part);
    return fits_ ? std::optional(out) : std::nullopt;
  }
  const std::optional<Expr>& scale() const { return scale_; }

 private:
  // A place where the affine part ends.
  Expr settled(const AffinePart& part) {
    if (!part.affine) return part.rest;
    const Expr one = Expr::constant(part.rest.type(), 1.0);
    const Expr scale = part.scale ? part.scale : one;
    if (scale_ && *scale_ != scale) fits_ = false;
    scale_ = scale;
    return part.shift ? part.rest + part.shift : part.rest;
  }

  AffinePart visit_node(const Expr& expr) {
    const auto seen = seen_.find(expr.ptr().get());
    if (seen != seen_.end()) return seen->second;
    return seen_[expr.ptr().get()] = part_of(expr);
  }

  AffinePart part_of(const Expr& expr) {
    switch (expr.kind()) {
      case ExprKind::let:
        return {expr, expr->id == let_, expr->id == let_, {}, {}};
      case ExprKind::unary:
      case ExprKind::binary:
      case ExprKind::select:
      case ExprKind::cast:
      case ExprKind::cases:
        break;
      default:
        visit(expr, [&](const ExprNode& node) {
          if (node.kind == ExprKind::let && node.id == let_) fits_ = false;  // inside an index
        });
        return {expr, false, false, {}, {}};
    }
    std::vector<AffinePart> operands;
    bool uses = false;
    for (const Expr& operand : expr->operands) {
      operands.push_back(visit_node(operand));
      uses = uses || operands.back().uses;
    }
    if (expr.kind() == ExprKind::binary) {
      if (std::optional<AffinePart> affine = extended(expr, operands)) return *affine;
    }
    std::vector<Expr> settled_operands;
    for (const AffinePart& operand : operands) settled_operands.push_back(settled(operand));
    AffinePart out{expr, false, uses, {}, {}};
    if (expr.kind() == ExprKind::cases) {
      std::vector<Expr::Case> cases = expr->cases;
      for (Expr::Case& one : cases) {
        for (const Condition& condition : one.guard) keep_apart(condition.index);
        const AffinePart part = visit_node(one.value);
        out.uses = out.uses || part.uses;
        one.value = settled(part);
      }
      if (out.uses) out.rest = Expr::cases(std::move(cases), settled_operands[0]);
    } else if (uses) {
      out.rest = made_of(*expr, settled_operands);
    }
    return out;
  }

  // What decides by the let's own value sees its scale.
  void keep_apart(const Index& index) {
    visit(index, [&](const ExprNode& node) {
      if (node.kind == ExprKind::let && node.id == let_) fits_ = false;
    });
  }

  static Expr made_of(const ExprNode& node, const std::vector<Expr>& operands) {
    switch (node.kind) {
      case ExprKind::unary:
        return Expr::unary(node.unary(), operands[0]);
      case ExprKind::binary:
        return Expr::binary(node.binary(), operands[0], operands[1]);
      case ExprKind::select:
        return Expr::select(operands[0], operands[1], operands[2]);
      default:
        return Expr::cast(node.storage, operands[0], node.mode);
    }
  }

  // One more operation with something known.
  std::optional<AffinePart> extended(const Expr& expr, const std::vector<AffinePart>& operands) {
    const bool first = operands[0].affine;
    if (first == operands[1].affine) return std::nullopt;
    const Expr& other = expr->operands[first ? 1 : 0];
    if (!known_.is_known(other)) return std::nullopt;
    AffinePart out = operands[first ? 0 : 1];
    const auto times = [&](const Expr& by) {
      out.scale = out.scale ? out.scale * by : by;
      if (out.shift) out.shift = out.shift * by;
    };
    switch (expr->binary()) {
      case Binary::mul:
        times(other);
        return out;
      case Binary::div:
        if (!first) return std::nullopt;
        out.scale = (out.scale ? out.scale : Expr::constant(expr.type(), 1.0)) / other;
        if (out.shift) out.shift = out.shift / other;
        return out;
      case Binary::add:
        out.shift = out.shift ? out.shift + other : other;
        return out;
      case Binary::sub:
        if (!first) times(Expr::constant(expr.type(), -1.0));
        if (first) {
          out.shift = out.shift ? out.shift - other : -other;
        } else {
          out.shift = out.shift ? out.shift + other : other;
        }
        return out;
      default:
        return std::nullopt;
    }
  }

  int let_;
  KnownExpressions& known_;
  bool fits_ = true;
  std::optional<Expr> scale_;
  std::map<const ExprNode*, AffinePart> seen_;
};

bool uses_let(const Expr& expr, int let) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) {
    found = found || (node.kind == ExprKind::let && node.id == let);
  });
  return found;
}

class ScaleFolder {
 public:
  explicit ScaleFolder(KernelGraph& graph) : graph_(graph) {
    for_each_step(graph.steps, [&](const Step& step) {
      for (const ValueId id : reads_of(step)) ++readers_[id];
    });
  }

  void run(Kernel& kernel) {
    for (size_t let = 0; let < kernel.lets.size(); ++let) {
      if (std::optional<Kernel> folded = with_folded(kernel, static_cast<int>(let)))
        kernel = std::move(*folded);
    }
  }

 private:
  std::optional<Kernel> with_folded(const Kernel& kernel, int number) {
    const Let& let = kernel.lets[static_cast<size_t>(number)];
    if (let.op != Combiner::sum || let.body.size() != 1 || !is_float(let.accumulator[0]))
      return std::nullopt;
    for (const Let& other : kernel.lets) {
      for (const Expr& body : other.body) {
        if (uses_let(body, number)) return std::nullopt;
      }
    }
    const std::optional<int> constant = constant_factor(let);
    if (!constant) return std::nullopt;
    KnownExpressions known(graph_, kernel);
    ScaleRemover remover(number, known);
    Kernel out = kernel;
    for (Write& write : out.writes) {
      if (!uses_let(write.value, number)) continue;
      const std::optional<Expr> value = remover.without_scale(write.value);
      if (!value) return std::nullopt;
      write.value = *value;
    }
    if (!remover.scale() || remover.scale()->is_constant(1) || !stands_at_own_point(kernel, number))
      return std::nullopt;
    const Expr& factor = let.body[0]->operands[static_cast<size_t>(*constant)];
    const std::vector<int> own = axes_of(factor), scaled = axes_of(*remover.scale());
    if (!std::includes(own.begin(), own.end(), scaled.begin(), scaled.end())) return std::nullopt;
    if (all(factor->id, [](double one) { return std::trunc(one) == one; })) return std::nullopt;
    const std::optional<Expr> product =
        known.compute(factor * *remover.scale(), kMostFactorElements);
    if (!product) return std::nullopt;
    if (!all((*product)->id, [](double one) { return std::isfinite(one); })) {
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

  // The writes take the let at the point of its own axes: an axis means the same in both.
  static bool stands_at_own_point(const Kernel& kernel, int number) {
    const std::vector<int>& over = kernel.lets[static_cast<size_t>(number)].over;
    bool own = true;
    for (const Write& write : kernel.writes) {
      visit(write.value, [&](const ExprNode& node) {
        if (node.kind != ExprKind::let || node.id != number) return;
        for (size_t d = 0; d < over.size(); ++d) {
          const Dim& extent = kernel.axes[static_cast<size_t>(over[d])].extent;
          own = own && node.at[d] == Index::axis(over[d], extent);
        }
      });
    }
    return own;
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
  std::map<ValueId, int> readers_;
};

}  // namespace

KernelGraph fold_scales(KernelGraph graph) {
  ScaleFolder folder(graph);
  for_each_kernel(graph.steps, [&](Kernel& kernel) { folder.run(kernel); });
  return remove_dead(std::move(graph));
}

}  // namespace burin
