#include "ops/api/sequences/unrolled_loop.h"

#include <algorithm>

#include "ops/api/core/scalars.h"
#include "ops/api/movement/concatenate.h"
#include "ops/api/sequences/sequence.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kTrips = 0, kCondition = 1, kFirstCarried = 2;
constexpr int64_t kMostTrips = 4096;

// Whether the condition that an iteration gives holds; nullopt: not known before the run.
std::optional<bool> goes_on(OpContext& op, const Operand& condition) {
  const std::optional<int64_t> known =
      condition.tuple() ? std::nullopt : known_number(op.known_of(condition));
  return known ? std::optional(*known != 0) : std::nullopt;
}

}  // namespace

bool unroll_loop(OpContext& op) {
  const Block& body = op.block("body");
  const auto carried = static_cast<size_t>(op.input_count() - kFirstCarried);
  std::optional<int64_t> trips = kUnbounded;
  if (op.has_input(kTrips)) trips = known_number(op.known(kTrips));
  std::optional<int64_t> first = 1;
  if (op.has_input(kCondition)) first = known_number(op.known(kCondition));
  if (!trips || !first) return false;
  bool going = *first != 0;
  std::vector<Operand> state = {Operand(), constant_scalar(op, "go", Type::boolean, going ? 1 : 0)};
  for (int i = kFirstCarried; i < op.input_count(); ++i) state.push_back(op.input(i));
  std::vector<std::vector<Operand>> emitted(body.outputs.size() - 1 - carried);
  for (int64_t k = 0; going && k < *trips; ++k) {
    if (k >= kMostTrips) return false;
    state[0] = constant_scalar(op, "number", Type::i64, k);
    std::vector<Operand> results = op.inline_block(body, state);
    const std::optional<bool> next = goes_on(op, results[0]);
    if (!next) return false;
    going = *next;
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
  return true;
}

}  // namespace burin
