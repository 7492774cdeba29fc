#include "layout/forms.h"

#include <algorithm>
#include <optional>
#include <set>

#include "fuse/access/access.h"
#include "fuse/access/access_size.h"
#include "fuse/access/block_steps.h"
#include "fuse/attention/attention_form.h"
#include "kernel/rewrite_kernel.h"
#include "layout/relayout.h"

namespace burin {
namespace {

constexpr int64_t kMostNodes = 512;  // of a kernel that computes what it read, as trees
constexpr size_t kMostForms = 64;    // the problem stays small

// A box of a tensor: first element and extents. All of its sizes are numbers.
struct Box {
  std::vector<int64_t> first, extent;
  bool operator==(const Box&) const = default;
  bool contains(const Box& other) const {
    for (size_t d = 0; d < first.size(); ++d) {
      if (other.first[d] < first[d] || other.first[d] + other.extent[d] > first[d] + extent[d])
        return false;
    }
    return true;
  }
  bool meets(const Box& other) const {
    for (size_t d = 0; d < first.size(); ++d) {
      if (other.first[d] + other.extent[d] <= first[d] || first[d] + extent[d] <= other.first[d])
        return false;
    }
    return true;
  }
  int64_t points() const {
    int64_t count = 1;
    for (const int64_t one : extent) count *= one;
    return count;
  }
};
std::optional<Box> box_of(const std::vector<Index>& at) {
  Box out;
  for (const Index& index : at) {
    if (index.has_data() || !index.range().bounded()) return std::nullopt;
    out.first.push_back(index.range().lo);
    out.extent.push_back(index.range().hi - index.range().lo + 1);
  }
  return out;
}

class FormFinder {
 public:
  FormFinder(const KernelGraph& graph, int64_t least_points)
      : graph_(graph), least_points_(least_points) {
    out_.values = graph.values;
    for (const ValueId id : free_values(graph)) free_.insert(id);
    for (size_t s = 0; s < graph.steps.size(); ++s) {
      const int position = static_cast<int>(s);
      for (const ValueId id : reads_of(graph.steps[s])) readers_[id].push_back(position);
      for (const ValueId id : writes_of(graph.steps[s])) writers_[id].push_back(position);
    }
  }

  Forms run() {
    for (int s = 0; s < static_cast<int>(graph_.steps.size()); ++s) {
      if (!kernel_at(s)) continue;
      take(computed_by_readers(s));
      take(part_of_its_own(s));
    }
    return std::move(out_);
  }

 private:
  const Kernel* kernel_at(int step) const {
    const Step& one = graph_.steps[static_cast<size_t>(step)];
    const Kernel* kernel = std::get_if<Kernel>(&one);
    return kernel && !find_attention(*kernel, graph_.values) ? kernel : nullptr;
  }

  bool is_looked_at(ValueId id) const {
    return free_.contains(id) && !touched_.contains(id) &&
           at_hints(product(graph_.values[static_cast<size_t>(id)].shape)) >= least_points_;
  }

  // At most one form touches a step or a tensor that another one is about.
  void take(std::optional<Form> form) {
    if (!form || out_.forms.size() >= kMostForms) return;
    for (const auto& [step, kernels] : form->steps) {
      if (taken_.contains(step)) return;
    }
    for (const auto& [step, kernels] : form->steps) {
      taken_.insert(step);
      for (const ValueId id : reads_of(graph_.steps[static_cast<size_t>(step)]))
        touched_.insert(id);
      for (const ValueId id : writes_of(graph_.steps[static_cast<size_t>(step)]))
        touched_.insert(id);
    }
    if (form->appears) {
      form->tensor = static_cast<ValueId>(out_.values.size());
      out_.values.push_back(std::move(part_));
      for (auto& [step, kernels] : form->steps) {
        for (Kernel& kernel : kernels) kernel = with_value(kernel, kPart, form->tensor);
      }
    }
    out_.forms.push_back(std::move(*form));
  }

  // What its operands hold was there before it, and stays.
  bool reads_are_stable(int step) const {
    for (const ValueId id : reads_of(graph_.steps[static_cast<size_t>(step)])) {
      const auto writers = writers_.find(id);
      if (writers != writers_.end() && writers->second.back() >= step) return false;
    }
    return true;
  }

  std::optional<Form> computed_by_readers(int step) const {
    const Kernel& map = *kernel_at(step);
    if (!is_map(map) || is_concat(map) || map.writes.size() != 1 || !reads_are_stable(step))
      return std::nullopt;
    const ValueId result = map.writes[0].to;
    if (!is_looked_at(result) || writers_.at(result).size() != 1 || !readers_.contains(result))
      return std::nullopt;
    Form form;
    form.tensor = result;
    form.steps[step] = {};
    for (const int reader : readers_.at(result)) {
      const Kernel* one = kernel_at(reader);
      if (!one || reader < step || size_with(*one, result, map.writes[0].value) > kMostNodes)
        return std::nullopt;
      for (const ValueId written : writes_of(*one)) {
        const std::vector<ValueId> reads = reads_of(map);
        if (std::find(reads.begin(), reads.end(), written) != reads.end()) return std::nullopt;
      }
      form.steps[reader] = {inlined(*one, map)};
    }
    return form;
  }

