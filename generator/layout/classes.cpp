#include "layout/classes.h"

#include <algorithm>
#include <optional>

#include "fuse/access/access.h"
#include "kernel/index/index_limit.h"
#include "kernel/layout.h"

namespace burin {
namespace {

// How one load runs through its tensor as the kernel runs through the result.
enum class Order : uint8_t {
  same,      // every element of the same dimensions, in the same order
  selected,  // the same order, but not all of it: slices, padding, rows picked by data
  repeated,  // the same order, and some elements for several points of the result
  reranked,  // dimensions of one element more, less or elsewhere
  linear,    // another shape, the same order in memory
  other,     // permuted, split or merged
};

// One dimension that is read: coefficient * axis + offset; axis -1: a constant or data.
struct Along {
  int axis = -1;
  bool is_whole = false;     // the axis itself, which runs through all of it
  bool is_repeated = false;  // axis // c or axis % c: elements of one axis, several times
  bool is_simple = true;
};

Along along(const Index& index, const Dim& size) {
  std::vector<int> axes;
  index.collect_axes(axes);
  if (axes.empty() || index.has_data()) return {};
  if (index.kind() == IndexKind::axis)
    return {axes[0], index.axis_extent() == size, false, axes.size() == 1};
  if (index.kind() == IndexKind::floordiv || index.kind() == IndexKind::mod) {
    const bool of_axis = index.operands()[0].kind() == IndexKind::axis;
    return {axes[0], false, of_axis, of_axis};
  }
  const std::vector<Index::Term> terms = index.terms();
  const bool affine = terms.size() == 1 && terms[0].atoms.size() == 1 &&
                      terms[0].atoms[0].kind() == IndexKind::axis && terms[0].coefficient > 0;
  return {axes[0], false, false, affine};
}

// The axes of the result in the order of its dimensions.
std::vector<int> result_axes(const Write& write) {
  std::vector<int> out;
  for (const Index& index : write.at) {
    std::vector<int> axes;
    index.collect_axes(axes);
    out.insert(out.end(), axes.begin(), axes.end());
  }
  return out;
}

Order order_of(const Write& write, const ExprNode& load, const std::vector<Value>& values) {
  const std::vector<Dim>& shape = values[static_cast<size_t>(load.id)].shape;
  const std::vector<Dim>& result = values[static_cast<size_t>(write.to)].shape;
  const std::vector<int> axes = result_axes(write);
  bool whole = true, repeated = false, simple = true, ordered = true;
  auto next = axes.begin();  // no axis may come back
  size_t seen = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Along one = along(load.at[d], shape[d]);
    simple = simple && one.is_simple;
    repeated = repeated || one.is_repeated;
    whole = whole && (one.axis >= 0 ? one.is_whole : shape[d].is_constant(1));
    if (one.axis < 0) continue;
    const auto at = std::find(next, axes.end(), one.axis);
    ordered = ordered && at != axes.end();
    next = at == axes.end() ? next : at + 1;
    ++seen;
  }
  if (simple && ordered) {
    if (seen < axes.size() || repeated) return Order::repeated;
    if (!whole) return Order::selected;
    return shape == result ? Order::same : Order::reranked;
  }
  // Of indices that get too long an expression nothing is said.
  const std::optional<bool> linear = within_index_limits([&] {
    return product(shape) == product(result) &&
           linearize(load.at, shape) == linearize(write.at, result);
  });
  return linear.value_or(false) ? Order::linear : Order::other;
}

struct Traits {
  bool computes = false;  // beyond moving
  bool reduces = false;   // or runs in sequence, or scatters
  bool is_opaque = false;
  std::vector<Order> orders;  // of every load that is no constant's
};

void look_at(const Kernel& kernel, const std::vector<Value>& values, Traits& out) {
  out.computes = out.computes || !only_moves(kernel);
  for (const Axis& axis : kernel.axes)
    out.reduces = out.reduces || axis.kind == AxisKind::sequential;
  for (const Let& let : kernel.lets)
    out.reduces = out.reduces || let.op != Combiner::none || !let.reduced.empty();
  for (const Write& write : kernel.writes) {
    out.reduces = out.reduces || write.how != How::store;
    const bool by_data = std::any_of(write.at.begin(), write.at.end(),
                                     [](const Index& index) { return index.has_data(); });
    out.reduces = out.reduces || by_data;
    const auto on_node = [&](const ExprNode& node) {
      if (node.kind != ExprKind::load ||
          values[static_cast<size_t>(node.id)].kind == ValueKind::constant || node.at.empty())
        return;
      out.orders.push_back(order_of(write, node, values));
    };
    visit(write.value, on_node);
    // What lets compute element by element is part of the value.
    for (const Let& let : kernel.lets) {
      for (const Expr& body : let.body) visit(body, on_node);
    }
  }
}

Traits traits_of(const std::vector<const Step*>& steps, const std::vector<Value>& values) {
  Traits out;
  for (const Step* step : steps) {
    if (const Kernel* kernel = std::get_if<Kernel>(step)) {
      look_at(*kernel, values, out);
    } else if (!std::holds_alternative<Bind>(*step) && !std::holds_alternative<Check>(*step)) {
      out.is_opaque = true;
    }
  }
  return out;
}

bool any(const Traits& traits, std::initializer_list<Order> orders) {
  return std::any_of(traits.orders.begin(), traits.orders.end(), [&](Order one) {
    return std::find(orders.begin(), orders.end(), one) != orders.end();
  });
}

}  // namespace

