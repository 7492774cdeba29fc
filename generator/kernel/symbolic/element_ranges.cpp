#include "kernel/symbolic/element_ranges.h"

#include <algorithm>

#include "kernel/index/index_magnitude.h"
#include "kernel/procedures/procedures.h"
#include "kernel/symbolic/kernel_ranges.h"
#include "kernel/symbolic/symbolic_scalar.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int kMostDepth = 512;  // tensors made of each other that are looked at
constexpr int kMostExpressions = 20000;
constexpr int64_t kMostNumber = int64_t{1} << 28;
constexpr int kMostHops = 32;            // from copy to copy
constexpr int64_t kMostElements = 4096;  // of a constant that is read

}  // namespace

ElementRanges::ElementRanges(const std::vector<const Steps*>& steps,
                             const std::vector<Value>& values,
                             const std::map<ValueId, SymbolicElements>& known)
    : values_(values), known_(known), left_(kMostExpressions) {
  for (const Steps* one : steps) add_makers(*one);
}

void ElementRanges::add_makers(const Steps& steps) {
  for (const Step& step : steps) {
    if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
      for (const Write& write : kernel->writes)
        makers_[write.to].push_back({kernel, &write, nullptr});
    } else if (const Procedure* procedure = std::get_if<Procedure>(&step)) {
      for (const ValueId to : procedure->writes) makers_[to].push_back({.procedure = procedure});
    } else if (const auto* branches = std::get_if<std::shared_ptr<If>>(&step)) {
      add_makers((*branches)->then_steps);
      add_makers((*branches)->else_steps);
    } else {
      for (const ValueId id : writes_of(step)) opaque_.insert(id);
    }
  }
}

SymbolicElement ElementRanges::of_tensor(ValueId id) {
  const Type type = compute_type(values_[static_cast<size_t>(id)].type);
  // What is asked for again while it is looked at is not known.
  const auto [at, fresh] = ranges_.emplace(id, range_of_type(type));
  // Nor is what a longer chain of tensors makes: each takes a part of the stack.
  if (!fresh || depth_ == kMostDepth) return at->second;
  ++depth_;
  const SymbolicElement range = found(id);
  --depth_;
  return ranges_.at(id) = range;
}

SymbolicElement ElementRanges::found(ValueId id) {
  const Value& value = values_[static_cast<size_t>(id)];
  const Type type = compute_type(value.type);
  MaybeElement out;
  const auto add = [&](const MaybeElement& one) {
    out = !one ? range_of_type(type) : out ? bound_of_either(*out, *one, type) : one;
    if (!out) out = range_of_type(type);
  };
  const auto at = known_.find(id);
  // Of some elements only: what makes them says something of all.
  const bool all_known = at != known_.end() && std::all_of(at->second.begin(), at->second.end(),
                                                           [](const auto& one) { return !!one; });
  if (all_known) {
    for (const MaybeElement& one : at->second) add(one);
  } else if (value.kind == ValueKind::constant) {
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) shape.push_back(dim.constant());
    if (product(value.shape).constant() > kMostElements) return range_of_type(type);
    const HostTensor tensor = to_tensor(value.type, shape, value.constant);
    for (int64_t i = 0; i < tensor.elements(); ++i) add(symbolic_constant(type, tensor.get(i)));
  } else if (!opaque_.contains(id)) {
    const auto makers = makers_.find(id);
    for (size_t i = 0; makers != makers_.end() && i < makers->second.size(); ++i)
      add(made_by(makers->second[i], id));
  }
  return out.value_or(range_of_type(type));
}

// What one element, alone in its tensor, was copied from or compared of.
Expr ElementRanges::source(Expr expr) const {
  for (int hop = 0; hop < kMostHops && expr.kind() == ExprKind::load; ++hop) {
    const ValueId id = expr->id;
    const auto makers = makers_.find(id);
    if (!product(values_[static_cast<size_t>(id)].shape).is_constant(1) || opaque_.contains(id) ||
        makers == makers_.end() || makers->second.size() != 1)
      break;
    const Maker& maker = makers->second[0];
    if (!maker.write || maker.write->how != How::store || !maker.write->when.empty()) break;
    const Expr& from = maker.write->value;
    const bool moves = from.kind() == ExprKind::load || from.kind() == ExprKind::constant ||
                       (from.kind() == ExprKind::binary && is_comparison(from->binary()));
    if (!moves || (from.kind() == ExprKind::load && from->id == id)) break;
    expr = from;
  }
  return expr;
}

bool ElementRanges::are_same(const Expr& a, const Expr& b) const {
  const Expr x = source(a), y = source(b);
  const auto number = [&](const Expr& one) -> std::optional<int64_t> {
    if (one.kind() == ExprKind::constant && !is_float(one.type())) return one->integer;
    if (one.kind() != ExprKind::load) return std::nullopt;
    const Value& value = values_[static_cast<size_t>(one->id)];
    if (value.kind != ValueKind::constant || !is_integer(value.type)) return std::nullopt;
    if (!product(value.shape).is_constant(1)) return std::nullopt;
    return to_tensor(value.type, {1}, value.constant).get(0).integer;
  };
  const std::optional<int64_t> p = number(x), q = number(y);
  if (p || q) return p == q;
  return x.kind() == ExprKind::load && y.kind() == ExprKind::load && x->id == y->id &&
         product(values_[static_cast<size_t>(x->id)].shape).is_constant(1);
}

SymbolicElement ElementRanges::made_by(const Maker& maker, ValueId id) {
  const Type type = compute_type(values_[static_cast<size_t>(id)].type);
  if (maker.procedure) {
    const std::optional<Written> range = written(*maker.procedure, id);
    if (!range) return range_of_type(type);
    return range->chosen ? of_tensor(maker.procedure->reads[0])
                         : element_between({0, max(range->most, Dim(0))});
  }
  if (maker.write->how != How::store) return range_of_type(type);
  return KernelRanges(*this, *maker.kernel).of(maker.write->value);
}

std::optional<ElementBounds> ElementRanges::range(ValueId id) { return whole_ends(of_tensor(id)); }

std::optional<Dim> ElementRanges::most(const Expr& value) {
  if (is_float(value.type())) return std::nullopt;
  const Kernel nothing;
  const std::optional<ElementBounds> range = whole_ends(KernelRanges(*this, nothing).of(value));
  if (!range || !is_small(range->hi)) return std::nullopt;
  // All that its type holds is no bound that memory could be taken for.
  const int64_t numbers = largest_part(range->hi, [](const Index&) { return int64_t{1}; });
  return numbers <= kMostNumber ? std::optional(range->hi) : std::nullopt;
}

}  // namespace burin
