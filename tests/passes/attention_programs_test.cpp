// Programs of attention, run by run_loops(), against attention as it is defined: blocks of every
// size, rows that are read as they lie or computed, scores that are infinite or no numbers, and
// rows without any weight.
#include <cmath>
#include <limits>

#include "graph_fixture.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "select/choose.h"
#include "small_hardware.h"

namespace burin::attention_programs_test {
namespace {

constexpr int64_t kHeads = 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

enum class K { plain, scaled, turned };
enum class Empty { nan, zero_if_masked, zero_if_nan };

struct Form {
  Dim queries, keys;
  int64_t depth = 8, elements = 8;
  K k = K::plain;
  Empty empty = Empty::nan;
};

Expr number(double value) { return Expr::constant(Type::f32, value); }

const KernelGraph& attention(GraphFixture& g, const Form& form) {
  const bool turned = form.k == K::turned;
  const Operand q = g.input("q", {kHeads, form.queries, form.depth}),
                k = turned ? g.input("k", {kHeads, form.depth, form.keys})
                           : g.input("k", {kHeads, form.keys, form.depth}),
                v = g.input("v", {kHeads, form.keys, form.elements}),
                mask = g.input("mask", {form.queries, form.keys}),
                y = g.output("y", {kHeads, form.queries, form.elements});
  KernelBuilder kernel;
  const Index h = kernel.axis(kHeads), i = kernel.axis(form.queries),
              e = kernel.axis(form.elements), j = kernel.axis(form.keys),
              d = kernel.reduce_axis(form.depth);
  const Expr plain = turned ? k.at({h, d, j}) : k.at({h, j, d});
  const Expr key = form.k == K::scaled ? plain * number(2) : plain;
  const Expr score =
      kernel.reduce(Combiner::sum, {d}, q.at({h, i, d}) * key) * number(0.125) + mask.at({i, j});
  const Expr most = kernel.reduce(Combiner::max, {j}, score);
  const Expr power = Expr::unary(Unary::exp, score - most);
  Expr weight = power / kernel.reduce(Combiner::sum, {j}, power);
  if (form.empty == Empty::zero_if_masked)
    weight = Expr::select(compare(Binary::eq, most, number(-kInfinity)), number(0), weight);
  if (form.empty == Empty::zero_if_nan)
    weight = Expr::select(Expr::unary(Unary::is_nan, weight), number(0), weight);
  kernel.write(y, {h, i, e}, kernel.reduce(Combiner::sum, {j}, weight * v.at({h, j, e})));
  g.kernel("Attention", kernel);
  form.queries.collect_symbols(g.graph.symbols);
  form.keys.collect_symbols(g.graph.symbols);
  return g.graph;
}

// Query 0 sees no key, query 1 none of the first four, query 2 a NaN, query 3 an infinity, the
// others all keys but some; of one query it is the row `first`.
void fill_mask(HostTensor& mask, int64_t first) {
  const int64_t queries = mask.shape[0], keys = mask.shape[1];
  for (int64_t i = 0; i < queries; ++i) {
    for (int64_t j = 0; j < keys; ++j) {
      const int64_t row = i + first;
      double value = static_cast<double>((i * 7 + j * 5) % 11) / 4;
      if (row == 0 || (row == 1 && j < 4) || (row > 3 && (i + j) % 3 == 0)) value = -kInfinity;
      if (row == 2 && j == keys / 2) value = kNaN;
      if (row == 3 && j == keys - 1) value = kInfinity;
      mask.set(i * keys + j, {value, 0});
    }
  }
}

void expect_close(const HostTensor& got, const HostTensor& wanted, const std::string& where) {
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    const double a = got.get(i).number, b = wanted.get(i).number;
    ASSERT_EQ(std::isnan(a), std::isnan(b)) << where << ", element " << i << ": " << a << ", " << b;
    // Sums of 40 terms in another order, each below 8.
    if (!std::isnan(b)) {
      ASSERT_NEAR(a, b, 0x1p-18 * (1 + std::fabs(b))) << where << ", element " << i;
    }
  }
}

std::map<std::string, int64_t> sizes(const Form& form, int64_t queries, int64_t keys) {
  std::map<std::string, int64_t> out;
  if (!form.queries.is_constant()) out["queries"] = queries;
  if (!form.keys.is_constant()) out["keys"] = keys;
  return out;
}

class Check {
 public:
  Check(const Form& form, const Hardware& hardware) : form_(form) {
    const KernelGraph& graph = attention(g_, form);
    chosen_ = choose_loops(graph, hardware);
    selection_ = with_programs(chosen_, hardware);
    EXPECT_TRUE(chosen_.plans.at(StepId{0}).attention.has_value());
    const std::vector<std::string> faults = loops::verify(program());
    for (const std::string& fault : faults) ADD_FAILURE() << fault;
    if (!faults.empty()) ADD_FAILURE() << loops::to_string(program());
  }
  const AttentionSchedule& schedule() const { return *chosen_.plans.at(StepId{0}).attention; }
  const loops::Program& program() const { return *selection_.kernels.at(StepId{0}).program; }

