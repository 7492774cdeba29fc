#include "fuse/constants/stored_bytes.h"

#include <algorithm>
#include <map>
#include <set>

#include "fuse/access/access.h"
#include "fuse/access/products.h"
#include "fuse/constants/byte_forms.h"
#include "fuse/constants/constant_rewrites.h"
#include "kernel/expr/expr_axes.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int kFewOperations = 6;  // conversions, a zero point, a scale

class StoredBytes {
 public:
  StoredBytes(KernelGraph graph, bool of_products)
      : graph_(std::move(graph)), of_products_(of_products) {}

  KernelGraph run() {
    count();
    for (size_t s = 0; s < graph_.steps.size(); ++s) {
      if (Kernel* kernel = std::get_if<Kernel>(&graph_.steps[s])) look_at(*kernel, s);
    }
    return changed_ ? remove_dead(std::move(graph_)) : std::move(graph_);
  }

 private:
  struct Uses {
    int writers = 0;
    bool others = false;          // not by kernels of the graph's own list
    std::vector<size_t> readers;  // steps
  };
  void count() {
    uses_.resize(graph_.values.size());
    for (size_t s = 0; s < graph_.steps.size(); ++s) {
      const Step& step = graph_.steps[s];
      const bool kernel = std::holds_alternative<Kernel>(step);
      for (const ValueId id : reads_of(step)) {
        uses_[at(id)].readers.push_back(s);
        uses_[at(id)].others = uses_[at(id)].others || !kernel;
      }
      for (const ValueId id : writes_of(step)) {
        ++uses_[at(id)].writers;
        uses_[at(id)].others = uses_[at(id)].others || !kernel;
      }
    }
  }

  // What a kernel writes, as a function of bytes.
  struct Form {
    Expr made;                // the byte that it makes; empty: none
    std::set<Expr> operands;  // loads of bytes
    int operations = 0;
    bool plain = true;
    bool alone = false;  // made of that byte and of what is the same for all elements
  };
  void read_form(const Expr& expr, Form& form) const {
    if (expr.kind() == ExprKind::cast && expr->mode == CastMode::saturate &&
        is_byte_storage(expr->storage) && has_let(expr)) {
      form.plain = form.plain && (!form.made || form.made == expr);
      form.made = expr;
      return;
    }
    switch (expr.kind()) {
      case ExprKind::constant:
        return;
      case ExprKind::load: {
        const Value& value = graph_.values[at(expr->id)];
        for (const Index& index : expr->at) form.plain = form.plain && !index.has_data();
        if (value.kind == ValueKind::constant) return;
        form.plain = form.plain && is_byte_storage(expr->storage) && !uses_[at(expr->id)].others &&
                     uses_[at(expr->id)].writers <= 1;
        form.operands.insert(expr);
        return;
      }
      case ExprKind::unary:
      case ExprKind::binary:
      case ExprKind::cast:
        ++form.operations;
        for (const Expr& one : expr->operands) read_form(one, form);
        return;
      default:
        form.plain = false;
    }
  }

  // The axes of the kernel at an element of what it writes; empty: it is no map onto it.
  static std::optional<std::vector<Index>> axes_of_element(const Kernel& kernel,
                                                           const std::vector<Index>& element) {
    std::vector<Index> out(kernel.axes.size(), Index(0));
    std::set<int> found;
    const Write& write = kernel.writes[0];
    for (size_t d = 0; d < write.at.size(); ++d) {
      if (write.at[d].is_constant(0)) continue;
      std::vector<int> axes;
      write.at[d].collect_axes(axes);
      if (axes.size() != 1 ||
          !(write.at[d] == Index::axis(axes[0], kernel.axes[at(axes[0])].extent)) ||
          !found.insert(axes[0]).second)
        return std::nullopt;
      out[at(axes[0])] = element[d];
    }
    for (const int axis : write.over) {
      if (!found.contains(axis) && !kernel.axes[at(axis)].extent.is_constant(1))
        return std::nullopt;
    }
    return out;
  }

  static int64_t points(const Kernel& kernel, const std::vector<int>& axes) {
    Dim out = 1;
    for (const int axis : axes) out *= kernel.axes[at(axis)].extent;
    return at_hints(out);
  }
  // The greatest or least of what a window reads: of bytes it is found first, and the float made of
  // it once (fuse/constants/byte_extremes.h).
  static bool is_extreme(const Kernel& reader, ValueId value) {
    if (reader.lets.size() != 1) return false;
    const std::optional<Extreme> extreme = extreme_of(reader.lets[0]);
    return extreme && extreme->value.kind() == ExprKind::load && extreme->value->id == value;
  }

