// An analysis as text for people and as JSON for programs.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "report/analysis.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

std::string nodes_text(const std::vector<Origin>& all) {
  constexpr size_t kMost = 6;
  const std::vector<Origin> nodes = telling_first(all);
  std::string out;
  for (size_t i = 0; i < nodes.size() && i < kMost; ++i) {
    out += (i ? ", " : "") + nodes[i].op + " " + burin::quoted(nodes[i].node);
  }
  if (nodes.size() > kMost) out += fmt::format(" and {} more", nodes.size() - kMost);
  return out;
}

Json size_json(const std::string& text) {
  const bool number = text.find_first_not_of("0123456789") == std::string::npos;
  return number ? Json(std::stoll(text)) : Json(text);
}

// How many operators are of each class, and what becomes of each pair.
std::string layouts_text(const OperatorLayouts& layouts) {
  std::map<LayoutClass, int> classes;
  std::map<LayoutAction, int> actions;
  std::map<Fusion, int> fusions;
  for (const OperatorLayout& one : layouts.operators) classes[one.layout] += one.is_known;
  for (const OperatorPair& pair : layouts.pairs) {
    const OperatorLayout &first = layouts.operators[pair.first],
                         &second = layouts.operators[pair.second];
    ++actions[action_of(first.layout, second.layout)];
    ++fusions[pair_of(first.mapping, second.mapping).fusion];
  }
  const auto counts = [](const auto& of) {
    std::string out;
    for (const auto& [one, count] : of) {
      if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, to_string(one));
    }
    return out;
  };
  std::string out = fmt::format("operators: {}\n", counts(classes));
  if (!layouts.pairs.empty())
    out += fmt::format("pairs of operators: {}; fusion {}\n", counts(actions), counts(fusions));
  return out;
}

Json facts_json(const TensorFacts& facts) {
  Json dims = Json::array(), elements = Json::array();
  for (const Dim& dim : facts.shape)
    dims.push_back(
        {{"extent", to_string(dim)}, {"lattice", std::string(to_string(lattice_of(dim)))}});
  for (const Dim& element : facts.elements) elements.push_back(to_string(element));
  Json json = {{"name", facts.name}, {"type", std::string(to_string(facts.type))}, {"dims", dims}};
  if (!elements.empty()) json["elements"] = elements;
  return json;
}

std::string selection_text(const LayoutPlan& plan) {
  return fmt::format(
      "layouts, if chosen: {} of {} tensors change, {} are copied, {} of {} doubtful forms taken, "
      "{} "
      "of {} results in place; {}; {} with all operands at once; all row-major {}, each for its "
      "maker "
      "{}, for its first reader {}, in parts of 13 {}, of 17 {}\n",
      plan.layouts.size(), plan.variables, plan.copies.size(), plan.forms.size(), plan.doubtful,
      plan.in_place, plan.places, to_string(plan.solved), plan.at_once, plan.row_major, plan.local,
      plan.greedy, plan.partition13, plan.partition17);
}

Json selection_json(const LayoutPlan& plan, double seconds) {
  return {{"cost", plan.solved.cost},
          {"at_once", plan.at_once},
          {"bound", plan.solved.bound},
          {"optimal", plan.solved.optimal},
          {"seconds", seconds},
          {"variables", plan.variables},
          {"choices_log2", plan.choices_log2},
          {"changed", plan.layouts.size()},
          {"copied", plan.copies.size()},
          {"forms", plan.forms.size()},
          {"doubtful_forms", plan.doubtful},
          {"in_place", plan.in_place},
          {"places", plan.places},
          {"folded", plan.solved.folded},
          {"eliminated", plan.solved.eliminated},
          {"widest", plan.solved.widest},
          {"branches", plan.solved.branches},
          {"alternatives",
           {{"row_major", plan.row_major},
            {"local", plan.local},
            {"greedy", plan.greedy},
            {"gcd2_13", plan.partition13},
            {"gcd2_17", plan.partition17}}}};
}

