#include "plan/memory/check_memory.h"

#include <algorithm>
#include <map>
#include <set>

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
        faults_(faults) {}

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
    int position = 0;
    follow(graph_.steps, position, content);
    for (const std::vector<int>& group : options_.concurrent) check_concurrent(group);
    for (const ValueId output : graph_.outputs) {
      if (content.of(output) == Content::clobbered) {
        fault("output " + name(output) + " is overwritten before the end");
      }
    }
  }

 private:
  bool has_own_memory(ValueId value) const {
    return std::find(options_.own_memory.begin(), options_.own_memory.end(), value) !=
           options_.own_memory.end();
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
        fault("scratch of step " + std::to_string(scratch.position) + " is not aligned");
      }
      if (region.from < 0 || region.to > arena || workers < 0 || (workers > 1 && stride < bytes)) {
        fault("scratch of step " + std::to_string(scratch.position) + " does not fit");
      }
      for (const Region& other : scratch_[scratch.position]) {
        if (meet(region, other))
          fault("scratch of step " + std::to_string(scratch.position) + " overlaps");
      }
      scratch_[scratch.position].push_back(region);
      scratch_bytes_[scratch.position].push_back({bytes, workers});
    }
    for (const ScratchNeed& need : needs_)
      need_scratch(need.position, number(need.bytes), number(need.workers));
  }

  // The plan has a scratch of at least so many bytes there, for each of so many workers.
  void need_scratch(int position, int64_t bytes, int64_t workers) {
    if (bytes == 0) return;
    for (const auto& [has, served] : scratch_bytes_[position]) {
      if (has >= bytes && served >= workers) return;
    }
    fault("step " + std::to_string(position) + " has too little scratch");
  }

  void follow(const Steps& steps, int& position, PlacedContents& content) {
    for (const Step& step : steps) {
      const int here = position++;
      if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        read_expr((*branch)->condition, here, content);
        PlacedContents other = content;
        follow((*branch)->then_steps, position, content);
        follow((*branch)->else_steps, position, other);
        content.join(other);
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        const int body = position;
        PlacedContents before(0);
        do {
          before = content;
          read_expr((*loop)->condition, here, content);
          visit((*loop)->trips, [&](const ExprNode& node) {
            if (node.kind == ExprKind::load) read(node.id, here, content);
          });
          PlacedContents after = content;
          position = body;
          follow((*loop)->body, position, after);
          content.join(after);
        } while (!(content == before));
      } else {
        leaf(step, here, content);
      }
    }
  }

  void read_expr(const Expr& expr, int position, const PlacedContents& content) {
    if (!expr) return;
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) read(node.id, position, content);
    });
  }

  void read(ValueId value, int position, const PlacedContents& content) {
    if (content.of(value) == Content::clobbered) {
      fault("step " + std::to_string(position) + " reads " + name(value) +
            ", which is overwritten");
    }
    const Value& what = graph_.values[at(value)];
    if (what.kind == ValueKind::internal && !has_own_memory(value) &&
        plan_.values[at(value)].sharing == Sharing::none) {
      fault("step " + std::to_string(position) + " reads " + name(value) + ", which has no place");
    }
  }

  void leaf(const Step& step, int position, PlacedContents& content) {
    const std::vector<ValueId> reads = reads_of(step);
    const std::vector<ValueId> writes = writes_of(step);
    const Kernel* kernel = std::get_if<Kernel>(&step);
    for (const ValueId value : reads) {
      if (std::find(writes.begin(), writes.end(), value) != writes.end() &&
          content.of(value) == Content::nothing) {
        continue;
      }
      read(value, position, content);
    }
    if (const auto* procedure = std::get_if<Procedure>(&step)) {
      need_scratch(position, number(procedure->scratch_bytes), 1);
    }
    if (std::binary_search(plan_.dropped.begin(), plan_.dropped.end(), position)) {
      for (const std::vector<ValueId>* touched : {&reads, &writes}) {
        for (const ValueId value : *touched) {
          if (has_own_memory(value))
            fault("step " + std::to_string(position) + " is dropped, but " + name(value) +
                  " has a memory of its own");
        }
      }
      drop(kernel, position, writes, content);
      return;
    }
    for (const ValueId value : writes) {
      meet_in_step(kernel, value, position, reads, writes);
    }
    std::vector<Content> before;
    for (const ValueId value : writes) before.push_back(content.of(value));
    for (const ValueId value : writes) clobber(written(kernel, value), content, value);
    for (const Region& region : scratch_[position]) {
      for (const std::vector<ValueId>* touched : {&reads, &writes}) {
        for (const ValueId value : *touched) {
          if (meet(regions_[at(value)], region))
            fault("scratch of step " + std::to_string(position) + " overlaps " + name(value));
        }
      }
      clobber(region, content);
    }
    for (size_t k = 0; k < writes.size(); ++k) write(kernel, writes[k], before[k], content);
  }

  // What one of the steps that run at the same time writes, no other touches. (That they write
  // other elements of a common value is checked where they are put together.)
  void check_concurrent(const std::vector<int>& group) {
    const std::vector<Position> positions = positions_of(graph_);
    for (const int a : group) {
      if (std::binary_search(plan_.dropped.begin(), plan_.dropped.end(), a))
        fault("step " + std::to_string(a) + " is dropped but runs beside others");
      std::vector<std::pair<ValueId, Region>> written_by_a;
      for (const ValueId id : positions[at(a)].writes)
        written_by_a.emplace_back(id, written(std::get_if<Kernel>(positions[at(a)].step), id));
      for (const Region& region : scratch_[a]) written_by_a.emplace_back(kNoValue, region);
      for (const int b : group) {
        if (a == b) continue;
        std::vector<std::pair<ValueId, Region>> touched;
        for (const ValueId id : positions[at(b)].reads) touched.emplace_back(id, regions_[at(id)]);
        for (const ValueId id : positions[at(b)].writes) touched.emplace_back(id, regions_[at(id)]);
        for (const Region& region : scratch_[b]) touched.emplace_back(kNoValue, region);
        for (const auto& [id, region] : written_by_a) {
          for (const auto& [other, bytes] : touched) {
            if (meet(region, bytes) && (id == kNoValue || id != other))
              fault("steps " + std::to_string(a) + " and " + std::to_string(b) +
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

  void drop(const Kernel* kernel, int position, const std::vector<ValueId>& writes,
            PlacedContents& content) {
    const std::string wrong =
        kernel ? check_identity(*kernel, graph_.values, places(), sizes_) : "is no kernel";
    if (!wrong.empty()) fault("step " + std::to_string(position) + " is dropped but " + wrong);
    for (const ValueId value : writes) write(kernel, value, content.of(value), content);
  }

  // A written value may meet nothing that the step also touches, but an operand in place.
  void meet_in_step(const Kernel* kernel, ValueId value, int position,
                    const std::vector<ValueId>& reads, const std::vector<ValueId>& writes) {
    const ValueKind kind = graph_.values[at(value)].kind;
    const Placement& placement = plan_.values[at(value)];
    if (kind == ValueKind::input || kind == ValueKind::constant) {
      fault("step " + std::to_string(position) + " writes " + name(value));
    }
    if (kind == ValueKind::internal && !has_own_memory(value) &&
        placement.sharing == Sharing::none) {
      fault("step " + std::to_string(position) + " writes " + name(value) + ", which has no place");
    }
    const Region region = written(kernel, value);
    if (kind == ValueKind::internal && placement.root != kNoValue && region.from < region.to &&
        !is_room(graph_.values[at(placement.root)])) {
      fault("step " + std::to_string(position) + " writes " + name(value) + " into the memory of " +
            name(placement.root));
    }
    const auto met = [&](ValueId other) {
      return other != value && meet(regions_[at(value)], regions_[at(other)]) &&
             meet(region, regions_[at(other)]);
    };
    for (const ValueId other : writes) {
      if (!met(other)) continue;
      fault("step " + std::to_string(position) + " writes " + name(value) + " and " + name(other) +
            " to the same bytes");
    }
    for (const ValueId other : reads) {
      if (!met(other)) continue;
      const auto& apart = options_.no_alias;
      const std::string wrong =
          !kernel || std::find(apart.begin(), apart.end(), position) != apart.end()
              ? name(value) + " over " + name(other) + " in a step that cannot"
              : check_in_place(*kernel, value, other, graph_.values, places(), sizes_,
                               options_.row_alias_at(position));
      if (!wrong.empty()) fault("step " + std::to_string(position) + ": " + wrong);
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
  std::vector<Region> regions_;                                            // by value
  std::map<int, std::vector<Region>> scratch_;                             // by position
  std::map<int, std::vector<std::pair<int64_t, int64_t>>> scratch_bytes_;  // bytes, workers
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
