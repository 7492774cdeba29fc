#include "fuse/constants/known_product.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "fuse/access/access_size.h"
#include "fuse/access/known.h"
#include "fuse/access/products.h"
#include "fuse/constants/constant_rewrites.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/index/index_node.h"
#include "kernel/interpreter/interpreter.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostMultiplyAdds = 2'000'000'000;    // of all products of a graph: some seconds
constexpr int64_t kMostProductOperations = 20'000'000;  // of what is made of one of them
constexpr int64_t kElementBytes = 4;                    // f32, i32

// Two known factors over axes whose extents are numbers.
struct Table {
  std::vector<Axis> axes;
  Expr a, b;
  std::vector<int> batch, m, n, reduced;  // in both factors, in one of them, summed
  std::vector<Index> at;  // of each axis, in axes of the kernel: where the run reads the sum
  std::vector<int> over() const {
    std::vector<int> all = batch;
    all.insert(all.end(), m.begin(), m.end());
    all.insert(all.end(), n.begin(), n.end());
    return all;
  }
};

int64_t points(const std::vector<Axis>& axes, const std::vector<int>& among) {
  int64_t count = 1;
  for (const int axis : among)
    count = saturating_mul(count, axes[static_cast<size_t>(axis)].extent.constant());
  return count;
}

bool is_number(const std::vector<Axis>& axes, int axis) {
  return axes[static_cast<size_t>(axis)].extent.is_constant();
}

// Whether an index is a number at each point of axes whose extents are numbers.
bool is_settled(const Index& index, const std::vector<Axis>& axes) {
  std::vector<Symbol> symbols;
  std::vector<int> used;
  index.collect_symbols(symbols);
  index.collect_axes(used);
  return symbols.empty() &&
         std::all_of(used.begin(), used.end(), [&](int axis) { return is_number(axes, axis); });
}

bool is_settled(const Expr& expr, const std::vector<Axis>& axes) {
  bool settled = true;
  visit_indices(expr, [&](const Index& index) { settled = settled && is_settled(index, axes); });
  return settled;
}

// Dynamic rows become all rows of the table.
class Opener {
 public:
  Opener(const Kernel& kernel, const std::vector<Value>& values, Table& table)
      : let_(kernel.lets[0]), values_(values), table_(table) {}

  Expr opened(const Expr& factor) {
    return rewrite(
        factor, [&](const Expr& one) { return one.kind() == ExprKind::load ? load(one) : one; },
        [](const Index& leaf) { return leaf; });
  }

 private:
  Expr load(const Expr& one) {
    std::vector<Index> at = one->at;
    const std::vector<Dim>& shape = values_[static_cast<size_t>(one->id)].shape;
    for (size_t d = 0; d < at.size(); ++d) {
      const bool summed = std::any_of(let_.reduced.begin(), let_.reduced.end(),
                                      [&](int axis) { return at[d].uses_axis(axis); });
      if (!summed && !is_settled(at[d], table_.axes)) at[d] = row(at[d], shape[d]);
    }
    return Expr::load(one->id, one->storage, std::move(at));
  }

  Index row(const Index& index, const Dim& extent) {
    for (size_t axis = let_axes_; axis < table_.axes.size(); ++axis) {
      if (table_.at[axis] == index && table_.axes[axis].extent == extent)
        return Index::axis(static_cast<int>(axis), extent);
    }
    table_.axes.push_back({extent, AxisKind::parallel, {}});
    table_.at.push_back(index);
    return Index::axis(static_cast<int>(table_.axes.size()) - 1, extent);
  }

  const Let& let_;
  const std::vector<Value>& values_;
  Table& table_;
  const size_t let_axes_ = table_.axes.size();
};

bool is_table(const Kernel& kernel) {
  if (kernel.lets.size() != 1 || kernel.writes.size() != 1 || is_sequential(kernel)) return false;
  const Let& let = kernel.lets[0];
  const Type type = let.accumulator[0];
  return is_sum_of_products(let) && (type == Type::f32 || type == Type::i32) &&
         let.body[0].type() == type;
}

