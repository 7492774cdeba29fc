#include "vliw/pack.h"

#include <algorithm>
#include <utility>

#include "support/check.h"
#include "support/diagnostics.h"
#include "vliw/checker/checker.h"
#include "vliw/pack_block.h"
#include "vliw/pack_loops.h"

namespace burin::vliw {
namespace {

constexpr std::pair<std::string_view, Policy> kPolicies[] = {{"sda", Policy::kSda},
                                                             {"soft-to-hard", Policy::kSoftToHard},
                                                             {"soft-to-none", Policy::kSoftToNone},
                                                             {"list", Policy::kList},
                                                             {"best", Policy::kBest}};

// Packets that no assembler takes have no meaning to keep.
void refuse_illegal(const Module& module, const Machine& machine) {
  const std::vector<Violation> violations = check_packets(module, machine);
  if (violations.empty()) return;
  const Violation& first = violations[0];
  located(
      {module.file, std::to_string(first.line) + ":" + std::to_string(first.column), "", "", ""},
      [&] {
        refuse("illegal-packet", first.message,
               first.rule == "no-producer"
                   ? "compile with -mno-nvj where -disable-packetizer is used"
                   : "burin pack --check lists all of them");
      });
}

// The output is read back from its text and judged; a complaint is a bug of ours.
void prove(const Module& original, const PackResult& packed, const Machine& machine,
           const PackOptions& options) {
  const Module again = read_assembly(print_assembly(packed.module), packed.module.file, machine);
  std::vector<Violation> violations = check_packets(again, machine);
  const std::vector<Violation> unequal = check_equal(original, again, machine, packed.pipelined,
                                                     options.at_return == AtReturn::kConvention);
  violations.insert(violations.end(), unequal.begin(), unequal.end());
  BURIN_CHECK(violations.empty(), "the packed assembly is not right: line " +
                                      describe(violations.empty() ? Violation{} : violations[0]));
}

}  // namespace

PackResult pack(const Module& module, const Machine& machine, const PackOptions& options) {
  if (!(options.w <= 1)) refuse("bad-weight", "the weight of Equation 4 is not between 0 and 1");
  refuse_illegal(module, machine);
  const Program program = dissolve(module, machine, {options.strict});
  Resources resources(machine);
  PackResult result;
  result.warnings = program.warnings;
  std::vector<std::vector<Item>> items;
  std::vector<BlockReport> reports;
  NodeBudget budget(options.module_node_limit, static_cast<size_t>(std::count_if(
                                                   program.segments.begin(), program.segments.end(),
                                                   [](const Segment& s) { return s.is_block; })));
  std::string label;
  bool at_label = false;
  for (const Segment& segment : program.segments) {
    if (!segment.is_block) {
      if (segment.text.kind == Item::Kind::kLabel) {
        label = segment.text.text;
        at_label = true;
      }
      continue;
    }
    const bool loop = at_label && segment.block.end_loop0;
    BlockReport report = pack_block(segment.block, loop, resources, options, budget);
    budget.block_done();
    report.label = label;
    std::vector<Item> here;
    for (const Packet& packet : report.packets) here.push_back(item_of(packet));
    items.push_back(std::move(here));
    reports.push_back(std::move(report));
    at_label = false;
  }
  PackedLoops loops = pack_loops(program, std::move(reports), items, resources, options, budget);
  result.blocks = std::move(loops.blocks);
  result.pipelined = std::move(loops.pipelined);
  result.module = assemble(program, std::move(items));
  prove(module, result, machine, options);
  return result;
}

Policy policy_of(const std::string& name) {
  for (const auto& [known, policy] : kPolicies) {
    if (known == name) return policy;
  }
  refuse("unknown-policy", "no policy " + quoted(name),
         "sda, soft-to-hard, soft-to-none, list or best");
}

std::string_view name_of(Policy policy) {
  for (const auto& [name, known] : kPolicies) {
    if (known == policy) return name;
  }
  return "?";
}

}  // namespace burin::vliw
