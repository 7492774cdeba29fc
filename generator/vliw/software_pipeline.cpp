#include "vliw/software_pipeline.h"

#include <algorithm>
#include <cmath>

#include "vliw/bases.h"
#include "vliw/pipeline_emit.h"
#include "vliw/rename.h"
#include "vliw/temporary.h"

namespace burin::vliw {
namespace {

constexpr int kMostCopies = 12, kMostForced = 3;
constexpr int kTriesTogether = 2;  // so many times the tries: there is hardly a slot to spare

// Whether offsets move with their pointers; whether loads are kept with their readers.
struct Way {
  bool moving = true, together = false;
};
constexpr Way kWays[] = {{true, true}, {true, false}, {false, false}};

class Attempt {
 public:
  Attempt(const Loop& loop, Resources& resources, const PipelineLabels& labels,
          const PipelineOptions& options, LoopGraphOptions graph_options, bool together, int unroll,
          PipelineBudget& budget)
      : loop_(loop),
        resources_(resources),
        machine_(resources.machine()),
        labels_(labels),
        options_(options),
        graph_options_(graph_options),
        together_(together),
        unroll_(unroll),
        budget_(budget) {
    free_ = loop.free;
    body_ = rename_ranges(with_shared_bases(loop.body, loop.live_out), machine_, free_);
    if (together) body_ = with_loads_again(body_, loop.live_out, resources, free_);
  }

  PipelineBounds bounds(int most) const {
    const std::vector<int> readers = lone_readers(body_, loop_.live_out);
    const LoopGraph graph = build_loop_graph(body_, machine_, graph_options_);
    const PipelineBounds bounds{
        resource_bound(body_, readers, machine_),
        recurrence_bound(graph, static_cast<int>(body_.size()), false, most)};
    spend_on(body_, bounds.recurrence);
    return bounds;
  }

  std::optional<Pipelined> at(int ii) {
    std::vector<Instruction> body = body_;
    RegisterSet free = free_;
    int forced = 0;
    for (int copies = 0; copies <= kMostCopies; ++copies) {
      const std::vector<int> readers = lone_readers(body, loop_.live_out);
      if (resource_bound(body, readers, machine_) > ii || budget_.spent()) return std::nullopt;
      const LoopGraph graph = graph_of(body, readers);
      spend_on(body, 1);
      const int n = static_cast<int>(body.size());
      std::vector<int> cycle;
      const auto ways = longest_ways(graph, n, ii, cycle);
      if (!ways) {
        if (!split_on(cycle, graph, body, free)) return std::nullopt;
        continue;
      }
      ModuloPackets packets(body, graph, readers, resources_);
      bool left_out = false;  // the usual order has a schedule, which has no text
      for (const bool tied_first : {true, false}) {
        int64_t tries = 0;
        const auto schedule = modulo_schedule(
            *ways, graph, packets, n, ii, tied_first,
            std::min(options_.search_limit * (together_ ? kTriesTogether : 1), budget_.left),
            tries);
        budget_.spend(tries);
        if (!schedule) continue;
        if (schedule->stages > options_.most_stages) {
          reason_ = "it would need more than " + std::to_string(options_.most_stages) + " stages";
          continue;
        }
        const PipelineParts parts{loop_,   body,     graph,   *schedule,
                                  packets, machine_, labels_, unroll_};
        if (std::optional<Pipelined> done = emit_pipeline(parts, reason_)) {
          done->copies = n - static_cast<int>(body_.size());
          return done;
        }
        left_out = !tied_first;
      }
      if (left_out) return std::nullopt;
      if (++forced > kMostForced || !split_tightest(*ways, graph, ii, body, free))
        return std::nullopt;
    }
    return std::nullopt;
  }

  const std::string& reason() const { return reason_; }

 private:
  LoopGraph graph_of(const std::vector<Instruction>& body, const std::vector<int>& readers) const {
    LoopGraph graph = build_loop_graph(body, machine_, graph_options_);
    if (together_) keep_together(graph, body, readers, resources_);
    return graph;
  }

  // A graph asks about pairs; longest ways are O(n^3) steps far shorter than a placement.
  void spend_on(const std::vector<Instruction>& body, int ways) const {
    const auto n = static_cast<int64_t>(body.size());
    budget_.spend(n * n / 2 + ways * n * n * n / 1000);
  }

  // A cycle through the reuse of a register: its value gets another register first.
  bool split_on(const std::vector<int>& cycle, const LoopGraph& graph,
                std::vector<Instruction>& body, RegisterSet& free) const {
    for (const int e : cycle) {
      const LoopEdge& edge = graph.edges[static_cast<size_t>(e)];
      if (edge.reg < 0 || edge.flow) continue;
      if (auto split = split_range(body, edge.to, edge.reg, machine_, free)) {
        body = std::move(*split);
        return true;
      }
    }
    return false;
  }

