// Traversal of indices: what occurs in them, substitution, value at a point.
#include <algorithm>
#include <map>
#include <string_view>

#include "kernel/index/index_node.h"

namespace burin {
namespace {

template <class Visit>
void visit_leaves(const Index& index, const Visit& visit) {
  const IndexNode& node = index.node();
  switch (node.kind) {
    case IndexKind::symbol:
    case IndexKind::axis:
    case IndexKind::data:
      visit(index);
      break;
    case IndexKind::polynomial:
      for (const Index::Term& term : node.terms) {
        for (const Index& atom : term.atoms) visit_leaves(atom, visit);
      }
      break;
    default:
      for (const Index& operand : node.operands) visit_leaves(operand, visit);
  }
}

}  // namespace

bool Index::has_axes() const {
  std::vector<int> axes;
  collect_axes(axes);
  return !axes.empty();
}

bool Index::has_data() const { return node_->has_data; }

bool Index::uses_axis(int axis) const {
  std::vector<int> axes;
  collect_axes(axes);
  return std::binary_search(axes.begin(), axes.end(), axis);
}

void Index::collect_axes(std::vector<int>& axes) const {
  visit_leaves(*this, [&](const Index& leaf) {
    if (leaf.kind() == IndexKind::axis) axes.push_back(leaf.axis_id());
    if (leaf.kind() == IndexKind::data) collect_axes_in(leaf.as_data(), axes);
  });
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
}

// Whoever collects from many indices has a long list; it is not sorted again for each of them.
void Index::collect_symbols(std::vector<Symbol>& symbols) const {
  visit_leaves(*this, [&](const Index& leaf) {
    if (leaf.kind() == IndexKind::symbol) {
      const Symbol& symbol = leaf.as_symbol();
      const auto at =
          std::lower_bound(symbols.begin(), symbols.end(), symbol,
                           [](const Symbol& a, const Symbol& b) { return a->name < b->name; });
      if (at == symbols.end() || (*at)->name != symbol->name) symbols.insert(at, symbol);
    }
    if (leaf.kind() == IndexKind::axis) leaf.axis_extent().collect_symbols(symbols);
    if (leaf.kind() == IndexKind::data) collect_symbols_in(leaf.as_data(), symbols);
  });
}

void Index::collect_data(std::vector<ExprPtr>& exprs) const {
  if (!has_data()) return;
  visit_leaves(*this, [&](const Index& leaf) {
    if (leaf.kind() == IndexKind::data) exprs.push_back(leaf.as_data());
  });
}

namespace {

bool same_node(const Index& a, const Index& b) { return &a.node() == &b.node(); }

// Operands with other leaves, and whether any of them is another one.
struct Mapped {
  std::vector<Index> operands;
  bool changed = false;
};

Mapped map_operands(const std::vector<Index>& operands,
                    const std::function<Index(const Index&)>& leaf) {
  Mapped out;
  out.operands.reserve(operands.size());
  for (const Index& operand : operands) {
    out.operands.push_back(operand.map_leaves(leaf));
    out.changed = out.changed || !same_node(out.operands.back(), operand);
  }
  return out;
}

}  // namespace

// What has no other leaf stays the node that it is, which is canonical; but for one that was made
// where the effort was spent: that is made again, with an effort of its own.
Index Index::map_leaves(const std::function<Index(const Index&)>& leaf) const {
  const Effort effort(kEffortOfBounds);
  const IndexNode& node = *node_;
  switch (node.kind) {
    case IndexKind::constant:
      return *this;
    case IndexKind::symbol:
    case IndexKind::axis:
    case IndexKind::data:
      return leaf(*this);
    case IndexKind::polynomial: {
      std::vector<Mapped> all;
      bool changed = node.hard;
      for (const Term& term : node.terms) {
        all.push_back(map_operands(term.atoms, leaf));
        changed = changed || all.back().changed;
      }
      if (!changed) return *this;
      IndexSum sum(all.size(), node.value);
      for (size_t t = 0; t < all.size(); ++t) {
        Index product = node.terms[t].coefficient;
        for (const Index& atom : all[t].operands) product *= atom;
        sum.add(product);
      }
      return sum.take();
    }
    default:
      break;
  }
  const Mapped mapped = map_operands(node.operands, leaf);
  if (!mapped.changed && !node.hard) return *this;
  const std::vector<Index>& operands = mapped.operands;
  switch (node.kind) {
    case IndexKind::floordiv:
      return floordiv(operands[0], operands[1]);
    case IndexKind::mod:
      return burin::mod(operands[0], operands[1]);
    default: {
      Index all = operands[0];
      for (size_t i = 1; i < operands.size(); ++i) {
        all = node.kind == IndexKind::min ? burin::min(all, operands[i])
                                          : burin::max(all, operands[i]);
      }
      return all;
    }
  }
}

Index Index::substitute_axes(const std::vector<Index>& axes) const {
  return map_leaves([&](const Index& leaf) -> Index {
    if (leaf.kind() == IndexKind::axis) {
      const auto at = static_cast<size_t>(leaf.axis_id());
      return at < axes.size() ? axes[at] : leaf;
    }
    if (leaf.kind() == IndexKind::data) {
      return Index::data(substitute_axes_in(leaf.as_data(), axes), leaf.range());
    }
    return leaf;
  });
}

Index Index::substitute_symbol(std::string_view name, const Index& value) const {
  return map_leaves([&](const Index& leaf) -> Index {
    if (leaf.kind() == IndexKind::symbol && leaf.as_symbol()->name == name) return value;
    if (leaf.kind() == IndexKind::axis) {
      return Index::axis(leaf.axis_id(), leaf.axis_extent().substitute_symbol(name, value));
    }
    if (leaf.kind() == IndexKind::data) {
      return Index::data(substitute_symbol_in(leaf.as_data(), name, value), leaf.range());
    }
    return leaf;
  });
}

int64_t Index::evaluate(const std::function<int64_t(const Index& leaf)>& leaf) const {
  const IndexNode& node = *node_;
  switch (node.kind) {
    case IndexKind::constant:
      return node.value;
    case IndexKind::symbol:
    case IndexKind::axis:
    case IndexKind::data:
      return leaf(*this);
    case IndexKind::polynomial: {
      int64_t sum = node.value;
      for (const Term& term : node.terms) {
        int64_t product = term.coefficient;
        for (const Index& atom : term.atoms) product = saturating_mul(product, atom.evaluate(leaf));
        sum = saturating_add(sum, product);
      }
      return sum;
    }
    case IndexKind::floordiv:
      return floor_divide(node.operands[0].evaluate(leaf), node.operands[1].evaluate(leaf));
    case IndexKind::mod:
      return floor_modulo(node.operands[0].evaluate(leaf), node.operands[1].evaluate(leaf));
    case IndexKind::min:
    case IndexKind::max: {
      int64_t all = node.operands[0].evaluate(leaf);
      for (const Index& operand : node.operands) {
        const int64_t value = operand.evaluate(leaf);
        all = node.kind == IndexKind::min ? std::min(all, value) : std::max(all, value);
      }
      return all;
    }
  }
  return 0;
}

Dim product(const std::vector<Dim>& shape) {
  Dim all = 1;
  for (const Dim& dim : shape) all *= dim;
  return all;
}

namespace {

// Sizes that are bounded by others, each found once.
int64_t at_hints(const Dim& dim, std::map<std::string_view, int64_t>& known) {
  return dim.evaluate([&](const Index& leaf) -> int64_t {
    if (leaf.kind() != IndexKind::symbol) return std::max<int64_t>(0, leaf.range().lo);
    const SymbolInfo& info = *leaf.as_symbol();
    if (info.hint > 0) return info.hint;
    const int64_t usual = std::clamp<int64_t>(64, info.min, info.max);
    if (!info.most) return usual;
    if (const auto at = known.find(info.name); at != known.end()) return at->second;
    const int64_t size = std::max(info.min, std::min(usual, at_hints(*info.most, known)));
    return known.emplace(info.name, size).first->second;
  });
}

}  // namespace

int64_t at_hints(const Dim& dim) {
  std::map<std::string_view, int64_t> known;
  return at_hints(dim, known);
}

}  // namespace burin
