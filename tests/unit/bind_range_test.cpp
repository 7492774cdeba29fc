// Which dynamic sizes need no check, by what their Binds evaluate.
#include "kernel/symbolic/bind_range.h"

#include <gtest/gtest.h>

#include "unit/support/kernel_maker.h"

namespace burin::bind_range_test {
namespace {

Expr number(int64_t value) { return Expr::constant(Type::i64, value); }

TEST(BindRange, IsProvenByTheEndsOfWhatIsEvaluated) {
  const Dim n = Index::symbol(make_symbol("n", 1, kUnbounded, SymbolOrigin::param));
  const Symbol small = make_symbol("small", 0, 4, SymbolOrigin::run);
  const Symbol open = make_symbol("open", 0, kUnbounded, SymbolOrigin::run);
  const Symbol counts = make_symbol("counts", 1, kUnbounded, SymbolOrigin::run);
  SymbolInfo info{"upto", SymbolOrigin::run, 0, kUnbounded, 0};
  info.most = std::make_shared<const Dim>(n + 2);
  const Symbol upto = std::make_shared<const SymbolInfo>(info);
  const Expr data = Expr::load(0, Type::i64, {});

  const auto proven = [](const Symbol& symbol, const Expr& value) {
    return proven_in_range(Bind{symbol, value, {}});
  };
  EXPECT_TRUE(proven(small, number(4)));
  EXPECT_FALSE(proven(small, number(5)));
  EXPECT_FALSE(proven(small, number(-1)));
  // Sizes, and dynamic sizes by their bounds.
  EXPECT_TRUE(proven(upto, Expr::index(n)));
  EXPECT_TRUE(proven(upto, Expr::index(n + 2)));
  EXPECT_FALSE(proven(upto, Expr::index(n + 3)));
  EXPECT_FALSE(proven(upto, Expr::index(n - 2)));
  EXPECT_TRUE(proven(upto, Expr::index(Index::symbol(upto))));
  EXPECT_FALSE(proven(upto, Expr::index(Index::symbol(upto) + 1)));
  EXPECT_FALSE(proven(small, Expr::index(Index::symbol(open))));
  // What data give, where it is clipped.
  EXPECT_FALSE(proven(small, data));
  EXPECT_FALSE(proven(small, min(data, number(4))));
  EXPECT_TRUE(proven(small, max(min(data, number(4)), number(0))));
  EXPECT_TRUE(proven(upto, min(max(data, number(0)), Expr::index(n))));
  EXPECT_TRUE(proven(small, Expr::select(Expr::load(1, Type::boolean, {}), number(4), number(0))));
  EXPECT_FALSE(proven(small, Expr::select(Expr::load(1, Type::boolean, {}), data, number(0))));
  // What has no end has a beginning.
  EXPECT_TRUE(proven(open, max(data, number(0))));
  EXPECT_FALSE(proven(open, data));
  EXPECT_FALSE(proven(counts, max(data, number(0))));
}

}  // namespace
}  // namespace burin::bind_range_test