Json operator_json(const NodeFacts& node, const OperatorLayout& layout) {
  Json json = {{"name", node.node},
               {"op", node.op},
               {"dynamism_class", node.dynamism_class},
               {"layout_class", nullptr},
               {"mapping", nullptr},
               {"folded", node.folded},
               {"output_shapes", Json::array()},
               {"outputs", Json::array()}};
  for (const TensorFacts& output : node.outputs) {
    json["output_shapes"].push_back(to_string(output.shape));
    json["outputs"].push_back(facts_json(output));
  }
  if (layout.is_known) {
    json["layout_class"] = to_string(layout.layout);
    json["mapping"] = to_string(layout.mapping);
  }
  return json;
}

Json pair_json(const Analysis& analysis, const OperatorPair& pair) {
  const OperatorLayout &first = analysis.layouts.operators[pair.first],
                       &second = analysis.layouts.operators[pair.second];
  const LayoutResult result = result_of(first.layout, second.layout);
  const MappingPair mapping = pair_of(first.mapping, second.mapping);
  Json json = {{"first", analysis.operators[pair.first].node},
               {"second", analysis.operators[pair.second].node},
               {"action", to_string(action_of(first.layout, second.layout))},
               {"search", nullptr},
               {"layout_class", nullptr},
               {"fusion", to_string(mapping.fusion)},
               {"mapping", to_string(mapping.fused)}};
  if (result.is_defined) {
    json["search"] = to_string(result.search);
    json["layout_class"] = to_string(result.left);
  }
  return json;
}

std::string order_text(const Analysis& analysis) {
  const OrderPlan& order = analysis.order;
  std::map<PartClass, int> classes;
  for (const PartReport& report : order.parts) ++classes[report.part.part_class];
  std::string out = fmt::format(
      "order: {} bytes live at once, nothing shared, {} as given{}; sub-graphs: {} constant, {} "
      "mixed, {} nac\n",
      order.peak, order.given_peak, order.optimal ? " (optimal)" : "", classes[PartClass::constant],
      classes[PartClass::mixed], classes[PartClass::nac]);
  for (size_t p = 0; p < order.parts.size(); ++p) {
    const auto& [list, part, steps] = order.parts[p];
    const int versions = analysis.part_versions[p];
    out += fmt::format("  {}steps {} to {}: {}, {}; {} version{}\n",
                       list == 0 ? "" : fmt::format("of list {}, ", list), part.first,
                       part.first + part.nodes - 1, to_string(part.part_class), part.method,
                       versions, versions == 1 ? "" : "s");
  }
  return out;
}

Json order_json(const Analysis& analysis) {
  Json parts = Json::array();
  for (size_t p = 0; p < analysis.order.parts.size(); ++p) {
    const auto& [list, part, steps] = analysis.order.parts[p];
    parts.push_back({{"list", list},
                     {"first", part.first},
                     {"steps", part.nodes},
                     {"class", std::string(to_string(part.part_class))},
                     {"versions", analysis.part_versions[p]},
                     {"method", part.method}});
  }
  return {{"given_peak", analysis.order.given_peak},
          {"peak", analysis.order.peak},
          {"optimal", analysis.order.optimal},
          {"parts", parts}};
}

std::string groups_text(const LaunchGroups& groups) {
  int64_t kernels = 0, launches = 0;
  for (const LaunchGroup& group : groups.groups) {
    kernels += static_cast<int64_t>(group.steps.size());
    for (const JointLaunch& launch : group.launches) launches += launch.members.size() > 1;
  }
  std::string out =
      fmt::format("parallel fusion ({}): {} kernels in {} groups, {} joint launches\n",
                  to_string(groups.mode), kernels, groups.groups.size(), launches);
  for (const LaunchDecision& one : groups.decisions)
    out += fmt::format("  {} beside {}: {}; {}\n", burin::quoted(one.kernel),
                       burin::quoted(one.beside), one.joint ? "joint" : "apart", reason_of(one));
  return out;
}

