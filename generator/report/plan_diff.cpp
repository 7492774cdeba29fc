#include "report/plan_diff.h"

#include <algorithm>
#include <optional>

namespace burin {
namespace {

// What a step is recognised by: its nodes; what has no name, by what the step writes.
std::vector<PlanNode> keys_of(const PlanStep& step) {
  std::vector<PlanNode> out = step.nodes;
  for (PlanNode& node : out) {
    if (node.name.empty() && !step.writes.empty()) node.op += " -> " + step.writes[0];
  }
  if (out.empty() && !step.writes.empty()) out.push_back({"", "-> " + step.writes[0]});
  std::sort(out.begin(), out.end());
  return out;
}

class Pairing {
 public:
  Pairing(const TreeFacts& before, const TreeFacts& now)
      : before_(before), now_(now), of_now(now.steps.size()) {
    taken_.resize(before.steps.size());
    for (const PlanStep& step : before.steps) keys_.push_back(keys_of(step));
    for (size_t i = 0; i < keys_.size(); ++i) {
      for (const PlanNode& node : keys_[i]) by_node_[node].push_back(i);
    }
    // Those that nothing happened to come first, so that a neighbour cannot take their place.
    pair([&](size_t old, size_t one, const auto& keys) {
      return keys_[old] == keys && before_.steps[old].code == now_.steps[one].code;
    });
    pair([&](size_t old, size_t, const auto& keys) { return keys_[old] == keys; });
    pair([](size_t, size_t, const auto&) { return true; });
  }

  bool is_taken(size_t old) const { return taken_[old]; }

 private:
  // Each step that has no partner gets the free one with most common nodes which may be its.
  template <typename MayBe>
  void pair(const MayBe& may_be) {
    for (size_t i = 0; i < now_.steps.size(); ++i) {
      if (of_now[i]) continue;
      const std::vector<PlanNode> keys = keys_of(now_.steps[i]);
      std::map<size_t, int> common;
      for (const PlanNode& node : keys) {
        const auto found = by_node_.find(node);
        if (found == by_node_.end()) continue;
        for (const size_t old : found->second) common[old] += !taken_[old];
      }
      int most = 0;
      for (const auto& [old, count] : common) {
        if (count <= most || !may_be(old, i, keys)) continue;
        most = count;
        of_now[i] = old;
      }
      if (of_now[i]) taken_[*of_now[i]] = true;
    }
  }

  const TreeFacts &before_, &now_;
  std::vector<std::vector<PlanNode>> keys_;
  std::map<PlanNode, std::vector<size_t>> by_node_;
  std::vector<bool> taken_;

 public:
  std::vector<std::optional<size_t>> of_now;  // the step that it was
};

// Those that `other` does not have.
std::string only_in(const std::vector<PlanNode>& nodes, const std::vector<PlanNode>& other) {
  std::string out;
  for (const PlanNode& node : nodes) {
    if (std::find(other.begin(), other.end(), node) == other.end())
      out += (out.empty() ? "" : ", ") + node.op + " " + node.name;
  }
  return out;
}

// Members of `before` and `now` that differ.
std::vector<Change> differences(const std::map<std::string, std::string>& before,
                                const std::map<std::string, std::string>& now) {
  std::vector<Change> out;
  for (const auto& [what, value] : before) {
    const auto other = now.find(what);
    if (other == now.end() || other->second != value)
      out.push_back({what, value, other == now.end() ? "" : other->second});
  }
  for (const auto& [what, value] : now) {
    if (!before.contains(what)) out.push_back({what, "", value});
  }
  return out;
}

std::vector<Change> changes_of(const PlanStep& before, const PlanStep& now) {
  std::vector<Change> out;
  const auto add = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) out.push_back({what, a, b});
  };
  if (keys_of(before) != keys_of(now))
    out.push_back({"nodes", only_in(before.nodes, now.nodes), only_in(now.nodes, before.nodes)});
  add("kernel", before.code.empty() ? "a view" : before.code,
      now.code.empty() ? "a view" : now.code);
  add("macs", std::to_string(before.macs), std::to_string(now.macs));
  add("least_cycles", std::to_string(before.cycles), std::to_string(now.cycles));
  std::vector<Change> decisions = differences(before.decisions, now.decisions);
  // The reason repeats the others in words.
  if (decisions.size() > 1)
    std::erase_if(decisions, [](const Change& one) { return one.what == "reason"; });
  out.insert(out.end(), decisions.begin(), decisions.end());
  return out;
}

