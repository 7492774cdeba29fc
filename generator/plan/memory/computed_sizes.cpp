#include "plan/memory/computed_sizes.h"

#include <utility>

#include "kernel/place_of.h"

namespace burin {
namespace {

// Whole bytes of one.
int64_t element_bytes(Type type) { return (size_bits(type) + 7) / 8; }

class Collector {
 public:
  explicit Collector(std::vector<ComputedSize>& out) : out_(out) {}

  void on_step(const Step& step) {
    where_ = [&step] { return place_of(step); };
    if (const Bind* bind = std::get_if<Bind>(&step)) {
      on_expr(bind->value);
    } else if (const Check* check = std::get_if<Check>(&step)) {
      for (const Condition& condition : check->guard) {
        for (const Index* index : {&condition.index, &condition.lo, &condition.hi}) add(*index);
      }
    } else if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      for (const Dim& argument : procedure->arguments) add(argument);
      add(procedure->scratch_bytes);
    } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      on_expr((*branch)->condition);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add((*loop)->trips);
      on_expr((*loop)->condition);
    }
  }

 private:
  void add(const Index& index) {
    if (!index.is_constant()) out_.push_back({index, where_});
  }
  void on_expr(const Expr& expr) {
    visit_distinct_indices(expr, [&](const Index& index) { add(index); });
  }

  std::vector<ComputedSize>& out_;
  std::function<Location()> where_;
};

}  // namespace

std::vector<ComputedSize> computed_sizes(const KernelGraph& graph) {
  std::vector<ComputedSize> out;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const auto id = static_cast<ValueId>(v);
    const auto where = [&graph, id] { return place_of(graph, id); };
    const Value& value = graph.values[v];
    at_place(where, [&] {
      out.push_back({product(value.shape) * element_bytes(value.type), where, true, true});
    });
  }
  Collector collector(out);
  for_each_step(graph.steps, [&](const Step& step) { collector.on_step(step); });
  return out;
}

std::vector<ComputedSize> computed_sizes(const MemoryPlan& memory) {
  std::vector<ComputedSize> out;
  const auto add = [&](const Dim& dim) {
    out.push_back({dim, [] { return Location{.node = "the arena"}; }, false, true});
  };
  for (const NamedSize& size : memory.named) add(size.value);
  add(memory.arena_bytes);
  for (const Placement& place : memory.values) add(place.offset);
  for (const ScratchPlacement& scratch : memory.scratch) {
    add(scratch.offset + scratch.stride * scratch.workers);
    add(scratch.bytes);
  }
  return out;
}

}  // namespace burin
