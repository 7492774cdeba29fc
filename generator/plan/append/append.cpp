#include "plan/append/append.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "kernel/defined_symbols.h"
#include "kernel/index/size_bound.h"
#include "kernel/rewrite_kernel.h"
#include "plan/append/append_writes.h"
#include "support/at.h"

namespace burin {
namespace {

// How often the steps of a list, and of those inside them, touch each value.
struct StateTouches {
  // Single elements are loaded by what binds sizes, checks and branches; the rest are procedures,
  // which take a tensor as it lies.
  std::vector<int> kernels, writes, loads, others;
  explicit StateTouches(size_t values)
      : kernels(values), writes(values), loads(values), others(values) {}

  void add(const Steps& steps) {
    for_each_step(steps, [&](const Step& step) {
      const auto in = [&](const Expr& expr) {
        if (!expr) return;
        visit(expr, [&](const ExprNode& node) {
          if (node.kind == ExprKind::load) ++loads[at(node.id)];
        });
      };
      if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        in((*branch)->condition);
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        in((*loop)->condition);
        in(Expr::index((*loop)->trips));
      } else {
        std::vector<int>& touched = std::holds_alternative<Kernel>(step)      ? kernels
                                    : std::holds_alternative<Procedure>(step) ? others
                                                                              : loads;
        for (const ValueId id : reads_of(step)) ++touched[at(id)];
        for (const ValueId id : writes_of(step)) {
          ++touched[at(id)];
          ++writes[at(id)];
        }
      }
    });
  }
};

class LoopPlanner {
 public:
  LoopPlanner(const KernelGraph& graph, const Steps& body, const StateTouches& all)
      : graph_(graph), body_(body), all_(all), inside_(graph.values.size()) {
    inside_.add(body);
    for (const Step& step : body) bound_inside_.merge(defined_symbols(step));
  }

  void plan(std::vector<Append>& appends) const {
    for (const Step& step : body_) {
      const auto* kernel = std::get_if<Kernel>(&step);
      const std::optional<ValueId> from = kernel ? copied_by(*kernel) : std::nullopt;
      if (!from) continue;
      if (auto append = append_to(kernel->writes[0].to, *from)) appends.push_back(*append);
    }
  }

 private:
  const Value& value(ValueId id) const { return graph_.values[at(id)]; }

  // A value that only kernels of this body touch.
  bool is_own(ValueId id) const {
    return value(id).kind == ValueKind::internal && all_.others[at(id)] == 0 &&
           all_.loads[at(id)] == 0 && all_.kernels[at(id)] == inside_.kernels[at(id)];
  }

  // What `id` is a copy of, made by the only step that writes it.
  std::optional<ValueId> source_of(ValueId id) const {
    if (inside_.writes[at(id)] != 1) return std::nullopt;
    for (const Step& step : body_) {
      const auto* kernel = std::get_if<Kernel>(&step);
      if (kernel && kernel->writes.size() == 1 && kernel->writes[0].to == id)
        return copied_by(*kernel);
    }
    return std::nullopt;
  }

  bool is_lasting(const Dim& dim) const {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    return std::none_of(symbols.begin(), symbols.end(),
                        [&](const Symbol& one) { return bound_inside_.contains(one->name); });
  }

  // The dimension in which `grown` is longer than the state; all others stay.
  std::optional<int> growing_dimension(ValueId state, ValueId grown) const {
    const std::vector<Dim>&a = value(state).shape, &b = value(grown).shape;
    std::optional<int> found;
    if (a.size() != b.size() || value(state).type != value(grown).type) return std::nullopt;
    for (size_t d = 0; d < a.size(); ++d) {
      if (a[d] == b[d] && is_lasting(a[d])) continue;
      if (found || a[d].kind() != IndexKind::symbol) return std::nullopt;
      found = static_cast<int>(d);
    }
    return found;
  }

  std::optional<Append> append_to(ValueId state, ValueId from) const {
    // Whoever loads an element finds it where it was.
    const bool carried = value(state).kind == ValueKind::internal && all_.others[at(state)] == 0 &&
                         inside_.writes[at(state)] == 1;
    if (!carried) return std::nullopt;
    Append out;
    out.state = state;
    out.grown = {from};
    while (const std::optional<ValueId> before = source_of(out.grown.front())) {
      if (*before == state || !is_own(*before)) break;
      out.grown.insert(out.grown.begin(), *before);
    }
    if (!std::all_of(out.grown.begin(), out.grown.end(), [&](ValueId id) { return is_own(id); }))
      return std::nullopt;
    const ValueId grown = out.grown.front();
    const std::optional<int> dimension = growing_dimension(state, grown);
    if (!dimension || size_bits(value(state).type) < 8) return std::nullopt;
    out.dimension = *dimension;
    out.room = value(state).shape;
    const std::optional<Dim> most = bound_before_run(out.room[at(*dimension)]);
    if (!most) return std::nullopt;
    out.room[at(*dimension)] = *most;
    return has_checked_size(grown, out) && keeps_what_is_old(out) ? std::optional(out)
                                                                  : std::nullopt;
  }

  // The run checks that the new extent has room.
  bool has_checked_size(ValueId grown, const Append& append) const {
    const std::optional<size_t> place = bind_of(body_, value(grown).shape[at(append.dimension)]);
    if (!place) return false;
    const Symbol& next = std::get<Bind>(body_[*place]).symbol;
    const std::optional<Dim> most = bound_before_run(Index::symbol(next));
    return most && proven_le(*most, append.room[at(append.dimension)]);
  }

  bool keeps_what_is_old(const Append& append) const {
    bool covered = false;
    int written = 0;
    for (const Step& step : body_) {
      const auto* kernel = std::get_if<Kernel>(&step);
      if (!kernel) continue;
      for (const Write& write : kernel->writes) {
        if (write.to != append.grown.front()) continue;
        ++written;
        switch (append_write(*kernel, write, append, graph_.values)) {
          case AppendWrite::old:
          case AppendWrite::both:
            covered = true;
            break;
          case AppendWrite::added:
            break;
          case AppendWrite::other:
            return false;
        }
      }
    }
    // A nested step writes it too.
    return covered && written >= inside_.writes[at(append.grown.front())];
  }

  const KernelGraph& graph_;
  const Steps& body_;
  const StateTouches& all_;
  StateTouches inside_;
  std::set<std::string> bound_inside_;
};

}  // namespace

AppendPlan plan_appends(const KernelGraph& graph) {
  StateTouches all(graph.values.size());
  all.add(graph.steps);
  AppendPlan plan;
  for_each_step(graph.steps, [&](const Step& step) {
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step))
      LoopPlanner(graph, (*loop)->body, all).plan(plan.appends);
  });
  return plan;
}

std::string to_string(const AppendPlan& plan) {
  std::string out;
  for (const Append& one : plan.appends) {
    out += "v" + std::to_string(one.state) + " has room for " + to_string(one.room) + ", in place:";
    for (const ValueId id : one.grown) out += " v" + std::to_string(id);
    out += '\n';
  }
  return out;
}

}  // namespace burin
