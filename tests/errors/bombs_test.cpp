// Small files that ask for much: memory, time, depth. The built program is run under the limits
// that hold for every input (support/bounded_run.h). A bomb is refused in one line, or compiled
// where the emitted code can do without what was asked for.
#include "errors/support/bombs.h"

namespace burin::bombs_test {
namespace {

// Arithmetic on the size of x, n times, then a tensor of that size.
Message shape_chain(
    int n,
    const std::function<void(const std::string&, const std::string&, std::vector<Message>&)>& step,
    const std::vector<Size>& x) {
  GraphParts parts{.nodes = {node("Shape", {"x"}, {"s"}), node("ReduceSum", {"s"}, {"t0"})},
                   .initializers = {integers("seven", {7})},
                   .inputs = {value("x", kFloat, x)},
                   .outputs = {open_value("y")}};
  for (int i = 0; i < n; ++i)
    step("t" + std::to_string(i), "t" + std::to_string(i + 1), parts.nodes);
  parts.nodes.push_back(node("ConstantOfShape", {"t" + std::to_string(n)}, {"y"}));
  return model(graph(parts));
}

// Loops inside loops; the innermost doubles what all of them carry.
Message nested_loops(int depth) {
  Message inner;
  for (int d = depth - 1; d >= 0; --d) {
    const std::string n = std::to_string(d);
    std::vector<Message> nodes = {node("Identity", {"c" + n}, {"on" + n})};
    nodes.push_back(
        d == depth - 1
            ? node("Concat", {"v" + n, "v" + n}, {"w" + n}, {integer_attribute("axis", 0)})
            : node("Loop", {"m", "", "v" + n}, {"w" + n}, {graph_attribute("body", inner)}));
    inner = graph({.nodes = nodes,
                   .initializers = {},
                   .inputs = {value("i" + n, kInt64, {}), value("c" + n, kBool, {}),
                              value("v" + n, kFloat, {"?"})},
                   .outputs = {open_value("on" + n), open_value("w" + n)}});
  }
  return model(
      graph({.nodes = {node("Loop", {"m", "", "x"}, {"y"}, {graph_attribute("body", inner)})},
             .initializers = {integer("m", 3)},
             .inputs = {value("x", kFloat, {2})},
             .outputs = {open_value("y")}}));
}

// 2 to the depth.
Message branches(int depth, const std::string& name) {
  std::vector<Message> nodes;
  if (depth == 0) {
    nodes = {node("Relu", {"x"}, {name})};
  } else {
    nodes = {node("If", {"c"}, {name},
                  {graph_attribute("then_branch", branches(depth - 1, name + "t")),
                   graph_attribute("else_branch", branches(depth - 1, name + "e"))})};
  }
  return graph({.nodes = nodes, .initializers = {}, .inputs = {}, .outputs = {open_value(name)}});
}

Message branch_tree(int depth) {
  return model(graph({.nodes = {node("If", {"c"}, {"y"},
                                     {graph_attribute("then_branch", branches(depth, "t")),
                                      graph_attribute("else_branch", branches(depth, "e"))})},
                      .initializers = {},
                      .inputs = {value("x", kFloat, {2}), value("c", kBool, {})},
                      .outputs = {open_value("y")}}));
}

Message endless_loop(int64_t trips, bool scan) {
  std::vector<Message> nodes = {node("Identity", {"c"}, {"on"}), node("Add", {"v", "v"}, {"w"})};
  std::vector<Message> outputs = {open_value("on"), open_value("w")};
  if (scan) {
    nodes.push_back(node("Identity", {"v"}, {"kept"}));
    outputs.push_back(open_value("kept"));
  }
  const Message body =
      graph({.nodes = nodes,
             .initializers = {},
             .inputs = {value("i", kInt64, {}), value("c", kBool, {}), value("v", kFloat, {2})},
             .outputs = outputs});
  const Names results = scan ? Names{"y", "all"} : Names{"y"};
  return model(
      graph({.nodes = {node("Loop", {"m", "", "x"}, results, {graph_attribute("body", body)})},
             .initializers = {integer("m", trips)},
             .inputs = {value("x", kFloat, {2})},
             .outputs = {open_value(scan ? "all" : "y")}}));
}

// Every function calls the next one twice.
Message functions_that_double(int depth) {
  std::vector<Message> functions;
  for (int i = 0; i < depth; ++i) {
    const std::string next = "f" + std::to_string(i + 1);
    functions.push_back(function("f" + std::to_string(i), {"a"}, {"b"},
                                 {node(next, {"a"}, {"m"}, {}, "", "local"),
                                  node(next, {"m"}, {"b"}, {}, "", "local")})
                            .message(9, opset("local", 1)));
  }
  functions.push_back(
      function("f" + std::to_string(depth), {"a"}, {"b"}, {node("Relu", {"a"}, {"b"})}));
  GraphParts parts = relu_parts();
  parts.nodes = {node("f0", {"x"}, {"y"}, {}, "", "local")};
  return model(graph(parts), functions, {opset("", 17), opset("local", 1)});
}

using std::placeholders::_1, std::placeholders::_2, std::placeholders::_3;

TEST_F(Bombs, SizesThatNobodyHas) {
  const char* const beyond = "a size or index exceeds 64 bits [limit]";
  refused("ConstantOfShape",
          one(node("ConstantOfShape", {"s"}, {"y"}), {1}, {integers("s", {kMost})}), beyond);
  refused("ConstantOfShape in two dimensions",
          one(node("ConstantOfShape", {"s"}, {"y"}), {1}, {integers("s", {kHuge, kHuge})}), beyond);
  refused("Expand", one(node("Expand", {"x", "s"}, {"y"}), {1}, {integers("s", {kMost})}), beyond);
  refused("Tile", one(node("Tile", {"x", "s"}, {"y"}), {3}, {integers("s", {kMost})}), beyond);
  refused("Range",
          one(node("Range", {"a", "b", "c"}, {"y"}), {1},
              {integer("a", -kMost), integer("b", kMost), integer("c", 1)}),
          "[");
  refused("Pad", one(node("Pad", {"x", "s"}, {"y"}), {1}, {integers("s", {kMost, kMost})}), beyond);
  refused("Resize",
          one(node("Resize", {"x", "", "", "s"}, {"y"}), {1, 1, 3, 3},
              {integers("s", {1, 1, kHuge, kHuge})}),
          beyond);
  refused("EyeLike", one(node("EyeLike", {"x"}, {"y"}), {kHuge, kHuge}, {}), beyond);
  refused("RandomNormal",
          one(node("RandomNormal", {}, {"y"}, {list_attribute("shape", {kHuge, kHuge})}), {1}, {}),
          beyond);
  refused("MaxPool",
          one(node("MaxPool", {"x"}, {"y"}, {list_attribute("kernel_shape", {kMost, 1})}),
              {1, 1, 4, 4}, {}),
          "[bad-attribute]");
}

// What is large but can be counted costs nothing while generating: it is not folded.
TEST_F(Bombs, LargeResultsAreNotFolded) {
  compiled("a terabyte of zeros, summed",
           model(graph(
               {.nodes = {node("ConstantOfShape", {"s"}, {"t"}), node("ReduceSum", {"t"}, {"y"})},
                .initializers = {integers("s", {kHuge})},
                .inputs = {},
                .outputs = {open_value("y")}})));
  compiled("Tile", one(node("Tile", {"x", "s"}, {"y"}), {3}, {integers("s", {kHuge})}));
  compiled("Range", one(node("Range", {"a", "b", "c"}, {"y"}), {1},
                        {integer("a", 0), integer("b", kHuge), integer("c", 1)}));
}

TEST_F(Bombs, Loops) {
  compiled("a trip count of 2^63-1", endless_loop(kMost, false));
  refused("2^63-1 results", endless_loop(kMost, true), "emits values in every iteration");
  refused("loops in loops", nested_loops(24), "must be lowered too often");
  refused("bodies in bodies", nested_loops(200), "blocks are nested more than 32 deep [limit]");
  compiled("a tree of branches", branch_tree(11));
  refused("a larger tree of branches", branch_tree(12),
          "the network has too many steps: 24573; 24000 are taken");
}

TEST_F(Bombs, Functions) {
  refused("2^40 calls", functions_that_double(40), "[limit]");
  refused("calls in calls", functions_that_double(100), "[limit]");
}

TEST_F(Bombs, SharedExpressions) {
  compiled("x+x, 200 times", chain(200, std::bind(twice, "Add", _1, _2, _3), {"N"}));
  compiled("x*sigmoid(x), 100 times",
           chain(100,
                 [](const auto& from, const auto& to, auto& nodes) {
                   nodes.push_back(node("Sigmoid", {from}, {from + "s"}));
                   nodes.push_back(node("Mul", {from, from + "s"}, {to}));
                 },
                 {"N"}));
  refused(
      "concat of itself",
      chain(70,
            [](const auto& from, const auto& to, auto& nodes) {
              nodes.push_back(node("Concat", {from, from}, {to}, {integer_attribute("axis", 0)}));
            },
            {4}),
      "a size or index exceeds 64 bits [limit]");
}

TEST_F(Bombs, ShapeArithmetic) {
  const std::vector<Size> many = {"A", "B", "C", "D", "E", "F", "G", "H"};
  line(shape_chain(200, std::bind(twice, "Add", _1, _2, _3), {"N"}), kExitOk, "n+n, 200 times");
  line(shape_chain(60, std::bind(twice, "Mul", _1, _2, _3), {"N"}), kExitOk, "n*n, 60 times");
  line(shape_chain(12, std::bind(twice, "Mul", _1, _2, _3), many), kExitOk,
       "the square of a sum, 12 times");
}

// t = (t / 7) * (t % 7) + t: proofs about quotients of quotients ask for proofs of their own.
void quotients(const std::string& from, const std::string& to, std::vector<Message>& nodes) {
  nodes.push_back(node("Div", {from, "seven"}, {to + "q"}));
  nodes.push_back(node("Mod", {from, "seven"}, {to + "r"}));
  nodes.push_back(node("Mul", {to + "q", to + "r"}, {to + "m"}));
  nodes.push_back(node("Add", {to + "m", from}, {to}));
}

TEST_F(Bombs, QuotientsOfQuotients) {
  for (const int rounds : {4, 6, 100}) {
    line(shape_chain(rounds, quotients, {"N"}), kExitOk,
         "(n/7)*(n%7)+n, " + std::to_string(rounds) + " times");
  }
  line(shape_chain(6, quotients, {"A", "B", "C"}), kExitOk, "the same of a sum");
  line(shape_chain(30,
                   [](const auto& from, const auto& to, auto& nodes) {
                     nodes.push_back(node("Mod", {from, "seven"}, {to + "r"}));
                     nodes.push_back(node("Add", {to + "r", from}, {to}));
                   },
                   {"N"}),
       kExitOk, "n%7+n, 30 times");
  line(shape_chain(300,
                   [](const auto& from, const auto& to, auto& nodes) {
                     nodes.push_back(node("Div", {from, "seven"}, {to + "q"}));
                     nodes.push_back(node("Add", {to + "q", "t0"}, {to}));
                   },
                   {"N"}),
       kExitOk, "n/7+m, 300 times");
}

// What a run computes of a number, node after node, and then makes a tensor of: a bound of it is
// looked for backwards.
TEST_F(Bombs, LongChainsBeforeASize) {
  const auto sized = [](int n, const std::vector<Message>& constants, const auto& step) {
    GraphParts parts{.nodes = {},
                     .initializers = constants,
                     .inputs = {value("t0", kInt64, {1})},
                     .outputs = {open_value("y")}};
    for (int i = 0; i < n; ++i)
      step("t" + std::to_string(i), "t" + std::to_string(i + 1), parts.nodes);
    parts.nodes.push_back(node("ConstantOfShape", {"t" + std::to_string(n)}, {"y"}));
    return model(graph(parts));
  };
  for (const char* op : {"Mul", "Div", "Max"})
    compiled(std::string(op) + ", 6000 times", sized(6000, {}, std::bind(twice, op, _1, _2, _3)));
  compiled("Where, 4000 times",
           sized(4000, {integers("seven", {7})}, [](const auto& from, const auto& to, auto& nodes) {
             nodes.push_back(node("Greater", {from, "seven"}, {to + "c"}));
             nodes.push_back(node("Where", {to + "c", from, "seven"}, {to}));
           }));
}

}  // namespace
}  // namespace burin::bombs_test
