#include "lower/early_checks.h"

#include <algorithm>
#include <map>

#include "kernel/defined_symbols.h"

namespace burin {
namespace {

void order_inside(Step& step) {
  if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    auto copy = std::make_shared<If>(**branch);
    copy->then_steps = early_checks(std::move(copy->then_steps));
    copy->else_steps = early_checks(std::move(copy->else_steps));
    step = std::move(copy);
  } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
    auto copy = std::make_shared<Loop>(**loop);
    copy->body = early_checks(std::move(copy->body));
    step = std::move(copy);
  }
}

}  // namespace

Steps early_checks(Steps steps) {
  // Place k + 1: right behind step k, where a check that needs it may stand. Place 0: the start.
  std::map<std::string, size_t> known_at;
  std::vector<std::vector<Step>> checks(steps.size() + 1);
  std::vector<bool> moved(steps.size(), false);
  for (size_t k = 0; k < steps.size(); ++k) {
    order_inside(steps[k]);
    if (std::holds_alternative<Check>(steps[k]) && reads_of(steps[k]).empty()) {
      size_t place = 0;
      for (const Symbol& symbol : symbols_of(steps[k])) {
        const auto known = known_at.find(symbol->name);
        if (known != known_at.end()) place = std::max(place, known->second);
      }
      checks[place].push_back(std::move(steps[k]));
      moved[k] = true;
      continue;
    }
    for (const std::string& name : defined_symbols(steps[k])) known_at[name] = k + 1;
  }
  Steps out;
  for (size_t place = 0; place <= steps.size(); ++place) {
    if (place > 0 && !moved[place - 1]) out.push_back(std::move(steps[place - 1]));
    for (Step& check : checks[place]) out.push_back(std::move(check));
  }
  return out;
}

}  // namespace burin
