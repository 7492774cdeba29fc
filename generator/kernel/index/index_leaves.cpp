// Leaves of indices: numbers, sizes, axes and data. Those that kernels have again and again are
// made once.
#include <array>
#include <optional>

#include "kernel/index/index_node.h"
#include "support/check.h"

namespace burin {
namespace {

size_t mix(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

}  // namespace

size_t hash_of_node(const IndexNode& node) {
  size_t hash = mix(static_cast<size_t>(node.kind), static_cast<size_t>(node.value));
  if (node.symbol) hash = mix(hash, std::hash<std::string>()(node.symbol->name));
  if (node.data) hash = mix(hash, hash_expr(node.data));
  for (const Index& operand : node.operands) hash = mix(hash, operand.hash());
  for (const Index::Term& term : node.terms) {
    hash = mix(hash, static_cast<size_t>(term.coefficient));
    for (const Index& atom : term.atoms) hash = mix(hash, atom.hash());
  }
  return hash;
}

namespace {

std::shared_ptr<const IndexNode> constant_node(int64_t constant) {
  IndexNode node;
  node.value = constant;
  node.range = {constant, constant};
  node.hash = hash_of_node(node);
  return std::make_shared<const IndexNode>(std::move(node));
}

// Most numbers are extents and places near 0, asked for again and again.
constexpr int64_t kLeastShared = -16, kMostShared = 256;

std::vector<std::shared_ptr<const IndexNode>> shared_nodes() {
  std::vector<std::shared_ptr<const IndexNode>> out;
  for (int64_t number = kLeastShared; number <= kMostShared; ++number)
    out.push_back(constant_node(number));
  return out;
}

}  // namespace

Index::Index(int64_t constant) {
  if (constant < kLeastShared || constant > kMostShared) {
    node_ = constant_node(constant);
    return;
  }
  static const auto shared = shared_nodes();
  node_ = shared[static_cast<size_t>(constant - kLeastShared)];
}

Index Index::symbol(Symbol symbol) {
  BURIN_CHECK(symbol != nullptr);
  if (symbol->min == symbol->max) return Index(symbol->min);
  IndexNode node;
  node.kind = IndexKind::symbol;
  node.symbol = std::move(symbol);
  return IndexBuilder::make(std::move(node));
}

namespace {

Index new_axis(int axis, const Dim& extent) {
  IndexNode node;
  node.kind = IndexKind::axis;
  node.value = axis;
  node.operands = {extent};
  return IndexBuilder::make(std::move(node));
}

// Axes of known extents that were asked for last: kernels of a network have the same ones.
struct KnownAxes {
  static constexpr size_t kPlaces = 1024;
  std::array<std::optional<Index>, kPlaces> axes;

  const Index& of(int axis, const Dim& extent) {
    const size_t place =
        (static_cast<size_t>(extent.constant()) * 31 + static_cast<size_t>(axis)) % kPlaces;
    std::optional<Index>& known = axes[place];
    if (!known || known->axis_id() != axis || !(known->axis_extent() == extent))
      known = new_axis(axis, extent);
    return *known;
  }
};

}  // namespace

Index Index::axis(int axis, const Dim& extent) {
  if (extent.is_constant(1)) return Index(0);
  // What is made where the effort was spent says so.
  if (!extent.is_constant() || Effort::spent()) return new_axis(axis, extent);
  thread_local KnownAxes known;
  return known.of(axis, extent);
}

Index Index::data(ExprPtr value, Range range) {
  if (range.lo == range.hi) return Index(range.lo);
  IndexNode node;
  node.kind = IndexKind::data;
  node.data = std::move(value);
  node.range = range;
  return IndexBuilder::make(std::move(node));
}

}  // namespace burin
