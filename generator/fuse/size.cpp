#include "fuse/size.h"

#include <limits>

namespace burin {

int64_t tree_size(const Expr& expr) {
  int64_t nodes = 0;
  visit(expr, [&](const ExprNode&) { ++nodes; });
  return nodes;
}

int64_t size_with(const Kernel& reader, ValueId result, const Expr& inlined) {
  int64_t nodes = 0, loads = 0;
  const auto count = [&](const ExprNode& node) {
    ++nodes;
    loads += node.kind == ExprKind::load && node.id == result;
  };
  for (const Let& let : reader.lets) {
    for (const Expr& body : let.body) visit(body, count);
  }
  for (const Write& write : reader.writes) {
    visit(write.value, count);
    for (const Index& index : write.at) visit(index, count);
  }
  const int64_t each = tree_size(inlined);
  const int64_t most = std::numeric_limits<int64_t>::max();
  const int64_t rest = nodes - loads;
  return each != 0 && loads > (most - rest) / each ? most : rest + loads * each;
}

}  // namespace burin