Json groups_json(const Analysis& analysis) {
  const LaunchGroups& groups = analysis.groups;
  Json out = {
      {"mode", to_string(groups.mode)}, {"groups", Json::array()}, {"decisions", Json::array()}};
  for (const LaunchGroup& group : groups.groups) {
    int64_t joint = 0;
    for (const JointLaunch& launch : group.launches) joint += launch.members.size() > 1;
    Json steps = Json::array();
    for (const KernelFigures& kernel : analysis.kernels) {
      if (groups.group_of(kernel.step) == &group) steps.push_back(kernel.position);
    }
    out["groups"].push_back(
        {{"steps", steps}, {"launches", group.launches.size()}, {"joint_launches", joint}});
  }
  for (const LaunchDecision& one : groups.decisions)
    out["decisions"].push_back({{"kernel", one.kernel},
                                {"beside", one.beside},
                                {"joint", one.joint},
                                {"apart_us", one.apart_us},
                                {"joint_us", one.joint_us},
                                {"reason", one.reason}});
  return out;
}

Json buffers_json(const Analysis& analysis) {
  Json buffers = Json::array();
  for (const auto& [bytes, live] : analysis.buffers) {
    Json positions = Json::array();
    for (const Interval& one : live) positions.push_back({one.first, one.last});
    buffers.push_back({{"bytes", size_json(bytes)}, {"live", positions}});
  }
  return buffers;
}

}  // namespace

std::string to_text(const Analysis& analysis) {
  std::string out =
      fmt::format("{} for {}: {} nodes, {} parameters, {} MACs\n", burin::quoted(analysis.model),
                  analysis.hardware, analysis.nodes, analysis.parameters, analysis.macs);
  out += fmt::format("dimensions: {} constant, {} symbolic, {} inferred, {} dynamic (nac)\n",
                     analysis.shapes.constant, analysis.shapes.symbolic, analysis.shapes.inferred,
                     analysis.shapes.nac);
  out +=
      fmt::format("arena: {} bytes, lower bound {}, without sharing {}{}\n",
                  analysis.arena_at_hints, analysis.lower_bound_at_hints, analysis.naive_at_hints,
                  analysis.memory_method.empty() ? "" : " (" + analysis.memory_method + ")");
  for (const Baseline& baseline : analysis.baselines)
    out += fmt::format("  {} would take {} bytes\n", baseline.name, baseline.bytes);
  if (analysis.arena_bytes != std::to_string(analysis.arena_at_hints)) {
    out += fmt::format("arena as an expression: {}\n", analysis.arena_bytes);
    for (const auto& [name, value] : analysis.sizes)
      out += fmt::format("  where \"{}\" is {}\n", name, value);
  }
  out += order_text(analysis);
  if (analysis.device) out += to_text(*analysis.device);
  if (analysis.groups.mode != ParallelFusion::off) out += groups_text(analysis.groups);
  out += layouts_text(analysis.layouts);
  if (analysis.selection) out += selection_text(*analysis.selection);
  if (analysis.rewrites != Rewrites{})
    out += fmt::format(
        "arithmetic rewritten: {} times associative, {} distributive, {} commutative; "
        "{} products of constants computed\n",
        analysis.rewrites.associative, analysis.rewrites.distributive,
        analysis.rewrites.commutative, analysis.rewrites.known_products);
  out += kernels_text(analysis);
  out += "\n" + facts_text(analysis.inputs, analysis.operators, analysis.passes);
  return out;
}

