#include "ops/api/layers/gradients.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel/expr/derivative.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

[[noreturn]] void refuse_step(const Origins& origins, const std::string& why) {
  const Origin origin = origins.empty() ? Origin{"", "a step"} : origins.front();
  refuse("unsupported-operator",
         "no derivative of " + origin.op + " " + quoted(origin.node) + " is known: " + why);
}

std::vector<int> sorted(std::vector<int> axes) {
  std::sort(axes.begin(), axes.end());
  return axes;
}

Indices point_of(const Kernel& kernel, const std::vector<int>& axes) {
  Indices out;
  for (const int axis : axes)
    out.push_back(Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent));
  return out;
}

// What is differentiated of a kernel: a body at the points of some axes, where a guard holds.
struct Source {
  const Expr& body;
  std::vector<int> axes;
  Guard when;
};

class Backward {
 public:
  Backward(OpContext& op, const Steps& steps, const std::vector<Operand>& xs)
      : op_(op), graph_(graph_of(op)) {
    for (const Operand& x : xs) depends_.insert(x.value());
    for (const Step& step : steps) {
      const std::vector<ValueId> reads = reads_of(step);
      const bool depends = std::any_of(reads.begin(), reads.end(),
                                       [&](ValueId id) { return depends_.contains(id); });
      if (!depends) continue;
      for (const ValueId id : writes_of(step)) depends_.insert(id);
    }
  }

  void begin(const Operand& y) {
    const Operand ones = op_.temporary("seed", y.compute(), y.shape());
    op_.map(ones, [&](const Indices&) { return ones.constant(1); });
    sums_[y.value()] = ones;
  }

