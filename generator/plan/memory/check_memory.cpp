#include "plan/memory/check_memory.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel/run_order.h"
#include "plan/memory/check_contents.h"
#include "plan/memory/check_points.h"
#include "plan/memory/check_regions.h"
#include "plan/memory/lifetime.h"
#include "support/at.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kMostFaults = 20;

class MemoryChecker {
 public:
  MemoryChecker(const KernelGraph& graph, const std::vector<ScratchNeed>& scratch,
                const MemoryOptions& options, const MemoryPlan& plan,
                const std::vector<Symbol>& symbols, int64_t high_cut, std::set<std::string>& faults)
      : graph_(graph),
        needs_(scratch),
        options_(options),
        plan_(plan),
        symbols_(symbols),
        high_cut_(high_cut),
        faults_(faults) {
    for (const OwnMemory& rule : rules_of<OwnMemory>(options.rules)) own_.insert(rule.value);
  }

  void run(int sample) {
    sizes_ = [this, sample](const Symbol& symbol) {
      for (const auto& [name, value] : named_) {
        if (name == symbol->name) return value;
      }
      return size_in_sample(symbol, sample, high_cut_);
    };
    for (const NamedSize& named : plan_.named) {
      named_.emplace_back(named.symbol->name, number(named.value));
    }
    if (!possible()) return;
    place_values();
    place_scratch();
    PlacedContents content(graph_.values.size());
    follow(graph_.steps, content);
    for (const AliasRule& rule : options_.rules) {
      if (const auto* group = std::get_if<Concurrent>(&rule)) check_concurrent(group->steps);
    }
    for (const ValueId output : graph_.outputs) {
      if (content.of(output) == Content::clobbered) {
        fault("output " + name(output) + " is overwritten before the end");
      }
    }
  }

 private:
  bool is_said(const AliasRule& rule) const {
    return std::find(options_.rules.begin(), options_.rules.end(), rule) != options_.rules.end();
  }
  bool has_own_memory(ValueId value) const { return own_.contains(value); }
  int rows_first_let(StepId step) const {
    for (const AliasRule& rule : options_.rules) {
      const auto* rows = std::get_if<RowsFirst>(&rule);
      if (rows && rows->step == step) return rows->let;
    }
    return -1;
  }

  int64_t number(const Dim& dim) { return evaluate_at(dim, {}, sizes_).value_or(-1); }

  // Where one size follows from others, not all of them go together: what the run says before it
  // does anything else. Other extents may be negative, in branches that are not taken.
  bool possible() {
    for (const Step& step : graph_.steps) {
      const Check* const check = std::get_if<Check>(&step);
      if (!check) break;
      for (const Condition& condition : check->guard) {
        const int64_t index = number(condition.index);
        if (index < number(condition.lo) || index >= number(condition.hi)) return false;
      }
    }
    // A user may want more of something than other sizes leave: the run ends when it is counted.
    return std::none_of(symbols_.begin(), symbols_.end(), [&](const Symbol& symbol) {
      return symbol->most && number(Index::symbol(symbol)) > number(*symbol->most);
    });
  }

  void fault(const std::string& text) {
    if (faults_.size() < kMostFaults) faults_.insert(text);
  }

  void fault(StepId step, const std::string& text) {
    fault("step " + to_string(step) + " " + text);
  }

  std::string name(ValueId value) const {
    return "v" + std::to_string(value) + " " + quoted(graph_.values[at(value)].name);
  }

  int64_t actual_bytes(ValueId value) {
    int64_t elements = 1;
    for (const Dim& dim : graph_.values[at(value)].shape)
      elements *= std::max<int64_t>(0, number(dim));
    return size_bytes(graph_.values[at(value)].type, elements);
  }

