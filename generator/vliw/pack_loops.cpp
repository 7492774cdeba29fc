#include "vliw/pack_loops.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "vliw/effects.h"
#include "vliw/far_jumps.h"
#include "vliw/pack_block.h"
#include "vliw/pack_lead.h"
#include "vliw/temporary.h"

namespace burin::vliw {
namespace {

constexpr int kNear = 56;  // words that a set-up's label reaches for certain, alignment included
constexpr double kUsualTrips = 64;  // where the set-up does not say

double total_cycles(const std::vector<BlockReport>& parts) {
  double sum = 0;
  for (const BlockReport& part : parts) sum += part.after.cycles;
  return sum;
}

class LoopPacker {
 public:
  LoopPacker(const Program& program, std::vector<BlockReport> reports,
             std::vector<std::vector<Item>>& items, Resources& resources,
             const PackOptions& options, NodeBudget& budget)
      : program_(program),
        reports_(std::move(reports)),
        items_(items),
        resources_(resources),
        options_(options),
        budget_(budget),
        behind_(reports_.size()) {}

  PackedLoops run() {
    block_of_.assign(program_.segments.size(), 0);
    size_t count = 0;
    for (size_t s = 0; s < program_.segments.size(); ++s) {
      if (program_.segments[s].is_block) block_of_[s] = count++;
    }
    PipelineBudget work{options_.pipelining.module_limit};
    for (const Candidate& candidate : candidates()) {
      PipelineBudget mine{std::min(work.left, options_.pipelining.loop_limit)};
      const int64_t before = mine.left;
      one(candidate, mine);
      work.spend(before - mine.left);
    }
    PackedLoops all;
    for (size_t b = 0; b < reports_.size(); ++b) {
      all.blocks.push_back(std::move(reports_[b]));
      for (BlockReport& part : behind_[b]) all.blocks.push_back(std::move(part));
    }
    all.pipelined = std::move(pipelined_);
    return all;
  }

 private:
  const ProgramFacts& facts() {
    if (!facts_) facts_ = facts_of(program_, options_.at_return);
    return *facts_;
  }

  std::string fresh(const std::string& name) {
    std::string unique = name;
    while (facts().references.count(unique) != 0 || taken_.count(unique) != 0) unique += "_";
    taken_.insert(unique);
    return unique;
  }

  struct Candidate {
    Loop loop;
    size_t block = 0;
    double gain = 0;  // cycles, if it came down to its resource bound
  };

  // The block behind the loop that nothing falls out of, near enough for a guard's jump, with no
  // directive between: there a short loop is in nobody's way.
  std::optional<size_t> away_of(const Loop& loop) const {
    constexpr size_t kFar = 1500;  // words; a conditional jump reaches ten times as far
    size_t words = 0;
    for (size_t s = loop.segment + 1; s < program_.segments.size() && words < kFar; ++s) {
      const Segment& segment = program_.segments[s];
      if (!segment.is_block) {
        if (segment.text.kind == Item::Kind::kLabel || falls_through(segment.text)) continue;
        return std::nullopt;
      }
      const std::vector<Unit>& units = segment.block.units;
      if (segment.block.end_loop0 || segment.block.end_loop1) words += 8 * units.size();
      words += 4 * units.size();
      if (units.empty()) continue;
      const std::vector<Instruction>& last = units.back().instructions;
      if (std::any_of(last.begin(), last.end(), [](const Instruction& i) {
            return !i.unknown() && i.form->is(kJump) &&
                   i.form->key.find("if(") == std::string::npos;
          }))
        return block_of_[s];
    }
    return std::nullopt;
  }

  static double trips_of(const Loop& loop) {
    return loop.trips ? static_cast<double>(*loop.trips) : kUsualTrips;
  }

