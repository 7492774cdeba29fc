#include "kernel/interpreter_reduce.h"

#include <limits>

#include "kernel/keyed.h"
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

}  // namespace

PreparedReduction reduction_of(const Let& let) {
  PreparedReduction out;
  const Type key = let.accumulator[0];
  const auto each = [&](Binary op, auto neutral) {
    BURIN_CHECK(let.body.size() == 1, "only keyed reductions have tuples");
    out.combine = function_of(op, key);
    out.neutral = {neutral(key)};
  };
  const auto keyed = [&](bool low) {
    out.better = function_of(better_key(let.op), key);
    out.neutral = {end_of_range(key, low)};
    for (size_t c = 1; c < let.accumulator.size(); ++c) {
      out.neutral.push_back(number(let.accumulator[c], 0));
    }
  };
  switch (let.op) {
    case Combiner::none:
      BURIN_CHECK(let.reduced.empty(), "a map reduces nothing");
      break;
    case Combiner::sum:
      each(Binary::add, [](Type type) { return number(type, 0); });
      break;
    case Combiner::product:
      each(Binary::mul, [](Type type) { return number(type, 1); });
      break;
    case Combiner::min:
      each(Binary::min, [](Type type) { return end_of_range(type, false); });
      break;
    case Combiner::max:
      each(Binary::max, [](Type type) { return end_of_range(type, true); });
      break;
    case Combiner::logical_and:
      each(Binary::logical_and, [](Type type) { return number(type, 1); });
      break;
    case Combiner::logical_or:
      each(Binary::logical_or, [](Type type) { return number(type, 0); });
      break;
    case Combiner::first_max:
    case Combiner::last_max:
      keyed(true);
      break;
    case Combiner::first_min:
    case Combiner::last_min:
      keyed(false);
      break;
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
