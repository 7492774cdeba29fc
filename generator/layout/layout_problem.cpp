// The problem of layouts: candidates, and what they cost; see layout_plan.h.
#include <algorithm>
#include <map>

#include "fuse/access.h"
#include "fuse/attention.h"
#include "layout/cost.h"
#include "layout/layout_plan.h"
#include "select/contraction.h"
#include "select/regroup.h"

namespace burin {
namespace {

// Axes that a kernel reduces, or along which it writes.
std::vector<int> demanding_axes(const Kernel& kernel) {
  std::vector<int> out;
  for (const Let& let : kernel.lets) out.insert(out.end(), let.reduced.begin(), let.reduced.end());
  for (const Write& write : kernel.writes) {
    if (!write.over.empty()) out.push_back(write.over.back());
  }
  return out;
}

class Builder {
 public:
  Builder(const KernelGraph& graph, const Hardware& hardware, const LayoutOptions& options)
      : graph_(graph), hardware_(hardware), options_(options), values_(graph.values) {}

  LayoutProblem run() {
    for (const ValueId id : free_values(graph_)) {
      if (at_hints(product(graph_.values[static_cast<size_t>(id)].shape)) >= options_.most_points)
        candidates_[id] = {Layout{}};
    }
    for (const Step& step : graph_.steps) {
      if (const Kernel* kernel = std::get_if<Kernel>(&step)) wish(*kernel);
    }
    // Schedules of attention pack in an order of their own, which no cost here knows.
    for (const Step& step : graph_.steps) {
      const Kernel* kernel = std::get_if<Kernel>(&step);
      if (!kernel || !find_attention(*kernel, graph_.values)) continue;
      for (const ValueId id : reads_of(step)) candidates_.erase(id);
      for (const ValueId id : writes_of(step)) candidates_.erase(id);
    }
    for (auto& [id, layouts] : candidates_) {
      if (layouts.size() < 2) continue;
      variable_[id] = static_cast<int>(problem_.values.size());
      problem_.values.push_back(id);
      problem_.choice.costs.emplace_back(layouts.size(), 0);
      problem_.layouts.push_back(layouts);
    }
    for (const Step& step : graph_.steps) {
      if (const Kernel* kernel = std::get_if<Kernel>(&step)) charge(*kernel);
    }
    for (auto& [ends, costs] : pairs_)
      problem_.choice.pairs.push_back({ends.first, ends.second, costs});
    return std::move(problem_);
  }

 private:
  void add(ValueId id, Layout layout) {
    std::vector<Layout>& all = candidates_[id];
    if (static_cast<int>(all.size()) < options_.most_states &&
        std::find(all.begin(), all.end(), layout) == all.end())
      all.push_back(std::move(layout));
  }

  // A dimension at the end, whole or in blocks of a vector.
  void wish_for(ValueId id, size_t dimension) {
    const std::vector<Dim>& shape = graph_.values[static_cast<size_t>(id)].shape;
    if (shape.size() < 2 || shape[dimension].is_constant(1)) return;
    Layout last, blocked;
    for (size_t d = 0; d < shape.size(); ++d) {
      blocked.order.push_back(static_cast<int>(d));
      if (d != dimension) last.order.push_back(static_cast<int>(d));
    }
    last.order.push_back(static_cast<int>(dimension));
    if (dimension + 1 != shape.size()) add(id, std::move(last));
    const int64_t lanes = hardware_.vector.lanes(4);
    if (lanes > 1 && dimension + 1 != shape.size() && mod(shape[dimension], lanes).is_constant(0) &&
        !shape[dimension].is_constant(lanes)) {
      blocked.blocks = {{static_cast<int>(dimension), lanes}};
      add(id, std::move(blocked));
    }
  }

  void wish(const Kernel& kernel) {
    const std::vector<int> axes = demanding_axes(kernel);
    const auto each = [&](ValueId id, const std::vector<Index>& at) {
      if (!candidates_.contains(id)) return;
      for (size_t d = 0; d < at.size(); ++d) {
        if (std::any_of(axes.begin(), axes.end(), [&](int axis) { return at[d].uses_axis(axis); }))
          wish_for(id, d);
      }
    };
    for (const ValueId id : reads_of(kernel)) {
      for (const std::vector<Index>& at : load_points(kernel, id)) each(id, at);
    }
    for (const Write& write : kernel.writes) each(write.to, write.at);
  }

