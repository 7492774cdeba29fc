#include "verify/into_lengths.h"

#include <algorithm>
#include <optional>

#include "support/numbers.h"
#include "verify/into_ranges.h"

namespace burin {
namespace {

constexpr int64_t kLeastLength = 4;  // of what a run makes a size: one or two would mask nothing

// How long the axes are that inputs, by number, are compared with.
using Lengths = std::map<size_t, int64_t>;

std::optional<int64_t> value_of(const Dim& dim, const SampleSizes& sizes) {
  bool known = true;
  const int64_t value = dim.evaluate([&](const Index& leaf) -> int64_t {
    const auto size =
        leaf.kind() == IndexKind::symbol ? sizes.find(leaf.as_symbol()->name) : sizes.end();
    known = known && size != sizes.end();
    return known ? size->second : 0;
  });
  return known ? std::optional(value) : std::nullopt;
}

// One more than the last place that an operand counts, made of axes and constants. nullopt: it is
// made of something else.
std::optional<int64_t> places_of(const Expr& operand, const KernelGraph& graph,
                                 const SampleSizes& sizes) {
  std::optional<int64_t> most;
  bool other = false;
  visit_distinct(operand, [&](const ExprNode& node) {
    other = other || node.kind == ExprKind::let ||
            (node.kind == ExprKind::load &&
             graph.values[static_cast<size_t>(node.id)].kind != ValueKind::constant);
    if (node.kind != ExprKind::index || !node.index.has_axes()) return;
    const std::optional<Dim> last = node.index.upper_bound();
    const std::optional<int64_t> number = last ? value_of(*last, sizes) : std::nullopt;
    other = other || !number;
    if (number) most = std::max(most.value_or(0), *number + 1);
  });
  return other ? std::nullopt : most;
}

// The inputs of whole numbers that an operand is made of, where no place takes part beside theirs.
std::vector<size_t> lengths_in(const Expr& operand, const KernelGraph& graph) {
  std::vector<size_t> found;
  bool other = false;
  visit_distinct(operand, [&](const ExprNode& node) {
    other = other || (node.kind == ExprKind::index && node.index.has_axes()) ||
            node.kind == ExprKind::let;
    if (node.kind != ExprKind::load) return;
    const auto input = std::find(graph.inputs.begin(), graph.inputs.end(), node.id);
    const bool whole =
        !is_float(node.storage) && node.storage != Type::boolean && size_bits(node.storage) > 16;
    if (input != graph.inputs.end() && whole)
      found.push_back(static_cast<size_t>(input - graph.inputs.begin()));
  });
  return other ? std::vector<size_t>() : found;
}

bool is_order(const ExprNode& node) {
  return node.kind == ExprKind::binary &&
         (node.binary() == Binary::lt || node.binary() == Binary::le ||
          node.binary() == Binary::gt || node.binary() == Binary::ge);
}

Lengths lengths_of(const KernelGraph& graph, const SampleSizes& sizes) {
  Lengths out;
  const auto look = [&](const Expr& expr) {
    visit_distinct(expr, [&](const ExprNode& node) {
      if (!is_order(node)) return;
      for (const size_t side : {size_t{0}, size_t{1}}) {
        const std::optional<int64_t> places = places_of(node.operands[side], graph, sizes);
        if (!places || *places < 1) continue;
        for (const size_t input : lengths_in(node.operands[1 - side], graph)) {
          const auto [at, first] = out.emplace(input, *places);
          if (!first) at->second = std::min(at->second, *places);
        }
      }
    });
  };
  for_each_kernel(graph.steps, [&](const Kernel& kernel) {
    for (const Let& let : kernel.lets) std::for_each(let.body.begin(), let.body.end(), look);
    for (const Write& write : kernel.writes) look(write.value);
  });
  return out;
}

// What runs make sizes of; `sizes` gets them.
void sizes_of_runs(const KernelGraph& graph, SampleSizes& sizes, std::vector<HostTensor>& inputs) {
  int64_t largest = kLeastLength;
  for (const auto& [name, size] : sizes) largest = std::max(largest, size);
  for (const Step& step : graph.steps) {
    const auto* bind = std::get_if<Bind>(&step);
    if (!bind) continue;
    const std::optional<InputElement> element = only_element(bind->value, graph, inputs);
    if (!element || is_float(inputs[element->input].type)) continue;
    const Range range = range_of(*bind->symbol, sizes);
    const int64_t number = std::clamp(largest, range.lo, range.hi);
    HostTensor& input = inputs[element->input];
    input.set(element->number, {0, number});
    sizes.emplace(bind->symbol->name, number);
  }
}

}  // namespace

void into_lengths(const KernelGraph& lowered, const KernelGraph& fused, const SampleSizes& sizes,
                  std::vector<HostTensor>& inputs) {
  SampleSizes known = sizes;
  sizes_of_runs(lowered, known, inputs);
  for (const auto& [input, places] : lengths_of(fused, known)) {
    HostTensor& tensor = inputs[input];
    const int64_t least = places / 2;
    Numbers numbers(input + 1);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const auto more = numbers.below(static_cast<uint64_t>(std::max<int64_t>(1, places - least)));
      tensor.set(i, {0, least + static_cast<int64_t>(more)});
    }
  }
}

}  // namespace burin