std::string kernels_text(const Analysis& analysis) {
  std::string out;
  int64_t run = 0, movement = 0;
  for (const KernelFigures& kernel : analysis.kernels) {
    run += !kernel.dropped;
    movement += !kernel.dropped && kernel.is_movement;
  }
  out += fmt::format("kernels: {} run, of which {} only move data; {} became views\n\n", run,
                     movement, analysis.kernels.size() - static_cast<size_t>(run));
  out += fmt::format("{:<14} {:>12} {:>12} {:>12}  {}\n", "family", "MACs", "read", "written",
                     "nodes");
  for (const KernelFigures& kernel : analysis.kernels) {
    out += fmt::format("{:<14} {:>12} {:>12} {:>12}  {}\n", kernel.dropped ? "view" : kernel.family,
                       kernel.work.macs, kernel.work.bytes_read, kernel.work.bytes_written,
                       nodes_text(kernel.nodes));
  }
  return out;
}

std::string to_json(const Analysis& analysis) {
  Json json;
  json["format"] = 1;
  json["model"] = {{"name", analysis.model},
                   {"nodes", analysis.nodes},
                   {"parameters", analysis.parameters},
                   {"macs", analysis.macs}};
  json["hardware"] = analysis.hardware;
  json["kernels"] = Json::array();
  for (const KernelFigures& kernel : analysis.kernels) {
    Json nodes = Json::array();
    for (const Origin& origin : kernel.nodes)
      nodes.push_back({{"name", origin.node}, {"op", origin.op}});
    json["kernels"].push_back({{"name", kernel.name},
                               {"position", kernel.position},
                               {"family", kernel.family},
                               {"nodes", nodes},
                               {"macs", kernel.work.macs},
                               {"bytes_read", kernel.work.bytes_read},
                               {"bytes_written", kernel.work.bytes_written},
                               {"layouts", kernel.layouts},
                               {"movement", kernel.is_movement},
                               {"view", kernel.dropped},
                               {"packed", kernel.packed},
                               {"versions", kernel.versions},
                               {"reason", kernel.reason}});
    if (!kernel.key.empty()) json["kernels"].back()["key"] = kernel.key;
  }
  json["rewrites"] = {{"associative", analysis.rewrites.associative},
                      {"distributive", analysis.rewrites.distributive},
                      {"commutative", analysis.rewrites.commutative},
                      {"known_products", analysis.rewrites.known_products}};
  json["operators"] = Json::array();
  for (size_t n = 0; n < analysis.operators.size(); ++n)
    json["operators"].push_back(
        operator_json(analysis.operators[n], analysis.layouts.operators[n]));
  json["pairs"] = Json::array();
  for (const OperatorPair& pair : analysis.layouts.pairs)
    json["pairs"].push_back(pair_json(analysis, pair));
  json["shapes"] = {{"known", analysis.shapes.constant},
                    {"symbolic", analysis.shapes.symbolic},
                    {"derived", analysis.shapes.inferred},
                    {"nac", analysis.shapes.nac},
                    {"passes", analysis.passes}};
  json["arena"] = {{"bytes", size_json(analysis.arena_bytes)},
                   {"lower_bound", size_json(analysis.lower_bound)},
                   {"naive_bytes", size_json(analysis.naive_bytes)},
                   {"bytes_at_hints", analysis.arena_at_hints},
                   {"lower_bound_at_hints", analysis.lower_bound_at_hints},
                   {"method", analysis.memory_method},
                   {"buffers", buffers_json(analysis)},
                   {"baselines", Json::object()}};
  for (const Baseline& baseline : analysis.baselines)
    json["arena"]["baselines"][baseline.name] = baseline.bytes;
  json["order"] = order_json(analysis);
  if (analysis.device) json["device"] = json_of(*analysis.device);
  if (analysis.groups.mode != ParallelFusion::off) json["parallel_fusion"] = groups_json(analysis);
  if (analysis.selection)
    json["selection"] = selection_json(*analysis.selection, analysis.selection_seconds);
  for (const auto& [name, text] : analysis.sizes) json["arena"]["sizes"][name] = text;
  json["stages"] = Json::array();
  for (const StageTime& stage : analysis.stages)
    json["stages"].push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace burin