  void walk(const Steps& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const std::vector<ValueId> writes = writes_of(*step);
      const bool counts =
          std::any_of(writes.begin(), writes.end(), [&](ValueId id) { return sums_.contains(id); });
      if (!counts) continue;
      if (const auto* kernel = std::get_if<Kernel>(&*step)) {
        through(*kernel);
      } else if (const auto* procedure = std::get_if<Procedure>(&*step)) {
        refuse_step(procedure->origins, "it is a procedure");
      } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&*step)) {
        refuse_step((*branch)->origins, "it has branches");
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&*step)) {
        refuse_step((*loop)->origins, "it is a loop");
      }
    }
  }

  // Of x, or zeros where y does not depend on it.
  Operand of(const Operand& x) {
    if (const auto found = sums_.find(x.value()); found != sums_.end()) return found->second;
    const Operand zeros = temporary(x.compute(), x.shape());
    op_.map(zeros, [&](const Indices&) { return zeros.zero(); });
    return zeros;
  }

 private:
  Operand temporary(Type type, Shape shape) {
    return op_.temporary("gradient_" + std::to_string(made_++), type, std::move(shape));
  }

  void add(Operand& sum, const Operand& more) {
    if (!sum) {
      sum = more;
      return;
    }
    const Operand before = sum;
    sum = temporary(more.type(), more.shape());
    op_.map(sum, [&](const Indices& at) { return before.at(at) + more.at(at); });
  }

  void through(const Kernel& kernel) {
    for (const Axis& axis : kernel.axes) {
      if (axis.kind == AxisKind::sequential) refuse_step(kernel.origins, "it has a state");
    }
    std::vector<Operand> lets(kernel.lets.size());
    for (const Write& write : kernel.writes) {
      const auto sum = sums_.find(write.to);
      if (sum == sums_.end()) continue;
      if (write.how != How::store) refuse_step(kernel.origins, "it adds to what is there");
      const Expr seed = Expr::cast(write.value.type(), sum->second.at(write.at));
      from(kernel, {write.value, write.over, write.when}, seed, lets);
    }
    for (size_t i = kernel.lets.size(); i-- > 0;) {
      if (lets[i]) through_let(kernel, static_cast<int>(i), lets);
    }
  }

  void through_let(const Kernel& kernel, int number, std::vector<Operand>& lets) {
    const Let& let = kernel.lets[static_cast<size_t>(number)];
    std::vector<int> axes = let.over;
    axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
    const Indices point = point_of(kernel, let.over);
    Expr seed = lets[static_cast<size_t>(number)].at(point);
    switch (let.op) {
      case Combiner::none:
      case Combiner::sum:
        break;
      case Combiner::min:
      case Combiner::max: {
        // Every point that attains the extreme.
        const Expr extreme = Expr::let(number, let.accumulator[0], point);
        seed = Expr::select(compare(Binary::eq, let.body[0], extreme), seed,
                            Expr::constant(seed.type(), 0));
        break;
      }
      default:
        refuse_step(kernel.origins, "it is no sum, least or greatest");
    }
    from(kernel, {let.body[0], sorted(std::move(axes)), {}}, seed, lets);
  }

  void from(const Kernel& kernel, const Source& source, const Expr& seed,
            std::vector<Operand>& lets) {
    for (const Partial& partial : partials(source.body, seed)) {
      const bool load = partial.read.kind() == ExprKind::load;
      if (load && !depends_.contains(partial.read->id)) continue;
      Shape shape;
      if (load) {
        shape = graph_.tensor(partial.read->id).shape();
      } else {
        const Let& let = kernel.lets[static_cast<size_t>(partial.read->id)];
        if (let.body.size() != 1) refuse_step(kernel.origins, "it selects an element");
        for (const int axis : let.over)
          shape.push_back(kernel.axes[static_cast<size_t>(axis)].extent);
      }
      Operand& sum = load ? sums_[partial.read->id] : lets[static_cast<size_t>(partial.read->id)];
      add(sum, sum_over_points(kernel, source, partial, std::move(shape)));
    }
  }

  // result[j] = sum of the factor over the points of the source whose read is at j.
  Operand sum_over_points(const Kernel& from, const Source& source, const Partial& partial,
                          Shape shape) {
    Kernel kernel;
    kernel.axes = from.axes;
    kernel.lets = from.lets;
    Guard when = source.when;
    Indices place;
    std::vector<int> over;
    for (size_t d = 0; d < shape.size(); ++d) {
      const Index& at = partial.read->at[d];
      if (shape[d].is_constant(1)) {
        place.emplace_back(0);
        continue;
      }
      const bool axis = at.kind() == IndexKind::axis && contains(source.axes, at.axis_id()) &&
                        !contains(over, at.axis_id()) &&
                        kernel.axes[static_cast<size_t>(at.axis_id())].extent == shape[d];
      if (axis) {
        over.push_back(at.axis_id());
        place.push_back(at);
      } else {
        const auto id = static_cast<int>(kernel.axes.size());
        kernel.axes.push_back({shape[d], AxisKind::parallel, {}});
        over.push_back(id);
        place.push_back(Index::axis(id, shape[d]));
        when.push_back({at - place.back(), 0, 1});
      }
    }
    Expr body = partial.factor;
    if (!when.empty()) body = Expr::cases({{when, body}}, Expr::constant(body.type(), 0));
    Let let;
    let.over = sorted(over);
    for (const int axis : source.axes) {
      if (!contains(over, axis)) let.reduced.push_back(axis);
    }
    let.op = let.reduced.empty() ? Combiner::none : Combiner::sum;
    let.body = {body};
    let.accumulator = {body.type()};
    const Indices point = point_of(kernel, let.over);
    const auto number = static_cast<int>(kernel.lets.size());
    kernel.lets.push_back(let);
    const Operand result = temporary(body.type(), std::move(shape));
    Write write;
    write.over = let.over;
    write.to = result.value();
    write.at = std::move(place);
    write.value = Expr::let(number, body.type(), point);
    kernel.writes = {std::move(write)};
    keep_needed(kernel);
    op_.emit(std::move(kernel));
    return result;
  }

  // Without the lets that nothing reads.
  static void keep_needed(Kernel& kernel) {
    std::vector<bool> needed(kernel.lets.size());
    needed.back() = true;
    for (size_t i = kernel.lets.size(); i-- > 0;) {
      if (!needed[i]) continue;
      for (const Expr& body : kernel.lets[i].body) {
        visit(body, [&](const ExprNode& node) {
          if (node.kind == ExprKind::let) needed[static_cast<size_t>(node.id)] = true;
        });
      }
    }
    std::vector<int> moved(kernel.lets.size());
    std::vector<Let> lets;
    for (size_t i = 0; i < needed.size(); ++i) {
      moved[i] = static_cast<int>(lets.size());
      if (needed[i]) lets.push_back(kernel.lets[i]);
    }
    kernel.lets = std::move(lets);
    rewrite_exprs(kernel, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::let) return expr;
      return Expr::let(moved[static_cast<size_t>(expr->id)], expr.type(), expr->at,
                       expr->component);
    });
  }

  OpContext& op_;
  GraphContext& graph_;
  std::set<ValueId> depends_;        // on xs
  std::map<ValueId, Operand> sums_;  // derivatives so far
  int made_ = 0;
};

}  // namespace

std::vector<Operand> gradients(OpContext& op, const Steps& steps, const Operand& y,
                               const std::vector<Operand>& xs) {
  Backward backward(op, steps, xs);
  backward.begin(y);
  backward.walk(steps);
  std::vector<Operand> out;
  for (const Operand& x : xs) out.push_back(backward.of(x));
  return out;
}

}  // namespace burin
