// What one operation on sizes may take, however it is asked: expressions as hostile models write
// them, of which a proof, a bound or a quotient was exponential or cubic. What counts is work, as
// for chains.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "errors/support/counted_memory.h"
#include "kernel/index/index.h"
#include "kernel/index/index_limit.h"

namespace burin::index_work_test {
namespace {

constexpr int64_t kMostWork = 800'000;  // pieces of memory; a twentieth of a second

class IndexWork : public testing::Test {
 protected:
  IndexWork() {
    for (int i = 0; i < 24; ++i)
      sizes_.push_back(Index::symbol(std::make_shared<const SymbolInfo>(
          SymbolInfo{"s" + std::to_string(i), SymbolOrigin::param, 2, kUnbounded})));
  }

  // What `make` asks for; one that comes upon the limits of indices has done so soon.
  template <class Make>
  void takes_little(const std::string& what, const Make& make) {
    const int64_t before = memory_asked_for();
    within_index_limits([&] {
      make();
      return true;
    });
    EXPECT_LE(memory_asked_for() - before, kMostWork) << what;
  }

  // A sum of so many products of so many sizes.
  std::optional<Index> sum_of_products(int terms, int factors) {
    std::mt19937 random(1);
    return within_index_limits([&] {
      Index sum = 0;
      for (int t = 0; t < terms; ++t) {
        Index product = 1;
        for (int f = 0; f < factors; ++f) product *= sizes_[random() % sizes_.size()];
        sum += product;
      }
      return sum;
    });
  }

  std::vector<Index> sizes_;
};

// A size that starts at 2 is written as 2 and more by a proof: a product of n sizes becomes 2^n
// terms, which quotients then divide one by one.
TEST_F(IndexWork, SumsOfProducts) {
  for (const int terms : {1, 4, 20, 63, 100, 300}) {
    for (const int factors : {1, 4, 7, 9, 10}) {
      const std::optional<Index> sum = sum_of_products(terms, factors);
      if (!sum) continue;
      const std::string what = std::to_string(terms) + " products of " + std::to_string(factors);
      takes_little(what, [&] { proven_le(sizes_[0] * sizes_[1] + 5, *sum); });
      takes_little(what + ", divided", [&] { proven_le(sizes_[0] * 100 + 5, floordiv(*sum, 3)); });
      takes_little(what + ", rounded", [&] { ceildiv(*sum * 5 + sizes_[2], 7); });
      takes_little(what + ", remainder", [&] { mod(*sum * 9, sizes_[3] * 6); });
      takes_little(what + ", beside one",
                   [&] { proven_le(floordiv(*sum, sizes_[7]), max(*sum - 5, sizes_[3])); });
      takes_little(what + ", least of", [&] {
        Index least = *sum;
        for (size_t i = 0; i < 6; ++i)
          least = min(least, *sum + sizes_[i] * sizes_[i + 1] - sizes_[i + 2] * sizes_[i + 3]);
        proven_le(sizes_[1], least);
      });
    }
  }
}

// A factor that is an extremum asks for its operands' products with all others, each of which has
// as many extrema but one.
TEST_F(IndexWork, BoundsOfProductsOfExtrema) {
  for (size_t factors = 1; factors <= 14; ++factors) {
    Index largest = 1, smallest = 1;
    const bool made = within_index_limits([&] {
      for (size_t i = 0; i < factors; ++i) {
        const Index axis = Index::axis(static_cast<int>(i), sizes_[i]);
        const Index quotient = floordiv(sizes_[i + 1] * static_cast<int64_t>(i + 2), axis + 1);
        largest *= max(quotient, axis + sizes_[i + 3] - 2);
        smallest *= min(quotient, axis + sizes_[i + 3]);
      }
    });
    ASSERT_TRUE(made);
    const std::string what = std::to_string(factors);
    takes_little(what + " maxima", [&] { largest.upper_bound(); });
    takes_little(what + " minima", [&] { smallest.upper_bound(); });
    takes_little(what + " maxima, proof", [&] { proven_le(largest, sizes_[0] * 100'000); });
    takes_little(what + " minima, proof", [&] { proven_le(smallest, sizes_[0] * sizes_[1]); });
  }
}

// Random ones, of what came before.
TEST_F(IndexWork, Drawn) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](size_t n) { return random() % n; };
    std::vector<Index> pool(sizes_.begin(), sizes_.begin() + 2 + static_cast<long>(below(12)));
    for (int i = 0; i < 3; ++i) pool.push_back(Index::axis(i, pool[below(pool.size())]));
    const auto one = [&] {
      const size_t recent = below(below(2) != 0 ? 4 : pool.size());
      return pool[pool.size() - 1 - std::min(pool.size() - 1, recent)];
    };
    const std::function<Index(const Index&, const Index&)> operations[] = {
        [](const Index& a, const Index& b) { return a + b; },
        [](const Index& a, const Index& b) { return a - b; },
        [](const Index& a, const Index& b) { return a * b; },
        [](const Index& a, const Index& b) { return max(a, b); },
        [](const Index& a, const Index& b) { return min(a, b); },
        [](const Index& a, const Index& b) { return floordiv(a, max(b, 1)); },
        [](const Index& a, const Index& b) { return mod(a, max(b, 1)); },
        [](const Index& a, const Index&) { return ceildiv(a, 3); },
    };
    const size_t count = 5 + below(50);
    for (size_t i = 0; i < count; ++i) {
      const Index a = one(), b = one();
      const auto& operation = operations[below(std::size(operations))];
      const std::string what = to_string(a) + " and " + to_string(b);
      takes_little(what, [&] { pool.push_back(operation(a, b)); });
      takes_little("proof of " + what, [&] { proven_le(a, b); });
      takes_little("bound of " + what, [&] { a.upper_bound(); });
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace burin::index_work_test
