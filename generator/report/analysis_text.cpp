// An analysis as text for people and as JSON for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/analysis.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

std::string nodes_text(const std::vector<Origin>& nodes) {
  constexpr size_t kMost = 6;
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

}  // namespace

std::string to_text(const Analysis& analysis) {
  std::string out =
      fmt::format("{} for {}: {} nodes, {} parameters, {} MACs\n", burin::quoted(analysis.model),
                  analysis.hardware, analysis.nodes, analysis.parameters, analysis.macs);
  out += fmt::format("dimensions: {} known, {} symbolic, {} derived, {} of the run\n",
                     analysis.shapes.known, analysis.shapes.symbolic, analysis.shapes.derived,
                     analysis.shapes.nac);
  out +=
      fmt::format("arena: {} bytes, lower bound {}, without sharing {}{}\n",
                  analysis.arena_at_hints, analysis.lower_bound_at_hints, analysis.naive_at_hints,
                  analysis.memory_method.empty() ? "" : " (" + analysis.memory_method + ")");
  if (analysis.arena_bytes != std::to_string(analysis.arena_at_hints)) {
    out += fmt::format("arena as an expression: {}\n", analysis.arena_bytes);
  }
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
    out +=
        fmt::format("{:<14} {:>12} {:>12} {:>12}  {}\n", kernel.dropped ? "view" : kernel.family,
                    kernel.macs, kernel.bytes_read, kernel.bytes_written, nodes_text(kernel.nodes));
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
                               {"family", kernel.family},
                               {"nodes", nodes},
                               {"macs", kernel.macs},
                               {"bytes_read", kernel.bytes_read},
                               {"bytes_written", kernel.bytes_written},
                               {"layouts", kernel.layouts},
                               {"movement", kernel.is_movement},
                               {"view", kernel.dropped},
                               {"reason", kernel.reason}});
  }
  json["operators"] = Json::array();
  for (const NodeFacts& node : analysis.operators) {
    json["operators"].push_back({{"name", node.node},
                                 {"op", node.op},
                                 {"dynamism_class", node.dynamism_class},
                                 {"folded", node.folded},
                                 {"output_shapes", node.output_shapes}});
  }
  json["shapes"] = {{"known", analysis.shapes.known},
                    {"symbolic", analysis.shapes.symbolic},
                    {"derived", analysis.shapes.derived},
                    {"nac", analysis.shapes.nac}};
  json["arena"] = {{"bytes", size_json(analysis.arena_bytes)},
                   {"lower_bound", size_json(analysis.lower_bound)},
                   {"naive_bytes", size_json(analysis.naive_bytes)},
                   {"bytes_at_hints", analysis.arena_at_hints},
                   {"lower_bound_at_hints", analysis.lower_bound_at_hints},
                   {"method", analysis.memory_method}};
  json["stages"] = Json::array();
  for (const StageTime& stage : analysis.stages)
    json["stages"].push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace burin
