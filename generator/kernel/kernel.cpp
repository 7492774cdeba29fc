// Walks over steps, and what they read, write and need.
#include "kernel/kernel.h"

#include <algorithm>

#include "support/check.h"
#include "support/mapped_pages.h"

namespace burin {

std::string_view to_string(Combiner op) {
  static constexpr std::string_view kNames[] = {"map",      "sum",       "product", "min",
                                                "max",      "and",       "or",      "first_max",
                                                "last_max", "first_min", "last_min"};
  return kNames[static_cast<size_t>(op)];
}

std::string_view to_string(How how) {
  static constexpr std::string_view kNames[] = {":=", "+=", "*=", "min=", "max="};
  return kNames[static_cast<size_t>(how)];
}

Constant make_constant(std::vector<std::byte> bytes) {
  if (std::shared_ptr<const void> pages = move_to_disk(bytes))
    return {static_cast<const std::byte*>(pages.get()), bytes.size(), pages};
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {owner->data(), owner->size(), owner};
}

namespace {

void for_step_and_inner(const Step& step, const std::function<void(const Step&)>& visit) {
  visit(step);
  if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    for_each_step((*branch)->then_steps, visit);
    for_each_step((*branch)->else_steps, visit);
  } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
    for_each_step((*loop)->body, visit);
  }
}

}  // namespace

bool is_sequential(const Kernel& kernel) {
  return std::any_of(kernel.axes.begin(), kernel.axes.end(),
                     [](const Axis& axis) { return axis.kind == AxisKind::sequential; });
}

bool only_moves(const Kernel& kernel) {
  const std::function<bool(const Expr&)> moves = [&](const Expr& expr) {
    switch (expr.kind()) {
      case ExprKind::load:
      case ExprKind::constant:
        return true;
      case ExprKind::cases:
        return moves(expr->operands[0]) &&
               std::all_of(expr->cases.begin(), expr->cases.end(),
                           [&](const Expr::Case& one) { return moves(one.value); });
      default:
        return false;
    }
  };
  return kernel.lets.empty() &&
         std::all_of(kernel.writes.begin(), kernel.writes.end(), [&](const Write& write) {
           return write.how == How::store && moves(write.value);
         });
}

void for_each_step(const Steps& steps, const std::function<void(const Step&)>& visit) {
  for (const Step& step : steps) for_step_and_inner(step, visit);
}

void for_each_kernel(const Steps& steps, const std::function<void(const Kernel&)>& visit) {
  for_each_step(steps, [&](const Step& step) {
    if (const Kernel* kernel = std::get_if<Kernel>(&step)) visit(*kernel);
  });
}

namespace {

template <class T, class Less>
void sort_unique(std::vector<T>& items, Less less) {
  std::sort(items.begin(), items.end(), less);
  items.erase(std::unique(items.begin(), items.end(),
                          [&](const T& a, const T& b) { return !less(a, b) && !less(b, a); }),
              items.end());
}

void guard_parts(const Guard& guard, const std::function<void(const Index&)>& on_index) {
  for (const Condition& condition : guard) {
    on_index(condition.index);
    on_index(condition.lo);
    on_index(condition.hi);
  }
}

void kernel_parts(const Kernel& kernel, const std::function<void(const Expr&)>& on_expr,
                  const std::function<void(const Index&)>& on_index) {
  for (const Axis& axis : kernel.axes) on_index(axis.extent);
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) on_expr(body);
  }
  for (const Write& write : kernel.writes) {
    for (const Index& index : write.at) on_index(index);
    guard_parts(write.when, on_index);
    on_expr(write.value);
  }
}

// Calls `on_expr` and `on_index` for everything that one step itself holds (not the steps inside
// it).
void own_parts(const Step& step, const std::function<void(const Expr&)>& on_expr,
               const std::function<void(const Index&)>& on_index) {
  if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
    kernel_parts(*kernel, on_expr, on_index);
  } else if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
    for (const Dim& argument : procedure->arguments) on_index(argument);
    on_index(procedure->scratch_bytes);
  } else if (const Bind* bind = std::get_if<Bind>(&step)) {
    on_expr(bind->value);
  } else if (const Check* check = std::get_if<Check>(&step)) {
    guard_parts(check->guard, on_index);
  } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    on_expr((*branch)->condition);
  } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
    on_index((*loop)->trips);
    on_expr((*loop)->condition);
  }
}

// What a kernel loads, and what it changes: an accumulating write reads.
void add_reads(const Kernel& kernel, std::vector<ValueId>& reads) {
  const std::function<void(const ExprNode&)> on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) reads.push_back(node.id);
  };
  kernel_parts(
      kernel, [&](const Expr& expr) { visit_distinct(expr, on_node); },
      [&](const Index& index) { visit_distinct(index, on_node); });
  for (const Write& write : kernel.writes) {
    if (write.how != How::store) reads.push_back(write.to);
  }
}

}  // namespace

bool writes_type(const Write& write, Type storage) {
  const bool halves =
      storage == Type::f16 && write.how == How::store && write.value.type() == Type::f16;
  return halves || write.value.type() == compute_type(storage);
}

std::vector<ValueId> reads_of(const Kernel& kernel) {
  std::vector<ValueId> reads;
  add_reads(kernel, reads);
  sort_unique(reads, std::less<>());
  return reads;
}

std::vector<ValueId> reads_of(const Step& step) {
  std::vector<ValueId> reads;
  const auto on_node = [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) reads.push_back(node.id);
  };
  for_step_and_inner(step, [&](const Step& inner) {
    if (const Kernel* kernel = std::get_if<Kernel>(&inner)) return add_reads(*kernel, reads);
    own_parts(
        inner, [&](const Expr& expr) { visit_distinct(expr, on_node); },
        [&](const Index& index) { visit_distinct(index, on_node); });
    if (const Procedure* procedure = std::get_if<Procedure>(&inner))
      reads.insert(reads.end(), procedure->reads.begin(), procedure->reads.end());
  });
  sort_unique(reads, std::less<>());
  return reads;
}

std::vector<ValueId> writes_of(const Step& step) {
  std::vector<ValueId> writes;
  for_step_and_inner(step, [&](const Step& inner) {
    if (const Kernel* kernel = std::get_if<Kernel>(&inner)) {
      for (const Write& write : kernel->writes) writes.push_back(write.to);
    } else if (const Procedure* procedure = std::get_if<Procedure>(&inner)) {
      writes.insert(writes.end(), procedure->writes.begin(), procedure->writes.end());
    }
  });
  sort_unique(writes, std::less<>());
  return writes;
}

std::vector<Symbol> symbols_of(const Step& step) {
  std::vector<Symbol> symbols;
  for_step_and_inner(step, [&](const Step& inner) {
    own_parts(
        inner,
        [&](const Expr& expr) {
          visit_distinct_indices(expr, [&](const Index& index) { index.collect_symbols(symbols); });
        },
        [&](const Index& index) { index.collect_symbols(symbols); });
  });
  sort_unique(symbols, [](const Symbol& a, const Symbol& b) { return a->name < b->name; });
  return symbols;
}

}  // namespace burin