  // Nothing forbids this II and yet no schedule was found: more room for the value that has least.
  bool split_tightest(const std::vector<std::vector<int>>& ways, const LoopGraph& graph, int ii,
                      std::vector<Instruction>& body, RegisterSet& free) const {
    std::vector<std::pair<int, size_t>> slack;
    for (size_t e = 0; e < graph.edges.size(); ++e) {
      const LoopEdge& edge = graph.edges[e];
      if (edge.reg < 0 || edge.flow || edge.distance != 1) continue;
      const int way = ways[static_cast<size_t>(edge.to)][static_cast<size_t>(edge.from)];
      if (way != kNoWay) slack.push_back({ii - way - edge.latency, e});
    }
    std::sort(slack.begin(), slack.end());
    for (const auto& [room, e] : slack) {
      if (auto split = split_range(body, graph.edges[e].to, graph.edges[e].reg, machine_, free)) {
        body = std::move(*split);
        return true;
      }
    }
    return false;
  }

  const Loop& loop_;
  Resources& resources_;
  const Machine& machine_;
  const PipelineLabels& labels_;
  const PipelineOptions& options_;
  LoopGraphOptions graph_options_;
  bool together_;  // loads that only their packet reads are put there (temporary.h)
  int unroll_;
  PipelineBudget& budget_;
  std::vector<Instruction> body_;
  RegisterSet free_;
  std::string reason_;
};

}  // namespace

PipelineOutcome pipeline(const Loop& loop, double cycles, Resources& resources,
                         const PipelineLabels& labels, const PipelineOptions& options,
                         PipelineBudget& budget) {
  PipelineOutcome outcome;
  const int most = static_cast<int>(std::ceil(cycles)) - 1;
  if (static_cast<int>(loop.body.size()) > options.most_instructions) {
    outcome.reason = "its body is too long";
    return outcome;
  }
  // Twice the packets per iteration that a way must stay below: two iterations a kernel may need an
  // odd number.
  int limit = 2 * most + 1;
  Loop twice = loop;
  twice.body.insert(twice.body.end(), loop.body.begin(), loop.body.end());
  for (const int unroll : {1, 2}) {
    const Loop& body = unroll == 1 ? loop : twice;
    if (static_cast<int>(body.body.size()) > options.most_instructions) break;
    const std::vector<Instruction> shared = with_shared_bases(body.body, loop.live_out);
    const std::vector<int> readers = lone_readers(shared, loop.live_out);
    const int counted = resource_bound(shared, readers, resources.machine());
    const std::vector<int> none(readers.size(), 0);
    // What loads in registers need: schedules below that need the others together.
    const int with_registers = resource_bound(shared, none, resources.machine());
    for (const bool apart : {false, true}) {
      for (const Way way : kWays) {
        const int highest = unroll == 1 ? limit / 2 : limit;
        // For the report, if for nothing else.
        const bool first = unroll == 1 && !apart && way.moving && !way.together;
        const int least = way.together ? counted : with_registers;
        if (way.together && counted == with_registers) continue;
        if ((least > highest && !first) || budget.spent()) continue;
        Attempt attempt(body, resources, labels, options, {apart, way.moving}, way.together, unroll,
                        budget);
        const PipelineBounds bounds = attempt.bounds(highest + 1);
        if (unroll == 1 && way.moving && !way.together &&
            (!apart || bounds.recurrence < outcome.bounds.recurrence))
          outcome.bounds = bounds;
        bool found = false;
        for (int ii = std::max({least, bounds.resource, bounds.recurrence});
             ii <= highest && !found; ++ii) {
          if (std::optional<Pipelined> done = attempt.at(ii)) {
            done->bounds = {std::min(counted, bounds.resource), bounds.recurrence};
            outcome.ways.push_back(std::move(*done));
            limit = 2 * ii / unroll - 1;
            found = true;
          }
        }
        if (!attempt.reason().empty() && outcome.reason.empty()) outcome.reason = attempt.reason();
        if (found && !way.together) break;
      }
    }
  }
  if (!outcome.ways.empty()) {
    outcome.reason.clear();
  } else if (budget.spent()) {
    outcome.reason = "the module's budget for pipelining is spent";
  } else if (outcome.bounds.resource > most) {
    outcome.reason = "it is at its resource bound";
  } else if (outcome.bounds.recurrence > most) {
    outcome.reason = "its recurrences take as long";
  } else if (outcome.reason.empty()) {
    outcome.reason = "no schedule was found, or no register is free";
  }
  return outcome;
}

}  // namespace burin::vliw
