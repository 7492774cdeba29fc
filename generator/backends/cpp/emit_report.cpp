// REPORT.md: what was decided, as tables for people.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/one_by_one.h"
#include "hardware/capabilities.h"
#include "kernel/layout.h"
#include "print/remarks.h"
#include "render/printed_code.h"
#include "render/printer.h"
#include "render/template.h"
#include "support/sha256.h"
#include "support/version.h"

namespace burin::cpp {
namespace {

class Report {
 public:
  Report(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
         const WeightsLayout& weights)
      : plan_(plan), names_(names), kernels_(kernels), weights_(weights) {}

  Code text() {
    collect_calls();
    List known, unneeded, sizes, support;
    for (const Eliminated& one : plan_.eliminated)
      (one.folded ? known : unneeded).emplace_back(node_code(one.node));
    for (const NamedSize& size : plan_.memory.named) {
      append(sizes, {{"name", code("`", names_.symbol(size.symbol), "`")},
                     {"value", size_code(size.value)}});
    }
    if (plan_.profile == Profile::kFreestanding) {
      for (const std::string& routine : plan_.hardware.support_routines)
        support.emplace_back(code("`", printed_code(routine), "`"));
    }
    return Template::embedded("templates/common/REPORT.md.in")
        .render({{"name", names_.model},
                 {"opencl", has_device(plan_.hardware)},
                 {"facts", facts()},
                 {"kernels", calls_},
                 {"vectors", has_vectors(plan_.hardware)},
                 {"follows_calls", plan_.code_sizes && plan_.code_sizes->follows_calls},
                 {"single", single()},
                 {"parallel", Code(printed_code(to_string(plan_.groups.mode)))},
                 {"joint", joint()},
                 {"known", known},
                 {"unneeded", unneeded},
                 {"sizes", sizes},
                 {"images", images()},
                 {"support", support},
                 {"code", code_rows()},
                 {"deepest", deepest()}});
  }

 private:
  const Value& value(ValueId id) const { return plan_.graph.values[static_cast<size_t>(id)]; }

  Code size_code(const Dim& dim) const { return printed_code(readable_size(dim, names_)); }

  static Code node_code(const Origin& origin) {
    return code(markdown_text(origin.op), origin.node.empty() ? Code() : Code(" "),
                markdown_code(origin.node));
  }

  static Code tensor_code(const Value& value) {
    return code(markdown_code(value.name), ": ",
                markdown_text(std::string(to_string(value.type)) + to_string(value.shape)));
  }

  static Code nodes_code(const std::vector<Origin>& origins) {
    Code text;
    for (size_t i = 0; i < origins.size(); ++i)
      text += code(i ? Code(", ") : Code(), node_code(origins[i]));
    return text;
  }

  // Of --code-sizes.
  List code_rows() const {
    List out;
    if (!plan_.code_sizes) return out;
    for (const CodeSizes::Row& row : plan_.code_sizes->rows)
      append(out, {{"source", code("`", printed_code(row.source), "`")},
                   {"code", row.code},
                   {"constants", row.constants},
                   {"stack", row.stack}});
    return out;
  }
  Code deepest() const {
    Code out;
    if (!plan_.code_sizes) return out;
    for (const std::string& name : plan_.code_sizes->deepest)
      out += code(out.empty() ? Code() : Code(", "), markdown_code(name));
    return out;
  }

  List single() const {
    List out;
    const auto percent = [](int64_t thousandths) {
      return markdown_text(fmt::format("{}.{} %", thousandths / 10, thousandths % 10));
    };
    for (const OneByOne& one : one_by_one(plan_)) {
      append(out, {{"name", code(kernels_.kernel_at(one.step).name)},
                   {"of_step", percent(one.of_step)},
                   {"of_network", percent(one.of_network)},
                   {"why", markdown_text(plan_.kernels.at(one.step).reason)}});
    }
    return out;
  }

  // What became of kernels that could run beside others.
  List joint() const {
    List out;
    for (const LaunchDecision& decision : plan_.groups.decisions) {
      append(out, {{"kernel", markdown_text(decision.kernel)},
                   {"beside", markdown_text(decision.beside)},
                   {"became", decision.joint ? Code("joint") : Code("apart")},
                   {"why", markdown_text(reason_of(decision))}});
    }
    return out;
  }

