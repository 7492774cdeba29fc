// Bombs that are wide and not deep: many nodes, many sizes, many readers, many operands.
#include "errors/support/bombs.h"

namespace burin::bombs_wide_test {
namespace {

using std::placeholders::_1, std::placeholders::_2, std::placeholders::_3;

// Inputs with a size of its own each; `join` makes one value of them.
Message many_symbols(int n, const std::function<void(GraphParts&)>& join) {
  GraphParts parts;
  parts.outputs = {open_value("y")};
  for (int i = 0; i < n; ++i) {
    const std::string size = numbered("S", i);
    parts.inputs.push_back(value(numbered("x", i), kFloat, {size.c_str(), 4}));
  }
  join(parts);
  return model(graph(parts));
}

Message join_inputs(int n, int64_t axis) {
  Names all;
  for (int i = 0; i < n; ++i) all.push_back(numbered("x", i));
  return node("Concat", all, {"y"}, {integer_attribute("axis", axis)});
}

TEST_F(Bombs, ManySymbols) {
  compiled("1000 sizes that must be equal",
           many_symbols(1000, [](GraphParts& parts) { parts.nodes = {join_inputs(1000, 1)}; }));
  refused("the sum of 2000 sizes",
          many_symbols(2000, [](GraphParts& parts) { parts.nodes = {join_inputs(2000, 0)}; }),
          "a size or index has too many terms [limit]");
  compiled("the least of 300 sizes", many_symbols(300, [](GraphParts& parts) {
             Names all;
             for (int i = 0; i < 300; ++i) {
               all.push_back(numbered("s", i));
               parts.nodes.push_back(node("Shape", {numbered("x", i)}, {all.back()}));
             }
             parts.nodes.push_back(node("Min", all, {"least"}));
             parts.nodes.push_back(node("ConstantOfShape", {"least"}, {"y"}));
           }));
}

TEST_F(Bombs, ManyParts) {
  compiled("a chain of 3000", chain(3000, std::bind(unary, "Relu", _1, _2, _3), {"N"}));
  const auto grow = [](const auto& from, const auto& to, auto& nodes) {
    nodes.push_back(node("Concat", {from, "t0"}, {to}, {integer_attribute("axis", 0)}));
  };
  compiled("a concatenation that grows, 1000 times", chain(1000, grow, {2}));
  refused("a million names of one dimension",
          one(node("Transpose", {"x"}, {"y"},
                   {list_attribute("perm", std::vector<int64_t>(1'000'000, 0))}),
              {2, 2}, {}),
          "[bad-attribute]");
  refused(
      "100000 dimensions",
      one(node("Reshape", {"x", "s"}, {"y"}), {1}, {integers("s", std::vector<int64_t>(4000, 1))}),
      "[limit]");
}

// One value that many read; `join` makes one value of theirs.
Message fan(int readers, bool join) {
  GraphParts parts;
  parts.nodes = {node("Relu", {"x"}, {"r"})};
  parts.inputs = {value("x", kFloat, {"N"})};
  Names all;
  for (int i = 0; i < readers; ++i) {
    all.push_back(numbered("y", i));
    parts.nodes.push_back(node("Exp", {"r"}, {all.back()}));
    if (!join) parts.outputs.push_back(open_value(all.back()));
  }
  if (join) {
    parts.nodes.push_back(node("Sum", all, {"y"}));
    parts.outputs = {open_value("y")};
  }
  return model(graph(parts));
}

TEST_F(Bombs, ManyReaders) {
  compiled("2000 readers of one value", fan(2000, false));
  compiled("the sum of 600 readers", fan(600, true));
  refused("25000 readers of one value", fan(25000, false),
          "the network has too many steps: 25001; 24000 are taken");
  refused("the sum of 20000 readers", fan(20000, true), "20000 inputs; one node may have 4096");
}

// Kernels of a kind side by side, joined: no stage looks at all of them for each of them.
Message joined_fan(int n, const std::function<Message(const std::string&)>& make,
                   std::vector<Message> constants = {}) {
  GraphParts parts{.nodes = {},
                   .initializers = std::move(constants),
                   .inputs = {value("x", kFloat, {8, 8})},
                   .outputs = {open_value("y")}};
  Names all;
  for (int i = 0; i < n; ++i) {
    all.push_back(numbered("y", i));
    parts.nodes.push_back(make(all.back()));
  }
  parts.nodes.push_back(node("Concat", all, {"y"}, {integer_attribute("axis", 0)}));
  return model(graph(parts));
}

Message weights(std::string_view name, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return raw_tensor(name, kFloat, shape, std::string(static_cast<size_t>(4 * count), '?'));
}

TEST_F(Bombs, KernelsSideBySide) {
  compiled("2000 normalisations in one concatenation",
           joined_fan(2000, [](const auto& to) { return node("Softmax", {"x"}, {to}); }));
  compiled("1000 products of one input", joined_fan(1000,
                                                    [](const auto& to) {
                                                      return node("MatMul", {"x", "w"}, {to});
                                                    },
                                                    {weights("w", {8, 8})}));
  compiled("2000 gathers in one concatenation",
           joined_fan(2000,
                      [](const auto& to) {
                        return node("Gather", {"x", "rows"}, {to});
                      },
                      {integers("rows", {3, 1})}));
}

TEST_F(Bombs, LongChains) {
  compiled("a chain of 20000", chain(20000, std::bind(unary, "Relu", _1, _2, _3), {8}));
  const auto sum = [](const auto& from, const auto& to, auto& nodes) {
    nodes.push_back(node("ReduceSum", {from}, {to + "s"}));
    nodes.push_back(node("Add", {from, to + "s"}, {to}));
  };
  compiled("2000 sums that are added", chain(2000, sum, {4, 4}));
  const auto product = [](const auto& from, const auto& to, auto& nodes) {
    nodes.push_back(node("MatMul", {from, "w"}, {to + "p"}));
    nodes.push_back(node("Relu", {to + "p"}, {to}));
  };
  compiled("2000 products", chain(2000, product, {8, 8}, {weights("w", {8, 8})}));
  refused("3000 products of dynamic rows", chain(3000, product, {"N", 8}, {weights("w", {8, 8})}),
          "--dim");
  refused("a chain of 100001", chain(100001, std::bind(unary, "Relu", _1, _2, _3), {8}),
          "more than 100000 nodes [limit]");
}

// Indices and sizes that name the one before several times.
TEST_F(Bombs, EdgesOfEdges) {
  const Message mode = attribute("mode", kText).text(4, "reflect");
  const auto pad = [&](const auto& from, const auto& to, auto& nodes) {
    nodes.push_back(node("Pad", {from, "one"}, {to}, {mode}));
  };
  compiled("20 Pads", chain(20, pad, {"N"}, {integers("one", {1, 1})}));
  const auto crop = [](const auto& from, const auto& to, auto& nodes) {
    nodes.push_back(node("Slice", {from, "one", "end"}, {to}));
  };
  compiled("20 Slices", chain(20, crop, {"N"}, {integers("one", {1}), integers("end", {kMost})}));
  const Message zeros = integers("zeros", std::vector<int64_t>(20000, 0));
  refused("20000 slices at once",
          one(node("Slice", {"x", "zeros", "zeros", "zeros"}, {"y"}), {"N"}, {zeros}),
          "20000 starts for rank 1 [bad-attribute]");
}

}  // namespace
}  // namespace burin::bombs_wide_test