  void at(int64_t queries, int64_t keys, int64_t first_row) {
    const auto symbols = sizes(form_, queries, keys);
    std::vector<HostTensor> inputs = sample_inputs(g_.graph, symbols);
    fill_mask(inputs[3], first_row);
    const RunResult wanted = interpret(g_.graph, inputs, symbols);
    ASSERT_EQ(wanted.status, kRunOk) << wanted.message;
    Environment environment;
    environment.symbols = symbols;
    for (size_t k = 0; k < inputs.size(); ++k) environment.tensors[g_.graph.inputs[k]] = inputs[k];
    const std::vector<Value>& values = selection_.graph.values;
    const RunResult result = loops::run_loops(program(), values, environment);
    ASSERT_EQ(result.status, kRunOk) << result.message << "\n" << loops::to_string(program());
    expect_close(environment.tensor(values, g_.graph.outputs[0]), wanted.outputs[0],
                 std::to_string(queries) + " queries, " + std::to_string(keys) + " keys, row " +
                     std::to_string(first_row));
  }

 private:
  const Form form_;
  GraphFixture g_;
  LoopPlans chosen_;
  Selection selection_;
};

// Blocks of a few keys; results leave from registers, from those of a function of its own, or
// through an array.
Hardware machine(int registers, Optimise optimise = Optimise::kSpeed) {
  Hardware hardware = small_hardware({{512, 4, 64, 1}});
  hardware.vector.registers = registers;
  hardware.optimise = optimise;
  return hardware;
}

TEST(AttentionPrograms, TilesGiveWhatIsDefined) {
  for (const Hardware& hardware : {machine(32), machine(16), machine(16, Optimise::kSize)}) {
    for (const Empty empty : {Empty::nan, Empty::zero_if_masked, Empty::zero_if_nan}) {
      for (const K k : {K::plain, K::turned}) {
        Form form{21, sized("keys", 1, 1024, 40), 8, 6, k, empty};
        Check check(form, hardware);
        // Short code has no tiles where rows can be read as they lie.
        const bool in_place = hardware.optimise == Optimise::kSize && k == K::plain;
        ASSERT_EQ(check.schedule().tiled, !in_place);
        ASSERT_EQ(check.schedule().decode.has_value(), in_place);
        // Several blocks, and one.
        for (const int64_t keys : {1, 3, 4, 5, 16, 17, 33, 40}) check.at(21, keys, 0);
      }
    }
  }
}

TEST(AttentionPrograms, RowsOfDecodeAttentionGiveWhatIsDefined) {
  for (const int64_t depth : {8, 10}) {
    for (const int64_t elements : {4, 6, 24}) {
      for (const K k : {K::plain, K::scaled, K::turned}) {
        for (const Empty empty : {Empty::nan, Empty::zero_if_masked, Empty::zero_if_nan}) {
          if (empty != Empty::nan && (k != K::plain || depth != 8)) continue;
          const Form form{1, sized("keys", 1, 1024, 40), depth, elements, k, empty};
          Check check(form, machine(16));
          ASSERT_FALSE(check.schedule().tiled);
          EXPECT_EQ(check.schedule().decode->k.tensor != kNoValue, k == K::plain);
          for (const int64_t keys : {1, 2, 3, 4, 5, 15, 16, 33}) {
            for (const int64_t row : {0, 1, 2, 3, 4}) check.at(1, keys, row);
          }
        }
      }
    }
  }
}

TEST(AttentionPrograms, TheNumberOfQueriesChooses) {
  for (const K k : {K::plain, K::scaled}) {
    const Form form{sized("queries", 1, 512, 8), sized("keys", 1, 1024, 40), 8, 8, k,
                    Empty::zero_if_nan};
    Check check(form, machine(32));
    ASSERT_TRUE(check.schedule().tiled && check.schedule().decode);
    const int64_t most = check.schedule().decode->most;
    for (const int64_t queries : {int64_t{1}, int64_t{2}, most, most + 1, int64_t{30}}) {
      for (const int64_t keys : {1, 7, 33}) {
        for (const int64_t row : {0, 4}) check.at(queries, keys, row);
      }
    }
  }
}

// Scores of no key: sums are 0 whatever they would be divided by.
TEST(AttentionPrograms, NoKeysGiveNothing) {
  for (const int64_t queries : {21, 1}) {
    const Form form{queries, sized("keys", 0, 64, 40), 8, 4, K::plain, Empty::nan};
    Check check(form, machine(32));
    EXPECT_EQ(check.schedule().tiled, queries > 1);
    check.at(queries, 0, 4);
    check.at(queries, 12, 4);
  }
}

// A block of scores is computed once, and leaves its registers where there are enough of them.
TEST(AttentionPrograms, TilesLeaveAsTheMachineSays) {
  const auto outlined = [](int registers) {
    Check check({21, 40, 8, 8, K::plain, Empty::nan}, machine(registers));
    int count = 0;
    loops::for_each(check.program().body, [&](const loops::Stmt& stmt) {
      const auto* loop = std::get_if<loops::For>(&stmt.node);
      count += loop != nullptr && loop->kind == loops::Kind::outlined ? 1 : 0;
    });
    return count;
  };
  EXPECT_EQ(outlined(32), 0);
  EXPECT_EQ(outlined(16), 2);
}

}  // namespace
}  // namespace burin::attention_programs_test