LayoutClass layout_class(const std::vector<const Step*>& steps, const std::vector<Value>& values) {
  const Traits traits = traits_of(steps, values);
  if (traits.is_opaque || traits.reduces) return LayoutClass::ild_variable;
  const bool reordered = any(traits, {Order::linear, Order::other});
  if (!traits.computes)
    return reordered || any(traits, {Order::reranked}) ? LayoutClass::ild_fixed
                                                       : LayoutClass::ili_fixed;
  const bool unequal = reordered || any(traits, {Order::repeated, Order::selected});
  return unequal ? LayoutClass::ild_variable : LayoutClass::ili_variable;
}

LayoutAction action_of(LayoutClass first, LayoutClass second) {
  const bool first_is_fixed = first >= LayoutClass::ild_fixed,
             second_is_fixed = second >= LayoutClass::ild_fixed;
  if (first_is_fixed && second_is_fixed) return LayoutAction::eliminate_both;
  if (first_is_fixed) return LayoutAction::eliminate_first;
  if (second_is_fixed) return LayoutAction::eliminate_second;
  const bool both = first == LayoutClass::ild_variable && second == LayoutClass::ild_variable;
  return both ? LayoutAction::keep_both : LayoutAction::try_fuse;
}

LayoutResult result_of(LayoutClass first, LayoutClass second) {
  const LayoutAction action = action_of(first, second);
  if (action == LayoutAction::eliminate_both) return {LayoutSearch::none, second, false};
  // The one that is kept, or the more demanding of two.
  const LayoutClass left = action == LayoutAction::eliminate_first    ? second
                           : action == LayoutAction::eliminate_second ? first
                                                                      : std::min(first, second);
  if (left != LayoutClass::ild_variable) return {LayoutSearch::none, left, true};
  switch (action) {
    case LayoutAction::keep_both:
      return {LayoutSearch::both, left, true};
    case LayoutAction::try_fuse:
      return {LayoutSearch::fused, left, true};
    case LayoutAction::eliminate_first:
      return {LayoutSearch::second, left, true};
    default:
      return {LayoutSearch::first, left, true};
  }
}

Mapping mapping_of(const std::vector<const Step*>& steps, const std::vector<Value>& values) {
  const Traits traits = traits_of(steps, values);
  if (traits.is_opaque || traits.reduces) return Mapping::many_to_many;
  if (any(traits, {Order::repeated})) return Mapping::one_to_many;
  if (any(traits, {Order::other})) return Mapping::shuffle;
  const bool reshapes =
      any(traits, {Order::linear}) || (!traits.computes && any(traits, {Order::reranked}));
  if (reshapes) return Mapping::reorganize;
  return Mapping::one_to_one;
}

MappingPair pair_of(Mapping first, Mapping second) {
  using enum Mapping;
  // An operator of one element each goes with anything and changes nothing about the other.
  if (first == one_to_one) return {Fusion::always, second};
  if (second == one_to_one) return {Fusion::always, first};
  const bool first_moves = first == reorganize || first == shuffle,
             second_moves = second == reorganize || second == shuffle;
  // Indices compose: a shuffle of a shuffle is one, anything with a reorganisation is that.
  if (first_moves && second_moves)
    return {Fusion::always, first == shuffle && second == shuffle ? shuffle : reorganize};
  // Into many uses, what was moved, repeated or reduced would be fetched or computed over and over.
  if (second == many_to_many) return {first_moves ? Fusion::profile : Fusion::never, many_to_many};
  return {Fusion::profile, first == many_to_many ? many_to_many : one_to_many};
}

std::string_view to_string(LayoutClass one) {
  constexpr std::string_view names[] = {"ILD & Variable", "ILI & Variable", "ILD & Fixed",
                                        "ILI & Fixed"};
  return names[static_cast<size_t>(one)];
}

std::string_view to_string(LayoutAction one) {
  constexpr std::string_view names[] = {"keep both", "try fuse", "eliminate 1st", "eliminate 2nd",
                                        "eliminate both"};
  return names[static_cast<size_t>(one)];
}

std::string_view to_string(LayoutSearch one) {
  constexpr std::string_view names[] = {"search both", "search fused", "search 1st", "search 2nd",
                                        "no search"};
  return names[static_cast<size_t>(one)];
}

std::string_view to_string(Mapping one) {
  constexpr std::string_view names[] = {"one-to-one", "one-to-many", "many-to-many", "reorganize",
                                        "shuffle"};
  return names[static_cast<size_t>(one)];
}

std::string_view to_string(Fusion one) {
  constexpr std::string_view names[] = {"always", "profile", "never"};
  return names[static_cast<size_t>(one)];
}

}  // namespace burin
