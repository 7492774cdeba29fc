#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "render/text.h"
#include "report/overview.h"
#include "report/plan_diff.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kMostNodes = 4;   // named in one line
constexpr size_t kMostText = 100;  // of a value, in columns

// "+12 (+3.4 %)"
std::string change_text(int64_t before, int64_t now) {
  if (before == now) return "";
  const std::string sign = now > before ? "+" : "";
  std::string out = sign + with_separators(now - before);
  if (before != 0)
    out += fmt::format(" ({}{:.1f} %)", sign,
                       100.0 * static_cast<double>(now - before) / static_cast<double>(before));
  return out;
}

const char* sign_of(StepChange::Kind kind) {
  constexpr const char* kSigns[] = {"+", "-", "~"};
  return kSigns[static_cast<size_t>(kind)];
}

template <typename Print>
std::string list_text(const std::vector<PlanNode>& nodes, const Print& print) {
  std::string out;
  for (size_t i = 0; i < nodes.size() && i < kMostNodes; ++i)
    out += (i ? ", " : "") + print(nodes[i]);
  if (nodes.size() > kMostNodes) out += fmt::format(" and {} more", nodes.size() - kMostNodes);
  return out.empty() ? "of no node" : out;
}

// Hashes by their first digits, long expressions by their first columns.
std::string cut(const Change& change, const std::string& value) {
  const size_t most = change.what == "model" || change.what == "description" ? 8 : kMostText;
  return value.size() > most ? value.substr(0, most) + "..." : value;
}

// Names come from models: one line, no control characters.
std::string printable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

std::string change_line(const Change& change) {
  const auto side = [&](const std::string& value) { return printable(cut(change, value)); };
  if (change.before.empty()) return change.what + ": " + side(change.now) + " (new)";
  if (change.now.empty()) return change.what + ": " + side(change.before) + " (gone)";
  return change.what + ": " + side(change.before) + " -> " + side(change.now);
}

// MACs and cycles of a step that was added or is gone.
std::string work_text(const StepChange& step) {
  const bool gone = step.kind == StepChange::Kind::gone;
  return with_separators(gone ? step.macs_before : step.macs) + " MACs, " +
         with_separators(gone ? step.cycles_before : step.cycles) + " cycles";
}

std::string same_text(const PlanDiff& diff) {
  std::string out = fmt::format("{} step{} the same", diff.same, diff.same == 1 ? " is" : "s are");
  if (diff.reordered) out += "; those of both run in another order";
  return out;
}

}  // namespace

std::string to_text(const PlanDiff& diff) {
  std::string out = diff.before + "  ->  " + diff.now + "\n";
  if (diff.empty()) return out + "no difference\n";
  out += fmt::format("\n{:<24} {:>16} {:>16}   {}\n", diff.sizes.empty() ? "" : "at " + diff.sizes,
                     "old", "new", "change");
  for (const Figure& one : diff.figures) {
    std::string line =
        fmt::format("{:<24} {:>16} {:>16}   {}", one.name, with_separators(one.before),
                    with_separators(one.now), change_text(one.before, one.now));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  if (!diff.facts.empty()) out += "\n";
  for (const Change& change : diff.facts) out += change_line(change) + "\n";
  if (!diff.steps.empty()) out += "\n";
  for (const StepChange& step : diff.steps) {
    out += std::string(sign_of(step.kind)) + " " + list_text(step.nodes, [](const PlanNode& node) {
             return node.op + " " + burin::quoted(node.name);
           });
    if (step.kind != StepChange::Kind::changed) out += ": " + work_text(step);
    out += "\n";
    for (const Change& change : step.changes) out += "    " + change_line(change) + "\n";
  }
  return out + "\n" + same_text(diff) + "\n";
}

std::string to_markdown(const PlanDiff& diff) {
  const auto text = [](const std::string& raw) { return markdown_text(raw).text(); };
  const auto name = [](const std::string& raw) { return markdown_code(raw).text(); };
  std::string out = "### " + text(diff.before) + " → " + text(diff.now) + "\n\n";
  if (diff.empty()) return out + "No difference.\n";
  out += "| " + (diff.sizes.empty() ? "" : "at " + text(diff.sizes)) +
         " | old | new | change |\n|---|---:|---:|---|\n";
  for (const Figure& one : diff.figures)
    out += fmt::format("| {} | {} | {} | {} |\n", one.name, with_separators(one.before),
                       with_separators(one.now), change_text(one.before, one.now));
  const auto sides = [&](const Change& change) {
    if (change.before.empty()) return "new: " + text(cut(change, change.now));
    if (change.now.empty()) return "gone: " + text(cut(change, change.before));
    return text(cut(change, change.before)) + " → " + text(cut(change, change.now));
  };
  if (!diff.facts.empty()) out += "\n";
  for (const Change& change : diff.facts)
    out += "- " + text(change.what) + ": " + sides(change) + "\n";
  if (!diff.steps.empty()) out += "\n| | nodes | what changed |\n|---|---|---|\n";
  for (const StepChange& step : diff.steps) {
    out += std::string("| ") + (step.kind == StepChange::Kind::added  ? "new"
                                : step.kind == StepChange::Kind::gone ? "gone"
                                                                      : "changed");
    out += " | " +
           list_text(step.nodes,
                     [&](const PlanNode& node) { return text(node.op) + " " + name(node.name); }) +
           " | ";
    if (step.kind != StepChange::Kind::changed) out += work_text(step);
    for (size_t i = 0; i < step.changes.size(); ++i)
      out += (i ? "<br>" : "") + text(step.changes[i].what) + ": " + sides(step.changes[i]);
    out += " |\n";
  }
  return out + "\n" + same_text(diff) + ".\n";
}

std::string to_json(const PlanDiff& diff) {
  using Json = nlohmann::ordered_json;
  const auto changes = [](const std::vector<Change>& list) {
    Json out = Json::array();
    for (const Change& one : list) {
      const auto side = [](const std::string& text) {
        return text.empty() ? Json(nullptr) : Json(text);
      };
      out.push_back({{"what", one.what}, {"old", side(one.before)}, {"new", side(one.now)}});
    }
    return out;
  };
  Json json{{"old", diff.before}, {"new", diff.now}, {"same", diff.empty()}, {"at", diff.sizes}};
  json["figures"] = Json::object();
  for (const Figure& one : diff.figures)
    json["figures"][one.name] = {{"old", one.before}, {"new", one.now}};
  json["facts"] = changes(diff.facts);
  json["steps"] = Json::array();
  constexpr const char* kKinds[] = {"added", "gone", "changed"};
  for (const StepChange& step : diff.steps) {
    Json one{{"kind", kKinds[static_cast<size_t>(step.kind)]}, {"nodes", Json::array()}};
    for (const PlanNode& node : step.nodes)
      one["nodes"].push_back({{"name", node.name}, {"op", node.op}});
    if (step.kind != StepChange::Kind::added)
      one["old"] = {{"macs", step.macs_before}, {"least_cycles", step.cycles_before}};
    if (step.kind != StepChange::Kind::gone)
      one["new"] = {{"macs", step.macs}, {"least_cycles", step.cycles}};
    if (step.kind == StepChange::Kind::changed) one["changes"] = changes(step.changes);
    json["steps"].push_back(std::move(one));
  }
  json["steps_the_same"] = diff.same;
  json["reordered"] = diff.reordered;
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace burin
