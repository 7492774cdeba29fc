// Cost of programs: spans, turns and what comes into caches against naive counts (every turn is
// run, every line goes through a cache that forgets the oldest), cycles against what pipes allow.
#include "cost/cost.h"

#include <list>
#include <map>
#include <random>

#include "cost/issue.h"
#include "cost/spans.h"
#include "graph_fixture.h"
#include "isa/all_rows.h"
#include "isa/instruction.h"
#include "kernel/layout.h"
#include "loops/naive.h"
#include "loops/program_text.h"
#include "loops/walk.h"
#include "select/select.h"
#include "select/tiles/register_tile.h"
#include "small_hardware.h"

namespace burin::cost_test {
namespace {

using loops::For;
using loops::Program;
using loops::Stmt;
using loops::Stmts;

// --- Naive: runs every turn of every loop. ---
class Naive {
 public:
  using OnByte = std::function<void(loops::BufferId, int64_t element)>;
  Naive(const Program& program, OnByte on_element)
      : program_(program), on_element_(std::move(on_element)), vars_(program.vars.size(), 0) {
    loops::for_each(program.body, [this](const Stmt& stmt) {
      if (const auto* loop = std::get_if<For>(&stmt.node)) loops_.push_back(loop);
    });
    run(program.body);
  }
  std::vector<int64_t> turns() const {
    std::vector<int64_t> out;
    for (const For* loop : loops_) out.push_back(turns_.contains(loop) ? turns_.at(loop) : 0);
    return out;
  }

 private:
  int64_t value(const Index& index) const {
    return index.evaluate([this](const Index& leaf) {
      return leaf.kind() == IndexKind::axis ? vars_[static_cast<size_t>(leaf.axis_id())]
                                            : at_hints(leaf);
    });
  }
  void touch(loops::BufferId id, const std::vector<Index>& at) {
    const loops::Buffer& one = program_.buffers[static_cast<size_t>(id)];
    if (one.scope == loops::Scope::local || one.scope == loops::Scope::registers) return;
    on_element_(id, value(address(one.layout, one.shape, at)));
  }
  void touch(const Expr& expr) {
    visit(expr, [this](const ExprNode& node) {
      if (node.kind == ExprKind::load) touch(node.id, node.at);
    });
  }
  void run(const Stmts& stmts) {
    for (const Stmt& stmt : stmts) {
      if (const auto* loop = std::get_if<For>(&stmt.node)) {
        for (int64_t i = value(loop->begin), end = value(loop->end); i < end; i += loop->step) {
          vars_[static_cast<size_t>(loop->var)] = i;
          ++turns_[loop];
          run(loop->body);
        }
      } else if (const auto* branch = std::get_if<loops::If>(&stmt.node)) {
        bool holds = true;
        for (const Condition& one : branch->when) {
          const int64_t at = value(one.index);
          holds = holds && value(one.lo) <= at && at < value(one.hi);
        }
        run(holds ? branch->then : branch->otherwise);
      } else if (const auto* let = std::get_if<loops::Let>(&stmt.node)) {
        vars_[static_cast<size_t>(let->var)] = value(let->value);
      } else if (const auto* store = std::get_if<loops::Store>(&stmt.node)) {
        for (const Expr& one : store->value) touch(one);
        for (const loops::BufferId to : store->to) touch(to, store->at);
      } else if (const auto* call = std::get_if<loops::Call>(&stmt.node)) {
        for (const loops::Region& region : call->operands) {
          std::vector<Index> at = region.first;
          const int64_t wide = region.extent.back().constant();
          for (int64_t lane = 0; lane < wide; ++lane) {
            touch(region.buffer, at);
            at.back() += 1;
          }
        }
      }
    }
  }