// c[batch, m, n] = sum over k, in order: a[batch, m, k] * b[batch, k, n]. Neighbours in n are
// summed side by side, each in the order of the definition. Integers wrap: Number has no sign then.
template <class Number>
HostTensor multiplied(const HostTensor& a, const HostTensor& b, int64_t batches, int64_t rows,
                      int64_t depth, int64_t columns) {
  std::vector<Number> left(static_cast<size_t>(a.elements())),
      right(static_cast<size_t>(b.elements())), row(static_cast<size_t>(columns));
  std::memcpy(left.data(), a.bytes.data(), a.bytes.size());
  std::memcpy(right.data(), b.bytes.data(), b.bytes.size());
  HostTensor out = make_tensor(a.type, {batches, rows, columns});
  const size_t row_bytes = row.size() * sizeof(Number);
  for (int64_t r = 0; r < batches * rows; ++r) {
    std::fill(row.begin(), row.end(), Number{0});
    const Number* panel = right.data() + r / rows * depth * columns;
    for (int64_t k = 0; k < depth; ++k, panel += columns) {
      const Number factor = left[static_cast<size_t>(r * depth + k)];
      for (int64_t n = 0; n < columns; ++n) row[static_cast<size_t>(n)] += factor * panel[n];
    }
    std::memcpy(out.bytes.data() + static_cast<size_t>(r) * row_bytes, row.data(), row_bytes);
  }
  return out;
}

class KnownProducts {
 public:
  KnownProducts(KernelGraph& graph, int64_t multiply_adds_per_byte)
      : graph_(graph), multiply_adds_per_byte_(multiply_adds_per_byte) {
    for_each_step(graph.steps, [&](const Step& step) {
      for (const ValueId id : reads_of(step)) ++readers_[id];
      if (std::holds_alternative<std::shared_ptr<If>>(step) ||
          std::holds_alternative<std::shared_ptr<Loop>>(step))
        return;  // what is inside comes by itself
      for (const ValueId id : writes_of(step)) ++writers_[id];
    });
    int64_t bytes = 0;
    for (const Value& value : graph.values) {
      if (value.kind == ValueKind::constant) bytes += static_cast<int64_t>(value.constant.bytes);
    }
    bytes_left_ = bytes / 2;
  }

  // Whether the kernel was one, and is a map now.
  bool compute(Kernel& kernel) {
    if (!is_table(kernel)) return false;
    std::optional<Table> table = table_of(kernel);
    if (!table || !pays(*table, kernel)) return false;
    const std::vector<int> over = table->over();
    std::vector<int> of_a = table->batch, of_b = table->batch;
    for (const std::vector<int>* axes : {&table->m, &table->reduced})
      of_a.insert(of_a.end(), axes->begin(), axes->end());
    for (const std::vector<int>* axes : {&table->reduced, &table->n})
      of_b.insert(of_b.end(), axes->begin(), axes->end());
    const auto a = evaluated(table->a, table->axes, of_a, graph_.values),
               b = evaluated(table->b, table->axes, of_b, graph_.values);
    if (!a || !b) return false;
    const auto multiply = a->type == Type::f32 ? multiplied<float> : multiplied<uint32_t>;
    HostTensor sums =
        multiply(*a, *b, points(table->axes, table->batch), points(table->axes, table->m),
                 points(table->axes, table->reduced), points(table->axes, table->n));
    sums.shape.clear();
    for (const int axis : over)
      sums.shape.push_back(table->axes[static_cast<size_t>(axis)].extent.constant());
    read_instead(kernel, *table, add_constant(kernel.name, sums));
    compute_rest(kernel);
    return true;
  }

 private:
  // Made of constants, whatever is done with them; and of what the lets hold.
  bool is_known(const Expr& expr, bool or_of_lets = false) const {
    bool known = true;
    visit(expr, [&](const ExprNode& node) {
      known = known && (or_of_lets || node.kind != ExprKind::let) &&
              (node.kind != ExprKind::load || value(node.id).kind == ValueKind::constant);
    });
    return known;
  }

  const Value& value(ValueId id) const { return graph_.values[static_cast<size_t>(id)]; }

  ValueId add_constant(const std::string& name, const HostTensor& tensor) {
    Value made;
    made.name = name;
    made.type = tensor.type;
    made.kind = ValueKind::constant;
    made.shape.assign(tensor.shape.begin(), tensor.shape.end());
    made.constant = to_constant(tensor);
    graph_.values.push_back(std::move(made));
    return static_cast<ValueId>(graph_.values.size()) - 1;
  }

  std::optional<Table> table_of(const Kernel& kernel) {
    const Let& let = kernel.lets[0];
    Table table;
    table.axes = kernel.axes;
    for (size_t axis = 0; axis < kernel.axes.size(); ++axis)
      table.at.push_back(Index::axis(static_cast<int>(axis), kernel.axes[axis].extent));
    table.reduced = let.reduced;
    table.a = let.body[0]->operands[0];
    table.b = let.body[0]->operands[1];
    if (!is_known(table.a) || !is_known(table.b)) return std::nullopt;
    Opener opener(kernel, graph_.values, table);
    table.a = opener.opened(table.a);
    table.b = opener.opened(table.b);
    if (!is_settled(table.a, table.axes) || !is_settled(table.b, table.axes) ||
        std::any_of(let.reduced.begin(), let.reduced.end(),
                    [&](int axis) { return !is_number(table.axes, axis); }))
      return std::nullopt;
    const std::vector<int> in_a = axes_of(table.a), in_b = axes_of(table.b);
    for (int axis = 0; axis < static_cast<int>(table.axes.size()); ++axis) {
      const bool a = contains(in_a, axis), b = contains(in_b, axis);
      if ((!a && !b) || contains(let.reduced, axis)) continue;
      (a && b ? table.batch : a ? table.m : table.n).push_back(axis);
    }
    // The longer rows are the inner ones.
    if (points(table.axes, table.m) > points(table.axes, table.n)) {
      std::swap(table.a, table.b);
      std::swap(table.m, table.n);
    }
    return table;
  }

