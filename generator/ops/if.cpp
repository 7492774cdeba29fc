// If: the branch that the condition names. A condition that is known while generating leaves only
// its branch. Otherwise both branches write common values; an extent in which they differ is known
// after the run.
#include <functional>

#include "ops/api/op_def.h"
#include "ops/api/region.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

struct Branch {
  Steps steps;
  std::vector<Operand> results;
};

Branch lower_branch(OpContext& op, const char* attribute) {
  Branch branch;
  op.collect(branch.steps, [&] { branch.results = op.inline_block(op.block(attribute), {}); });
  if (static_cast<int>(branch.results.size()) != op.output_count()) {
    refuse("arity", "a branch gives " + std::to_string(branch.results.size()) +
                        " values, the node has " + std::to_string(op.output_count()));
  }
  return branch;
}

using Declare = std::function<Operand(Type type, Shape shape)>;

// What the branch that is taken gives: tensors that both write, and tuples of such.
Operand merged(OpContext& op, const Operand& a, const Operand& b, std::vector<Branch*> branches,
               Steps& checks, const Declare& declare) {
  if (a.tuple() || b.tuple()) {
    const bool alike = a.tuple() && b.tuple() && a.tuple()->kind == b.tuple()->kind &&
                       a.tuple()->items.size() == b.tuple()->items.size();
    if (!alike) {
      refuse(
          "dynamic-value",
          "the branches give sequences of different lengths, or an optional that only one fills, "
          "and the condition is not known before the run");
    }
    Tuple tuple{a.tuple()->kind};
    for (size_t k = 0; k < a.tuple()->items.size(); ++k)
      tuple.items.push_back(
          merged(op, a.tuple()->items[k], b.tuple()->items[k], branches, checks, declare));
    return Operand(std::move(tuple));
  }
  if (a.type() != b.type()) {
    refuse("type-mismatch", "the branches give " + std::string(to_string(a.type())) + " and " +
                                std::string(to_string(b.type())));
  }
  if (a.rank() != b.rank()) {
    refuse("dynamic-rank",
           "the branches give shapes " + to_string(a.shape()) + " and " + to_string(b.shape()));
  }
  Shape shape;
  const auto within = [&](size_t k, const std::function<void()>& body) {
    op.collect(branches[k]->steps, body);
  };
  for (int d = 0; d < a.rank(); ++d)
    shape.push_back(merged_extent(op, {a.dim(d), b.dim(d)}, within));
  Operand y;
  op.collect(checks, [&] { y = declare(a.type(), shape); });
  op.collect(branches[0]->steps, [&] { copy_value(op, a, y); });
  op.collect(branches[1]->steps, [&] { copy_value(op, b, y); });
  return y;
}

void lower(OpContext& op) {
  const Operand condition = op.input(0);
  op.require_equal(product(condition.shape()), 1, "elements of the condition");
  const std::optional<std::vector<Dim>> known = op.known(0);
  if (known && known->size() == 1 && (*known)[0].is_constant()) {
    const char* taken = (*known)[0].is_constant(0) ? "else_branch" : "then_branch";
    const std::vector<Operand> results = op.inline_block(op.block(taken), {});
    if (static_cast<int>(results.size()) != op.output_count())
      refuse("arity", "the branch and the node have different numbers of outputs");
    for (size_t i = 0; i < results.size(); ++i) op.forward(static_cast<int>(i), results[i]);
    return;
  }
  Branch yes = lower_branch(op, "then_branch"), no = lower_branch(op, "else_branch");
  Steps checks;  // of extents that the branches bind
  for (size_t i = 0; i < yes.results.size(); ++i) {
    const int number = static_cast<int>(i);
    if (!op.has_output(number)) continue;
    const auto declare = [&](Type type, Shape shape) { return op.output(number, type, shape); };
    const auto temporary = [&](Type type, Shape shape) {
      return op.temporary("item", type, std::move(shape));
    };
    const bool tuple = yes.results[i].tuple() != nullptr;
    const Operand y = merged(op, yes.results[i], no.results[i], {&yes, &no}, checks,
                             tuple ? Declare(temporary) : Declare(declare));
    if (tuple) op.forward(number, y);
  }
  auto branch = std::make_shared<If>();
  branch->condition = condition.scalar();
  branch->then_steps = std::move(yes.steps);
  branch->else_steps = std::move(no.steps);
  branch->origins = {{op.node().name, op.node().op}};
  op.emit(Step(std::move(branch)));
  for (Step& check : checks) op.emit(std::move(check));
}

}  // namespace

OpDef op_if() {
  return {.name = "If",
          .inputs = {{"cond", types::boolean}},
          .outputs = {{"outputs", types::all, Arity::variadic}},
          .attributes = {{"then_branch", AttributeKind::block, true},
                         {"else_branch", AttributeKind::block, true}},
          .lower = lower,
          .note = "outputs have one rank, and sequences one length, in both branches"};
}

}  // namespace burin
