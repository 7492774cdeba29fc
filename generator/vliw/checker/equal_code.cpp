#include <algorithm>
#include <optional>

#include "vliw/checker/checker.h"
#include "vliw/checker/pipelined.h"
#include "vliw/checker/reads.h"
#include "vliw/checker/stretches.h"
#include "vliw/checker/symbolic_run.h"

namespace burin::vliw {
namespace {

// items: where each event happens; the last is the end of the stretch.
std::vector<Event> run(const Stretch& stretch, Values& values, OperationNames& names,
                       const Machine& machine, std::vector<size_t>& items) {
  SymbolicRun symbolic(values, names, machine);
  std::vector<Event> events;
  for (size_t k = 0; k < stretch.packets.size(); ++k) {
    symbolic.step(*stretch.packets[k], events);
    items.resize(events.size(), stretch.items[k]);
  }
  items.push_back(stretch.items.empty() ? 0 : stretch.items.back());
  events.push_back(symbolic.snapshot(values.name("end"), {}, stretch.line));
  return events;
}

std::string difference(const Event& a, const Event& b, const Values& values) {
  const std::string &was = values.text(a.what), &is = values.text(b.what);
  if (a.what != b.what) return "'" + is + "' instead of '" + was + "'";
  if (a.operands != b.operands) return "'" + was + "' reads other values";
  for (int r = 0; r < kRegisterCount; ++r) {
    if (a.registers[static_cast<size_t>(r)] != b.registers[static_cast<size_t>(r)])
      return name_of_register(r) + " differs at '" + was + "'";
  }
  if (a.stores != b.stores) return "memory differs at '" + was + "'";
  return "sticky bits differ at '" + was + "'";
}

// Reads of the original, worked out when first asked for.
class Unread {
 public:
  Unread(const Module& module, bool by_convention)
      : module_(module), by_convention_(by_convention) {}

  const Reads& reads() {
    if (!reads_) reads_.emplace(module_, by_convention_);
    return *reads_;
  }

  // Predicates that nobody reads behind packet `item`: a jump on a new value writes none.
  RegisterSet predicates(size_t item) {
    RegisterSet all;
    for (int p = kPredicate; p < kVectorPredicate; ++p) all.add(p);
    return all - reads().behind(item);
  }

 private:
  const Module& module_;
  bool by_convention_;
  std::optional<Reads> reads_;
};

// The first difference of two stretches that must be the same.
std::optional<Violation> compare(const Stretch& before, const Stretch& after, Values& values,
                                 OperationNames& names, const Machine& machine, Unread& unread) {
  if (before.anchors != after.anchors)
    return Violation{after.line, 1, "labels",
                     "labels and directives are not those of the original"};
  std::vector<size_t> items, other_items;
  const std::vector<Event> a = run(before, values, names, machine, items),
                           b = run(after, values, names, machine, other_items);
  for (size_t e = 0; e < std::max(a.size(), b.size()); ++e) {
    if (e >= a.size() || e >= b.size())
      return Violation{after.line, 1, "flow", "another number of changes of flow"};
    if (!(a[e] == b[e]) && !same_but(a[e], b[e], unread.predicates(items[e])))
      return Violation{b[e].line, 1, "not-equal", difference(a[e], b[e], values)};
  }
  return std::nullopt;
}

const PipelinedClaim* claim_of(const Stretch& stretch, const std::vector<PipelinedClaim>& claims) {
  for (const PipelinedClaim& claim : claims) {
    for (const std::string& anchor : stretch.anchors) {
      if (anchor == "label " + claim.label) return &claim;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<Violation> check_equal(const Module& original, const Module& packed,
                                   const Machine& machine,
                                   const std::vector<PipelinedClaim>& claims, bool by_convention) {
  std::vector<Violation> violations;
  std::vector<Stretch> before = stretches(original), after = stretches(packed);
  Values values;
  OperationNames names(values, machine);
  Unread unread(original, by_convention);
  std::optional<Reads> packed_reads;
  std::optional<Names> packed_names;
  if (!claims.empty()) {
    packed_reads.emplace(packed, by_convention);
    packed_names.emplace(packed);
  }
  const ShortLoops away = take_short_loops(claims, after);
  size_t i = 0, j = 0;
  while (i < before.size() && j < after.size()) {
    const PipelinedClaim* claim = i + 1 < before.size() ? claim_of(before[i + 1], claims) : nullptr;
    if (claim != nullptr) {
      const std::vector<Stretch> rest(
          after.begin() + static_cast<std::ptrdiff_t>(j),
          after.begin() + static_cast<std::ptrdiff_t>(std::min(after.size(), j + 6)));
      PipelinedParts parts = cut_pipelined(*claim, before[i], before[i + 1], rest, away);
      std::vector<Violation> found =
          judge_pipelined({machine, unread.reads(), *packed_reads, *packed_names}, *claim, parts);
      for (Violation& violation : found) {
        violation.loop = claim->label;
        violations.push_back(std::move(violation));
      }
      if (!parts.trouble.empty()) return violations;
      // What is behind the loop stands where its last parts stood.
      ++i;
      j += parts.used - 1;
      before[i] = std::move(parts.original_tail);
      after[j] = std::move(parts.packed_tail);
      if (before[i].packets.empty()) ++i;
      if (after[j].packets.empty() && after[j].anchors.empty()) ++j;
      continue;
    }
    if (std::optional<Violation> found =
            compare(before[i], after[j], values, names, machine, unread)) {
      violations.push_back(std::move(*found));
      if (violations.back().rule == "labels") return violations;
    }
    ++i;
    ++j;
  }
  if (i != before.size() || j != after.size())
    violations.push_back({0, 1, "labels", "labels and directives are not those of the original"});
  return violations;
}

}  // namespace burin::vliw