  // Against the bytes that a run reads then, and those that it does not read any more.
  bool pays(const Table& table, const Kernel& kernel) {
    const int64_t elements = points(table.axes, table.over()),
                  work = saturating_mul(elements, points(table.axes, table.reduced));
    if (work == 0 || work > work_left_) return false;
    // Constants that nobody else reads are not needed any more.
    int64_t freed = 0;
    for (const ValueId id : reads_of(kernel)) {
      if (readers_[id] == 1) freed += static_cast<int64_t>(value(id).constant.bytes);
    }
    const int64_t more = std::max<int64_t>(
        0, (settles(kernel) ? bytes_of_result(kernel) : elements * kElementBytes) - freed);
    if (more > bytes_left_ || work < saturating_mul(more, multiply_adds_per_byte_)) return false;
    bytes_left_ -= more;
    work_left_ -= work;
    return true;
  }

  // The sum is a load, and the kernel has the axes that it writes over.
  void read_instead(Kernel& kernel, const Table& table, ValueId sums) const {
    const std::vector<int> own = kernel.lets[0].over;
    rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::let) return expr;
      std::vector<Index> point(kernel.axes.size(), Index(0)), at;
      for (size_t k = 0; k < own.size(); ++k) point[static_cast<size_t>(own[k])] = expr->at[k];
      for (const int axis : table.over())
        at.push_back(table.at[static_cast<size_t>(axis)].substitute_axes(point));
      return Expr::load(sums, value(sums).type, std::move(at));
    });
    kernel.lets.clear();
    Write& write = kernel.writes[0];
    std::vector<Axis> axes;
    std::vector<Index> to(kernel.axes.size(), Index(0));
    for (int& axis : write.over) {
      const Axis& kept = kernel.axes[static_cast<size_t>(axis)];
      to[static_cast<size_t>(axis)] = Index::axis(static_cast<int>(axes.size()), kept.extent);
      axis = static_cast<int>(axes.size());
      axes.push_back(kept);
    }
    write.value = substitute_axes(write.value, to);
    write.when = substitute_axes(write.when, to);
    for (Index& index : write.at) index = index.substitute_axes(to);
    kernel.axes = std::move(axes);
  }

  // Whether what is made of the sum is made of constants too, and nobody else writes it.
  bool settles(const Kernel& kernel) {
    const Write& write = kernel.writes[0];
    const Value& result = value(write.to);
    return result.kind == ValueKind::internal && writers_[write.to] == 1 && write.when.empty() &&
           write.how == How::store && is_known(write.value, true) &&
           is_settled(write.value, kernel.axes) && is_fixed(result.shape);
  }
  int64_t bytes_of_result(const Kernel& kernel) const {
    const Value& result = value(kernel.writes[0].to);
    return size_bytes(result.type, product(result.shape).constant());
  }

  // It is a constant then, and nothing is left of the kernel.
  void compute_rest(Kernel& kernel) {
    if (!settles(kernel)) return;
    const Write& write = kernel.writes[0];
    Value& result = graph_.values[static_cast<size_t>(write.to)];
    Environment environment;
    environment.left.operations = kMostProductOperations;
    if (execute_steps({Step(kernel)}, graph_.values, environment).status != kRunOk) return;
    result.constant = to_constant(environment.tensor(graph_.values, write.to));
    result.kind = ValueKind::constant;
    graph_.values.pop_back();
    kernel.writes.clear();
  }

  KernelGraph& graph_;
  const int64_t multiply_adds_per_byte_;
  std::map<ValueId, int> readers_, writers_;
  int64_t work_left_ = kMostMultiplyAdds, bytes_left_ = 0;
};

}  // namespace

KernelGraph with_known_products(KernelGraph graph, int64_t multiply_adds_per_byte, Rewrites& made) {
  KnownProducts products(graph, multiply_adds_per_byte);
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    if (!products.compute(kernel)) return;
    ++made.known_products;
    if (kernel.writes.empty())
      made.computed.insert(made.computed.end(), kernel.origins.begin(), kernel.origins.end());
  });
  return remove_dead(std::move(graph));
}

}  // namespace burin
