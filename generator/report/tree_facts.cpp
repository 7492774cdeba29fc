#include "report/tree_facts.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "hardware/json_file.h"
#include "render/source_tree.h"
#include "select/verbs/read_verbs.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin {
namespace {

// A value as one line; lists of lists as JSON has them.
std::string text_of(const JsonValue& value) {
  std::string out;
  switch (value.kind()) {
    case JsonKind::kNull:
      return "none";
    case JsonKind::kBool:
      return value.as_bool() ? "yes" : "no";
    case JsonKind::kInteger:
      return std::to_string(value.as_integer());
    case JsonKind::kReal:
      return fmt::format("{}", value.as_number());
    case JsonKind::kString:
      return value.as_string();
    case JsonKind::kArray:
      for (size_t i = 0; i < value.size(); ++i) out += (i ? ", " : "") + text_of(value[i]);
      return "[" + out + "]";
    case JsonKind::kObject:
      for (size_t i = 0; i < value.size(); ++i)
        out += (i ? ", " : "") + value.key(i) + " " + text_of(value[i]);
      return "{" + out + "}";
  }
  return out;
}

// Members of objects by their path; a list is one text.
void flatten(const JsonValue& value, const std::string& path,
             std::map<std::string, std::string>& out) {
  if (value.kind() != JsonKind::kObject) {
    out[path] = text_of(value);
    return;
  }
  for (size_t i = 0; i < value.size(); ++i)
    flatten(value[i], path.empty() ? value.key(i) : path + "." + value.key(i), out);
}

std::vector<PlanNode> nodes_of(const JsonValue& list) {
  std::vector<PlanNode> out;
  for (size_t i = 0; i < list.size(); ++i)
    out.push_back({list[i].at("name").as_string(), list[i].at("op").as_string()});
  return out;
}

PlanStep common_of(const JsonValue& entry) {
  PlanStep step;
  step.nodes = nodes_of(entry.at("nodes"));
  const JsonValue writes = entry.at("writes");
  for (size_t i = 0; i < writes.size(); ++i) step.writes.push_back(writes[i].as_string());
  return step;
}

PlanStep kernel_of(const JsonValue& entry) {
  // What stands elsewhere in a step, or follows from its neighbours.
  static const std::set<std::string> elsewhere = {"step",  "kernel", "launches", "nodes",
                                                  "reads", "writes", "macs",     "least_cycles",
                                                  "key",   "verbs"};
  PlanStep step = common_of(entry);
  if (entry.at("kernel").kind() == JsonKind::kNull) return step;
  step.code =
      entry.has("launches") ? text_of(entry.at("launches")) : entry.at("kernel").as_string();
  step.macs = entry.at("macs").as_integer();
  step.cycles = entry.at("least_cycles").as_integer();
  for (size_t i = 0; i < entry.size(); ++i) {
    if (!elsewhere.contains(entry.key(i))) flatten(entry[i], entry.key(i), step.decisions);
  }
  for (const Verb& verb : read_verbs(entry.at("verbs"))) {
    Verb rest = verb;
    std::string what = verb.what;
    if (is_of_let(what)) {
      what += " of let" + std::to_string(rest.numbers[0]);
      rest.numbers.erase(rest.numbers.begin());
    }
    std::string& numbers = step.decisions[what];
    for (const int64_t one : rest.numbers)
      numbers += (numbers.empty() ? "" : " ") + std::to_string(one);
    if (numbers.empty()) numbers = "yes";
  }
  return step;
}

void add_steps(const JsonValue& plan, TreeFacts& out) {
  std::map<int64_t, PlanStep> steps;
  const JsonValue kernels = plan.at("kernels");
  for (size_t i = 0; i < kernels.size(); ++i)
    steps[kernels[i].at("step").as_integer()] = kernel_of(kernels[i]);
  for (size_t i = 0; plan.has("procedures") && i < plan.at("procedures").size(); ++i) {
    const JsonValue entry = plan.at("procedures")[i];
    PlanStep step = common_of(entry);
    step.code = entry.at("function").as_string();
    step.procedure = true;
    steps[entry.at("step").as_integer()] = std::move(step);
  }
  for (auto& [position, step] : steps) out.steps.push_back(std::move(step));
}

void add_interface(const JsonValue& manifest, const char* list, const char* of, TreeFacts& out) {
  const JsonValue tensors = manifest.at(list);
  for (size_t i = 0; i < tensors.size(); ++i) {
    out.interface[of + (" " + burin::quoted(tensors[i].at("name").as_string()))] =
        tensors[i].at("type").as_string() + text_of(tensors[i].at("shape"));
  }
}

void expect_format(const JsonValue& root, int64_t format) {
  if (root.at("format").as_integer() != format)
    root.at("format").refuse("malformed-manifest",
                             "this burin reads format " + std::to_string(format),
                             "make the tree once more with burin generate");
}

TreeFacts facts_of(const JsonValue& manifest, const JsonValue& plan) {
  expect_format(manifest, 3);
  expect_format(plan, 3);
  TreeFacts out;
  out.name = manifest.at("name").as_string();
  out.hardware = manifest.at("hardware").at("name").as_string();
  out.hardware_sha256 = manifest.at("hardware").at("sha256").as_string();
  out.model_sha256 = manifest.at("model").at("sha256").as_string();
  if (manifest.has("made_by")) {
    out.burin = manifest.at("made_by").at("burin").as_string();
    const JsonValue flags = manifest.at("made_by").at("flags");
    for (size_t i = 0; i < flags.size(); ++i) out.flags += (i ? " " : "") + flags[i].as_string();
  }
  add_interface(manifest, "inputs", "input", out);
  add_interface(manifest, "outputs", "output", out);
  const JsonValue symbols = manifest.at("symbols");
  for (size_t i = 0; i < symbols.size(); ++i) {
    out.interface["size " + burin::quoted(symbols[i].at("name").as_string())] = fmt::format(
        "{} to {}", symbols[i].at("min").as_integer(), symbols[i].at("max").as_integer());
  }
  out.arena = text_of(manifest.at("arena").at("bytes"));
  out.weights_bytes = manifest.at("weights").at("bytes").as_integer();
  out.weights_crc32 = manifest.at("weights").at("crc32").as_integer();
  const JsonValue at = plan.at("at"), sizes = at.at("sizes");
  for (size_t i = 0; i < sizes.size(); ++i)
    out.sizes += fmt::format("{}{} = {}", i ? ", " : "", sizes.key(i), sizes[i].as_integer());
  out.arena_bytes = at.at("arena_bytes").as_integer();
  out.eliminated = nodes_of(plan.at("eliminated"));
  add_steps(plan, out);
  return out;
}

template <typename Sum>
int64_t sum_of(const std::vector<PlanStep>& steps, const Sum& of) {
  int64_t out = 0;
  for (const PlanStep& step : steps) out += of(step);
  return out;
}

// "src/a.cpp (now 1a2b3c4d), include/b.h (gone)": those whose hash is not that of files.sha256.
std::string edited_files(const std::string& folder) {
  constexpr size_t kHashLetters = 64, kShown = 8;
  std::string out;
  std::ifstream list(folder + "/" + std::string(kHashesName));
  for (std::string line; std::getline(list, line);) {
    if (line.size() < kHashLetters + 3) continue;
    const std::string path = line.substr(kHashLetters + 2);
    std::string now = "gone";
    try {
      const std::string hash = sha256_of_file(folder + "/" + path);
      if (hash == line.substr(0, kHashLetters)) continue;
      now = "now " + hash.substr(0, kShown);
    } catch (const Refused&) {
    }
    out += (out.empty() ? "" : ", ") + path + " (" + now + ")";
  }
  return out.empty() ? "none" : out;
}

}  // namespace

