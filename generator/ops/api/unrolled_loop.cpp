#include "ops/api/unrolled_loop.h"

#include <algorithm>

#include "ops/api/join.h"
#include "ops/api/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kTrips = 0, kCondition = 1, kFirstCarried = 2;
constexpr int64_t kMostTrips = 4096;

// The number that input i is before the run; nullopt where there is no such input.
std::optional<int64_t> known_number(OpContext& op, int i, const char* what) {
  if (!op.has_input(i)) return std::nullopt;
  op.require_equal(product(op.input(i).shape()), 1, what);
  const std::optional<std::vector<Dim>> known = op.known(i);
  if (!known || !(*known)[0].is_constant()) {
    refuse("dynamic-value",
           std::string(what) + " of a loop that carries sequences is not known before the run");
  }
  return (*known)[0].constant();
}

// Whether the condition that an iteration gives holds.
bool goes_on(OpContext& op, const Operand& condition) {
  const std::optional<std::vector<Dim>> known =
      condition.tuple() ? std::nullopt : op.known_of(condition);
  if (!known || known->size() != 1 || !(*known)[0].is_constant()) {
    refuse("dynamic-value",
           "the condition of a loop that carries sequences is not known before the run");
  }
  return !(*known)[0].is_constant(0);
}

}  // namespace

void unroll_loop(OpContext& op) {
  const Block& body = op.block("body");
  const auto carried = static_cast<size_t>(op.input_count() - kFirstCarried);
  if (body.outputs.size() < 1 + carried ||
      op.output_count() > static_cast<int>(body.outputs.size()) - 1) {
    refuse("arity", "the body has " + std::to_string(body.outputs.size()) + " outputs for " +
                        std::to_string(carried) + " carried values");
  }
  const std::optional<int64_t> trips = known_number(op, kTrips, "the number of trips");
  bool going = known_number(op, kCondition, "the condition").value_or(1) != 0;
  std::vector<Operand> state = {Operand(), constant_scalar(op, "go", Type::boolean, going ? 1 : 0)};
  for (int i = kFirstCarried; i < op.input_count(); ++i) state.push_back(op.input(i));
  std::vector<std::vector<Operand>> emitted(body.outputs.size() - 1 - carried);
  for (int64_t k = 0; going && k < trips.value_or(kUnbounded); ++k) {
    if (k >= kMostTrips) {
      refuse("limit", "a loop that carries sequences has more than " + std::to_string(kMostTrips) +
                          " trips");
    }
    state[0] = constant_scalar(op, "number", Type::i64, k);
    std::vector<Operand> results = op.inline_block(body, state);
    going = goes_on(op, results[0]);
    for (size_t i = 0; i <= carried; ++i) state[1 + i] = results[i];
    for (size_t i = 0; i < emitted.size(); ++i) emitted[i].push_back(results[1 + carried + i]);
  }
  for (size_t i = 0; i < carried; ++i) op.forward(static_cast<int>(i), state[2 + i]);
  for (size_t i = 0; i < emitted.size(); ++i) {
    const int number = static_cast<int>(carried + i);
    if (!op.has_output(number)) continue;
    if (emitted[i].empty()) refuse("dynamic-shape", "the loop has no trips and emits values");
    const Operand y = op.output(number, emitted[i][0].type(), stacked_shape(op, emitted[i], 0));
    map_stacked(op, y, emitted[i], 0);
  }
}

}  // namespace burin
