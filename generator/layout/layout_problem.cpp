// The problem of layouts: candidates, and what they cost; see layout_plan.h.
#include <algorithm>
#include <map>

#include "fuse/access.h"
#include "fuse/attention.h"
#include "layout/cost.h"
#include "layout/layout_plan.h"

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
    std::map<ValueId, std::vector<int>> readers;
    for (size_t s = 0; s < graph_.steps.size(); ++s) {
      for (const ValueId id : reads_of(graph_.steps[s])) readers[id].push_back(static_cast<int>(s));
    }
    for (auto& [id, layouts] : candidates_) {
      if (layouts.size() < 2) continue;
      variable_[id] = static_cast<int>(problem_.values.size());
      problem_.values.push_back(id);
      singles_.push_back(layouts);
      readers_.push_back(readers[id]);
    }
    std::vector<Charge> charges;
    for (size_t s = 0; s < graph_.steps.size(); ++s) {
      const Kernel* kernel = std::get_if<Kernel>(&graph_.steps[s]);
      if (kernel) charges.push_back(charge(*kernel, static_cast<int>(s)));
    }
    make_states(charges);
    for (const Charge& one : charges) apply(one);
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

  // What one kernel costs with each of its operands in each of its layouts: by the layout of what
  // it makes, and what an operand's layout adds to that.
  struct Charge {
    int made = -1;
    std::vector<int> reads, numbers;  // variables, and which of their readers it is
    std::vector<Cost> base;           // by layout of `made`
    std::vector<std::vector<std::vector<Cost>>> more;  // by read, layout of `made`, layout of it
  };

  size_t singles(int variable) const {
    return variable < 0 ? 1 : singles_[static_cast<size_t>(variable)].size();
  }

  Charge charge(const Kernel& kernel, int position) {
    Charge out;
    for (const Write& write : kernel.writes) {
      if (const auto at = variable_.find(write.to); at != variable_.end()) out.made = at->second;
    }
    for (const ValueId id : reads_of(kernel)) {
      const auto at = variable_.find(id);
      if (at == variable_.end()) continue;
      const std::vector<int>& readers = readers_[static_cast<size_t>(at->second)];
      const auto number = std::find(readers.begin(), readers.end(), position) - readers.begin();
      if (at->second == out.made) continue;
      out.reads.push_back(at->second);
      out.numbers.push_back(static_cast<int>(number));
    }
    LayoutCost cost(kernel, values_, hardware_);
    out.more.resize(out.reads.size());
    for (size_t m = 0; m < singles(out.made); ++m) {
      Layouts layouts;
      if (m > 0) layouts[value_of(out.made)] = singles_[static_cast<size_t>(out.made)][m];
      out.base.push_back(cost.in(layouts));
      for (size_t r = 0; r < out.reads.size(); ++r) {
        out.more[r].emplace_back(1, 0);
        for (size_t t = 1; t < singles(out.reads[r]); ++t) {
          Layouts with = layouts;
          with[value_of(out.reads[r])] = singles_[static_cast<size_t>(out.reads[r])][t];
          out.more[r].back().push_back(cost.in(with)-out.base.back());
        }
      }
    }
    return out;
  }

  ValueId value_of(int variable) const { return problem_.values[static_cast<size_t>(variable)]; }

  // Of a tensor in layout `from`, in layout `to`.
  Cost copy_cost(int variable, size_t from, size_t to) {
    const ValueId id = value_of(variable);
    const auto copy = static_cast<ValueId>(values_.size());
    values_.push_back(values_[static_cast<size_t>(id)]);
    const Kernel kernel = copy_kernel(id, copy, values_);
    Layouts layouts;
    if (from > 0) layouts[id] = singles_[static_cast<size_t>(variable)][from];
    if (to > 0) layouts[copy] = singles_[static_cast<size_t>(variable)][to];
    const Cost cost = LayoutCost(kernel, values_, hardware_).in(layouts);
    values_.pop_back();
    return cost;
  }

  // States as numbers of layouts. A copy that saves its readers no more than it costs is never
  // better than none.
  void make_states(const std::vector<Charge>& charges) {
    for (size_t v = 0; v < problem_.values.size(); ++v) {
      const size_t count = singles_[v].size();
      std::vector<std::vector<size_t>> states;
      for (size_t s = 0; s < count; ++s) states.push_back({s});
      std::vector<Cost> costs(count, 0);
      for (size_t a = 0; a < count && readers_[v].size() > 1; ++a) {
        for (size_t b = 0; b < count; ++b) {
          if (a == b) continue;
          Cost gain = 0;
          for (const Charge& one : charges)
            gain = plus(gain, most_gain(one, static_cast<int>(v), a, b));
          const Cost cost = copy_cost(static_cast<int>(v), a, b);
          if (gain <= cost) continue;
          states.push_back({a, b});
          costs.push_back(cost);
        }
      }
      problem_.layouts.emplace_back();
      for (const std::vector<size_t>& state : states) {
        problem_.layouts.back().emplace_back();
        for (const size_t s : state) problem_.layouts.back().back().push_back(singles_[v][s]);
      }
      states_.push_back(std::move(states));
      problem_.choice.costs.push_back(std::move(costs));
    }
  }

  static Cost most_gain(const Charge& charge, int variable, size_t a, size_t b) {
    Cost gain = 0;
    for (size_t r = 0; r < charge.reads.size(); ++r) {
      if (charge.reads[r] != variable) continue;
      for (const std::vector<Cost>& more : charge.more[r]) gain = std::max(gain, more[a] - more[b]);
    }
    return gain;
  }

  void apply(const Charge& charge) {
    std::vector<std::vector<size_t>> alone{{0}};
    const auto made = static_cast<size_t>(charge.made);
    const auto& outer = charge.made < 0 ? alone : states_[made];
    for (size_t s = 0; s < outer.size(); ++s) {
      Cost& own = charge.made < 0 ? problem_.fixed : problem_.choice.costs[made][s];
      own = plus(own, charge.base[outer[s].front()]);
    }
    for (size_t r = 0; r < charge.reads.size(); ++r) {
      const int read = charge.reads[r];
      const auto& inner = states_[static_cast<size_t>(read)];
      LayoutRead told{read, charge.numbers[r], charge.made, {}};
      std::vector<Cost> costs;
      for (const std::vector<size_t>& state : outer) {
        const std::vector<Cost>& more = charge.more[r][state.front()];
        for (const std::vector<size_t>& set : inner) {
          size_t best = 0;
          for (size_t k = 1; k < set.size(); ++k) {
            if (more[set[k]] < more[set[best]]) best = k;
          }
          costs.push_back(more[set[best]]);
          told.pick.push_back(static_cast<uint8_t>(best));
        }
      }
      problem_.reads.push_back(std::move(told));
      if (charge.made < 0) {
        for (size_t t = 0; t < inner.size(); ++t)
          problem_.choice.costs[static_cast<size_t>(read)][t] += costs[t];
        continue;
      }
      auto& table = pairs_[{std::min(charge.made, read), std::max(charge.made, read)}];
      table.resize(outer.size() * inner.size(), 0);
      for (size_t s = 0; s < outer.size(); ++s) {
        for (size_t t = 0; t < inner.size(); ++t) {
          const size_t at = charge.made < read ? s * inner.size() + t : t * outer.size() + s;
          table[at] += costs[s * inner.size() + t];
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
  std::vector<std::vector<Layout>> singles_;              // of each variable, row-major first
  std::vector<std::vector<int>> readers_;                 // of each variable, positions
  std::vector<std::vector<std::vector<size_t>>> states_;  // of each variable, numbers of layouts
  std::map<std::pair<int, int>, std::vector<Cost>> pairs_;
  LayoutProblem problem_;
};

}  // namespace

Layouts layouts_of(const LayoutProblem& problem, const std::vector<int>& states) {
  Layouts out;
  for (size_t v = 0; v < states.size(); ++v) {
    const Layout& layout = problem.layouts[v][static_cast<size_t>(states[v])].front();
    if (!layout.is_row_major()) out[problem.values[v]] = layout;
  }
  return out;
}

LayoutCopies copies_of(const LayoutProblem& problem, const std::vector<int>& states) {
  LayoutCopies out;
  for (size_t v = 0; v < states.size(); ++v) {
    const auto state = static_cast<size_t>(states[v]);
    const LayoutSet& set = problem.layouts[v][state];
    if (set.size() < 2) continue;
    LayoutCopy copy{problem.values[v], set[1], {}};
    for (const LayoutRead& read : problem.reads) {
      if (read.variable != static_cast<int>(v)) continue;
      const auto made =
          static_cast<size_t>(read.made < 0 ? 0 : states[static_cast<size_t>(read.made)]);
      if (read.pick[made * problem.layouts[v].size() + state] == 1)
        copy.readers.push_back(read.number);
    }
    out.push_back(std::move(copy));
  }
  return out;
}

LayoutProblem layout_problem(const KernelGraph& graph, const Hardware& hardware,
                             const LayoutOptions& options) {
  return Builder(graph, hardware, options).run();
}

}  // namespace burin
