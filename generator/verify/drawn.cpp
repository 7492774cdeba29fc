#include "verify/drawn.h"

#include <fmt/format.h>

#include "kernel/interpreter/interpreter.h"
#include "verify/draw_test.h"
#include "verify/nibbles.h"

namespace burin {
namespace {

constexpr int64_t kMostDrawnOperations = 1'000'000'000;

// What the data say of an output whose extents are drawn too: type and rank.
std::string mismatch_of(const HostTensor& got, const HostTensor& wanted, bool any_extents) {
  if (any_extents && got.type == wanted.type && got.shape.size() == wanted.shape.size()) return {};
  if (got.type == wanted.type && got.shape == wanted.shape) return {};
  return compare(got, wanted).mismatch;
}

}  // namespace

std::optional<DrawnRun> DrawnRun::of(const Compiled& compiled, const Run& run) {
  DrawnRun out;
  out.compiled_ = &compiled;
  bool any = false;
  KernelGraph graph = compiled.lowered;
  for (const OutputDraw& draw : compiled.draws) {
    any = any || draw.depends;
    const ValueId parameter = draw.distribution ? draw.distribution->parameter : kNoValue;
    if (parameter != kNoValue) graph.outputs.push_back(parameter);
  }
  if (!any) return std::nullopt;
  InterpretOptions budget;
  budget.operations = kMostDrawnOperations;
  RunResult result =
      interpret(graph, in_widths_of(graph, graph.inputs, run.inputs), run.symbols, budget);
  if (result.status == kRunOverBudget) {
    out.problem_ = "the interpreter would take too long";
  } else if (result.status != kRunOk) {
    out.problem_ = "the interpreter says: " + result.message;
  }
  out.results_ = std::move(result.outputs);
  if (!out.problem_.empty()) return out;
  size_t next = compiled.draws.size();
  for (const OutputDraw& draw : compiled.draws) {
    const bool has = draw.distribution && draw.distribution->parameter != kNoValue;
    out.parameters_.push_back(has ? std::move(out.results_.at(next++)) : HostTensor());
  }
  return out;
}

OutputVerdict DrawnRun::judge(size_t output, const HostTensor& got, const HostTensor& wanted,
                              Tolerance tolerance) const {
  const OutputDraw& draw = compiled_->draws[output];
  OutputVerdict verdict;
  verdict.tolerance = tolerance;
  verdict.difference.elements = got.elements();
  verdict.difference.mismatch = mismatch_of(got, wanted, draw.shape_depends);
  verdict.drawn = draw.distribution ? "drawn at random" : "follows from what is drawn at random";
  if (!verdict.difference.mismatch.empty()) return verdict;
  if (problem_.empty()) {
    verdict.difference = compare(got, results_.at(output), tolerance);
    verdict.drawn += ": held against the interpreter's draws, and type and shape against the data";
  } else {
    verdict.drawn +=
        ": type and shape are those of the data, elements are not compared (" + problem_ + ")";
  }
  if (!draw.distribution) return verdict;
  const bool needs = draw.distribution->parameter != kNoValue;
  if (needs && !problem_.empty()) return verdict;
  const DrawTest test =
      test_draws(*draw.distribution, got, needs ? &parameters_.at(output) : nullptr);
  verdict.drawn +=
      fmt::format("; distance to the distribution {:.2f} of {} sqrt(n){}", test.distance,
                  kMostDistance, test.fault.empty() ? "" : ", " + test.fault);
  verdict.draws_agree = test.agrees();
  return verdict;
}

}  // namespace burin