  // The part that a kernel writes of a tensor that others write, too.
  std::optional<Form> part_of_its_own(int step) {
    const Kernel& maker = *kernel_at(step);
    if (maker.writes.size() != 1 || only_moves(maker)) return std::nullopt;
    const Write& write = maker.writes[0];
    const ValueId whole = write.to;
    if (!is_looked_at(whole) || writers_.at(whole).size() < 2 || write.how != How::store ||
        !write.when.empty() || !readers_.contains(whole))
      return std::nullopt;
    const std::optional<Box> box = box_of(write.at);
    if (!box || !is_alone_in(*box, whole, step)) return std::nullopt;
    int64_t points = 1;
    for (const int axis : write.over) {
      const Dim& extent = maker.axes[static_cast<size_t>(axis)].extent;
      if (!extent.is_constant()) return std::nullopt;
      points *= extent.constant();
    }
    if (points != box->points()) return std::nullopt;
    Form form;
    form.appears = true;
    for (const int reader : readers_.at(whole)) {
      const Kernel* one = kernel_at(reader);
      if (one && reader > step && reads_within(*one, whole, *box))
        form.steps[reader] = {reading_part(*one, whole, *box)};
    }
    if (form.steps.empty()) return std::nullopt;
    part_ = graph_.values[static_cast<size_t>(whole)];
    part_.name += "_part";
    part_.shape.clear();
    for (const int64_t extent : box->extent) part_.shape.emplace_back(extent);
    Kernel apart = maker;
    apart.writes[0].to = kPart;
    for (size_t d = 0; d < write.at.size(); ++d)
      apart.writes[0].at[d] = write.at[d] - Index(box->first[d]);
    form.steps[step] = {std::move(apart), copy_of(*box, whole, maker)};
    return form;
  }

  // Nobody else writes there.
  bool is_alone_in(const Box& box, ValueId whole, int step) const {
    const auto touches = [&](const Write& write) {
      if (write.to != whole) return false;
      const std::optional<Box> other = box_of(write.at);
      return !other || box.meets(*other);
    };
    const std::vector<int>& writers = writers_.at(whole);
    return std::all_of(writers.begin(), writers.end(), [&](int writer) {
      if (writer == step) return true;
      const auto* other = std::get_if<Kernel>(&graph_.steps[static_cast<size_t>(writer)]);
      return other && std::none_of(other->writes.begin(), other->writes.end(), touches);
    });
  }

  static bool reads_within(const Kernel& kernel, ValueId whole, const Box& box) {
    const std::vector<std::vector<Index>> points = load_points(kernel, whole);
    const std::vector<ValueId> writes = writes_of(kernel);
    return std::find(writes.begin(), writes.end(), whole) == writes.end() &&
           std::all_of(points.begin(), points.end(), [&](const std::vector<Index>& at) {
             const std::optional<Box> read = box_of(at);
             return read && box.contains(*read);
           });
  }

  static Kernel reading_part(const Kernel& kernel, ValueId whole, const Box& box) {
    Kernel out = kernel;
    rewrite_exprs(out, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::load || expr->id != whole) return expr;
      std::vector<Index> at = expr->at;
      for (size_t d = 0; d < at.size(); ++d) at[d] = at[d] - Index(box.first[d]);
      return Expr::load(kPart, expr->storage, std::move(at));
    });
    return out;
  }

  Kernel copy_of(const Box& box, ValueId whole, const Kernel& maker) const {
    Kernel copy;
    Write write;
    std::vector<Index> from;
    for (size_t d = 0; d < box.extent.size(); ++d) {
      const int axis = static_cast<int>(d);
      copy.axes.push_back({Dim(box.extent[d]), AxisKind::parallel, {}});
      from.push_back(Index::axis(axis, box.extent[d]));
      write.at.push_back(from.back() + Index(box.first[d]));
      write.over.push_back(axis);
    }
    write.to = whole;
    write.value =
        Expr::load(kPart, graph_.values[static_cast<size_t>(whole)].type, std::move(from));
    copy.name = maker.name;
    copy.origins = maker.origins;
    copy.writes.push_back(std::move(write));
    return copy;
  }

  static Kernel with_value(const Kernel& kernel, ValueId from, ValueId to) {
    Kernel out = kernel;
    rewrite_exprs(out, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::load || expr->id != from) return expr;
      return Expr::load(to, expr->storage, expr->at);
    });
    for (Write& write : out.writes) {
      if (write.to == from) write.to = to;
    }
    return out;
  }

  static constexpr ValueId kPart = 1 << 30;  // until the part has its number

  const KernelGraph& graph_;
  const int64_t least_points_;
  std::set<ValueId> free_, touched_;
  std::map<ValueId, std::vector<int>> readers_, writers_;
  std::set<int> taken_;
  Value part_;
  Forms out_;
};

}  // namespace

Forms find_forms(const KernelGraph& graph, int64_t least_points) {
  return FormFinder(graph, least_points).run();
}

KernelGraph with_forms(KernelGraph graph, const Forms& forms, const std::vector<int>& chosen) {
  if (chosen.empty()) return graph;
  std::map<int, const std::vector<Kernel>*> replaced;
  for (const int number : chosen) {
    for (const auto& [step, kernels] : forms.forms[static_cast<size_t>(number)].steps)
      replaced[step] = &kernels;
  }
  graph.values = forms.values;
  Steps steps;
  for (size_t s = 0; s < graph.steps.size(); ++s) {
    const auto other = replaced.find(static_cast<int>(s));
    if (other == replaced.end()) {
      steps.push_back(std::move(graph.steps[s]));
    } else {
      for (const Kernel& kernel : *other->second) steps.emplace_back(kernel);
    }
  }
  graph.steps = std::move(steps);
  return graph;
}

}  // namespace burin
