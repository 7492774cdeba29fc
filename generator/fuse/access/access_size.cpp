#include "fuse/access/access_size.h"

#include <algorithm>
#include <limits>

#include "kernel/index/size_bound.h"

namespace burin {

int64_t tree_size(const Expr& expr) {
  return sum_over(expr, [](const ExprNode&) -> int64_t { return 1; });
}

int64_t size_with(const Kernel& reader, ValueId result, const Expr& inlined) {
  int64_t nodes = 0, loads = 0;
  const auto count = [&](const auto& part) {
    nodes += sum_over(part, [](const ExprNode&) -> int64_t { return 1; });
    loads += sum_over(part, [&](const ExprNode& node) -> int64_t {
      return node.kind == ExprKind::load && node.id == result;
    });
  };
  for (const Let& let : reader.lets) {
    for (const Expr& body : let.body) count(body);
  }
  for (const Write& write : reader.writes) {
    count(write.value);
    for (const Index& index : write.at) count(index);
  }
  const int64_t each = tree_size(inlined);
  const int64_t most = std::numeric_limits<int64_t>::max();
  const int64_t rest = nodes - loads;
  return each != 0 && loads > (most - rest) / each ? most : rest + loads * each;
}

namespace {

int64_t index_size(const Index& index) {
  int64_t nodes = 1;
  if (index.kind() == IndexKind::polynomial) {
    for (const Index::Term& term : index.terms()) {
      for (const Index& atom : term.atoms) nodes += index_size(atom);
    }
  } else if (index.kind() == IndexKind::data) {
    nodes += tree_size(Expr(index.as_data()));
  } else if (index.kind() >= IndexKind::floordiv) {
    for (const Index& operand : index.operands()) nodes += index_size(operand);
  }
  return nodes;
}

}  // namespace

int64_t longest_index(const Kernel& kernel) {
  int64_t most = 0;
  const auto measure = [&](const Index& index) { most = std::max(most, index_size(index)); };
  for (const Let& let : kernel.lets) {
    for (const Expr& body : let.body) visit_distinct_indices(body, measure);
  }
  for (const Write& write : kernel.writes) {
    visit_distinct_indices(write.value, measure);
    for (const Index& index : write.at) measure(index);
  }
  return most;
}

bool has_bounds(const std::vector<Dim>& shape) {
  std::vector<Symbol> symbols;
  for (const Dim& dim : shape) dim.collect_symbols(symbols);
  return std::none_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) {
    return symbol->origin == SymbolOrigin::run && !is_bounded_before_run(Index::symbol(symbol));
  });
}

bool is_fixed(const std::vector<Dim>& shape) {
  return std::all_of(shape.begin(), shape.end(), [](const Dim& dim) { return dim.is_constant(); });
}

}  // namespace burin
