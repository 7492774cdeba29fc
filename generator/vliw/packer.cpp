#include "vliw/packer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "support/check.h"
#include "support/diagnostics.h"
#include "vliw/checker/checker.h"
#include "vliw/effects.h"
#include "vliw/far_jumps.h"
#include "vliw/pack_block.h"
#include "vliw/pack_loops.h"

namespace burin::vliw {
namespace {

constexpr std::pair<std::string_view, Policy> kPolicies[] = {{"sda", Policy::kSda},
                                                             {"soft-to-hard", Policy::kSoftToHard},
                                                             {"soft-to-none", Policy::kSoftToNone},
                                                             {"list", Policy::kList},
                                                             {"best", Policy::kBest}};

// What is read behind blocks, worked out when first asked for.
class Behind {
 public:
  Behind(const Program& program, AtReturn at_return) : program_(program), at_return_(at_return) {}

  // Is r not read behind the block of segment s, neither below it nor where its jumps go?
  bool dead(size_t s, int r) {
    if (live_.empty()) {
      live_ = live_at(program_, at_return_);
      for (size_t k = 0; k < program_.segments.size(); ++k) {
        const Segment& segment = program_.segments[k];
        if (!segment.is_block && segment.text.kind == Item::Kind::kLabel)
          labels_[segment.text.text] = k;
      }
    }
    if (live_[s + 1].has(r)) return false;
    for (const Unit& unit : program_.segments[s].block.units) {
      for (const Instruction& i : unit.instructions) {
        if (!changes_flow(i)) continue;
        for (const Operand& operand : i.operands) {
          if (operand.kind != '@') continue;
          const auto at = labels_.find(operand.text);
          if (at == labels_.end() || live_[at->second].has(r)) return false;
        }
      }
    }
    return true;
  }

 private:
  const Program& program_;
  AtReturn at_return_;
  std::vector<RegisterSet> live_;
  std::map<std::string, size_t> labels_;
};

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

// The output is read back from its text and judged; a complaint is a bug of ours, except that a
// pipelined loop may be right and not proven: the proof is sound, not complete. Labels of those,
// and what is missing.
std::map<std::string, std::string> not_proven(const Module& original, const PackResult& packed,
                                              const Machine& machine, const PackOptions& options) {
  const Module again = read_assembly(print_assembly(packed.module), packed.module.file, machine);
  std::vector<Violation> violations = check_packets(again, machine);
  const std::vector<Violation> unequal = check_equal(original, again, machine, packed.pipelined,
                                                     options.at_return == AtReturn::kConvention);
  violations.insert(violations.end(), unequal.begin(), unequal.end());
  std::map<std::string, std::string> loops;
  for (const Violation& violation : violations) {
    BURIN_CHECK(!violation.loop.empty(),
                "the packed assembly is not right: line " + describe(violation));
    loops.emplace(violation.loop, violation.message);
  }
  return loops;
}

// The blocks of a program, packed one by one; those whose jumps change are packed again.
class Blocks {
 public:
  Blocks(const Module& module, const Machine& machine, const PackOptions& options)
      : program_(dissolve(module, machine, {options.strict})),
        options_(options),
        resources_(machine),
        budget_(options.module_node_limit, static_cast<size_t>(std::count_if(
                                               program_.segments.begin(), program_.segments.end(),
                                               [](const Segment& s) { return s.is_block; }))) {
    Behind behind(program_, options.at_return);
    std::string label;
    bool at_label = false;
    for (size_t s = 0; s < program_.segments.size(); ++s) {
      const Segment& segment = program_.segments[s];
      if (!segment.is_block) {
        if (segment.text.kind == Item::Kind::kLabel) {
          label = segment.text.text;
          at_label = true;
        }
        continue;
      }
      segments_.push_back(s);
      reports_.emplace_back().label = label;
      reports_.back().loop = at_label && segment.block.end_loop0;
      items_.emplace_back();
      pack_one(segments_.size() - 1, behind);
      budget_.block_done();
      at_label = false;
    }
  }

  // Jumps to these labels bring an extender from now on.
  void extend(const std::set<std::string>& labels) {
    Behind behind(program_, options_.at_return);
    for (size_t b = 0; b < segments_.size(); ++b) {
      if (extend_jumps(program_.segments[segments_[b]].block, labels)) pack_one(b, behind);
    }
  }

  // The module with its loops pipelined.
  PackResult with_loops(const PackOptions& options) {
    PackResult result;
    result.warnings = program_.warnings;
    std::vector<std::vector<Item>> placed = items_;
    NodeBudget budget = budget_;
    PackedLoops loops = pack_loops(program_, reports_, placed, resources_, options, budget);
    result.blocks = std::move(loops.blocks);
    result.pipelined = std::move(loops.pipelined);
    result.module = assemble(program_, std::move(placed));
    return result;
  }

 private:
  void pack_one(size_t b, Behind& behind) {
    const size_t s = segments_[b];
    BlockReport report = pack_block(program_.segments[s].block, reports_[b].loop, resources_,
                                    options_, budget_, [&](int r) { return behind.dead(s, r); });
    report.label = reports_[b].label;
    reports_[b] = std::move(report);
    items_[b].clear();
    for (const Packet& packet : reports_[b].packets) items_[b].push_back(item_of(packet));
  }

  Program program_;
  const PackOptions& options_;
  Resources resources_;
  NodeBudget budget_;
  std::vector<size_t> segments_;      // of each block
  std::vector<BlockReport> reports_;  // and what became of it
  std::vector<std::vector<Item>> items_;
};

}  // namespace

PackResult pack(const Module& module, const Machine& machine, const PackOptions& options) {
  if (!(options.w <= 1)) refuse("bad-weight", "the weight of Equation 4 is not between 0 and 1");
  refuse_illegal(module, machine);
  Blocks blocks(module, machine, options);
  PackOptions now = options;
  blocks.extend(now.far_labels);
  std::vector<std::string> warnings;
  std::map<std::string, std::string> reasons;  // of loops that are left, by label
  for (;;) {
    PackResult result = blocks.with_loops(now);
    const size_t known = now.far_labels.size();
    now.far_labels.merge(labels_too_far(result.module, machine));
    if (now.far_labels.size() != known) {
      blocks.extend(now.far_labels);
      continue;
    }
    // Loops that are not proven stay as packed; those that were pipelined beside them are made
    // again and judged again, no others.
    for (BlockReport& block : result.blocks) {
      if (!block.pipelining || block.pipelining->pipelined) continue;
      const auto before = reasons.try_emplace(block.label, block.pipelining->reason).first;
      block.pipelining->reason = before->second;
    }
    const std::map<std::string, std::string> unproven =
        not_proven(module, result, machine, options);
    if (unproven.empty()) {
      result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
      return result;
    }
    for (const auto& [left, reason] : reasons) now.not_pipelined.insert(left);
    for (const auto& [loop, missing] : unproven) {
      now.not_pipelined.insert(loop);
      warnings.push_back(module.file + ": warning: the pipelined loop " + quoted(loop) +
                         " is not proven (" + missing + "); it is left as packed");
    }
  }
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