std::vector<Change> fact_changes(const TreeFacts& before, const TreeFacts& now) {
  std::vector<Change> out;
  const auto add = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) out.push_back({what, a, b});
  };
  add("name", before.name, now.name);
  add("hardware", before.hardware, now.hardware);
  if (before.hardware == now.hardware)
    add("description", before.hardware_sha256, now.hardware_sha256);
  add("burin", before.burin, now.burin);
  add("flags", before.flags, now.flags);
  add("model", before.model_sha256, now.model_sha256);
  add("files that are not as burin wrote them", before.edited, now.edited);
  add("figures at", before.sizes, now.sizes);
  add("arena", before.arena, now.arena);
  if (before.weights_crc32 != now.weights_crc32)
    out.push_back({"weights, CRC-32", std::to_string(before.weights_crc32),
                   std::to_string(now.weights_crc32)});
  const std::vector<Change> interface = differences(before.interface, now.interface);
  out.insert(out.end(), interface.begin(), interface.end());
  return out;
}

StepChange told(StepChange::Kind kind, const PlanStep* before, const PlanStep* now) {
  StepChange out{kind, now ? now->nodes : before->nodes, 0, 0, 0, 0, {}};
  if (before) out.macs_before = before->macs, out.cycles_before = before->cycles;
  if (now) out.macs = now->macs, out.cycles = now->cycles;
  if (before && now) out.changes = changes_of(*before, *now);
  return out;
}

}  // namespace

bool PlanDiff::empty() const {
  return facts.empty() && steps.empty() && !reordered &&
         std::all_of(figures.begin(), figures.end(),
                     [](const Figure& one) { return one.before == one.now; });
}

PlanDiff diff(const TreeFacts& before, const TreeFacts& now) {
  PlanDiff out;
  out.before = before.name + " for " + before.hardware;
  out.now = now.name + " for " + now.hardware;
  if (before.sizes == now.sizes) out.sizes = now.sizes;
  const auto figure = [&](const char* name, int64_t a, int64_t b) {
    out.figures.push_back({name, a, b});
  };
  figure("kernels", before.kernels(), now.kernels());
  figure("nodes without a kernel", static_cast<int64_t>(before.eliminated.size()),
         static_cast<int64_t>(now.eliminated.size()));
  figure("MACs", before.macs(), now.macs());
  figure("least cycles", before.cycles(), now.cycles());
  figure("arena bytes", before.arena_bytes, now.arena_bytes);
  figure("weights bytes", before.weights_bytes, now.weights_bytes);
  out.facts = fact_changes(before, now);
  const Pairing pairs(before, now);
  size_t last = 0;
  for (size_t i = 0; i < now.steps.size(); ++i) {
    const std::optional<size_t> old = pairs.of_now[i];
    if (!old) {
      out.steps.push_back(told(StepChange::Kind::added, nullptr, &now.steps[i]));
      continue;
    }
    out.reordered = out.reordered || *old < last;
    last = std::max(last, *old);
    StepChange change = told(StepChange::Kind::changed, &before.steps[*old], &now.steps[i]);
    if (change.changes.empty()) {
      ++out.same;
    } else {
      out.steps.push_back(std::move(change));
    }
  }
  for (size_t i = 0; i < before.steps.size(); ++i) {
    if (!pairs.is_taken(i))
      out.steps.push_back(told(StepChange::Kind::gone, &before.steps[i], nullptr));
  }
  return out;
}

}  // namespace burin
