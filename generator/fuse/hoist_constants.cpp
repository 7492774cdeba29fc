// Computes now what depends on constants only: the largest such subexpressions of every kernel
// become constants of their own, indexed by the axes that they use.
#include <algorithm>
#include <map>

#include "fuse/fuse.h"
#include "kernel/interpreter.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kMostElements = 65536;  // of a hoisted constant
constexpr int64_t kMostOperations = 20'000'000;

class Hoister {
 public:
  explicit Hoister(KernelGraph& graph) : graph_(graph) {}

  void run(Steps& steps) {
    for (Step& step : steps) {
      if (Kernel* kernel = std::get_if<Kernel>(&step)) {
        run(*kernel);
      } else if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        run((*branch)->then_steps);
        run((*branch)->else_steps);
      } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        run((*loop)->body);
      }
    }
  }

 private:
  void run(Kernel& kernel) {
    kernel_ = &kernel;
    made_.clear();
    for (Let& let : kernel.lets) {
      for (Expr& body : let.body) body = hoisted(body);
    }
    for (Write& write : kernel.writes) write.value = hoisted(write.value);
  }

  bool is_constant(const Expr& expr) {
    const auto known = constant_.find(expr.ptr().get());
    if (known != constant_.end()) return known->second;
    bool constant = expr.kind() != ExprKind::let && expr.kind() != ExprKind::cases;
    if (expr.kind() == ExprKind::load)
      constant = graph_.values[static_cast<size_t>(expr->id)].kind == ValueKind::constant;
    const auto plain = [](const Index& index) { return !index.has_data(); };
    constant =
        constant && std::all_of(expr->at.begin(), expr->at.end(), plain) && plain(expr->index);
    for (const Expr& operand : expr->operands) constant = constant && is_constant(operand);
    keep_.push_back(expr);
    return constant_[expr.ptr().get()] = constant;
  }

  Expr hoisted(const Expr& expr) {
    const bool works = expr.kind() == ExprKind::unary || expr.kind() == ExprKind::binary ||
                       expr.kind() == ExprKind::select;
    if (works && is_constant(expr)) {
      if (const std::optional<Expr> load = compute(expr)) return *load;
      return expr;
    }
    // Operands in order: constants are numbered as they are made, and compilers differ in the order
    // of arguments.
    std::vector<Expr> operands;
    if (works || expr.kind() == ExprKind::cast) {
      for (const Expr& operand : expr->operands) operands.push_back(hoisted(operand));
    }
    switch (expr.kind()) {
      case ExprKind::unary:
        return Expr::unary(expr->unary(), operands[0]);
      case ExprKind::binary:
        return Expr::binary(expr->binary(), operands[0], operands[1]);
      case ExprKind::select:
        return Expr::select(operands[0], operands[1], operands[2]);
      case ExprKind::cast:
        return Expr::cast(expr->storage, operands[0], expr->mode);
      default:
        return expr;
    }
  }

  // A constant over the axes that `expr` uses, when its size is known and modest.
  std::optional<Expr> compute(const Expr& expr) {
    std::vector<int> axes;
    std::vector<Symbol> symbols;
    visit_indices(expr, [&](const Index& index) {
      index.collect_axes(axes);
      index.collect_symbols(symbols);
    });
    if (!symbols.empty()) return std::nullopt;
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    Value value;
    value.type = expr.type();
    std::vector<int64_t> shape;
    Kernel kernel;
    Write write;
    std::vector<Index> mapping(kernel_->axes.size(), Index(0)), point;
    int64_t elements = 1;
    for (const int axis : axes) {
      const Dim& extent = kernel_->axes[static_cast<size_t>(axis)].extent;
      if (!extent.is_constant()) return std::nullopt;
      elements *= std::max<int64_t>(1, extent.constant());
      if (elements > kMostElements) return std::nullopt;
      const Index own = Index::axis(static_cast<int>(kernel.axes.size()), extent);
      write.over.push_back(static_cast<int>(kernel.axes.size()));
      kernel.axes.push_back({extent, AxisKind::parallel, {}});
      mapping[static_cast<size_t>(axis)] = own;
      write.at.push_back(own);
      value.shape.push_back(extent);
      point.push_back(Index::axis(axis, extent));
    }
    const auto known = made_.find(expr);
    if (known != made_.end()) return Expr::load(known->second, value.type, point);
    if (elements == 0) return std::nullopt;
    const auto id = static_cast<ValueId>(graph_.values.size());
    value.name = name_of(expr, elements);
    graph_.values.push_back(value);
    write.to = id;
    write.value = substitute_axes(expr, mapping);
    kernel.writes.push_back(std::move(write));
    Environment environment;
    environment.left.operations = kMostOperations;
    if (execute_steps({Step(kernel)}, graph_.values, environment).status != kRunOk) {
      graph_.values.pop_back();
      return std::nullopt;
    }
    Value& made = graph_.values.back();
    made.constant = to_constant(environment.tensor(graph_.values, id));
    made.kind = ValueKind::constant;
    made_.emplace(expr, id);
    return Expr::load(id, made.type, point);
  }

  // After the first constant of as many elements: the weight that others scale or shift.
  std::string name_of(const Expr& expr, int64_t elements) const {
    const Value *first = nullptr, *as_large = nullptr;
    visit(expr, [&](const ExprNode& node) {
      if (node.kind != ExprKind::load) return;
      const Value& value = graph_.values[static_cast<size_t>(node.id)];
      const bool fits =
          static_cast<int64_t>(value.constant.bytes) * 8 == elements * size_bits(value.type);
      if (!first) first = &value;
      if (fits && !as_large) as_large = &value;
    });
    const Value* const source = as_large ? as_large : first;
    return (source ? source->name : kernel_->name) + "_folded";
  }

  KernelGraph& graph_;
  Kernel* kernel_ = nullptr;
  std::map<const ExprNode*, bool> constant_;
  std::vector<Expr> keep_;  // so that the addresses above stay taken
  std::map<Expr, ValueId> made_;
};

}  // namespace

KernelGraph hoist_constants(KernelGraph graph) {
  Hoister(graph).run(graph.steps);
  return remove_dead(std::move(graph));
}

}  // namespace burin
