// Sizes that are long expressions, as quotients that are cut off towards zero give where a dividend
// may be negative: each twice as long as the one before.
#include <gtest/gtest.h>

#include <map>

#include "plan/memory/symbolic_offsets.h"

namespace burin::long_sizes_test {
namespace {

Dim halved(const Dim& size) {
  return max(Dim(0), floordiv(size, 2)) - max(Dim(0), floordiv(-size, 2));
}

TEST(LongSizes, OffsetsHaveNamesForThem) {
  const Dim n = Index::symbol(std::make_shared<const SymbolInfo>(
      SymbolInfo{"n", SymbolOrigin::param, 0, 4096, 500}));
  std::vector<SymbolicBuffer> buffers;
  Dim size = n;
  int64_t offset = 0;
  for (int i = 0; i < 7; ++i) {
    size = halved(size - 5) + 3;
    // All live together, and no proof compares their sizes.
    buffers.push_back({max(size, 0) * (i + 1), {{0, 9}}, offset});
    offset += at_hints(buffers.back().size);
    buffers.push_back({max(size + i, 0), {{0, 9}}, offset});
    offset += at_hints(buffers.back().size);
  }
  const SymbolicOffsets found = symbolic_offsets(buffers);
  EXPECT_FALSE(found.named.empty());
  for (const int64_t at : {0, 1, 7, 64, 500, 4096}) {
    std::map<std::string, int64_t> sizes = {{"n", at}};
    const auto value = [&](const Dim& dim) {
      return dim.evaluate([&](const Index& leaf) { return sizes.at(leaf.as_symbol()->name); });
    };
    for (const NamedSize& one : found.named) sizes[one.symbol->name] = value(one.value);
    int64_t end = 0;
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(value(found.offsets[i]), end) << "n = " << at << ", buffer " << i;
      end += value(buffers[i].size);
    }
    EXPECT_EQ(value(found.height), end);
  }
}

}  // namespace
}  // namespace burin::long_sizes_test