  Code why(const KernelSchedule& schedule, StepId step) const {
    std::string text = schedule.reason;
    if (schedule.index_bits == 32) text += "; 32-bit indices";
    if (schedule.cut) text += "; threads share " + to_string(*schedule.cut);
    if (plan_.thread_groups.group_of(step) != nullptr)
      text += "; threads take its parts beside those of a neighbour";
    if (plan_.tuning && plan_.tuning->tuned.contains(step))
      text += "; tuned, entry " + plan_.tuning->tuned.at(step);
    return markdown_text(text);
  }

  void add_made_from(const std::function<void(const std::string&, const Code&)>& add) const {
    add("made by burin", markdown_text(std::string(version())));
    if (plan_.made_from.flags.empty()) return;
    std::string flags;
    for (const std::string& one : plan_.made_from.flags) flags += (flags.empty() ? "" : " ") + one;
    add("with the flags", markdown_code(flags));
    for (const MadeFrom::File& file : plan_.made_from.files) {
      const std::string what = kMadeFromFolder + file.path + ", SHA-256";
      add(what, code("`", printed_code(sha256_hex(file.bytes)), "`"));
    }
  }

  // Nothing where the target is no device.
  void add_device(const std::function<void(const std::string&, const Code&)>& add) const {
    if (!has_device(plan_.hardware)) return;
    const DeviceMemory& memory = plan_.device;
    add("memory of the device, bytes", size_code(memory.total()));
    if (!memory.total().is_constant()) {
      const std::optional<int64_t> most = memory.most();
      add("the same at the largest sizes",
          most ? Code::integer(*most)
               : markdown_text("no number, since nothing bounds " + open_sizes(plan_)));
    }
    add("of it arena", size_code(memory.arena));
    add("inputs and outputs", size_code(memory.outside));
    add("weights", Code::integer(memory.constants));
    add("images of weights", Code::integer(memory.texels));
    add("images that kernels write", size_code(memory.images));
  }

  void collect_calls() {
    for_each_step(plan_.graph.steps, [&](const Step& step) {
      if (const auto* procedure = std::get_if<Procedure>(&step)) {
        append(calls_, {{"name", code("`", printed_code(procedure->function), "`")},
                        {"family", Code("procedure")},
                        {"nodes", nodes_code(procedure->origins.list())},
                        {"why", Code("no loop nest: a function of `src/rt/procedures/`")}});
      }
      const Kernel* kernel = std::get_if<Kernel>(&step);
      if (!kernel) return;
      const bool is_view = plan_.memory.dropped.contains(step.id);
      const KernelSchedule& schedule = plan_.kernels.at(step.id);
      Code name = "a view";
      if (!is_view) name = code(kernels_.kernel_at(step.id).name);
      append(calls_, {{"name", name},
                      {"family", is_view ? Code("movement") : printed_code(schedule.family)},
                      {"nodes", nodes_code(kernel->origins.list())},
                      {"why", is_view ? Code("its result is bytes that are there already")
                                      : why(schedule, step.id)}});
    });
  }

