// The rewrite that a plan of appends asks for.
#include <algorithm>

#include "kernel/rewrite_kernel.h"
#include "plan/append/append_writes.h"
#include "support/at.h"

namespace burin {
namespace {

bool is_grown(const Append& append, ValueId id) {
  return std::find(append.grown.begin(), append.grown.end(), id) != append.grown.end();
}

// With blocks of its own inside.
Steps unshared(Steps steps) {
  for (Step& step : steps) {
    if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      *loop = std::make_shared<Loop>(**loop);
      (*loop)->body = unshared(std::move((*loop)->body));
    } else if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      *branch = std::make_shared<If>(**branch);
      (*branch)->then_steps = unshared(std::move((*branch)->then_steps));
      (*branch)->else_steps = unshared(std::move((*branch)->else_steps));
    }
  }
  return steps;
}

class Applier {
 public:
  Applier(const std::vector<Value>& values, const Append& append)
      : values_(values), append_(append) {}

  // Whether the list is the body that makes the state longer; then it has become what appends.
  bool apply(Steps& steps) const {
    const bool here = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      const auto* kernel = std::get_if<Kernel>(&step);
      return kernel && kernel->writes.size() == 1 && kernel->writes[0].to == append_.state &&
             copied_by(*kernel) == append_.grown.back();
    });
    if (here) {
      steps = unshared(appending(steps));
      for_each_kernel(steps, [&](Kernel& kernel) { read_state(kernel); });
      return true;
    }
    return std::any_of(steps.begin(), steps.end(), [&](Step& step) {
      if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        auto copy = std::make_shared<Loop>(**loop);
        if (!apply(copy->body)) return false;
        *loop = std::move(copy);
        return true;
      }
      if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        auto copy = std::make_shared<If>(**branch);
        if (!apply(copy->then_steps) && !apply(copy->else_steps)) return false;
        *branch = std::move(copy);
        return true;
      }
      return false;
    });
  }

 private:
  Steps appending(const Steps& steps) const {
    // The new extent is checked before something is written there.
    const Dim& size = values_[at(append_.grown.front())].shape[at(append_.dimension)];
    const size_t bind = bind_of(steps, size).value();
    bool bound = false;
    Steps out;
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto* kernel = std::get_if<Kernel>(&steps[i]);
      if (kernel && touches_grown(*kernel)) {
        const std::optional<Kernel> left = what_is_left(*kernel);
        if (!bound && i < bind) out.push_back(steps[bind]);
        bound = true;
        if (left) out.push_back(*left);
      } else if (i != bind || !bound) {
        bound = bound || i == bind;
        out.push_back(steps[i]);
      }
    }
    return out;
  }

  bool touches_grown(const Kernel& kernel) const {
    return std::any_of(kernel.writes.begin(), kernel.writes.end(), [&](const Write& write) {
      return is_grown(append_, write.to) ||
             (write.to == append_.state && copied_by(kernel) == append_.grown.back());
    });
  }

  // Of a kernel that writes what becomes the state: what is new.
  std::optional<Kernel> what_is_left(const Kernel& kernel) const {
    if (kernel.writes[0].to != append_.grown.front() && copied_by(kernel)) return std::nullopt;
    Kernel out = kernel;
    std::vector<Write> kept;
    for (const Write& write : kernel.writes) {
      if (write.to != append_.grown.front()) {
        kept.push_back(write);
        continue;
      }
      const AppendWrite what = append_write(kernel, write, append_, values_);
      if (what == AppendWrite::old) continue;
      if (what == AppendWrite::both) {
        out = without_old(kernel, append_, values_);
        kept.push_back(out.writes[0]);
      } else {
        kept.push_back(write);
      }
      kept.back().to = append_.state;
    }
    out.writes = std::move(kept);
    return out.writes.empty() ? std::nullopt : std::optional(std::move(out));
  }

  void read_state(Kernel& kernel) const {
    const bool reads = [&] {
      const std::vector<ValueId> all = reads_of(kernel);
      return std::any_of(all.begin(), all.end(), [&](ValueId id) { return is_grown(append_, id); });
    }();
    if (!reads) return;
    rewrite_exprs(kernel, [&](const Expr& expr) {
      const bool one = expr.kind() == ExprKind::load && is_grown(append_, expr->id);
      return one ? Expr::load(append_.state, expr->storage, expr->at) : expr;
    });
  }

  const std::vector<Value>& values_;
  const Append& append_;
};

}  // namespace

KernelGraph apply_appends(KernelGraph graph, const AppendPlan& plan) {
  for (const Append& append : plan.appends) {
    Applier(graph.values, append).apply(graph.steps);
    graph.values[at(append.state)].shape = append.room;
  }
  return graph;
}

}  // namespace burin