int64_t TreeFacts::kernels() const {
  return sum_of(steps, [](const PlanStep& step) { return step.code.empty() ? 0 : 1; });
}

int64_t TreeFacts::macs() const {
  return sum_of(steps, [](const PlanStep& step) { return step.macs; });
}

int64_t TreeFacts::cycles() const {
  return sum_of(steps, [](const PlanStep& step) { return step.cycles; });
}

TreeFacts read_tree_facts(const std::string& folder) {
  const std::string path = folder + "/manifest.json";
  if (!std::filesystem::is_regular_file(path)) {
    located({.file = folder}, [] {
      refuse("not-a-tree", "the folder has no manifest.json",
             "give a tree that burin generate has written, or a model");
    });
  }
  const JsonDocument manifest = read_json_file(path), plan = read_json_file(folder + "/plan.json");
  TreeFacts out = facts_of(manifest.root(), plan.root());
  out.edited = edited_files(folder);
  return out;
}

TreeFacts tree_facts(const cpp::EmittedTree& emitted) {
  const JsonDocument manifest = read_json_text(emitted.manifest({}).manifest, "manifest.json"),
                     plan =
                         read_json_text(emitted.tree.entries().at("plan.json").bytes, "plan.json");
  return facts_of(manifest.root(), plan.root());
}

}  // namespace burin
