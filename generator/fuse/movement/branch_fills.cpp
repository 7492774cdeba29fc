#include "fuse/movement/branch_fills.h"

#include <algorithm>
#include <optional>
#include <set>

namespace burin {
namespace {

constexpr size_t kMostWrites = 16;  // of the kernel that takes them

// One element of a value.
using Element = std::pair<ValueId, std::vector<int64_t>>;

// What steps write: single elements, and values in any other way. What is read before it is written
// has no contents that anybody could miss.
struct Written {
  std::set<Element> elements;
  std::set<ValueId> values;

  bool has(const Element& element) const {
    return values.contains(element.first) || elements.contains(element);
  }
};

// The element that is written, where it is the same one for every point.
std::optional<Element> element_of(const Write& write) {
  Element out{write.to, {}};
  for (const Index& at : write.at) {
    if (!at.is_constant()) return std::nullopt;
    out.second.push_back(at.constant());
  }
  return out;
}

void collect(const Step& step, Written& written) {
  const auto* kernel = std::get_if<Kernel>(&step);
  if (!kernel) {
    for (const ValueId id : writes_of(step)) written.values.insert(id);
    return;
  }
  for (const Write& write : kernel->writes) {
    if (const std::optional<Element> element = element_of(write))
      written.elements.insert(*element);
    else
      written.values.insert(write.to);
  }
}

// A number, or one of a constant's.
bool is_known(const Expr& expr, const std::vector<Value>& values) {
  return expr.kind() == ExprKind::constant ||
         (expr.kind() == ExprKind::load &&
          values[static_cast<size_t>(expr->id)].kind == ValueKind::constant);
}

// A kernel that stores constants into single elements.
bool is_fill(const Kernel& kernel, const std::vector<Value>& values) {
  return kernel.lets.empty() && kernel.axes.empty() && !kernel.writes.empty() &&
         std::all_of(kernel.writes.begin(), kernel.writes.end(), [&](const Write& write) {
           return write.how == How::store && write.when.empty() && is_known(write.value, values) &&
                  element_of(write).has_value();
         });
}

// Whether the kernel writes single elements itself, for which it has a place in its code.
bool takes_fills(const Kernel& kernel) {
  return std::any_of(kernel.writes.begin(), kernel.writes.end(), [](const Write& write) {
    return write.over.empty() && write.when.empty() && write.how == How::store;
  });
}

// Moves fills of a branch into `taker`, which runs before it.
void take_fills(Steps& branch, const std::vector<Value>& values, Written& earlier, Kernel& taker) {
  Written before = earlier;
  for (size_t i = 0; i < branch.size();) {
    const auto* fill = std::get_if<Kernel>(&branch[i]);
    const bool moves = fill && is_fill(*fill, values) &&
                       taker.writes.size() + fill->writes.size() <= kMostWrites &&
                       std::none_of(fill->writes.begin(), fill->writes.end(),
                                    [&](const Write& w) { return before.has(*element_of(w)); });
    if (!moves) {
      collect(branch[i++], before);
      continue;
    }
    collect(branch[i], before);
    collect(branch[i], earlier);
    taker.writes.insert(taker.writes.end(), fill->writes.begin(), fill->writes.end());
    taker.origins = Origins::merged(taker.origins, fill->origins);
    branch.erase(branch.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// `earlier`: what is written before the block.
void fill_early(Steps& block, const std::vector<Value>& values, Written earlier) {
  Kernel* taker = nullptr;
  for (Step& step : block) {
    if (auto* region = std::get_if<std::shared_ptr<If>>(&step)) {
      auto copy = std::make_shared<If>(**region);
      *region = copy;
      if (taker) {
        take_fills(copy->then_steps, values, earlier, *taker);
        take_fills(copy->else_steps, values, earlier, *taker);
      }
      fill_early(copy->then_steps, values, earlier);
      fill_early(copy->else_steps, values, earlier);
    } else if (auto* kernel = std::get_if<Kernel>(&step); kernel && takes_fills(*kernel)) {
      taker = kernel;
    }
    collect(step, earlier);
  }
}

}  // namespace

KernelGraph with_early_fills(KernelGraph graph) {
  fill_early(graph.steps, graph.values, {});
  return graph;
}

}  // namespace burin
