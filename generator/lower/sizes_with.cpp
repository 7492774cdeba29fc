#include "lower/admitted_point.h"
#include "lower/engine.h"

namespace burin {
namespace {

constexpr int64_t kMostLooked = 200'000;  // checks that are tried at a point

}  // namespace

const SizeContext& sizes_of(const OpContext& op) { return dynamic_cast<const SizeContext&>(op); }

std::optional<std::map<std::string, int64_t>> NodeContext::sizes_with(const Guard& wanted) const {
  const std::vector<Symbol>& params = engine_.graph_.symbols;
  std::vector<Check> checks = {{wanted, {}, {}}};
  for (const Steps* steps : engine_.made_steps()) {
    for (const Step& step : *steps) {
      if (const auto* check = std::get_if<Check>(&step)) checks.push_back(*check);
    }
  }
  SizePoint usual;
  for (const Symbol& param : params) usual[param->name] = at_hints(Index::symbol(param));
  int64_t work = kMostLooked;
  return admitted_point(checks_of_sizes(checks, params), params, std::move(usual), work);
}

}  // namespace burin
