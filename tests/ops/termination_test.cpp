// Propagation ends (SoD2 4.1 with a lattice that is infinitely high): after a pass for every symbol
// that is solved for, and after two rounds of a loop's body for every extent that its state carries
// (it changes; what bounds it), whatever the body does to them.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "graph/graph.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "support/diagnostics.h"

namespace burin::termination_test {
namespace {

std::string id(int number) { return "%" + std::to_string(number); }

// a_i[1, n_i] next to itself times b_i[n_(i+1), 1]: n_(i+1) is twice n_i.
TEST(Termination, APassForEverySymbolThatIsSolvedFor) {
  for (const int links : {1, 2, 5, 12}) {
    SCOPED_TRACE(links);
    std::string text = "graph \"g\" file \"g.onnx\" ir 8\n";
    for (int i = 0; i <= links; ++i) text += "symbol \"n" + std::to_string(i) + "\" param 1..inf\n";
    std::string inputs, outputs, nodes;
    for (int i = 0; i < links; ++i) {
      const std::string at = std::to_string(i), next = std::to_string(i + 1);
      const int first = 4 * i;
      text += "value " + id(first) + " \"a" + at + "\" f32 [1, n" + at + "]\n";
      text += "value " + id(first + 1) + " \"b" + at + "\" f32 [n" + next + ", 1]\n";
      text += "value " + id(first + 2) + " \"c" + at + "\" none ?\n";
      text += "value " + id(first + 3) + " \"d" + at + "\" none ?\n";
      inputs += (i ? ", " : "") + id(first) + ", " + id(first + 1);
      outputs += (i ? ", " : "") + id(first + 3);
      nodes += "node " + std::to_string(2 * i) + " \"twice\" Concat@13 (" + id(first) + ", " +
               id(first) + ") -> (" + id(first + 2) + ") { axis: int 1 }\n";
      nodes += "node " + std::to_string(2 * i + 1) + " \"product\" MatMul@13 (" + id(first + 2) +
               ", " + id(first + 1) + ") -> (" + id(first + 3) + ")\n";
    }
    text += "block \"g\" (" + inputs + ") -> (" + outputs + ") {\n" + nodes + "}";
    const Lowered found = lower(parse_graph(text), {});
    EXPECT_GT(found.passes, 1);
    EXPECT_LE(found.passes, links + 1);
    std::set<std::string> left;
    for (const TensorFacts& input : found.inputs) {
      std::vector<Symbol> symbols;
      for (const Dim& dim : input.shape) dim.collect_symbols(symbols);
      for (const Symbol& symbol : symbols) left.insert(symbol->name);
    }
    EXPECT_EQ(left.size(), 1U);
  }
}

// A loop over vectors: every iteration makes each of them from one or two others.
struct RandomLoop {
  std::string text;
  int states = 0, body_nodes = 0;
};

RandomLoop random_loop(std::mt19937& random) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  RandomLoop loop;
  loop.states = 1 + below(3);
  const int states = loop.states;
  // Values: trips, condition, starts; then the body's inputs, results, and what the node gives.
  const int starts = 2, body = starts + states, results = body + 2 + states,
            given = results + 1 + states;
  std::string values = "value %0 \"m\" i64 []\nvalue %1 \"go\" boolean []\n";
  std::string outer = "%0, %1", inner, made, node_outputs, nodes, symbols;
  for (int k = 0; k < states; ++k) {
    const std::string at = std::to_string(k);
    symbols += "symbol \"n" + at + "\" param 1..inf\n";
    values += "value " + id(starts + k) + " \"x" + at + "\" f32 [n" + at + "]\n";
    outer += ", " + id(starts + k);
  }
  values += "value " + id(body) + " \"i\" i64 []\nvalue " + id(body + 1) + " \"c\" boolean []\n";
  for (int k = 0; k < states; ++k)
    values += "value " + id(body + 2 + k) + " \"s" + std::to_string(k) + "\" f32 ?\n";
  for (int k = 0; k <= states; ++k)
    values += "value " + id(results + k) + " \"r" + std::to_string(k) + "\" none ?\n";
  for (int k = 0; k < states; ++k)
    values += "value " + id(given + k) + " \"y" + std::to_string(k) + "\" none ?\n";
  for (int k = 0; k < states + 2; ++k) inner += (k ? ", " : "") + id(body + k);
  for (int k = 0; k <= states; ++k) made += (k ? ", " : "") + id(results + k);
  for (int k = 0; k < states; ++k) node_outputs += (k ? ", " : "") + id(given + k);
  nodes = "node 0 \"same\" Identity@16 (" + id(body + 1) + ") -> (" + id(results) + ")\n";
  for (int k = 0; k < states; ++k) {
    const std::string number = std::to_string(k + 1), to = ") -> (" + id(results + 1 + k) + ")";
    const std::string a = id(body + 2 + below(states));
    // Another state, itself, or what is outside.
    const std::string b = below(2) == 0 ? id(starts + below(states)) : id(body + 2 + below(states));
    if (below(3) == 0) {
      nodes += "node " + number + " \"n\" Neg@13 (" + a + to + "\n";
    } else {
      nodes += "node " + number + " \"n\" Concat@13 (" + a + ", " + b + to + " { axis: int 0 }\n";
    }
  }
  loop.body_nodes = states + 1;
  loop.text = "graph \"g\" file \"g.onnx\" ir 8\n" + symbols + values + "block \"g\" (" + outer +
              ") -> (" + node_outputs + ") {\nnode 0 \"loop\" Loop@16 (" + outer + ") -> (" +
              node_outputs + ") { body: block \"b\" (" + inner + ") -> (" + made + ") {\n" + nodes +
              "} }\n}";
  return loop;
}

TEST(Termination, TwoRoundsOfABodyForEveryExtentThatIsCarried) {
  std::mt19937 random(5);
  int grew = 0;
  for (int k = 0; k < 200; ++k) {
    const RandomLoop loop = random_loop(random);
    SCOPED_TRACE(loop.text);
    LowerOptions options;
    options.nodes_again = int64_t{loop.body_nodes} * 2 * loop.states;
    const Lowered found = lower(parse_graph(loop.text), options);  // refused where it takes more
    options.nodes_again = 0;
    try {
      lower(parse_graph(loop.text), options);
    } catch (const Refused&) {
      ++grew;
    }
    EXPECT_EQ(found.graph.outputs.size(), static_cast<size_t>(loop.states));
  }
  EXPECT_GT(grew, 100);  // the limit counts something
}

// What is emitted in every iteration is bounded where the condition, between floats of the model as
// exporters write it, lets no second iteration follow, or some.
TEST(Termination, ConditionsBetweenFloatsBoundWhatIsEmitted) {
  for (const int most : {1, 3}) {
    const std::string text =
        "graph \"g\" file \"g.onnx\" ir 8\n"
        "value %0 \"go\" boolean [] = boolean [] {1}\nvalue %1 \"none\" i32 [] = i32 [] {0}\n"
        "value %2 \"x\" f32 [4]\nvalue %3 \"y\" none ?\nvalue %4 \"all\" none ?\n"
        "value %5 \"i\" i64 []\nvalue %6 \"c\" boolean []\nvalue %7 \"k\" i32 []\n"
        "value %8 \"one\" i32 [] = i32 [] {1}\nvalue %9 \"next\" none ?\n"
        "value %10 \"real\" none ?\nvalue %11 \"most\" f32 [] = f32 [] {" +
        std::to_string(most) +
        "}\nvalue %12 \"on\" none ?\nvalue %13 \"e\" none ?\n"
        "block \"g\" (%2) -> (%3, %4) {\n"
        "node 0 \"loop\" Loop@16 (-, %0, %1) -> (%3, %4) { body: block \"b\" (%5, %6, %7) -> "
        "(%12, %9, %13) {\n"
        "node 0 \"add\" Add@14 (%7, %8) -> (%9)\n"
        "node 1 \"cast\" Cast@13 (%9) -> (%10) { to: int 1 }\n"
        "node 2 \"less\" Less@13 (%10, %11) -> (%12)\n"
        "node 3 \"neg\" Neg@13 (%2) -> (%13)\n} }\n}";
    const KernelGraph graph = lower(parse_graph(text), {}).graph;
    const std::vector<double> numbers = {1, 2, 3, 4};
    const RunResult result = interpret(graph, {make_tensor(Type::f32, {4}, numbers)}, {});
    ASSERT_EQ(result.status, kRunOk) << result.message;
    EXPECT_EQ(result.outputs[1].shape, (std::vector<int64_t>{most, 4}));
  }
}

}  // namespace
}  // namespace burin::termination_test
