#include "verify/verdict_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/diagnostics.h"

namespace burin {
namespace {

std::string tolerance_text(const Tolerance& tolerance) {
  if (tolerance.absolute == 0 && tolerance.relative == 0) return "exact";
  std::string out = fmt::format("{:.2g} + {:.2g} * max", tolerance.absolute, tolerance.relative);
  if (tolerance.share < 1)
    out += fmt::format(" in one element and {:.1g} % of them", tolerance.share * 100);
  return out;
}

// A table: against floats, per output.
std::string accuracy_text(const DataSetVerdict& set) {
  std::string out;
  for (const OutputVerdict& output : set.outputs) {
    if (!output.accuracy) continue;
    if (out.empty())
      out += fmt::format("  {:<24} {:<18} {:>9} {:>9} {:>9} {:>9}\n", "against floats", "reference",
                         "max abs", "rel", "rms", "rel rms");
    const Accuracy& one = *output.accuracy;
    out += one.reference.empty()
               ? fmt::format("  {:<24} no float, or nothing to compare with\n",
                             burin::quoted(output.name))
               : fmt::format("  {:<24} {:<18} {:>9.2e} {:>9.2e} {:>9.2e} {:>9.2e}\n",
                             burin::quoted(output.name), one.reference, one.absolute, one.relative,
                             one.root_mean_square, one.relative_root_mean_square);
  }
  return out;
}

std::string nodes_text(const std::vector<Origin>& nodes) {
  std::string out;
  for (const Origin& node : nodes)
    out += (out.empty() ? "" : ", ") + node.op + " " + burin::quoted(node.node);
  return out;
}

std::string layers_text(const DataSetVerdict& set) {
  if (set.layers.empty()) return "";
  std::string out = "  between kernels, in the order of the run, beside the interpreter:\n";
  for (const LayerVerdict& layer : set.layers) {
    out += fmt::format("    {} {}: {}; {}: {}\n", layer.output.agrees() ? " " : "!",
                       burin::quoted(layer.output.name), to_string(layer.output.difference),
                       likeness_text(layer.output.difference), nodes_text(layer.nodes));
  }
  const LayerVerdict* first = set.first_that_differs();
  return out + (first ? fmt::format("  the first that differs is {}, of {}\n",
                                    burin::quoted(first->output.name), nodes_text(first->nodes))
                      : "  none of them differs\n");
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
  std::string out;
  if (!verdict.held.empty()) out += fmt::format("held constant: {}\n", verdict.held);
  for (const DataSetVerdict& set : verdict.data_sets) {
    out += fmt::format("{}: {} (arena {} bytes{})\n", set.path, set.agrees() ? "agrees" : "DIFFERS",
                       set.arena_bytes,
                       set.device_bytes ? fmt::format(", device {}", set.device_bytes) : "");
    if (!set.problem.empty()) out += "  " + set.problem + "\n";
    for (const OutputVerdict& output : set.outputs) {
      out += fmt::format("  {}: {}; tolerance {}: {}\n", burin::quoted(output.name),
                         to_string(output.difference), tolerance_text(output.tolerance),
                         output.difference.agrees() ? "inside" : "OUTSIDE");
      if (output.left > 0)
        out += fmt::format(
            "    {} element{} behind the rows of the state, zeros in the model, {} as the buffer "
            "had "
            "them\n",
            output.left, output.left == 1 ? "" : "s", output.left == 1 ? "is" : "are");
      if (!output.drawn.empty()) {
        out += "    " + output.drawn + "\n";
      } else if (output.difference.mismatch.empty()) {
        out += "    " + likeness_text(output.difference) + "\n";
      }
    }
    out += accuracy_text(set);
    out += layers_text(set);
  }
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

Json output_json(const OutputVerdict& output) {
  const Difference& difference = output.difference;
  Json out{{"name", output.name},
           {"absolute", difference.absolute},
           {"relative", difference.relative},
           {"ulps", difference.ulps},
           {"elements", difference.elements},
           {"different", difference.different},
           {"root_mean_square", difference.root_mean_square},
           {"cosine", difference.cosine},
           {"rows", difference.rows},
           {"same_greatest", difference.same_greatest},
           {"tolerance",
            {{"absolute", output.tolerance.absolute}, {"relative", output.tolerance.relative}}},
           {"mismatch", difference.mismatch},
           {"left", output.left},
           {"drawn", output.drawn},
           {"agrees", output.agrees()}};
  if (output.accuracy) {
    const Accuracy& accuracy = *output.accuracy;
    out["accuracy"] = {{"reference", accuracy.reference},
                       {"absolute", accuracy.absolute},
                       {"relative", accuracy.relative},
                       {"root_mean_square", accuracy.root_mean_square},
                       {"relative_root_mean_square", accuracy.relative_root_mean_square}};
  }
  return out;
}

Json layers_json(const DataSetVerdict& set) {
  Json out = Json::array();
  for (const LayerVerdict& layer : set.layers) {
    Json one = output_json(layer.output);
    one["nodes"] = Json::array();
    for (const Origin& node : layer.nodes)
      one["nodes"].push_back({{"name", node.node}, {"op", node.op}});
    out.push_back(std::move(one));
  }
  return out;
}

Json json_of(const Verdict& verdict, const std::string& problem) {
  Json json{{"model", verdict.model},       {"hardware", verdict.hardware},
            {"compiler", verdict.compiler}, {"agrees", problem.empty() && verdict.agrees()},
            {"problem", problem},           {"held", verdict.held},
            {"data_sets", Json::array()}};
  for (const DataSetVerdict& set : verdict.data_sets) {
    Json one{{"path", set.path},
             {"agrees", set.agrees()},
             {"problem", set.problem},
             {"arena_bytes", set.arena_bytes},
             {"device_bytes", set.device_bytes},
             {"outputs", Json::array()}};
    for (const OutputVerdict& output : set.outputs) one["outputs"].push_back(output_json(output));
    if (!set.layers.empty()) one["layers"] = layers_json(set);
    json["data_sets"].push_back(std::move(one));
  }
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string verdict_json(const Verdict& verdict, const std::string& problem) {
  return text_of(json_of(verdict, problem));
}

std::string verdict_text(const SeveralVerdict& verdict) {
  std::string out;
  for (const Verdict& one : verdict.models) out += one.model + ":\n" + verdict_text(one);
  return out;
}

std::string verdict_json(const SeveralVerdict& verdict) {
  Json json{{"agrees", verdict.agrees()}, {"networks", Json::array()}};
  for (const Verdict& one : verdict.models) json["networks"].push_back(json_of(one, {}));
  return text_of(json);
}

}  // namespace burin
