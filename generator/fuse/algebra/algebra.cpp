#include "fuse/algebra/algebra.h"

#include <map>

#include "fuse/algebra/commute.h"
#include "fuse/algebra/exact_uses.h"
#include "fuse/algebra/terms.h"
#include "fuse/attention/attention_form.h"
#include "kernel/expr/expr_operands.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

constexpr int kMostPasses = 8;

// One kernel.
class Rewriter {
 public:
  Rewriter(KernelGraph& graph, const Kernel& kernel, const std::set<ValueId>& exact,
           const FuseOptions& options)
      : original_(kernel),
        exact_(exact),
        options_(options),
        known_(graph, original_),
        work_(original_, known_, options.function_operations),
        values_(graph.values) {}

  std::optional<Kernel> run(Rewrites& made) {
    Kernel out = original_;
    Rewrites own;
    for (int round = 0; round < kMostPasses; ++round) {
      const Kernel before = out;
      if (options_.associative || options_.distributive) out = with_terms(out, own);
      if (options_.commutative) out = with_commuted(out, own);
      if (out == before) break;
    }
    if (out == original_ || work_.of(out) >= work_.of(original_)) return std::nullopt;
    made.associative += own.associative;
    made.distributive += own.distributive;
    made.commutative += own.commutative;
    return out;
  }

 private:
  Kernel with_terms(Kernel kernel, Rewrites& made) {
    const Kernel before = kernel;
    ValueBounds bounds(values_, before);
    TermRules rules(bounds, work_, options_);
    const ExactUses uses = exact_uses(before, exact_);
    seen_.clear();
    for (size_t k = 0; k < kernel.lets.size(); ++k) {
      Let& let = kernel.lets[k];
      for (Expr& body : let.body) {
        // A sum of products keeps its two factors.
        const bool product = let.op == Combiner::sum && body.kind() == ExprKind::binary &&
                             body->binary() == Binary::mul;
        const bool exact = uses.lets[k] != 0;
        if (product) {
          const Expr a = rewritten(body->operands[0], exact, rules, made);
          body = a * rewritten(body->operands[1], exact, rules, made);
        } else {
          body = rewritten(body, exact, rules, made);
        }
      }
    }
    for (size_t w = 0; w < kernel.writes.size(); ++w) {
      Expr& value = kernel.writes[w].value;
      value = rewritten(value, uses.writes[w] != 0, rules, made);
    }
    return kernel;
  }

  // Operands first.
  Expr rewritten(const Expr& expr, bool exact, TermRules& rules, Rewrites& made) {
    const auto key = std::pair(expr.ptr().get(), exact);
    if (const auto at = seen_.find(key); at != seen_.end()) return at->second;
    Expr out = with_rewritten_operands(expr, exact, rules, made);
    for (int round = 0; round < kMostPasses; ++round) {
      const std::optional<Expr> next = rules.apply(out, exact, made);
      if (!next) break;
      out = *next;
    }
    return seen_[key] = out;
  }

  Expr with_rewritten_operands(const Expr& expr, bool exact, TermRules& rules, Rewrites& made) {
    std::vector<Expr> operands;
    for (size_t i = 0; i < expr->operands.size(); ++i) {
      const bool shows = exact || shows_roundings(*expr, i);
      operands.push_back(rewritten(expr->operands[i], shows, rules, made));
    }
    if (operands == expr->operands && expr->cases.empty()) return expr;
    switch (expr.kind()) {
      case ExprKind::unary:
      case ExprKind::binary:
      case ExprKind::select:
      case ExprKind::cast:
        return with_operands(*expr, operands);
      case ExprKind::cases: {
        std::vector<Expr::Case> cases = expr->cases;
        for (Expr::Case& one : cases) one.value = rewritten(one.value, exact, rules, made);
        return Expr::cases(std::move(cases), operands[0]);
      }
      default:
        return expr;
    }
  }

  Kernel with_commuted(Kernel kernel, Rewrites& made) {
    for (size_t k = 0; k < kernel.lets.size(); ++k) {
      ValueBounds bounds(values_, kernel);
      const bool exact = !options_.fast_math || exact_uses(kernel, exact_).lets[k] != 0;
      std::optional<Kernel> out = commuted(kernel, static_cast<int>(k), exact, bounds);
      if (!out || work_.of(*out) >= work_.of(kernel)) continue;
      kernel = std::move(*out);
      ++made.commutative;
    }
    return kernel;
  }

  const Kernel original_;
  const std::set<ValueId>& exact_;
  const FuseOptions& options_;
  KnownExpressions known_;
  Work work_;
  const std::vector<Value>& values_;
  std::map<std::pair<const ExprNode*, bool>, Expr> seen_;  // of one pass, whose kernel is kept
};

}  // namespace

KernelGraph rewrite_algebra(KernelGraph graph, const FuseOptions& options, Rewrites& made) {
  if (!options.associative && !options.distributive && !options.commutative) return graph;
  const std::set<ValueId> exact = exact_values(graph);
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    // Attention has schedules for its own form.
    if (find_attention(kernel, graph.values)) return;
    Rewriter rewriter(graph, kernel, exact, options);
    if (std::optional<Kernel> out = rewriter.run(made)) kernel = std::move(*out);
  });
  return graph;
}

}  // namespace burin
