#include "layout/layout_candidates.h"

#include <algorithm>
#include <set>

#include "fuse/access/access.h"
#include "fuse/attention/attention_form.h"

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

class Candidates {
 public:
  Candidates(const KernelGraph& graph, const Forms& forms, const Hardware& hardware,
             const LayoutOptions& options)
      : graph_(graph), forms_(forms), hardware_(hardware), options_(options) {}

  std::map<ValueId, std::vector<Layout>> run() {
    for (const ValueId id : free_values(graph_)) {
      if (at_hints(product(graph_.values[static_cast<size_t>(id)].shape)) >= options_.most_points)
        all_[id] = {Layout{}};
    }
    for (const Form& form : forms_.forms) all_[form.tensor] = {Layout{}};
    for (const Step& step : graph_.steps) {
      if (const Kernel* kernel = std::get_if<Kernel>(&step)) wish(*kernel);
    }
    for (const Form& form : forms_.forms) {
      for (const auto& [step, kernels] : form.steps) {
        for (const Kernel& kernel : kernels) wish(kernel);
      }
    }
    // Schedules of attention pack in an order of their own, which no cost here knows.
    for (const Step& step : graph_.steps) {
      const Kernel* kernel = std::get_if<Kernel>(&step);
      if (!kernel || !find_attention(*kernel, graph_.values)) continue;
      for (const ValueId id : reads_of(step)) all_.erase(id);
      for (const ValueId id : writes_of(step)) all_.erase(id);
    }
    std::set<ValueId> of_forms;
    for (const Form& form : forms_.forms) of_forms.insert(form.tensor);
    std::erase_if(all_, [&](const auto& one) {
      return one.second.size() < 2 && !of_forms.contains(one.first);
    });
    return std::move(all_);
  }

 private:
  void add(ValueId id, Layout layout) {
    std::vector<Layout>& all = all_[id];
    if (static_cast<int>(all.size()) < options_.most_states &&
        std::find(all.begin(), all.end(), layout) == all.end())
      all.push_back(std::move(layout));
  }

  // A dimension at the end, whole or in blocks of a vector.
  void wish_for(ValueId id, size_t dimension) {
    const std::vector<Dim>& shape = forms_.values[static_cast<size_t>(id)].shape;
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
      if (!all_.contains(id)) return;
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

  const KernelGraph& graph_;
  const Forms& forms_;
  const Hardware& hardware_;
  const LayoutOptions& options_;
  std::map<ValueId, std::vector<Layout>> all_;
};

}  // namespace

std::map<ValueId, std::vector<Layout>> layout_candidates(const KernelGraph& graph,
                                                         const Forms& forms,
                                                         const Hardware& hardware,
                                                         const LayoutOptions& options) {
  return Candidates(graph, forms, hardware, options).run();
}

}  // namespace burin
