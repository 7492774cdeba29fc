// The text of indices: parse(print(x)) == x for random indices, the exact spelling of some, and
// refusals.
#include <gtest/gtest.h>

#include <random>

#include "kernel/index/index_text.h"
#include "support/refusal.h"

namespace burin::graph_index_text_test {
namespace {

struct World {
  std::vector<Index> symbols, axes;

  World() {
    const auto add = [&](const char* name, int64_t min, int64_t max) {
      symbols.push_back(Index::symbol(
          std::make_shared<const SymbolInfo>(SymbolInfo{name, SymbolOrigin::param, min, max, 0})));
    };
    add("N", 1, kUnbounded);
    add("batch size", 1, 64);
    add("i7", 0, 9);
    add("min", 2, kUnbounded);
    add("\xff\"\\\n", 1, kUnbounded);
    axes = {Index::axis(0, 8), Index::axis(1, symbols[0]), Index::axis(2, 1000)};
  }

  IndexLeaves leaves() const {
    IndexLeaves leaves;
    leaves.symbol = [this](std::string_view name) -> std::optional<Index> {
      for (const Index& symbol : symbols) {
        if (symbol.as_symbol()->name == name) return symbol;
      }
      return std::nullopt;
    };
    leaves.axis = [this](int axis) -> std::optional<Index> {
      if (axis >= static_cast<int>(axes.size())) return std::nullopt;
      return axes[static_cast<size_t>(axis)];
    };
    return leaves;
  }

  Index random(std::mt19937& dice, int depth) const {
    const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(dice); };
    if (depth == 0) {
      switch (pick(3)) {
        case 0:
          return symbols[static_cast<size_t>(pick(static_cast<int>(symbols.size())))];
        case 1:
          return axes[static_cast<size_t>(pick(static_cast<int>(axes.size())))];
        default:
          return pick(41) - 20;
      }
    }
    const Index a = random(dice, depth - 1), b = random(dice, depth - 1);
    switch (pick(7)) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * b;
      case 3:
        return floordiv(a, 1 + pick(12));
      case 4:
        return mod(a, 1 + pick(12));
      case 5:
        return min(a, b);
      default:
        return max(a, b);
    }
  }
};

TEST(IndexText, RoundTripOfRandomIndices) {
  const World world;
  std::mt19937 dice(1);
  for (int i = 0; i < 3000; ++i) {
    const Index index = world.random(dice, 1 + i % 4);
    const std::string text = to_string(index);
    const Index again = parse_index(text, world.leaves());
    ASSERT_TRUE(again == index) << text << "\n" << to_string(again);
  }
}

TEST(IndexText, Spelling) {
  const World world;
  const Index n = world.symbols[0], i0 = world.axes[0], i2 = world.axes[2];
  EXPECT_EQ(to_string(Index(-7)), "-7");
  EXPECT_EQ(to_string(3 * n + floordiv(i2, 16) - 2), "3*N + (i2 // 16) - 2");
  EXPECT_EQ(to_string(-n), "-N");
  EXPECT_EQ(to_string(mod(i0 + n, 5)), "((N + i0) % 5)");
  EXPECT_EQ(to_string(min(n, i2)), "min(N, i2)");
  EXPECT_EQ(to_string(world.symbols[1] * n), "N*\"batch size\"");
  EXPECT_EQ(to_string(world.symbols[2]), "\"i7\"");
  EXPECT_EQ(to_string(world.symbols[3]), "\"min\"");
  EXPECT_EQ(to_string(world.symbols[4]), "\"\\xff\\x22\\x5c\\x0a\"");
  EXPECT_EQ(to_string(std::vector<Dim>{1, n, 8}), "[1, N, 8]");
  EXPECT_EQ(to_string(std::vector<Dim>{}), "[]");
}

TEST(IndexText, ReadsWhatPeopleWrite) {
  const World world;
  const Index n = world.symbols[0], i0 = world.axes[0];
  const auto parse = [&](const char* text) { return parse_index(text, world.leaves()); };
  EXPECT_TRUE(parse(" ( N+2 )*3 ") == 3 * n + 6);
  EXPECT_TRUE(parse("N*4//2 - -1") == 2 * n + 1);
  EXPECT_TRUE(parse("max(1, 2, i0)") == max(2, i0));
  EXPECT_TRUE(parse("-9223372036854775808") == Index(std::numeric_limits<int64_t>::min()));
}

TEST(IndexText, Refusals) {
  const World world;
  const auto line = [&](const std::string& text) {
    return refusal([&] { parse_index(text, world.leaves()); });
  };
  EXPECT_EQ(line(""), ":1:1: error: expected a name [parse]");
  EXPECT_EQ(line("N +"), ":1:4: error: expected a name [parse]");
  EXPECT_EQ(line("N // 0"), ":1:7: error: division by zero [parse]");
  EXPECT_EQ(line("N % (2 - 2)"), ":1:12: error: division by zero [parse]");
  EXPECT_EQ(line("M"), ":1:2: error: unknown symbol 'M' [parse]");
  EXPECT_EQ(line("i3"), ":1:3: error: unknown axis 'i3' [parse]");
  EXPECT_EQ(line("(N"), ":1:3: error: expected ')' [parse]");
  EXPECT_EQ(line("N N"), ":1:3: error: expected the end of the index [parse]");
  EXPECT_EQ(line("\"N"), ":1:3: error: a string without end [parse]");
  EXPECT_EQ(line("\"\\n\""), ":1:2: error: expected \\xNN [parse]");
  EXPECT_EQ(line("9223372036854775808"),
            ":1:1: error: an integer that does not fit 64 bits [parse]");
  EXPECT_EQ(line(std::string(100, '(')), ":1:66: error: an index nested too deeply [parse]");
}

}  // namespace
}  // namespace burin::graph_index_text_test
