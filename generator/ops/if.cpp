// If: the branch that the condition names. A condition that is known while generating leaves only
// its branch. Otherwise both branches write common values; an extent in which they differ is known
// after the run. A branch that the sizes of this tree rule out is none: the run stops where it
// would be taken.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "kernel/defined_symbols.h"
#include "ops/api/core/branches.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/region.h"
#include "ops/api/core/scalars.h"
#include "ops/api/sequences/bounded_sequence.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin::if_op {
namespace {

struct Branch {
  Steps steps;
  std::vector<Operand> results;
  std::optional<Refused> ruled_out;  // by shapes that contradict each other
};

std::string kind_of(const Operand& value) {
  if (!value.tuple()) return "a tensor";
  return value.tuple()->kind == Tuple::Kind::sequence ? "a sequence" : "an optional";
}

bool is_contradiction(const Refused& refused) {
  return !refused.diagnostics.empty() &&
         std::all_of(refused.diagnostics.begin(), refused.diagnostics.end(),
                     [](const Diagnostic& one) { return one.rule == "shape-mismatch"; });
}

Branch lower_branch(OpContext& op, const char* attribute) {
  Branch branch;
  try {
    branches_of(op).attempt_all([&] {
      op.collect(branch.steps, [&] { branch.results = op.inline_block(op.block(attribute), {}); });
    });
  } catch (const Refused& refused) {
    if (!is_contradiction(refused)) throw;
    branch.ruled_out = refused;
    return branch;
  }
  if (static_cast<int>(branch.results.size()) != op.output_count()) {
    refuse("arity", "a branch gives " + std::to_string(branch.results.size()) +
                        " values, the node has " + std::to_string(op.output_count()));
  }
  return branch;
}

// The other branch cannot run.
void lower_only(OpContext& op, Branch only, const Refused& other, bool is_then) {
  branches_of(op).warn(
      "shape-mismatch",
      std::string("the run stops where it takes the ") + (is_then ? "else_branch" : "then_branch") +
          ", which the sizes of this tree rule out: " + other.diagnostics[0].message);
  const Symbol way = op.run_symbol("branch", {0, 1});
  op.bind(way, Expr::cast(Type::i64, op.input(0).scalar()));
  const int64_t wanted = is_then ? 1 : 0;
  op.require({{Index::symbol(way), wanted, wanted + 1}}, "the branch that these sizes rule out");
  branches_of(op).splice(std::move(only.steps));
  for (size_t i = 0; i < only.results.size(); ++i) op.forward(static_cast<int>(i), only.results[i]);
}

// The branches, and what they give.
struct Merge {
  std::vector<Branch*> branches;

  Operand tensors(OpContext& op, const Operand& a, const Operand& b, const Declare& declare);
  Operand tuples(OpContext& op, const Operand& a, const Operand& b);
  Bounded bounded(OpContext& op, const Operand& given, ItemForm form, size_t branch);

