#include "report/served_sizes.h"

#include <algorithm>

#include "lower/admitted_point.h"
#include "lower/admitted_sizes.h"
#include "plan/memory/size_limit.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int64_t kMostTried = 4096;  // sizes of one dimension

// Those that every run makes and that are about this size alone.
std::vector<const Check*> checks_of(const Symbol& symbol, const Steps& steps) {
  std::vector<const Check*> out;
  for (const Step& step : steps) {
    const auto* check = std::get_if<Check>(&step);
    const Symbol about = check ? only_symbol(*check) : nullptr;
    if (about && about->name == symbol->name) out.push_back(check);
  }
  return out;
}

ServedSize served(const Symbol& symbol, const ModelPlan& plan) {
  const bool open = symbol->max == kUnbounded;
  ServedSize out{symbol->name, symbol->min, open ? plan.size_limits.of(*symbol) : symbol->max};
  out.narrow = open && out.max <= kFewSizes;
  const std::vector<const Check*> checks = checks_of(symbol, plan.graph.steps);
  if (checks.empty()) return out;
  int64_t first = -1, last = -1, count = 0;
  const int64_t end = std::min(out.max, out.min + kMostTried - 1);
  for (int64_t size = out.min; size <= end; ++size) {
    const auto against = std::find_if(checks.begin(), checks.end(),
                                      [&](const Check* check) { return !admits(*check, size); });
    if (against != checks.end()) {
      if (out.refused_by.empty()) out.refused_by = (*against)->what;
      continue;
    }
    first = first < 0 ? size : first;
    last = size;
    ++count;
  }
  if (count == 0) {
    // The first that is found is none of those that were tried; not all behind it are served.
    std::vector<Check> own;
    for (const Check* check : checks) own.push_back(*check);
    int64_t work = kMostTried;
    const auto found = admitted_point(own, {symbol}, {{symbol->name, out.min}}, work);
    if (found) out.min = found->at(symbol->name);
    out.some = true;
    return out;
  }
  out.min = first;
  // Beyond what was tried nothing is known.
  const bool all = end == out.max;
  if (all) out.max = last;
  out.some = count != last - first + 1 || (!all && last < end);
  return out;
}

// Up to what the other open sizes are served where this one is a number.
int64_t limit_without(const ServedSize& size, const ModelPlan& plan) {
  const auto fixed = [&](const Index& index) {
    return index.substitute_symbol(size.name, Index(size.min));
  };
  std::vector<ComputedSize> sizes = computed_sizes(plan);
  for (ComputedSize& one : sizes) one.index = fixed(one.index);
  std::vector<NamedSize> named = plan.memory.named;
  for (NamedSize& one : named) one.value = fixed(one.value);
  return size_limits(sizes, named, plan.graph.symbols, plan.hardware.pointer_bits).most;
}

}  // namespace

std::vector<ServedSize> served_sizes(const ModelPlan& plan) {
  std::vector<ServedSize> out;
  for (const Symbol& symbol : plan.graph.symbols) out.push_back(served(symbol, plan));
  return out;
}

std::string served_text(const std::vector<ServedSize>& sizes) {
  std::string out;
  for (const ServedSize& one : sizes) {
    out += (out.empty() ? "" : ", ") + quoted(one.name) + " ";
    if (one.some) out += "some of ";
    out += std::to_string(one.min);
    if (one.max == kUnbounded) {
      out += " and more";
    } else if (one.max != one.min) {
      out += ".." + std::to_string(one.max);
    }
  }
  return out;
}

std::string together_text(const ModelPlan& plan) {
  std::vector<std::string> rules;
  for (const Check& check : checks_of_every_run(plan.graph.steps, plan.graph.symbols)) {
    if (!only_symbol(check) && std::find(rules.begin(), rules.end(), check.what) == rules.end())
      rules.push_back(check.what);
  }
  if (rules.empty()) return {};
  return "; a run checks that they go together (" + rules[0] +
         (rules.size() > 1 ? " and " + std::to_string(rules.size() - 1) + " more" : "") + ")";
}

std::vector<std::string> narrow_texts(const std::vector<ServedSize>& sizes, const ModelPlan& plan) {
  std::vector<std::string> out;
  std::string narrow;
  const ServedSize* widest = nullptr;
  int64_t left = 0;
  for (const ServedSize& one : sizes) {
    if (one.min == one.max && !one.refused_by.empty()) {
      out.push_back("size " + quoted(one.name) + " is open, and every run checks that it is " +
                    std::to_string(one.min) + " (" + one.refused_by + "); " +
                    dim_flag(one.name, std::to_string(one.min)) + " says so");
    }
    if (!one.narrow) continue;
    narrow += (narrow.empty() ? "" : ", ") + quoted(one.name);
    const int64_t without = limit_without(one, plan);
    if (without <= left) continue;
    left = without;
    widest = &one;
  }
  if (narrow.empty()) return out;
  const int64_t most = plan.size_limits.most;
  const bool helps = sizes.size() > 1 && left > most;
  const bool own = !plan.size_limits.own.empty();
  const int64_t limit = own ? plan.size_limits.own.begin()->second : most;
  out.push_back("open sizes (" + narrow + ") are served up to " + std::to_string(limit) +
                " only, since " + std::to_string(plan.hardware.pointer_bits) +
                " bits must count the bytes of all tensors" +
                (own ? "; the others up to " + std::to_string(most) : "") +
                (helps ? "; with " + dim_flag(widest->name, std::to_string(widest->min)) +
                             " the others may be up to " + std::to_string(left)
                       : ""));
  return out;
}

}  // namespace burin
