#include "kernel/interpreter/interpreter_reduce.h"

#include <limits>

#include "kernel/combiner.h"
#include "support/check.h"

namespace burin {
namespace {

ScalarValue end_of_range(Type type, bool low) {
  if (is_float(type)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return {low ? -infinity : infinity, 0};
  }
  if (type == Type::boolean) return {0, low ? 0 : 1};
  if (type == Type::u64) return {0, low ? 0 : -1};
  return {0, low ? lowest(type) : highest(type)};
}

ScalarValue number(Type type, int value) {
  return is_float(type) ? ScalarValue{static_cast<double>(value), 0} : ScalarValue{0, value};
}

// What combining with leaves an accumulator as it is.
ScalarValue neutral_of(Combiner op, Type type) {
  if (op == Combiner::min || op == Combiner::max) return end_of_range(type, op == Combiner::max);
  return number(type, op == Combiner::product || op == Combiner::logical_and ? 1 : 0);
}

}  // namespace

PreparedReduction reduction_of(const Let& let) {
  PreparedReduction out;
  const Type key = let.accumulator[0];
  if (const std::optional<Binary> op = combining(let.op)) {
    BURIN_CHECK(let.body.size() == 1, "only keyed reductions have tuples");
    out.combine = function_of(*op, key);
    out.neutral = {neutral_of(let.op, key)};
  } else if (is_keyed(let.op)) {
    out.better = function_of(better_key(let.op), key);
    out.neutral = {
        end_of_range(key, let.op == Combiner::first_max || let.op == Combiner::last_max)};
    for (size_t c = 1; c < let.accumulator.size(); ++c)
      out.neutral.push_back(number(let.accumulator[c], 0));
  } else {
    BURIN_CHECK(let.reduced.empty(), "a map reduces nothing");
  }
  return out;
}

void combine(const PreparedReduction& reduction, const Program& program, bool first,
             std::vector<ScalarValue>& accumulator) {
  if (reduction.combine != nullptr) {
    accumulator[0] = reduction.combine(accumulator[0], program.result(0));
    return;
  }
  if (reduction.better == nullptr || first ||
      reduction.better(program.result(0), accumulator[0]).integer != 0) {
    for (size_t c = 0; c < accumulator.size(); ++c) accumulator[c] = program.result(c);
  }
}

}  // namespace burin