  // Whether a reader may compute it.
  bool may_compute(const Kernel& reader, ValueId value, int operations, bool of_one_byte) const {
    Dim elements = 1;
    for (const Dim& dim : graph_.values[at(value)].shape) elements *= dim;
    const int64_t most = at_hints(elements);
    if (of_one_byte && is_extreme(reader, value)) return true;
    for (const Let& let : reader.lets) {
      const bool there = std::any_of(let.body.begin(), let.body.end(),
                                     [&](const Expr& one) { return loads(one, value); });
      std::vector<int> axes = let.over;
      axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
      if (there && points(reader, axes) > most) return false;
    }
    for (const Write& write : reader.writes) {
      for (const Index& index : write.at) {
        if (index.has_data()) return false;
      }
      if (loads(write.value, value) && operations > kFewOperations &&
          points(reader, write.over) > most)
        return false;
    }
    return true;
  }

  void look_at(Kernel& kernel, size_t step) {
    if (kernel.writes.size() != 1) return;
    Write& write = kernel.writes[0];
    Value& value = graph_.values[at(write.to)];
    const Uses& uses = uses_[at(write.to)];
    if (write.how != How::store || !write.when.empty() || value.kind != ValueKind::internal ||
        value.type != Type::f32 || write.value.type() != Type::f32 || uses.writers != 1 ||
        uses.others || uses.readers.empty() || !value.layout.is_row_major())
      return;
    Form form;
    read_form(write.value, form);
    const int operands = static_cast<int>(form.operands.size()) + (form.made ? 1 : 0);
    if (!form.plain || operands == 0 || operands > kMostStoredOperands) return;
    if (of_products_ && (!form.made || operands > 1 || form.operations > kFewOperations ||
                         std::none_of(kernel.lets.begin(), kernel.lets.end(),
                                      [](const Let& let) { return !let.reduced.empty(); })))
      return;
    const std::vector<Index> somewhere(value.shape.size(), Index(0));
    form.alone = form.made && form.operands.empty() && is_same_everywhere(write.value, form.made);
    if (!form.alone && !axes_of_element(kernel, somewhere)) return;
    for (const size_t reader : uses.readers) {
      if (reader == step || !may_compute(std::get<Kernel>(graph_.steps[reader]), write.to,
                                         form.operations, operands == 1))
        return;
    }
    const Kernel made_by = kernel;
    const ValueId id = write.to;
    for (const size_t reader : uses.readers)
      recompute(std::get<Kernel>(graph_.steps[reader]), made_by, id, form);
    for (const Expr& operand : form.operands) {
      std::vector<size_t>& readers = uses_[at(operand->id)].readers;
      readers.insert(readers.end(), uses.readers.begin(), uses.readers.end());
      std::sort(readers.begin(), readers.end());
      readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    }
    if (form.made) {
      value.type = form.made->storage;
      write.value = form.made;
    }
    changed_ = true;
  }

  void recompute(Kernel& reader, const Kernel& made_by, ValueId id, const Form& form) const {
    const auto on_expr = [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::load || expr->id != id) return expr;
      const Expr& whole = made_by.writes[0].value;
      // The byte it makes is read where the float was; all else is at the axes of that element.
      Expr rest = whole;
      if (form.made) {
        const std::vector<Index>& place = form.alone ? expr->at : made_by.writes[0].at;
        const Expr byte = Expr::load(id, form.made->storage, place);
        rest = with_instead(whole, form.made, byte);
      }
      return form.alone ? rest : substitute_axes(rest, *axes_of_element(made_by, expr->at));
    };
    const auto same = [](const Index& index) { return index; };
    for (Let& let : reader.lets) {
      for (Expr& one : let.body) one = rewrite(one, on_expr, same);
    }
    for (Write& write : reader.writes) write.value = rewrite(write.value, on_expr, same);
  }

  KernelGraph graph_;
  const bool of_products_;
  std::vector<Uses> uses_;
  bool changed_ = false;
};

}  // namespace

KernelGraph with_stored_bytes(KernelGraph graph, bool of_products) {
  return StoredBytes(std::move(graph), of_products).run();
}

}  // namespace burin
