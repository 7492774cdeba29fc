// Checks the versions of loops on unit stride from their definition: at points where all steps are
// 1, both versions do the same to the same elements. Sizes and axes are numbers here, so nothing of
// how the versions were made is trusted.
#include <map>

#include "select/schedule/unit_stride.h"

namespace burin {
namespace {

// The value of every leaf at one of some points; leaves of the loop's axis and others alike get
// numbers that differ.
class Point {
 public:
  explicit Point(int64_t seed) : seed_(seed) {}
  int64_t operator()(const Index& leaf) {
    const auto [at, fresh] = values_.emplace(to_string(leaf), 0);
    if (fresh) at->second = 2 + (seed_ * 7919 + static_cast<int64_t>(values_.size()) * 104729) % 97;
    return at->second;
  }

 private:
  int64_t seed_;
  std::map<std::string, int64_t> values_;
};

std::string text_at(const Expr& expr, Point& point) {
  return to_string(rewrite(
      expr, [](const Expr& one) { return one; },
      [&](const Index& leaf) { return Index(point(leaf)); }));
}

std::string check(const ForLoop& loop) {
  if (loop.strides.empty() != loop.unit_stride.empty())
    return "versions of a loop without a condition";
  if (loop.unit_stride.empty()) return {};
  if (loop.unit_stride.size() != loop.nodes.size())
    return "versions of a loop differ in their statements";
  for (const Index& step : loop.strides) {
    if (step.has_axes() || step.has_data()) return "a step that is not settled before the loops";
  }
  const auto same = [&](const Expr& a, const Expr& b, Point& point) {
    return text_at(a, point) == text_at(b, point);
  };
  for (int64_t seed = 0; seed < 8; ++seed) {
    Point point(seed);
    bool chosen = true;
    for (const Index& step : loop.strides)
      chosen = chosen && step.evaluate([&](const Index& leaf) { return point(leaf); }) == 1;
    if (!chosen) continue;
    for (size_t i = 0; i < loop.nodes.size(); ++i) {
      const LoopNode &general = loop.nodes[i], &unit = loop.unit_stride[i];
      if (general.node.index() != unit.node.index())
        return "versions of a loop differ in their statements";
      if (const auto* store = std::get_if<Store>(&general.node)) {
        const Store& other = std::get<Store>(unit.node);
        if (store->write != other.write || store->when != other.when ||
            !same(store->value, other.value, point))
          return "versions of a loop store different values";
      } else if (const auto* sum = std::get_if<Accumulate>(&general.node)) {
        const Accumulate& other = std::get<Accumulate>(unit.node);
        if (sum->let != other.let || sum->when != other.when ||
            sum->body.size() != other.body.size())
          return "versions of a loop combine differently";
        for (size_t k = 0; k < sum->body.size(); ++k) {
          if (!same(sum->body[k], other.body[k], point))
            return "versions of a loop combine different values";
        }
      } else {
        return "a version of a loop that is not innermost";
      }
    }
  }
  return {};
}

std::string check(const LoopNodes& nodes) {
  for (const LoopNode& node : nodes) {
    const auto* loop = std::get_if<ForLoop>(&node.node);
    if (loop == nullptr) continue;
    std::string fault = check(*loop);
    if (fault.empty()) fault = check(loop->nodes);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string check_unit_stride(const LoopPlan& schedule) { return check(schedule.loops); }

}  // namespace burin
