#include "report/operator_layouts.h"

#include <map>
#include <set>

#include "kernel/place_of.h"

namespace burin {

OperatorLayouts operator_layouts(const KernelGraph& lowered, const std::vector<NodeFacts>& nodes) {
  // Nodes of one name and operator are one here, the first of them.
  std::map<std::pair<std::string, std::string>, size_t> number;
  for (size_t n = 0; n < nodes.size(); ++n) number.try_emplace({nodes[n].node, nodes[n].op}, n);
  std::vector<std::vector<const Step*>> steps(nodes.size());
  std::vector<std::set<size_t>> makers(lowered.values.size());
  for_each_step(lowered.steps, [&](const Step& step) {
    const Origins& origins = origins_of(step);
    if (origins.empty()) return;
    const auto at = number.find({origins.front().node, origins.front().op});
    if (at == number.end()) return;
    steps[at->second].push_back(&step);
    for (const ValueId id : writes_of(step)) makers[static_cast<size_t>(id)].insert(at->second);
  });
  OperatorLayouts out;
  std::set<std::pair<size_t, size_t>> pairs;
  for (size_t n = 0; n < nodes.size(); ++n) {
    OperatorLayout one;
    one.is_known = !nodes[n].folded;
    one.layout = layout_class(steps[n], lowered.values);
    one.mapping = mapping_of(steps[n], lowered.values);
    out.operators.push_back(one);
    for (const Step* step : steps[n]) {
      for (const ValueId id : reads_of(*step)) {
        for (const size_t maker : makers[static_cast<size_t>(id)]) {
          if (maker != n) pairs.insert({maker, n});
        }
      }
    }
  }
  for (const auto& [first, second] : pairs) out.pairs.push_back({first, second});
  return out;
}

}  // namespace burin
