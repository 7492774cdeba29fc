// The checker of append plans: looks at every point that the body writes, at several sizes.
#include <algorithm>
#include <set>

#include "kernel/index/size_bound.h"
#include "plan/append/append.h"
#include "plan/memory/check_points.h"
#include "plan/memory/check_regions.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int kAppendSamples = 6;
constexpr int64_t kHighest = 24;

class AppendChecker {
 public:
  AppendChecker(const KernelGraph& graph, const Append& append, int sample)
      : graph_(graph), append_(append) {
    sizes_ = [sample](const Symbol& symbol) { return size_in_sample(symbol, sample, kHighest); };
  }

  std::string run() {
    // The innermost one: loops around it hold its writes too.
    const Loop* found = nullptr;
    for_each_step(graph_.steps, [&](const Step& step) {
      const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step);
      if (!loop) return;
      const std::vector<ValueId> writes = writes_of(step);
      if (std::find(writes.begin(), writes.end(), grown()) != writes.end()) found = loop->get();
    });
    if (found) follow(found->body);
    if (found && taken_whole()) return "a procedure takes the state, whose room is not its size";
    if (!found) return "no loop makes v" + std::to_string(grown());
    for (const Dim& extent : append_.room) {
      if (!is_bounded_before_run(extent)) return "room for " + to_string(extent);
    }
    const bool all = static_cast<int64_t>(kept_.size()) == extents_of(append_.state);
    if (fault_.empty() && counted_ && !all) return "something of the old state is left out";
    return fault_;
  }

 private:
  ValueId grown() const { return append_.grown.front(); }
  const Value& value(ValueId id) const { return graph_.values[at(id)]; }

  bool taken_whole() const {
    bool taken = false;
    for_each_step(graph_.steps, [&](const Step& step) {
      if (!std::holds_alternative<Procedure>(step)) return;
      for (const std::vector<ValueId>& touched : {reads_of(step), writes_of(step)})
        taken = taken || std::find(touched.begin(), touched.end(), append_.state) != touched.end();
    });
    return taken;
  }

  int64_t extents_of(ValueId id) const {
    int64_t elements = 1;
    for (const Dim& dim : value(id).shape)
      elements *= std::max<int64_t>(0, evaluate_at(dim, {}, sizes_).value_or(0));
    return elements;
  }

  void follow(const Steps& steps) {
    for_each_step(steps, [&](const Step& step) {
      const std::vector<ValueId> writes = writes_of(step);
      const bool state = std::find(writes.begin(), writes.end(), append_.state) != writes.end();
      const auto* kernel = std::get_if<Kernel>(&step);
      if (!kernel) return;
      if (state && !copies(*kernel)) fault_ = "the state is written by more than its copy";
      for (const Write& write : kernel->writes) {
        if (write.to == grown()) points(*kernel, write);
      }
    });
  }

  bool copies(const Kernel& kernel) const {
    const Expr& value = kernel.writes[0].value;
    return kernel.writes.size() == 1 && value.kind() == ExprKind::load &&
           value->id == append_.grown.back() && value->at == kernel.writes[0].at;
  }

  std::vector<int64_t> place(const std::vector<Index>& indices, const Point& point) const {
    std::vector<int64_t> out;
    for (const Index& index : indices)
      out.push_back(evaluate_at(index, point, sizes_).value_or(-1));
    return out;
  }

  bool holds(const Guard& guard, const Point& point) const {
    return std::all_of(guard.begin(), guard.end(), [&](const Condition& one) {
      const std::vector<int64_t> at = place({one.index, one.lo, one.hi}, point);
      return at[1] <= at[0] && at[0] < at[2];
    });
  }

  void points(const Kernel& kernel, const Write& write) {
    const Dim& border = value(append_.state).shape[at(append_.dimension)];
    const int64_t old = evaluate_at(border, {}, sizes_).value_or(0);
    int64_t count = 1;
    for (const int axis : write.over)
      count *= evaluate_at(kernel.axes[at(axis)].extent, {}, sizes_).value_or(0);
    const std::vector<Point> all = sample_points(kernel, write.over, sizes_);
    counted_ = counted_ && static_cast<int64_t>(all.size()) >= count;
    for (const Point& point : all) {
      const std::vector<int64_t> to = place(write.at, point);
      if (to[at(append_.dimension)] >= old) continue;
      Expr source = write.value;
      while (source.kind() == ExprKind::cases) {
        Expr chosen = source->operands[0];
        for (size_t i = source->cases.size(); i-- > 0;) {
          if (holds(source->cases[i].guard, point)) chosen = source->cases[i].value;
        }
        source = chosen;
      }
      const bool same = source.kind() == ExprKind::load && source->id == append_.state &&
                        place(source->at, point) == to;
      if (!same) fault_ = "something else than the old state lies below its end";
      kept_.insert(to);
    }
  }

  const KernelGraph& graph_;
  const Append& append_;
  Sizes sizes_;
  std::set<std::vector<int64_t>> kept_;  // indices of the old state that stay
  bool counted_ = true;                  // all points were looked at
  std::string fault_;
};

}  // namespace

std::string check_appends(const KernelGraph& graph, const AppendPlan& plan) {
  for (const Append& append : plan.appends) {
    for (int sample = 0; sample < kAppendSamples; ++sample) {
      const std::string fault = AppendChecker(graph, append, sample).run();
      if (!fault.empty()) return "v" + std::to_string(append.state) + ": " + fault;
    }
  }
  return {};
}

}  // namespace burin