  const Program& program_;
  OnByte on_element_;
  std::vector<int64_t> vars_;
  std::vector<const For*> loops_;
  std::map<const For*, int64_t> turns_;
};

// A cache of whole lines that forgets what was not used for longest.
class Lru {
 public:
  explicit Lru(int64_t bytes) : most_(bytes / 64) {}
  void touch(loops::BufferId buffer, int64_t element) {
    const std::pair<int, int64_t> line{buffer, element / 16};  // of floats
    if (const auto known = where_.find(line); known != where_.end()) {
      order_.erase(known->second);
    } else {
      ++misses_;
    }
    order_.push_front(line);
    where_[line] = order_.begin();
    if (static_cast<int64_t>(order_.size()) > most_) {
      where_.erase(order_.back());
      order_.pop_back();
    }
  }
  int64_t bytes() const { return misses_ * 64; }

 private:
  const int64_t most_;
  int64_t misses_ = 0;
  std::list<std::pair<int, int64_t>> order_;
  std::map<std::pair<int, int64_t>, std::list<std::pair<int, int64_t>>::iterator> where_;
};

const KernelGraph& product(GraphFixture& g, int64_t m, int64_t k, int64_t n, bool constant) {
  const Operand x = g.input("x", {m, k}), y = g.output("y", {m, n}),
                w = constant ? g.constant("w", {k, n}) : g.input("w", {k, n});
  matmul(g, "MatMul", x, w, y);
  return g.graph;
}

Hardware machine(std::vector<int64_t> caches) {
  Hardware hardware = small_hardware({});
  for (const int64_t size : caches) hardware.memory.caches.push_back({size, 4, 64, 1});
  hardware.memory.cache_line_bytes = 64;
  hardware.memory.bandwidth_mb_per_s = 1000;
  hardware.clock_mhz = 1000;
  return hardware;
}

// --- Spans ---
TEST(Cost, SpansHoldEveryValue) {
  std::mt19937 random(3);
  const auto number = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1));
  };
  const std::vector<Index> vars{Index::axis(0, 7), Index::axis(1, 5)};
  int exact = 0;
  for (int round = 0; round < 2000; ++round) {
    Index index = vars[0] * number(-3, 3) + vars[1] * number(-3, 3) + number(-9, 9);
    if (number(0, 2) == 0) index = floordiv(index, number(1, 6));
    if (number(0, 2) == 0) index = mod(index, number(1, 6)) + vars[0] * number(0, 2);
    if (number(0, 2) == 0) index = min(index, vars[1] * number(-2, 2) + number(-5, 5));
    if (number(0, 2) == 0) index = max(index, number(-5, 5));
    const Range got = cost::span_of(index, [](const Index& leaf) {
      return leaf.axis_id() == 0 ? Range{0, 6} : Range{0, 4};
    });
    Range naive{1 << 20, -(1 << 20)};
    for (int64_t i = 0; i < 7; ++i) {
      for (int64_t j = 0; j < 5; ++j) {
        const int64_t at =
            index.evaluate([&](const Index& leaf) { return leaf.axis_id() == 0 ? i : j; });
        naive = {std::min(naive.lo, at), std::max(naive.hi, at)};
      }
    }
    ASSERT_LE(got.lo, naive.lo) << to_string(index);
    ASSERT_GE(got.hi, naive.hi) << to_string(index);
    exact += got == naive ? 1 : 0;
  }
  EXPECT_GT(exact, 1200);
}

// --- Turns ---
TEST(Cost, TurnsAreThoseThatRun) {
  const Hardware hardware = machine({32768});
  for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{
           {1, 8, 8}, {6, 16, 8}, {13, 16, 21}, {40, 16, 36}, {41, 30, 19}}) {
    for (const bool constant : {false, true}) {
      GraphFixture g;
      const Selection selection = select(product(g, m, k, n, constant), hardware);
      const Program& program = *selection.kernels.at(StepId{0}).program;
      std::vector<int64_t> naive = Naive(program, [](int, int64_t) {}).turns();
      const std::vector<int64_t> got = cost::turns_of_loops(program, hardware);
      ASSERT_EQ(got.size(), naive.size());
      size_t loop = 0;
      loops::for_each(program.body, [&](const Stmt& stmt) {
        const auto* one = std::get_if<For>(&stmt.node);
        if (one == nullptr) return;
        // What is written out is no loop that runs.
        const bool runs = one->kind != loops::Kind::unrolled && one->kind != loops::Kind::vector &&
                          one->kind != loops::Kind::outlined;
        if (runs) {
          EXPECT_EQ(got[loop], naive[loop]) << m << " x " << k << " x " << n << ", loop " << loop;
        }
        ++loop;
      });
      EXPECT_GT(std::count_if(got.begin(), got.end(), [](int64_t one) { return one > 0; }), 2);
    }
  }
}

