// Computes now what depends on constants only: the largest such subexpressions of every kernel
// become constants of their own, indexed by the axes that they use.
#include <unordered_map>

#include "fuse/access/known.h"
#include "fuse/constants/constant_rewrites.h"
#include "kernel/expr/expr_operands.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

constexpr int64_t kMostHoistedElements = 65536;  // of a hoisted constant

class Hoister {
 public:
  explicit Hoister(KernelGraph& graph) : graph_(graph) {}

  void run(Kernel& kernel) {
    // What it reads of the kernel are its axes, which stay.
    KnownExpressions known(graph_, kernel);
    known_ = &known;
    for (Let& let : kernel.lets) {
      for (Expr& body : let.body) body = whole(body);
    }
    read_constants(kernel);
    for (Write& write : kernel.writes) write.value = whole(write.value);
  }

 private:
  // What reads a let that has become the element of a constant reads the constant: there is nothing
  // left to compute once for several readers, and a let ties loops to its axes.
  void read_constants(Kernel& kernel) {
    std::vector<Expr> elements(kernel.lets.size());
    bool found = false;
    for (size_t k = 0; k < kernel.lets.size(); ++k) {
      const Let& let = kernel.lets[k];
      if (let.op != Combiner::none || let.body.size() != 1 ||
          let.body[0].kind() != ExprKind::load || let.body[0].type() != let.accumulator[0] ||
          !known_->is_known(let.body[0]))
        continue;
      elements[k] = let.body[0];
      found = true;
    }
    if (!found) return;
    rewrite_exprs(kernel, [&](const Expr& expr) {
      if (expr.kind() != ExprKind::let || !elements[static_cast<size_t>(expr->id)]) return expr;
      const auto number = static_cast<size_t>(expr->id);
      return substitute_axes(elements[number], axes_at(kernel, kernel.lets[number], expr->at));
    });
  }

  // What is shared is hoisted once; `expr` holds all of it meanwhile.
  Expr whole(const Expr& expr) {
    made_.clear();
    return hoisted(expr);
  }
  Expr hoisted(const Expr& expr) {
    if (expr.ptr().use_count() == 1) return made(expr);
    if (const auto known = made_.find(expr.ptr().get()); known != made_.end()) return known->second;
    Expr out = made(expr);
    made_.emplace(expr.ptr().get(), out);
    return out;
  }
  Expr made(const Expr& expr) {
    const bool works = expr.kind() == ExprKind::unary || expr.kind() == ExprKind::binary ||
                       expr.kind() == ExprKind::select;
    if ((works || expr.kind() == ExprKind::cases) && known_->is_known(expr)) {
      if (!known_->unpacks(expr)) {
        if (const std::optional<Expr> load = known_->compute(expr, kMostHoistedElements))
          return *load;
        return expr;
      }
      if (!works) return expr;
    }
    // Operands in order: constants are numbered as they are made, and compilers differ in the order
    // of arguments.
    std::vector<Expr> operands;
    if (works || expr.kind() == ExprKind::cast) {
      for (const Expr& operand : expr->operands) operands.push_back(hoisted(operand));
    }
    switch (expr.kind()) {
      case ExprKind::unary:
      case ExprKind::binary:
      case ExprKind::select:
      case ExprKind::cast:
        return with_operands(*expr, operands);
      default:
        return expr;
    }
  }

  KernelGraph& graph_;
  KnownExpressions* known_ = nullptr;
  std::unordered_map<const ExprNode*, Expr> made_;  // looked up only
};

}  // namespace

KernelGraph hoist_constants(KernelGraph graph) {
  Hoister hoister(graph);
  for_each_kernel(graph.steps, [&](Kernel& kernel) { hoister.run(kernel); });
  return remove_dead(std::move(graph));
}

}  // namespace burin
