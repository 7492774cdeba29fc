#include "plan/memory/alias_rules.h"

#include "kernel/run_order.h"

namespace burin {
namespace {

std::string rule_text(const NeverInPlace& rule) {
  return "step " + to_string(rule.step) + " is never in place";
}
std::string rule_text(const RowsFirst& rule) {
  return "step " + to_string(rule.step) + " makes rows of let" + std::to_string(rule.let) +
         " before it writes them";
}
std::string rule_text(const Concurrent& rule) {
  return "steps " + to_string(rule.steps) + " run at the same time";
}
std::string rule_text(const OwnMemory& rule) {
  return "v" + std::to_string(rule.value) + " has a memory of its own";
}

}  // namespace

std::string to_string(const AliasRules& rules) {
  std::string out;
  for (const AliasRule& rule : rules)
    out += std::visit([](const auto& one) { return rule_text(one); }, rule) + "\n";
  return out;
}

AliasIndex::AliasIndex(const AliasRules& rules) {
  for (const NeverInPlace& rule : rules_of<NeverInPlace>(rules)) never_in_place.insert(rule.step);
  for (const RowsFirst& rule : rules_of<RowsFirst>(rules))
    rows_first_lets.emplace(rule.step, rule.let);
  for (const Concurrent& rule : rules_of<Concurrent>(rules))
    concurrent.insert(rule.steps.begin(), rule.steps.end());
  for (const OwnMemory& rule : rules_of<OwnMemory>(rules)) own_memory.insert(rule.value);
}

int AliasIndex::rows_first(StepId step) const {
  const auto found = rows_first_lets.find(step);
  return found == rows_first_lets.end() ? -1 : found->second;
}

}  // namespace burin