// --- What comes into caches ---
TEST(Cost, BytesIntoACacheAreThoseOfOneThatForgetsTheOldest) {
  int compared = 0;
  const auto compare = [&](const Program& program, const std::string& what) {
    for (const int64_t bytes : {512, 1024, 2048, 8192, 1 << 20}) {
      Lru lru(bytes);
      Naive(program, [&](loops::BufferId id, int64_t element) { lru.touch(id, element); });
      const int64_t got = cost::cost_of(program, machine({bytes})).moved[0];
      // Lines that are cut by edges, and what is left of the turn before where a body just does not
      // fit.
      EXPECT_LE(got, lru.bytes() * 3 + 256) << what << ", " << bytes;
      EXPECT_GE(got * 2 + 256, lru.bytes()) << what << ", " << bytes;
      ++compared;
    }
  };
  for (const auto& [m, k, n] :
       std::vector<std::array<int64_t, 3>>{{16, 16, 32}, {33, 8, 24}, {5, 32, 32}}) {
    const std::string sizes =
        std::to_string(m) + " x " + std::to_string(k) + " x " + std::to_string(n);
    GraphFixture g;
    const KernelGraph& graph = product(g, m, k, n, false);
    compare(loops::naive_program(std::get<Kernel>(graph.steps[0]), graph.values),
            sizes + " naively");
    const Selection selection = select(graph, small_hardware({{32768, 4, 64, 1}}));
    compare(*selection.kernels.at(StepId{0}).program, sizes + " in tiles");
  }
  GraphFixture g;
  const Operand x = g.input("x", {48, 64}), y = g.output("y", {64, 48});
  g.map("Transpose", y, [&](const Indices& at) { return x.at({at[1], at[0]}); });
  compare(loops::naive_program(std::get<Kernel>(g.graph.steps[0]), g.graph.values), "turned");
  EXPECT_EQ(compared, 35);
}

// Turns that differ by where they begin: half of a square.
TEST(Cost, ATriangleIsHalfOfASquare) {
  const Program triangle = loops::parse(
      "program \"p\"\nscratch 0\nvar i0 i < 64\nvar i1 j < 64\n"
      "buffer y f32 [64, 64] argument of 0 written\n"
      "{ for i0 in 0 .. 64 { for i1 in i0 .. 64 { y[i0, i1] = 1 } } }",
      isa::all_rows());
  const std::vector<int64_t> turns = cost::turns_of_loops(triangle, machine({32768}));
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0], 64);
  EXPECT_NEAR(static_cast<double>(turns[1]), 64 * 65 / 2, 64);
  // Conditions that move with the loop on either side: every other turn of three is looked at.
  for (const char* when : {"0 <= i0 < 32", "i0 <= 31 < 64"}) {
    const Program half = loops::parse(
        "program \"p\"\nscratch 0\nvar i0 i < 64\nvar i1 j < 64\n"
        "buffer y f32 [64, 64] argument of 0 written\n"
        "{ for i0 in 0 .. 64 { if " +
            std::string(when) + " { for i1 in 0 .. 64 { y[i0, i1] = 1 } } } }",
        isa::all_rows());
    EXPECT_LE(cost::turns_of_loops(half, machine({32768}))[1], 64 * 63) << when;
  }
}

}  // namespace
}  // namespace burin::cost_test