  Operand values(OpContext& op, const Operand& a, const Operand& b, const Declare& declare) {
    return a.tuple() || b.tuple() ? tuples(op, a, b) : tensors(op, a, b, declare);
  }
};

// As many tensors, one by one; else what is of dynamic length.
Operand Merge::tuples(OpContext& op, const Operand& a, const Operand& b) {
  if (!a.tuple() || !b.tuple() || a.tuple()->kind != b.tuple()->kind) {
    refuse("type-mismatch",
           "the branches give values of different kinds: " + kind_of(a) + " and " + kind_of(b));
  }
  const auto temporary = [&](Type type, Shape shape) {
    return op.temporary("item", type, std::move(shape));
  };
  const Tuple &one = *a.tuple(), &other = *b.tuple();
  const bool known = !one.bounded && !other.bounded;
  if (known && one.items.size() == other.items.size()) {
    Tuple tuple{one.kind};
    for (size_t k = 0; k < one.items.size(); ++k)
      tuple.items.push_back(values(op, one.items[k], other.items[k], temporary));
    return Operand(std::move(tuple));
  }
  const std::optional<ItemForm> first = form_of(a), second = form_of(b);
  if (!first && !second) refuse_unknown_items();
  const ItemForm form = first && second ? common_form(*first, *second) : first ? *first : *second;
  const std::vector<Operand> in_first = tensors_of(bounded(op, a, form, 0)),
                             in_second = tensors_of(bounded(op, b, form, 1));
  std::vector<Operand> merged;
  for (size_t k = 0; k < in_first.size(); ++k)
    merged.push_back(tensors(op, in_first[k], in_second[k], temporary));
  return Operand(Tuple{.kind = one.kind, .bounded = bounded_of(form, merged)});
}

Bounded Merge::bounded(OpContext& op, const Operand& given, ItemForm form, size_t branch) {
  // Where there is no tensor, sizes that only the other branch knows are none.
  if (!given.tuple()->bounded && given.tuple()->items.empty()) {
    std::set<std::string> elsewhere;
    for (const Step& step : branches[1 - branch]->steps) elsewhere.merge(defined_symbols(step));
    for (Dim& extent : form.shape) {
      std::vector<Symbol> symbols;
      extent.collect_symbols(symbols);
      for (const Symbol& symbol : symbols) {
        if (elsewhere.contains(symbol->name)) extent = 0;
      }
    }
  }
  Bounded made;
  op.collect(branches[branch]->steps, [&] { made = to_bounded(op, given, form); });
  return made;
}

// Where the condition follows from a size, as exporters ask whether a dimension is squeezed: the
// first sizes in a row for which it holds.
std::string how_to_decide(OpContext& op) {
  constexpr int64_t kTried = 65536;
  const std::optional<std::vector<Dim>> condition = op.known(0);
  std::vector<Symbol> symbols;
  if (condition && condition->size() == 1) condition->front().collect_symbols(symbols);
  if (symbols.size() != 1 || symbols[0]->origin != SymbolOrigin::param) return "";
  const auto holds = [&](int64_t size) {
    return condition->front().evaluate([&](const Index&) { return size; }) != 0;
  };
  const int64_t first = symbols[0]->min, end = std::min(symbols[0]->max, first + kTried);
  int64_t from = first;
  while (from < end && !holds(from)) ++from;
  int64_t to = from;
  while (to < end && holds(to + 1)) ++to;
  const std::string range = from >= end  ? "1"
                            : from == to ? std::to_string(from)
                            : to >= end  ? std::to_string(from) + ".."
                                         : std::to_string(from) + ".." + std::to_string(to);
  return "which one runs follows from " + quoted(symbols[0]->name) +
         ": give a size or a range that decides it, such as " + dim_flag(symbols[0]->name, range);
}

Operand Merge::tensors(OpContext& op, const Operand& a, const Operand& b, const Declare& declare) {
  if (a.type() != b.type()) {
    refuse("type-mismatch", "the branches give " + std::string(to_string(a.type())) + " and " +
                                std::string(to_string(b.type())));
  }
  if (a.rank() != b.rank()) {
    refuse("dynamic-rank",
           "the branches give shapes " + to_string(a.shape()) + " and " + to_string(b.shape()),
           how_to_decide(op));
  }
  Shape shape;
  const auto within = [&](size_t k, const std::function<void()>& body) {
    op.collect(branches[k]->steps, body);
  };
  for (int d = 0; d < a.rank(); ++d)
    shape.push_back(merged_extent(op, {a.dim(d), b.dim(d)}, within));
  Operand y;
  // What the file says of extents that the branches bind is checked where they have bound them,
  // before anything is written into a result of these extents.
  const Steps checks = collected(op, [&] { y = declare(a.type(), shape); });
  for (size_t k = 0; k < branches.size(); ++k) {
    within(k, [&] {
      for (const Step& check : checks) op.emit(Step(check));
      copy_value(op, k == 0 ? a : b, y);
    });
  }
  return y;
}

void lower(OpContext& op) {
  const Operand condition = op.input(0);
  op.require_equal(product(condition.shape()), 1, "elements of the condition");
  if (const std::optional<int64_t> known = known_number(op.known(0))) {
    const char* taken = *known == 0 ? "else_branch" : "then_branch";
    const std::vector<Operand> results = op.inline_block(op.block(taken), {});
    if (static_cast<int>(results.size()) != op.output_count())
      refuse("arity", "the branch and the node have different numbers of outputs");
    for (size_t i = 0; i < results.size(); ++i) op.forward(static_cast<int>(i), results[i]);
    return;
  }
  Branch yes = lower_branch(op, "then_branch"), no = lower_branch(op, "else_branch");
  if (yes.ruled_out && no.ruled_out) throw *yes.ruled_out;
  if (yes.ruled_out) return lower_only(op, std::move(no), *yes.ruled_out, false);
  if (no.ruled_out) return lower_only(op, std::move(yes), *no.ruled_out, true);
  Merge merge{{&yes, &no}};
  for (size_t i = 0; i < yes.results.size(); ++i) {
    const int number = static_cast<int>(i);
    if (!op.has_output(number)) continue;
    const auto declare = [&](Type type, Shape shape) { return op.output(number, type, shape); };
    const Operand y = merge.values(op, yes.results[i], no.results[i], declare);
    if (y.tuple()) op.forward(number, y);
  }
  auto branch = std::make_shared<If>();
  branch->condition = condition.scalar();
  branch->then_steps = std::move(yes.steps);
  branch->else_steps = std::move(no.steps);
  op.emit(Step(std::move(branch)));
}

}  // namespace

OpDef definition() {
  return {.name = "If",
          .inputs = {{"cond", types::boolean}},
          .outputs = {{"outputs", types::tensors, Arity::variadic}},
          .attributes = {{"then_branch", AttributeKind::block, true},
                         {"else_branch", AttributeKind::block, true}},
          .lower = lower,
          .note = "results of the graph have one rank in both branches"};
}

}  // namespace burin::if_op
