// Which dynamic sizes are variables of the whole run; see schedule_printer.h.
#include <algorithm>
#include <map>
#include <set>

#include "backends/cpp/schedule_printer.h"

namespace burin::cpp {
namespace {

void collect_bound(const Steps& steps, std::vector<Symbol>& bound) {
  for_each_step(steps, [&](const Step& step) {
    if (const Bind* bind = std::get_if<Bind>(&step)) bound.push_back(bind->symbol);
  });
}

}  // namespace

std::vector<Symbol> declared_sizes(const Steps& steps) {
  std::vector<Symbol> sizes;
  for_each_step(steps, [&](const Step& step) {
    if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      sizes.insert(sizes.end(), procedure->results.begin(), procedure->results.end());
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      if ((*loop)->executed) sizes.push_back((*loop)->executed);
    }
  });
  std::map<std::string, int> times;
  std::vector<Symbol> bound;
  collect_bound(steps, bound);
  for (const Symbol& symbol : bound) ++times[symbol->name];
  for (const Step& step : steps) {
    std::vector<Symbol> inside;
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      collect_bound((*branch)->then_steps, inside);
      collect_bound((*branch)->else_steps, inside);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      collect_bound((*loop)->body, inside);
    } else if (const Bind* bind = std::get_if<Bind>(&step)) {
      if (times[bind->symbol->name] > 1) inside.push_back(bind->symbol);
    }
    sizes.insert(sizes.end(), inside.begin(), inside.end());
  }
  std::set<std::string> seen;
  std::erase_if(sizes, [&](const Symbol& symbol) { return !seen.insert(symbol->name).second; });
  return sizes;
}

}  // namespace burin::cpp
