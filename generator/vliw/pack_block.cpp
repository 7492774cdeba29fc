#include "vliw/pack_block.h"

#include <algorithm>
#include <utility>

#include "support/check.h"

namespace burin::vliw {
namespace {

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

int words_of_packet(const Packet& packet) {
  int words = 0;
  for (const Instruction& i : packet.instructions) words += words_of(i);
  return words;
}

Cost cost_of_packets(const std::vector<Packet>& packets, const Machine& machine, bool loop) {
  return loop ? loop_cost(packets, machine) : straight_cost(packets, machine);
}

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
      if (policy == Policy::kList)
        consider(pack_list(problem_, {.pressure = true}), "list by names", true);
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
    if (best_.cost.cycles > bound.cycles || best_.cost.packets > bound.packets) {
      consider(pack_list(problem_, {.pressure = true}), "list by names", true);
      consider(pack_list(problem_, {.in_order = false}), "list", true);
    }
    const Cost straight = vliw::cost_of(schedule_, graph_);
    if (straight.cycles > bound.cycles || straight.packets > bound.packets ||
        (loop_ && best_.cost.cycles > straight.packets)) {
      const ExactResult exact = pack_exact(problem_, schedule_, budget_.share(options_.node_limit));
      budget_.spend(exact.nodes);
      consider(exact.schedule, "exact", true);
      best_.optimal = exact.optimal && !loop_;
    }
    const bool fits =
        std::all_of(block_.original.begin(), block_.original.end(),
                    [&](const Packet& p) { return words_of_packet(p) <= machine_.words; });
    if (!block_.original.empty() && fits)
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

}  // namespace

BlockReport pack_block(const Block& block, bool loop, Resources& resources,
                       const PackOptions& options, NodeBudget& budget, const DeadBehind& dead) {
  BlockReport report = BlockPacker(block, loop, resources, options, budget).run();
  if (options.policy != Policy::kBest) return report;
  const auto offer = [&](const Block& other, const char* how) {
    BlockReport changed = BlockPacker(other, loop, resources, options, budget).run();
    if (changed.chosen == "original" || !better(changed.after, report.after)) return;
    report = std::move(changed);
    report.chosen += how;
  };
  const std::optional<Block> fused = fuse_compare_and_jump(block, resources.machine());
  if (fused) offer(*fused, " fused");
  const std::optional<NewValueJump> formed = form_new_value_jump(block, resources.machine());
  if (formed && dead && dead(formed->predicate)) offer(formed->block, " new-value jump");
  return report;
}

}  // namespace burin::vliw
