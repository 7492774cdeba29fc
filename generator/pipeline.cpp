#include "pipeline.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "fuse/constants/unpack.h"
#include "graph/tool_names.h"
#include "hardware/capabilities.h"
#include "kernel/place_of.h"
#include "kernel/run_order.h"
#include "layout/image_memory.h"
#include "lower/facts.h"
#include "lower/output_draws.h"
#include "lower/output_roundings.h"
#include "missing_operators.h"
#include "pipeline_input.h"
#include "pipeline_memory.h"
#include "plan/append/append.h"
#include "plan/append/keep_states.h"
#include "plan/images/device_memory.h"
#include "plan/memory/size_limit.h"
#include "plan/order/order.h"
#include "select/fuse_options.h"
#include "select/images/image_launches.h"
#include "select/select.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/stages.h"

namespace burin {
namespace {

constexpr int64_t kEmbedBytes = 64
                                << 10;  // of constants that become part of the program by default

size_t count_nodes(const Block& block) {
  size_t count = block.nodes.size();
  for (const Node& node : block.nodes) {
    for (const Attribute& attribute : node.attributes) {
      if (const auto* inner = std::get_if<std::shared_ptr<const Block>>(&attribute.value))
        count += count_nodes(**inner);
    }
  }
  return count;
}

int64_t constant_bytes(const KernelGraph& graph) {
  int64_t bytes = 0;
  for (const Value& value : graph.values) {
    if (value.kind == ValueKind::constant) bytes += static_cast<int64_t>(value.constant.bytes);
  }
  return bytes;
}

// Which tensors are images; `views` are not launched.
ImagePlan choose_images(ModelPlan& plan, const CompileOptions& options,
                        const std::map<StepId, std::string>& keys, const std::set<StepId>& views) {
  if (plan.hardware.opencl.images.width_max == 0) return {};
  const MeasuredImages measured =
      measured_images(plan.kernels, plan.graph.values, keys, options.tuning.value_or(Tuning{}));
  ImagePlan images =
      plan_images(plan.graph, plan.kernels, views, plan.hardware, options.memory, measured);
  apply_images(images, plan.graph.values, plan.kernels);
  const std::string fault = check_images(images, plan.graph, plan.kernels, plan.hardware);
  BURIN_CHECK(fault.empty(), fault);
  plan.image_constants = constants_in_images(images, plan.graph.values);
  return images;
}

// Which launches of independent kernels are joint; `views` are not launched.
LaunchGroups group_launches(ModelPlan& plan, const CompileOptions& options,
                            const std::map<StepId, std::string>& keys,
                            const std::set<StepId>& views) {
  LaunchGroups groups =
      plan_launch_groups(plan.graph, plan.kernels, views, plan.hardware, options.parallel_fusion,
                         {keys, options.tuning.value_or(Tuning{}).pairs});
  const std::string fault = check_launch_groups(groups, plan.graph, plan.kernels, plan.hardware);
  BURIN_CHECK(fault.empty(), fault);
  plan.graph = in_order(std::move(plan.graph), groups.order);
  check_kernel_graph(plan.graph);
  return groups;
}

// Nodes that stand behind no step. A name is that of one node or of several; then all of them are.
std::vector<Eliminated> eliminated_nodes(const std::vector<NodeFacts>& nodes,
                                         const std::vector<Origin>& computed,
                                         const KernelGraph& graph) {
  std::set<std::pair<std::string, std::string>> known;
  for (const Origin& origin : computed) known.insert({origin.node, origin.op});
  std::set<std::pair<std::string, std::string>> standing;
  for_each_step(graph.steps, [&](const Step& step) {
    for (const Origin& origin : origins_of(step)) standing.insert({origin.node, origin.op});
  });
  std::vector<Eliminated> out;
  for (const NodeFacts& node : nodes) {
    if (!standing.contains({node.node, node.op}))
      out.push_back({{node.node, node.op}, node.folded || known.contains({node.node, node.op})});
  }
  return out;
}

// Sizes that no input has a name for may be dynamic.
LowerOptions with_dims(const CompileOptions& options, const OtherDims& others) {
  LowerOptions out = options.lower;
  out.input_dims = others.names;
  for (const DimBinding& binding : options.import.dims) out.given.push_back(binding.name);
  for (const DimBinding& binding : others.bindings) {
    SymbolBound bound{binding.name, {}, binding.max, binding.hint, binding.of_any};
    if (binding.min != DimBinding::kOpen) bound.min = binding.min;
    out.bounds.push_back(std::move(bound));
  }
  return out;
}

// Verbs of a tuning file that their kernels cannot have are said: these are as without the file.
// Images are chosen later, and for all tensors.
void note_unfit_verbs(const Tuning& tuning, const ModelPlan& plan, std::vector<Diagnostic>& notes) {
  size_t told = 0, unfit = 0;
  for (const auto& [step, schedule] : plan.kernels) {
    const auto found = tuning.kernels.find(plan.kernel_keys.at(step));
    if (found == tuning.kernels.end()) continue;
    for (const Verb& verb : found->second.verbs) {
      if (verb.what == "images" || verb.what == "constants") continue;
      ++told;
      unfit += !says(schedule.verbs, verb);
    }
  }
  if (unfit > 0)
    notes.push_back({{.file = "--tuning"},
                     "tuning",
                     std::to_string(unfit) + " of " + std::to_string(told) +
                         " verbs do not fit their kernels, which are as without them",
                     {}});
}

Compiled compile_model(const CompileOptions& options, const Hardware& hardware) {
  Stages stages(options.dump_dir, options.progress);
  Compiled out;
  ModelPlan& plan = out.plan;
  plan.hardware = hardware;
  plan.hardware_sha256 = hardware.sha256;
  plan.profile = options.profile.value_or(hardware.profile);
  plan.fast_math = options.fuse.fast_math;
  plan.step_hook = options.step_hook;
  const auto refuse_flag = [](const char* flag, const std::string& why) {
    located({.file = flag}, [&] { refuse("inconsistent-hardware", why, "leave it out"); });
  };
  const std::string device = burin::quoted(hardware.name);
  if (has_device(hardware) && plan.step_hook)
    refuse_flag("--step-hook",
                "kernels of OpenCL run behind the host, which knows no step of them");
  if (has_device(hardware) && plan.profile == Profile::kFreestanding)
    refuse_flag("--profile", "a tree that loads OpenCL is hosted");
  if (!has_device(hardware) && options.parallel_fusion != ParallelFusion::off)
    refuse_flag("--parallel-fusion",
                device + " is no device with OpenCL, whose launches could be joint");
  if (options.memory == MemoryUse::images && hardware.opencl.images.width_max == 0)
    refuse_flag("--memory", device + " has no images");

  // The file's bytes are checked against every limit; from here on nothing is looked up in it
  // again.
  OtherDims others;
  const Graph graph = stages.run("import", [&] { return input_graph(options, others); });
  stages.dump([&] { return to_string(graph); });
  out.model_nodes = count_nodes(graph.block);
  for (const GraphValue& value : graph.values) {
    if (value.constant) out.parameters += value.constant->elements();
  }
  plan.name = default_name(options, graph);
  plan.model_sha256 = graph.sha256;

  // Every operator has given its kernels; shapes, sizes and constants are known as far as they can
  // be. From here on operators are names in comments.
  Lowered lowered = stages.run("lower", [&] { return lower(graph, with_dims(options, others)); });
  check_kernel_graph(lowered.graph);
  stages.dump([&] { return to_string(lowered.graph); });
  if (options.lowered) options.lowered(lowered);
  stages.dump([&] { return facts_text(lowered.inputs, lowered.nodes, lowered.passes); }, "-facts");
  out.inputs = std::move(lowered.inputs);
  out.nodes = std::move(lowered.nodes);
  out.run_sizes = std::move(lowered.run_sizes);
  for (const std::string& note : graph.notes)
    out.notes.push_back({{.file = graph.file}, "version", note, {}});
  std::move(lowered.notes.begin(), lowered.notes.end(), std::back_inserter(out.notes));
  out.passes = lowered.passes;
  out.lowered = keep_states(lowered.graph, options.states);
  out.states = state_forms(lowered.graph, options.states);
  out.draws = output_draws(lowered);
  plan.packed_inputs = lowered.packed_inputs;
  plan.packed_outputs = lowered.packed_outputs;
  plan.output_roundings = output_roundings(graph, lowered.graph);
  plan.narrowest_output_types = narrowest_output_types(lowered.graph);
  if (!rounds_quotients(hardware)) {
    std::replace(plan.output_roundings.begin(), plan.output_roundings.end(), Roundings::one,
                 Roundings::many);
  }

  // Movement has become indices, elementwise work has joined its producers, dead work is gone.
  KernelGraph fused = stages.run("fuse", [&] {
    const bool in_rows = options.half == Fp16Use::off;
    return unpack_nibbles(fuse(std::move(lowered.graph),
                               fuse_options(options.fuse, hardware, in_rows), &out.rewrites));
  });
  stages.dump([&] { return to_string(fused); });

  // What the caller keeps has room from here on, and only what is new is written.
  fused = keep_states(std::move(fused), options.states);
  check_kernel_graph(fused);

  // Dynamic sizes are found on the device, where nothing of the host asks for them.
  if (has_device(hardware) && options.sizes_on_device) {
    fused = stages.run(
        "sizes", [&] { return find_sizes_on_device(std::move(fused), plan.sizes, hardware); });
    if (options.fuse_sizes) fused = fuse_size_kernels(std::move(fused), plan.sizes, hardware);
    check_kernel_graph(fused);
  }

  size_limits(computed_sizes(fused), {}, fused.symbols, 64);  // sums of sizes fit into 64 bits

  // State that loops make longer stays where it is.
  const AppendPlan appends = stages.run("append", [&] { return plan_appends(fused); });
  stages.dump([&] { return to_string(appends); });
  const std::string wrong = check_appends(fused, appends);
  BURIN_CHECK(wrong.empty(), wrong);
  fused = apply_appends(std::move(fused), appends);
  check_kernel_graph(fused);

  // Tensors between kernels lie where the kernels together read and write them best, if that is
  // asked for. From here on they are tensors of the shape that they have in memory.
  Forms forms{fused.values, {}};
  if (options.layouts != LayoutUse::row_major || options.locked)
    forms = find_forms(fused, LayoutOptions{}.most_points);
  if (options.layouts != LayoutUse::row_major) {
    LayoutOptions chosen;
    chosen.tuning = options.tuning ? &*options.tuning : nullptr;
    out.layouts =
        stages.run("layout", [&] { return plan_layouts(fused, forms, hardware, chosen); });
    // Asked with all operands at once, kernels may take longer than what was solved says.
    if (out.layouts->at_once > out.layouts->row_major)
      out.layouts->layouts.clear(), out.layouts->copies.clear(), out.layouts->forms.clear();
    stages.dump([&] { return to_string(*out.layouts, forms); });
  }
  LockedLayouts locked;
  if (options.locked)
    locked = locked_layouts(options.locked->layouts, fused, forms);
  else if (options.layouts == LayoutUse::chosen)
    locked = {out.layouts->layouts, out.layouts->copies, out.layouts->forms};
  plan.layouts = named_layouts(locked, forms);
  if (!plan.layouts.empty()) {
    fused = with_forms(std::move(fused), forms, locked.forms);
    fused = with_copies(std::move(fused), locked.copies, locked.layouts);
    fused = relayout(std::move(fused), locked.layouts);
    check_kernel_graph(fused);
  }

  // Each step has its identity: passes from here on move steps and change what they compute, but
  // make none.
  fused = with_step_ids(std::move(fused));

  // The steps run in an order that keeps little alive at once.
  out.order = stages.run("order", [&] {
    OrderPlan planned = plan_order(fused, {.limits = {.search = options.order}});
    const std::string fault = check_order(fused, planned);
    BURIN_CHECK(fault.empty(), fault);
    return planned;
  });
  stages.dump([&] { return to_string(out.order); });
  fused = in_order(std::move(fused), out.order.order);
  check_kernel_graph(fused);

  // Tensors of floats are kept as fp16, and kernels compute in fp16, where that is asked for.
  if (options.half != Fp16Use::off) {
    fused = stages.run("fp16", [&] {
      plan.fp16 = plan_fp16(fused, hardware, options.half);
      KernelGraph halved = apply_fp16(fused, plan.fp16);
      const std::string fault = check_fp16(plan.fp16, fused, halved);
      BURIN_CHECK(fault.empty(), fault);
      return halved;
    });
    stages.dump([&] { return to_string(plan.fp16, fused); });
    check_kernel_graph(fused);
  }

  // Every kernel has its loops; constants have the layout that these read.
  Selection selection = stages.run("select", [&] {
    return select(std::move(fused), with_fp16(hardware, options.half),
                  {options.without_verbs, options.tuning ? &*options.tuning : nullptr,
                   options.locked ? &options.locked->kernels : nullptr, options.winograd_error});
  });
  stages.dump([&] { return to_string(selection); });
  plan.graph = std::move(selection.graph);
  check_kernel_graph(plan.graph);
  plan.kernels = std::move(selection.kernels);
  if (options.locked && !options.locked->kernels.empty() && selection.unlocked > 0)
    out.notes.push_back({{.file = "--plan-lock"},
                         "plan-lock",
                         std::to_string(selection.unlocked) + " of " +
                             std::to_string(plan.kernels.size()) +
                             " kernels are not in the file and are chosen anew",
                         {}});
  out.kernel_keys = plan.kernel_keys = std::move(selection.keys);
  if (options.tuning) note_unfit_verbs(*options.tuning, plan, out.notes);
  plan.eliminated = eliminated_nodes(out.nodes, out.rewrites.computed, plan.graph);

  // Copies that become views are not launched, so they are known before images and joint launches
  // are chosen. Where these change what shares bytes, only that is found again.
  SharedMemory shared = stages.run("share", [&] { return shared_memory(plan, options); });
  stages.dump([&] { return to_string(alias_rules(plan)) + to_string(shared); });
  const std::set<StepId> views = shared.bytes.dropped;

  // Tensors of a device are buffers or images; launches write whole texels of these.
  if (has_device(hardware) && options.memory != MemoryUse::buffers) {
    stages.run("images", [&] {
      plan.images = choose_images(plan, options, out.kernel_keys, views);
      if (!plan.images.maps.empty()) shared = shared_memory(plan, options, views);
      return true;
    });
    stages.dump([&] { return to_string(plan.images, plan.graph); });
  }

  // Independent launches are joint where that is better. The order is final from here on.
  if (options.parallel_fusion != ParallelFusion::off) {
    stages.run("launch", [&] {
      plan.groups = group_launches(plan, options, out.kernel_keys, views);
      if (!plan.groups.groups.empty()) shared = shared_memory(plan, options, views);
      return true;
    });
    stages.dump([&] { return to_string(plan.groups); });
  }

  // So are parts of independent kernels that leave threads idle.
  if (!has_device(hardware) && !options.without_verbs.contains("threads")) {
    plan.thread_groups = plan_thread_groups(plan.graph, plan.kernels, views, hardware);
    const std::string fault =
        check_thread_groups(plan.thread_groups, plan.graph, plan.kernels, views);
    BURIN_CHECK(fault.empty(), fault);
    if (!plan.thread_groups.groups.empty()) {
      shared = shared_memory(plan, options, views);
      stages.dump([&] { return to_string(plan.thread_groups); }, "-threads");
    }
  }

  // What the host must know of sizes on the device it reads.
  decide_device_sizes(plan.sizes, plan.graph, plan.kernels, plan.groups);
  const std::string unknown = check_device_sizes(plan.sizes, plan.graph, plan.kernels);
  BURIN_CHECK(unknown.empty(), unknown);

  give_launch_programs(plan.kernels, plan.graph.values, plan.images.maps);

  // Every intermediate result has its bytes; what only copies may have disappeared into a view.
  plan.memory =
      stages.run("memory", [&] { return packed_memory(plan, std::move(shared), options); });
  if (!plan.images.maps.empty()) {
    plan.image_pool = share_images(plan.images, plan.graph, alias_rules(plan));
    stages.dump([&] { return to_string(plan.image_pool, plan.graph); }, "-images");
  }
  plan.size_limits = size_limits(computed_sizes(plan), plan.memory.named, plan.graph.symbols,
                                 hardware.pointer_bits);
  if (options.tuning && *options.tuning != Tuning{})
    plan.tuning = tuning_use(*options.tuning, out.kernel_keys);
  if (has_device(hardware)) {
    plan.device = device_memory(plan.graph, plan.memory, {plan.image_pool, plan.image_constants});
    refuse_beyond_device(plan.graph, plan.memory, {plan.image_pool, plan.image_constants},
                         hardware);
  }
  stages.dump([&] { return memory_map(plan.memory, plan.graph); });

  plan.weights = options.weights.value_or(
      constant_bytes(plan.graph) <= kEmbedBytes ? WeightsMode::embed : WeightsMode::blob);
  out.stages = std::move(stages.times);
  return out;
}

}  // namespace

std::string default_name(const CompileOptions& options, const Graph& graph) {
  if (!options.name.empty()) return options.name;
  const std::string stem = std::filesystem::path(options.model).stem().string();
  // Tools call every graph the same; the name of the file says more.
  return is_tool_name(graph.name) ? stem : graph.name;
}

Compiled compile(const CompileOptions& options, const Hardware& hardware) {
  return located({.file = options.model}, [&] {
    try {
      return compile_model(options, hardware);
    } catch (Refused& refused) {
      // A user wants to hear at once of all that stands in a model's way.
      if (options.parts.empty()) add_missing_operators(refused, options.model, options.import);
      throw;
    }
  });
}

}  // namespace burin