  void place_values() {
    const int64_t arena = number(plan_.arena_bytes);
    if (plan_.arena_bound && arena > *plan_.arena_bound) fault("the arena exceeds its bound");
    if (arena < number(plan_.lower_bound)) fault("the lower bound exceeds the arena");
    const bool claimed = number(plan_.lower_bound) == arena;
    if (plan_.arena_bytes.is_constant() && plan_.optimal && !claimed)
      fault("wrong claim of optimality");
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      const auto id = static_cast<ValueId>(v);
      const Placement& placement = plan_.values[v];
      Region region{id, 0, 0};
      if (graph_.values[v].kind != ValueKind::internal) {
        region.to = graph_.values[v].kind == ValueKind::constant ? 0 : actual_bytes(id);
        if (placement.sharing != Sharing::none) fault(name(id) + " is not ours to place");
      } else if (placement.sharing != Sharing::none) {
        if (has_own_memory(id)) fault(name(id) + " has a memory of its own and a place");
        region.space = placement.root;
        region.from = number(placement.offset);
        region.to = region.from + number(placement.bytes);
        if (number(placement.bytes) < actual_bytes(id))
          fault(name(id) + " is larger than its place");
        if (region.from < 0) fault(name(id) + " lies before the start");
        const bool inside = placement.root == kNoValue
                                ? region.to <= arena
                                : region.from + actual_bytes(id) <= actual_bytes(placement.root);
        if (!inside) fault(name(id) + " lies beyond the end");
        const int64_t element = std::max(1, size_bits(graph_.values[v].type) / 8);
        if (placement.root == kNoValue && region.from % std::min(element, plan_.alignment) != 0) {
          fault(name(id) + " is not aligned");
        }
      }
      regions_.push_back(region);
    }
  }

  void place_scratch() {
    const int64_t arena = number(plan_.arena_bytes);
    for (const ScratchPlacement& scratch : plan_.scratch) {
      const int64_t bytes = number(scratch.bytes);
      const int64_t stride = number(scratch.stride);
      const int64_t offset = number(scratch.offset);
      const int64_t workers = number(scratch.workers);
      const Region region{kNoValue, offset, offset + (workers - 1) * stride + bytes};
      if (offset % options_.alignment != 0 || stride % options_.alignment != 0) {
        fault("scratch of step " + to_string(scratch.step) + " is not aligned");
      }
      if (region.from < 0 || region.to > arena || workers < 0 || (workers > 1 && stride < bytes)) {
        fault("scratch of step " + to_string(scratch.step) + " does not fit");
      }
      for (const Region& other : scratch_[scratch.step]) {
        if (meet(region, other)) fault("scratch of step " + to_string(scratch.step) + " overlaps");
      }
      scratch_[scratch.step].push_back(region);
      scratch_bytes_[scratch.step].push_back({bytes, workers});
    }
    for (const ScratchNeed& need : needs_)
      need_scratch(need.step, number(need.bytes), number(need.workers));
  }

  // The plan has a scratch of at least so many bytes there, for each of so many workers.
  void need_scratch(StepId step, int64_t bytes, int64_t workers) {
    if (bytes == 0) return;
    for (const auto& [has, served] : scratch_bytes_[step]) {
      if (has >= bytes && served >= workers) return;
    }
    fault(step, "has too little scratch");
  }

  void follow(const Steps& steps, PlacedContents& content) {
    for (const Step& step : steps) {
      if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        read_expr((*branch)->condition, step.id, content);
        PlacedContents other = content;
        follow((*branch)->then_steps, content);
        follow((*branch)->else_steps, other);
        content.join(other);
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        PlacedContents before(0);
        do {
          before = content;
          read_expr((*loop)->condition, step.id, content);
          visit((*loop)->trips, [&](const ExprNode& node) {
            if (node.kind == ExprKind::load) read(node.id, step.id, content);
          });
          PlacedContents after = content;
          follow((*loop)->body, after);
          content.join(after);
        } while (!(content == before));
      } else {
        leaf(step, content);
      }
    }
  }

  void read_expr(const Expr& expr, StepId step, const PlacedContents& content) {
    if (!expr) return;
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) read(node.id, step, content);
    });
  }

  void read(ValueId value, StepId step, const PlacedContents& content) {
    if (content.of(value) == Content::clobbered) {
      fault(step, "reads " + name(value) + ", which is overwritten");
    }
    const Value& what = graph_.values[at(value)];
    if (what.kind == ValueKind::internal && !has_own_memory(value) &&
        plan_.values[at(value)].sharing == Sharing::none) {
      fault(step, "reads " + name(value) + ", which has no place");
    }
  }

  void leaf(const Step& step, PlacedContents& content) {
    const std::vector<ValueId> reads = reads_of(step);
    const std::vector<ValueId> writes = writes_of(step);
    const Kernel* kernel = std::get_if<Kernel>(&step);
    for (const ValueId value : reads) {
      if (std::find(writes.begin(), writes.end(), value) != writes.end() &&
          content.of(value) == Content::nothing) {
        continue;
      }
      read(value, step.id, content);
    }
    if (const auto* procedure = std::get_if<Procedure>(&step))
      need_scratch(step.id, number(procedure->scratch_bytes), 1);
    std::vector<ValueId> touched = reads;
    touched.insert(touched.end(), writes.begin(), writes.end());
    if (plan_.dropped.contains(step.id)) {
      for (const ValueId value : touched) {
        if (has_own_memory(value))
          fault(step.id, "is dropped, but " + name(value) + " has a memory of its own");
      }
      drop(kernel, step.id, writes, content);
      return;
    }
    for (const ValueId value : writes) meet_in_step(kernel, value, step.id, reads, writes);
    std::vector<Content> before;
    for (const ValueId value : writes) before.push_back(content.of(value));
    for (const ValueId value : writes) clobber(written(kernel, value), content, value);
    for (const Region& region : scratch_[step.id]) {
      for (const ValueId value : touched) {
        if (meet(regions_[at(value)], region))
          fault("scratch of step " + to_string(step.id) + " overlaps " + name(value));
      }
      clobber(region, content);
    }
    for (size_t k = 0; k < writes.size(); ++k) write(kernel, writes[k], before[k], content);
  }

  // What one of the steps that run at the same time writes, no other touches. (That they write
  // other elements of a common value is checked where they are put together.)
  void check_concurrent(const std::vector<StepId>& group) {
    std::map<StepId, Position> positions;
    for (const Position& one : positions_of(graph_)) positions.emplace(one.step->id, one);
    for (const StepId a : group) {
      if (plan_.dropped.contains(a)) fault(a, "is dropped but runs beside others");
      std::vector<std::pair<ValueId, Region>> written_by_a;
      for (const ValueId id : positions.at(a).writes)
        written_by_a.emplace_back(id, written(std::get_if<Kernel>(positions.at(a).step), id));
      for (const Region& region : scratch_[a]) written_by_a.emplace_back(kNoValue, region);
      for (const StepId b : group) {
        if (a == b) continue;
        std::vector<std::pair<ValueId, Region>> touched;
        for (const ValueId id : positions.at(b).reads) touched.emplace_back(id, regions_[at(id)]);
        for (const ValueId id : positions.at(b).writes) touched.emplace_back(id, regions_[at(id)]);
        for (const Region& region : scratch_[b]) touched.emplace_back(kNoValue, region);
        for (const auto& [id, region] : written_by_a) {
          for (const auto& [other, bytes] : touched) {
            if (meet(region, bytes) && (id == kNoValue || id != other))
              fault("steps " + to_string(a) + " and " + to_string(b) +
                    " run at the same time and share bytes");
          }
        }
      }
    }
  }

  // Where a step really writes: parts of one value may be made one by one.
  Region written(const Kernel* kernel, ValueId value) const {
    Region region = regions_[at(value)];
    const auto bits = kernel ? written_bits(*kernel, value, graph_.values, sizes_) : std::nullopt;
    if (!bits) return region;
    // Sizes that do not go together may lead beyond its end; what the run lets through does not.
    region.to = std::min(region.to, region.from + (bits->second + 7) / 8);
    region.from += bits->first / 8;
    return region;
  }

  // What is intact in these bytes is no longer, but `own`, whose bytes they are.
  void clobber(const Region& region, PlacedContents& content, ValueId own = kNoValue) const {
    std::vector<ValueId> spoiled;
    for (const ValueId value : content.intact()) {
      if (value != own && meet(region, regions_[at(value)])) spoiled.push_back(value);
    }
    for (const ValueId value : spoiled) content.set(value, Content::clobbered);
  }

  // What was clobbered is good again only when everything is written.
  void write(const Kernel* kernel, ValueId value, Content before, PlacedContents& after) {
    const bool good = before != Content::clobbered || !kernel ||
                      covers_all(*kernel, value, graph_.values, sizes_);
    after.set(value, good ? Content::intact : Content::clobbered);
  }

  void drop(const Kernel* kernel, StepId step, const std::vector<ValueId>& writes,
            PlacedContents& content) {
    const std::string wrong =
        kernel ? check_identity(*kernel, graph_.values, places(), sizes_) : "is no kernel";
    if (!wrong.empty()) fault(step, "is dropped but " + wrong);
    for (const ValueId value : writes) write(kernel, value, content.of(value), content);
  }

  // A written value may meet nothing that the step also touches, but an operand in place.
  void meet_in_step(const Kernel* kernel, ValueId value, StepId step,
                    const std::vector<ValueId>& reads, const std::vector<ValueId>& writes) {
    const ValueKind kind = graph_.values[at(value)].kind;
    const Placement& placement = plan_.values[at(value)];
    if (kind == ValueKind::input || kind == ValueKind::constant) {
      fault(step, "writes " + name(value));
    }
    if (kind == ValueKind::internal && !has_own_memory(value) &&
        placement.sharing == Sharing::none) {
      fault(step, "writes " + name(value) + ", which has no place");
    }
    const Region region = written(kernel, value);
    if (kind == ValueKind::internal && placement.root != kNoValue && region.from < region.to &&
        !is_room(graph_.values[at(placement.root)])) {
      fault(step, "writes " + name(value) + " into the memory of " + name(placement.root));
    }
    const auto met = [&](ValueId other) {
      return other != value && meet(regions_[at(value)], regions_[at(other)]) &&
             meet(region, regions_[at(other)]);
    };
    for (const ValueId other : writes) {
      if (!met(other)) continue;
      fault(step, "writes " + name(value) + " and " + name(other) + " to the same bytes");
    }
    for (const ValueId other : reads) {
      if (!met(other)) continue;
      const std::string wrong =
          !kernel || is_said(NeverInPlace{step})
              ? name(value) + " over " + name(other) + " in a step that cannot"
              : check_in_place(*kernel, value, other, graph_.values, places(), sizes_,
                               rows_first_let(step));
      if (!wrong.empty()) fault("step " + to_string(step) + ": " + wrong);
    }
  }

  Places places() const {
    return [this](ValueId value) {
      return Place{regions_[at(value)].space, regions_[at(value)].from};
    };
  }

  const KernelGraph& graph_;
  const std::vector<ScratchNeed>& needs_;
  const MemoryOptions& options_;
  const MemoryPlan& plan_;
  const std::vector<Symbol>& symbols_;
  const int64_t high_cut_;
  std::set<std::string>& faults_;
  Sizes sizes_;
  std::vector<std::pair<std::string, int64_t>> named_;
  std::set<ValueId> own_;        // values with a memory of their own
  std::vector<Region> regions_;  // by value
  std::map<StepId, std::vector<Region>> scratch_;
  std::map<StepId, std::vector<std::pair<int64_t, int64_t>>> scratch_bytes_;  // bytes, workers
};

}  // namespace

std::vector<std::string> check_memory_plan(const KernelGraph& graph,
                                           const std::vector<ScratchNeed>& scratch,
                                           const MemoryOptions& options, const MemoryPlan& plan) {
  if (plan.values.size() != graph.values.size()) return {"not one placement per value"};
  if (plan.alignment != options.alignment) return {"another alignment"};
  const std::vector<Symbol> symbols = sizes_of(graph);
  // So that the product of all symbols stays within 64 bits.
  const size_t count = std::max<size_t>(3, symbols.size());
  const int64_t high_cut = int64_t{1} << std::max<size_t>(3, 48 / count);
  std::set<std::string> faults;
  for (int sample = 0; sample < (symbols.empty() ? 1 : 6); ++sample) {
    MemoryChecker(graph, scratch, options, plan, symbols, high_cut, faults).run(sample);
  }
  return {faults.begin(), faults.end()};
}

}  // namespace burin