  List facts() const {
    List out;
    const auto add = [&](const std::string& what, const Code& value) {
      append(out, {{"what", printed_code(what)}, {"value", value}});
    };
    const MemoryPlan& memory = plan_.memory;
    add("hardware", markdown_text(plan_.hardware.name));
    add_made_from(add);
    add("profile", printed_code(name_of(plan_.profile)));
    add("distinct kernels", Code::integer(static_cast<int64_t>(kernels_.kernels.size())));
    add("threads that may share a loop", Code::integer(workers_of(plan_)));
    add("arena, bytes", size_code(memory.arena_bytes));
    if (!memory.arena_bytes.is_constant())
      add("arena for all sizes, bytes",
          memory.arena_bound
              ? Code::integer(*memory.arena_bound)
              : markdown_text("no number, since nothing bounds " + open_sizes(plan_)));
    add("its lower bound: the largest sum of bytes that are live at once",
        size_code(memory.lower_bound));
    add("found by", memory.method.empty()
                        ? Code("nobody: nothing needs a place")
                        : markdown_text(memory.method + (memory.optimal ? optimal_where() : "")));
    add("weights, bytes", Code::integer(weights_.payload_bytes));
    add("weights are",
        plan_.weights == WeightsMode::blob ? Code("a file") : Code("part of the program"));
    if (plan_.fast_math)
      add("arithmetic", Code("of floats is reassociated where that is less of it: fast-math"));
    int64_t few = 0;
    double squares = 0;
    for (const auto& [step, schedule] : plan_.kernels) {
      if (schedule.added_error == 0) continue;
      ++few;
      squares += schedule.added_error * schedule.added_error;
    }
    if (few > 0)
      add("convolutions by fewer products (Winograd)",
          markdown_text(std::to_string(few) +
                        "; what they add to rounding errors together: about " +
                        fmt::format("{:.1e}", std::sqrt(squares)) + " of a result's usual size"));
    add_device(add);
    if (const auto& use = plan_.tuning)
      add("the tuning file", markdown_text(std::to_string(use->entries) + " entries; " +
                                           std::to_string(use->tuned.size()) + " kernels and " +
                                           std::to_string(use->pairs) + " pairs are here"));
    for (const DeviceSize& one : plan_.sizes.sizes) {
      const std::string where = one.on_host.empty() ? "found and read on the device"
                                                    : "the host reads it: " + one.on_host;
      add("a dynamic size", markdown_text(one.symbol->name + ": " + where));
    }
    if (const Fp16Plan& fp16 = plan_.fp16; fp16.use != Fp16Use::off) {
      int64_t stored = 0;
      for (const ValueId id : fp16.stored) stored += is_stored_fp16(plan_, weights_, id);
      add("tensors of floats kept as fp16", Code::integer(stored));
      const Fp16Weights bytes = fp16_weights(plan_, weights_);
      add("weights in fp16, bytes", Code::integer(bytes.f16));
      add("weights in floats, bytes", Code::integer(bytes.f32));
      for (const std::string& one : fp16.kept) add("kept as floats", markdown_text(one));
      add("kernels with elements in fp16", Code::integer(int64_t(fp16.kernels.size())));
    }
    if (const auto& sizes = plan_.code_sizes) {
      int64_t bytes = 0, constants = 0;
      for (const CodeSizes::Row& row : sizes->rows) {
        bytes += row.code;
        constants += row.constants;
      }
      add("code, bytes", Code::integer(bytes));
      add("constants beside it, bytes", Code::integer(constants));
      add(sizes->follows_calls
              ? "deepest stack, bytes"
              : "stack, bytes, largest frames of schedule, kernels and runtime together",
          Code::integer(sizes->stack));
      add("these as compiled by", markdown_code(sizes->compiler));
    }
    add("self-test", plan_.self_test.origin.empty() ? Code("none was asked for")
                                                    : markdown_text(plan_.self_test.origin));
    return out;
  }

  // A plan for every size is compared with its bound at the sizes to optimise for.
  std::string optimal_where() const {
    std::string at;
    for (const Symbol& symbol : plan_.graph.symbols) {
      at += (at.empty() ? " at " : ", ") + names_.symbol(symbol).text() + " = " +
            std::to_string(at_hints(Index::symbol(symbol)));
    }
    return ", optimal" + at;
  }

  // Tensors that are images.
  List images() const {
    List out;
    for (const ImageDecision& one : plan_.images.decisions) {
      if (!one.image) continue;
      append(out, {{"number", image_number(plan_, one.value)},
                   {"map", markdown_text(to_string(plan_.images.maps.at(one.value)))},
                   {"what", tensor_code(value(one.value))},
                   {"why", markdown_text(one.reason)}});
    }
    return out;
  }

  const ModelPlan& plan_;
  const TreeNames& names_;
  const KernelSet& kernels_;
  const WeightsLayout& weights_;
  List calls_;
};

}  // namespace

void emit_report(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
                 const WeightsLayout& weights, SourceTree& tree) {
  tree.add(names.places.report, Report(plan, names, kernels, weights).text(), "report");
  emit_page(plan, names, kernels, weights, tree);
}

}  // namespace burin::cpp
