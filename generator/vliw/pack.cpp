#include "vliw/pack.h"

#include <algorithm>
#include <utility>

#include "support/check.h"
#include "support/diagnostics.h"
#include "vliw/checker/checker.h"

namespace burin::vliw {
namespace {

constexpr std::pair<std::string_view, Policy> kPolicies[] = {{"sda", Policy::kSda},
                                                             {"soft-to-hard", Policy::kSoftToHard},
                                                             {"soft-to-none", Policy::kSoftToNone},
                                                             {"list", Policy::kList},
                                                             {"best", Policy::kBest}};

struct Candidate {
  std::vector<Packet> packets;
  Cost cost;
  std::string name;
  bool optimal = false;
};

std::vector<Packet> materialise(const Schedule& schedule, const BlockProblem& problem, bool soft) {
  std::vector<Packet> packets;
  for (size_t p = 0; p < schedule.size(); ++p) {
    const bool last = p + 1 == schedule.size();
    std::optional<Packet> packet =
        problem.maker.make(schedule[p], last ? problem.last : PacketShape{}, soft);
    BURIN_CHECK(packet.has_value(), "a schedule that is not legal");
    packets.push_back(std::move(*packet));
  }
  return packets;
}

Cost cost_of_packets(const std::vector<Packet>& packets, const Machine& machine, bool loop) {
  return loop ? loop_cost(packets, machine) : straight_cost(packets, machine);
}

// Nodes of the branch and bound for a whole module. A block may take its even share of what is
// left, and what earlier blocks did not need: large modules stay fast, small ones lose nothing.
class NodeBudget {
 public:
  NodeBudget(int64_t nodes, size_t blocks) : left_(nodes), blocks_(blocks) {}

  int64_t share(int64_t most) const {
    const int64_t even = left_ / static_cast<int64_t>(std::max<size_t>(blocks_, 1));
    return std::min(most, std::max(even, kLeast));
  }
  void spend(int64_t nodes) { left_ = std::max<int64_t>(0, left_ - nodes); }
  void block_done() { --blocks_; }

 private:
  static constexpr int64_t kLeast = 50;
  int64_t left_;
  size_t blocks_;
};

class BlockPacker {
 public:
  BlockPacker(const Block& block, bool loop, Resources& resources, const PackOptions& options,
              NodeBudget& budget)
      : block_(block),
        loop_(loop),
        machine_(resources.machine()),
        options_(options),
        budget_(budget),
        graph_(build_graph(block, machine_)),
        maker_(block, graph_, resources),
        problem_{block_, graph_, maker_, machine_, {block.end_loop0, block.end_loop1}} {}

  BlockReport run() {
    const double w = options_.w >= 0 ? options_.w : machine_.sda_w;
    const Policy policy = options_.policy;
    if (policy != Policy::kBest) {
      const Schedule schedule =
          policy == Policy::kList ? pack_list(problem_) : pack_sda(problem_, policy, w);
      consider(schedule, std::string(name_of(policy)), policy != Policy::kSoftToHard);
    } else {
      best(w);
    }
    BlockReport report;
    report.line = block_.line;
    report.units = static_cast<int>(block_.units.size());
    report.loop = loop_;
    report.before = cost_of_packets(block_.original, machine_, loop_);
    report.after = best_.cost;
    report.bound = lower_bound(problem_);
    report.optimal = best_.optimal || (best_.cost.packets == report.bound.packets &&
                                       best_.cost.cycles <= report.bound.cycles);
    report.chosen = best_.name;
    report.packets = std::move(best_.packets);
    return report;
  }

 private:
  void consider(const Schedule& schedule, const std::string& name, bool soft) {
    Candidate candidate{materialise(schedule, problem_, soft), {}, name, false};
    offer(std::move(candidate), schedule);
  }

  void offer(Candidate candidate, const Schedule& schedule) {
    candidate.cost = cost_of_packets(candidate.packets, machine_, loop_);
    if (!best_.packets.empty() && !better(candidate.cost, best_.cost)) return;
    best_ = std::move(candidate);
    schedule_ = schedule;
  }

  void best(double w) {
    consider(pack_list(problem_), "list", true);
    consider(pack_sda(problem_, Policy::kSda, w), "sda", true);
    const Bound bound = lower_bound(problem_);
    const Cost straight = vliw::cost_of(schedule_, graph_);
    if (straight.cycles > bound.cycles || straight.packets > bound.packets ||
        (loop_ && best_.cost.cycles > straight.packets)) {
      const ExactResult exact = pack_exact(problem_, schedule_, budget_.share(options_.node_limit));
      budget_.spend(exact.nodes);
      consider(exact.schedule, "exact", true);
      best_.optimal = exact.optimal && !loop_;
    }
    if (!block_.original.empty())
      offer({block_.original, {}, "original", best_.optimal}, schedule_);
  }

  const Block& block_;
  bool loop_;
  const Machine& machine_;
  const PackOptions& options_;
  NodeBudget& budget_;
  Graph graph_;
  PacketMaker maker_;
  BlockProblem problem_;
  Candidate best_;
  Schedule schedule_;
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

// The output is read back from its text and judged; a complaint is a bug of ours.
void prove(const Module& original, const Module& packed, const Machine& machine) {
  const Module again = read_assembly(print_assembly(packed), packed.file, machine);
  std::vector<Violation> violations = check_packets(again, machine);
  const std::vector<Violation> unequal = check_equal(original, again, machine);
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
  std::vector<std::vector<Packet>> packets;
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
    const Block& block = segment.block;
    const bool loop = at_label && block.end_loop0;
    BlockReport report = BlockPacker(block, loop, resources, options, budget).run();
    if (options.policy == Policy::kBest) {
      if (const std::optional<Block> fused = fuse_compare_and_jump(block, machine)) {
        BlockReport other = BlockPacker(*fused, loop, resources, options, budget).run();
        if (other.chosen != "original" && better(other.after, report.after)) {
          report = std::move(other);
          report.chosen += " fused";
        }
      }
    }
    budget.block_done();
    report.label = label;
    packets.push_back(report.packets);
    result.blocks.push_back(std::move(report));
    at_label = false;
  }
  result.module = assemble(program, packets);
  prove(module, result.module, machine);
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