  // Loops that may be pipelined, the largest gain first; the others get their reason.
  std::vector<Candidate> candidates() {
    std::vector<Candidate> all;
    if (!options_.pipeline || options_.policy != Policy::kBest) return all;
    for (size_t s = 0; s < program_.segments.size(); ++s) {
      const Segment& segment = program_.segments[s];
      if (!segment.is_block || !segment.block.end_loop0) continue;
      BlockReport& report = reports_[block_of_[s]];
      LoopOrReason found = loop_at(program_, s, facts());
      if (found.loop && options_.not_pipelined.count(found.loop->label) != 0)
        found = {{}, "its pipelined form is not proven"};
      if (!found.loop) {
        report.pipelining = LoopReport{};
        report.pipelining->reason = found.reason;
        continue;
      }
      const std::vector<Instruction>& body = found.loop->body;
      const int bound =
          resource_bound(body, lone_readers(body, found.loop->live_out), resources_.machine());
      const double gain = trips_of(*found.loop) * (report.after.cycles - bound);
      all.push_back({std::move(*found.loop), block_of_[s], gain});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
    return all;
  }

  void one(const Candidate& candidate, PipelineBudget& work) {
    const size_t b = candidate.block;
    LoopReport loop_report;
    const Loop& loop = candidate.loop;
    const std::string stem = loop.label.rfind(".L", 0) == 0 ? loop.label : ".L" + loop.label;
    const PipelineLabels labels{fresh(stem + "_short"), fresh(stem + "_short_body"),
                                fresh(stem + "_done"), fresh(stem + "_even")};
    const double before = reports_[b].after.cycles;
    PipelineOutcome outcome = pipeline(loop, before, resources_, labels, options_.pipelining, work);
    loop_report.bounds = outcome.bounds;
    loop_report.reason = outcome.reason;
    const double trips = trips_of(loop);
    double best = trips * before;
    const std::optional<size_t> away = away_of(loop);
    for (Pipelined& way : outcome.ways) {
      for (Block& guard : way.guards) extend_jumps(guard, options_.far_labels);
      std::vector<BlockReport> parts = pack_parts(way, reports_[b], labels.done, away.has_value());
      Lead lead = lead_of(loop, way, parts);
      const double kernels = std::floor(trips / way.unroll) - way.schedule.stages;
      const double cycles =
          total_cycles(parts) - parts_of_rest(parts) - lead.gain + kernels * way.schedule.ii;
      if (cycles >= best) continue;
      if (!lead.without_set_up && !set_up_reaches(loop, parts)) {
        loop_report.reason = "its set-up has no room for a far label";
        continue;
      }
      best = cycles;
      loop_report.pipelined = true;
      loop_report.bounds = way.bounds;
      loop_report.ii = way.schedule.ii;
      loop_report.stages = way.schedule.stages;
      loop_report.unroll = way.unroll;
      loop_report.copies = way.copies;
      loop_report.apart = way.apart;
      chosen_ = std::move(parts);
      lead_ = std::move(lead);
    }
    if (!outcome.ways.empty() && !loop_report.pipelined && loop_report.reason.empty())
      loop_report.reason = "prologue and epilogue cost more than it gains";
    reports_[b].pipelining = loop_report;
    if (!loop_report.pipelined) return;
    if (!lead_.without_set_up) extend_set_up(loop);
    place(loop, b, labels, away);
  }

  Lead lead_of(const Loop& loop, const Pipelined& way, const std::vector<BlockReport>& parts) {
    const Block& in_front = program_.segments[loop.before].block;
    if (way.guards.empty() || in_front.units.empty()) return {};
    const LeadParts of{in_front, reports_[block_of_[loop.before]], loop, way,
                       parts[0], live_where(in_front.units.back())};
    return lead(of, resources_.machine(), [&](const Block& block) {
      return pack_block(block, false, resources_, options_, budget_);
    });
  }

  // Is this a conditional jump to a label of this file? What is live there.
  std::optional<RegisterSet> live_where(const Unit& unit) {
    if (unit.closed || unit.instructions.size() != 1) return std::nullopt;
    const Instruction& jump = unit.instructions[0];
    if (jump.unknown() || !jump.form->is(kJump) || jump.form->key.rfind("if(", 0) != 0 ||
        effects_of(jump).predicate < 0 || jump.operands.back().kind != '@')
      return std::nullopt;
    for (size_t s = 0; s < program_.segments.size(); ++s) {
      const Segment& segment = program_.segments[s];
      if (!segment.is_block && segment.text.kind == Item::Kind::kLabel &&
          segment.text.text == jump.operands.back().text)
        return facts().live[s];
    }
    return std::nullopt;
  }

  static int words_in(const Packet& packet) {
    int words = 0;
    for (const Instruction& i : packet.instructions) words += words_of(i);
    return words;
  }

  // The original set-up, as packed: its packet and the words between it and the end of the block
  // that falls into the loop.
  std::pair<Packet*, int> set_up_of(const Loop& loop) {
    int words = 0;
    for (size_t b = block_of_[loop.before] + 1; b-- > 0;) {
      for (size_t k = items_[b].size(); k-- > 0;) {
        Packet& packet = items_[b][k].packet;
        words += words_in(packet);
        for (const Instruction& i : packet.instructions) {
          if (!i.unknown() && i.form->is(kLoop0)) return {&packet, words};
        }
      }
    }
    return {nullptr, words};
  }

  // The label in a set-up reaches 63 words without a constant extender; is it near, or is there
  // room for one?
  bool set_up_reaches(const Loop& loop, const std::vector<BlockReport>& parts) {
    auto [packet, words] = set_up_of(loop);
    if (packet == nullptr) return false;
    return words + words_in_front(parts) <= kNear || words_in(*packet) < resources_.machine().words;
  }

  static int words_in_front(const std::vector<BlockReport>& parts) {
    int words = 0;
    for (const BlockReport& part : parts) {
      if (part.part == "kernel") break;
      for (const Packet& packet : part.packets) words += words_in(packet);
    }
    return words;
  }

  void extend_set_up(const Loop& loop) {
    auto [packet, words] = set_up_of(loop);
    if (words + words_in_front(chosen_) <= kNear) return;
    for (Instruction& i : packet->instructions) {
      if (!i.unknown() && i.form->is(kLoop0)) i.operands[0].extended = true;
    }
  }

  // Cycles of what only few iterations run.
  static double parts_of_rest(const std::vector<BlockReport>& parts) {
    double sum = 0;
    for (const BlockReport& part : parts) {
      if (part.part.rfind("short", 0) == 0 || part.part == "odd iteration")
        sum += part.after.cycles;
    }
    return sum;
  }

  std::vector<BlockReport> pack_parts(const Pipelined& way, const BlockReport& body,
                                      const std::string& done, bool away) const {
    const Unit back{{parse_instruction("jump " + done, resources_.machine(), body.line, 1)}};
    std::vector<BlockReport> parts;
    const auto add = [&](const Block& block, const char* part) {
      if (block.units.empty()) return;
      BlockReport report = pack_block(block, false, resources_, options_, budget_);
      report.before = {};
      report.part = part;
      report.line = body.line;
      report.label = body.label;
      parts.push_back(std::move(report));
    };
    for (const Block& guard : way.guards) add(guard, "guard");
    add(way.peeled, "odd iteration");
    add(way.prologue, "prologue");
    BlockReport kernel;
    kernel.line = body.line;
    kernel.label = body.label;
    kernel.units = way.unroll * body.units + way.copies;
    kernel.loop = true;
    kernel.after = loop_cost(way.kernel, resources_.machine());
    kernel.bound = {way.bounds.resource, std::max(way.bounds.resource, way.bounds.recurrence)};
    kernel.optimal = way.schedule.ii == kernel.bound.cycles;
    kernel.chosen = "modulo";
    kernel.part = "kernel";
    kernel.packets = way.kernel;
    parts.push_back(std::move(kernel));
    Block epilogue = way.epilogue;
    if (!way.guards.empty() && !away) epilogue.units.push_back(back);
    add(epilogue, "epilogue");
    if (!way.guards.empty()) {
      add(way.short_setup, "short set-up");
      BlockReport rest = body;
      rest.part = "short loop";
      rest.before = {};
      parts.push_back(std::move(rest));
      Block exit;
      exit.units.push_back(back);
      if (away) add(exit, "short exit");
    }
    return parts;
  }

  void place(const Loop& loop, size_t b, const PipelineLabels& labels,
             const std::optional<size_t>& away) {
    PipelinedClaim text;
    text.label = loop.label;
    text.stages = reports_[b].pipelining->stages;
    text.unroll = reports_[b].pipelining->unroll;
    text.guards = reports_[b].pipelining->apart;
    const bool guarded = std::any_of(chosen_.begin(), chosen_.end(), [](const BlockReport& part) {
      return part.part == "short loop";
    });
    text.away = guarded && away.has_value();
    std::vector<Item>& in_front = items_[block_of_[loop.before]];
    std::vector<Item> here, elsewhere;
    std::vector<Item>& aside = text.away ? elsewhere : here;
    if (lead_.report) {
      in_front.clear();
      for (const Packet& packet : lead_.report->packets) in_front.push_back(item_of(packet));
      reports_[block_of_[loop.before]] = std::move(*lead_.report);
      if (lead_.guard)
        chosen_.front() = std::move(*lead_.guard);
      else
        chosen_.erase(chosen_.begin());  // the first guard
    }
    for (const BlockReport& part : chosen_) {
      const bool front =
          part.part == "guard" || part.part == "odd iteration" || part.part == "prologue";
      if (part.part == "prologue" && text.peeled_packets > 0 && !loop.trips) {
        text.even = labels.even;
        in_front.push_back(label_of(labels.even));
      }
      if (part.part == "short set-up") {
        text.short_loop = labels.short_loop;
        text.short_body = labels.short_body;
        text.done = labels.done;
        aside.push_back(label_of(labels.short_loop));
      }
      if (part.part == "short loop") aside.push_back(label_of(labels.short_body));
      const bool shorter = part.part.rfind("short", 0) == 0;
      for (const Packet& packet : part.packets)
        (front ? in_front : shorter ? aside : here).push_back(item_of(packet));
      if (part.part == "short loop") here.push_back(label_of(labels.done));
      const auto packets = static_cast<int>(part.packets.size());
      if (part.part == "odd iteration") text.peeled_packets = packets;
      if (part.part == "prologue") text.prologue_packets = packets;
      if (part.part == "epilogue") text.epilogue_packets = packets;
    }
    items_[b] = std::move(here);
    if (text.away) items_[*away].insert(items_[*away].end(), elsewhere.begin(), elsewhere.end());
    // The report of the body as it was makes room for those of the parts.
    const Cost before = reports_[b].before;
    std::vector<BlockReport> parts = std::move(chosen_);
    for (BlockReport& part : parts) {
      if (part.part != "kernel") continue;
      part.before = before;
      part.pipelining = reports_[b].pipelining;
    }
    reports_[b] = std::move(parts.front());
    parts.erase(parts.begin());
    behind_[b] = std::move(parts);
    pipelined_.push_back(std::move(text));
  }

  const Program& program_;
  std::vector<BlockReport> reports_;
  std::vector<std::vector<Item>>& items_;
  Resources& resources_;
  const PackOptions& options_;
  NodeBudget& budget_;
  std::vector<std::vector<BlockReport>> behind_;
  std::vector<size_t> block_of_;
  std::optional<ProgramFacts> facts_;
  std::set<std::string> taken_;
  std::vector<BlockReport> chosen_;
  Lead lead_;
  std::vector<PipelinedClaim> pipelined_;
};

}  // namespace

PackedLoops pack_loops(const Program& program, std::vector<BlockReport> reports,
                       std::vector<std::vector<Item>>& items, Resources& resources,
                       const PackOptions& options, NodeBudget& budget) {
  return LoopPacker(program, std::move(reports), items, resources, options, budget).run();
}

}  // namespace burin::vliw