  bool has_tiles(const Kernel& kernel) const {
    return find_contraction(kernel, values_, hardware_).has_value() ||
           find_window_reduction(kernel, values_, hardware_).has_value();
  }

  // `tiled`: the kernel has a tiled schedule while everything is row-major. Layouts in which it has
  // none leave it to plain loops, one operation after the other.
  Cost cost(const Kernel& kernel, const Layouts& layouts, bool tiled) {
    for (const auto& [id, layout] : layouts) {
      Value& value = values_[static_cast<size_t>(id)];
      value.shape = physical_shape(layout, value.shape);
    }
    const Kernel moved = relayout(kernel, layouts);
    Cost out = kernel_cost(moved, values_, hardware_);
    if (tiled && !layouts.empty() && !has_tiles(moved)) out = plus(out, plain_cost(moved));
    for (const auto& [id, layout] : layouts)
      values_[static_cast<size_t>(id)].shape = graph_.values[static_cast<size_t>(id)].shape;
    return out;
  }

  static Cost plain_cost(const Kernel& kernel) {
    Cost all = 0;
    for (const Let& let : kernel.lets) {
      std::vector<int> axes = let.over;
      axes.insert(axes.end(), let.reduced.begin(), let.reduced.end());
      all = plus(all, at_least_one(extent_of(kernel, axes)) * kCycle);
    }
    return all;
  }

  const Layout& layout(int variable, size_t state) const {
    return problem_.layouts[static_cast<size_t>(variable)][state];
  }
  size_t states(int variable) const {
    return problem_.layouts[static_cast<size_t>(variable)].size();
  }

  // With the result in each of its layouts, what each operand's layout adds.
  void charge(const Kernel& kernel) {
    std::vector<int> reads;
    for (const ValueId id : reads_of(kernel)) {
      if (const auto at = variable_.find(id); at != variable_.end()) reads.push_back(at->second);
    }
    int made = -1;
    for (const Write& write : kernel.writes) {
      if (const auto at = variable_.find(write.to); at != variable_.end()) made = at->second;
    }
    std::erase(reads, made);
    if (made < 0 && reads.empty()) {
      problem_.fixed = plus(problem_.fixed, cost(kernel, {}, false));
      return;
    }
    const bool tiled = has_tiles(kernel);
    for (const int read : reads) {
      if (made < 0) continue;
      auto& table = pairs_[{std::min(made, read), std::max(made, read)}];
      table.resize(states(made) * states(read), 0);
    }
    for (size_t s = 0; s < (made < 0 ? 1 : states(made)); ++s) {
      Layouts layouts;
      if (made >= 0 && s > 0) layouts[problem_.values[static_cast<size_t>(made)]] = layout(made, s);
      const Cost base = cost(kernel, layouts, tiled);
      if (made < 0) {
        problem_.fixed = plus(problem_.fixed, base);
      } else {
        Cost& own = problem_.choice.costs[static_cast<size_t>(made)][s];
        own = plus(own, base);
      }
      for (const int read : reads) {
        for (size_t t = 1; t < states(read); ++t) {
          Layouts with = layouts;
          with[problem_.values[static_cast<size_t>(read)]] = layout(read, t);
          const Cost more = cost(kernel, with, tiled) - base;
          if (made < 0) {
            problem_.choice.costs[static_cast<size_t>(read)][t] += more;
            continue;
          }
          auto& table = pairs_[{std::min(made, read), std::max(made, read)}];
          const size_t at = made < read ? s * states(read) + t : t * states(made) + s;
          table[at] += more;
        }
      }
    }
  }

  const KernelGraph& graph_;
  const Hardware& hardware_;
  const LayoutOptions& options_;
  std::vector<Value> values_;
  std::map<ValueId, std::vector<Layout>> candidates_;
  std::map<ValueId, int> variable_;
  std::map<std::pair<int, int>, std::vector<Cost>> pairs_;
  LayoutProblem problem_;
};

}  // namespace

LayoutProblem layout_problem(const KernelGraph& graph, const Hardware& hardware,
                             const LayoutOptions& options) {
  return Builder(graph, hardware, options).run();
}

}  // namespace burin
