// REPORT.html: what was decided, to look at. One file without scripts, which asks nothing of the
// network.
#include <algorithm>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/page_pictures.h"
#include "backends/kernel_work.h"
#include "hardware/capabilities.h"
#include "kernel/layout.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"

namespace burin::cpp {
namespace {

class Page {
 public:
  Page(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
       const WeightsLayout& weights)
      : plan_(plan), names_(names), kernels_(kernels), weights_(weights) {
    WorkMeter meter(plan.graph, &plan.kernels);
    for_each_step(plan.graph.steps, [&](const Step& step) {
      const bool view = plan.memory.dropped.contains(step.id);
      work_.emplace(step.id, view ? KernelWork() : meter.of(step));
      if (std::holds_alternative<Kernel>(step)) total_ += cycles(step.id);
    });
  }

  Code text() const {
    const std::vector<PageStep> steps = page_steps(plan_, kernels_);
    Args args{{"name", names_.model},
              {"figures", figures()},
              {"graph", graph_picture(plan_, steps)},
              {"arena", arena_picture(plan_, steps)},
              {"layouts", layouts()},
              {"constants", constants()}};
    // A row for each step is the most of it, and not copied.
    args.emplace("kernels", kernels(steps));
    return Template::embedded("templates/common/REPORT.html.in").render(args);
  }

 private:
  int64_t cycles(StepId step) const { return work_.at(step).least_cycles(plan_.hardware); }

  List figures() const {
    List out;
    const auto add = [&](const char* what, const std::string& value) {
      append(out, {{"what", printed_code(what)}, {"value", html_text(value)}});
    };
    int64_t macs = 0;
    for (const auto& [step, work] : work_) macs += work.macs;
    std::string sizes;
    for (const Symbol& symbol : plan_.graph.symbols) {
      sizes += (sizes.empty() ? "" : ", ") + symbol->name + " = " +
               std::to_string(at_hints(Index::symbol(symbol)));
    }
    const int64_t arena = evaluate(plan_.memory, plan_.memory.arena_bytes,
                                   [](const Symbol& one) { return at_hints(Index::symbol(one)); });
    add("hardware", plan_.hardware.name);
    if (!sizes.empty()) add("figures are for", sizes);
    add("arena, bytes", std::to_string(std::max<int64_t>(0, arena)));
    add("weights, bytes", std::to_string(weights_.payload_bytes));
    add("MACs", std::to_string(macs));
    add("least cycles", std::to_string(total_));
    add("distinct kernels", std::to_string(kernels_.kernels.size()));
    add("nodes without a kernel", std::to_string(plan_.eliminated.size()));
    return out;
  }

  Code link(const PageStep& step) const {
    const bool device = has_device(plan_.hardware);
    return code("<a href=\"", device ? Code("opencl/") : Code("src/kernels/"), html_text(step.name),
                device ? Code(".cl") : Code(".cpp"), "\">", html_text(step.name), "</a>");
  }

  List kernels(const std::vector<PageStep>& steps) const {
    List out;
    for (const PageStep& step : steps) {
      const KernelWork& work = work_.at(step.id);
      const auto schedule = plan_.kernels.find(step.id);
      const bool kernel = schedule != plan_.kernels.end();
      const int64_t share = kernel && total_ > 0 ? cycles(step.id) * 1000 / total_ : 0;
      append(out, {{"step", step.position},
                   {"name", kernel && step.name != "a view" ? link(step) : html_text(step.name)},
                   {"nodes", html_text(step.nodes)},
                   {"family", kernel ? html_text(schedule->second.family) : Code()},
                   {"why", kernel ? html_text(schedule->second.reason) : Code()},
                   {"macs", work.macs},
                   {"cycles", kernel ? cycles(step.id) : int64_t{0}},
                   {"permille", share}});
    }
    return out;
  }

  List layouts() const {
    List out;
    for (const auto& [tensor, layout] : plan_.layouts)
      append(out, {{"what", html_text(tensor)}, {"layout", html_text(layout)}});
    return out;
  }

  List constants() const {
    List out;
    for (const ValueId id : weights_.order) {
      const Value& value = plan_.graph.values[static_cast<size_t>(id)];
      append(out, {{"offset", weights_.offsets.at(id)},
                   {"bytes", value.constant.bytes},
                   {"layout", html_text(to_string(value.layout))},
                   {"what", html_text(value.name + ": " + std::string(to_string(value.type)) +
                                      to_string(value.shape))}});
    }
    return out;
  }

  const ModelPlan& plan_;
  const TreeNames& names_;
  const KernelSet& kernels_;
  const WeightsLayout& weights_;
  std::map<StepId, KernelWork> work_;
  int64_t total_ = 0;  // cycles
};

}  // namespace

void emit_page(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
               const WeightsLayout& weights, SourceTree& tree) {
  std::string place = names.places.report;
  place.replace(place.rfind(".md"), 3, ".html");
  tree.add(place, Page(plan, names, kernels, weights).text(), "report");
}

}  // namespace burin::cpp
