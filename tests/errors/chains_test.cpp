// Chains of two operators that take turns: what generating takes grows with their length, and not
// with its square. What counts is work: memory that is asked for, in pieces of 64 bytes, which is
// the same on every machine and for every run.
//
// BURIN_CHAINS names other lengths, separated by blanks, and takes all pairs of links, movement and
// elementwise, and of those on sizes; tests/errors/README.md has the command, and its last figures.
#include <cstdlib>
#include <span>
#include <sstream>

#include "backends/emit.h"
#include "errors/support/bombs.h"
#include "errors/support/counted_memory.h"
#include "hardware/load.h"
#include "pipeline.h"

namespace burin::chains_test {
namespace {

// Of one link, whatever it is: indices that do not cancel take most.
constexpr int64_t kMostOfALink = 250'000;

// A tensor of 24 elements in two dimensions, and what comes of it.
struct At {
  std::vector<int64_t> shape = {4, 6};
  std::vector<Message>& nodes;
  std::vector<Message>& constants;
  std::set<std::string>& known;

  std::string list(const std::vector<int64_t>& values) {
    std::string name = "l";
    for (const int64_t value : values) name += "_" + std::to_string(value);
    if (known.insert(name).second) constants.push_back(integers(name, values));
    return name;
  }
  std::string number(float value) {
    const std::string name = "f" + std::to_string(value);
    if (known.insert(name).second) constants.push_back(floats(name, {value}));
    return name;
  }
  void add(const char* op, const Names& inputs, const std::string& to,
           const std::vector<Message>& attributes = {}) {
    nodes.push_back(node(op, inputs, {to}, attributes));
  }
  void turn() { std::swap(shape[0], shape[1]); }
};

struct Link {
  const char* name;
  void (*make)(At& at, const std::string& from, const std::string& to);
};

const Link kLinks[] = {
    {"Reshape",
     [](At& at, const std::string& from, const std::string& to) {
       at.shape = at.shape[1] == 3 ? std::vector<int64_t>{4, 6} : std::vector<int64_t>{8, 3};
       at.add("Reshape", {from, at.list(at.shape)}, to);
     }},
    {"Transpose",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Transpose", {from}, to);
       at.turn();
     }},
    {"Slice that reverses",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Slice", {from, at.list({-1}), at.list({-100}), at.list({0}), at.list({-1})}, to);
     }},
    {"Pad",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Pad", {from, at.list({1, 0, -1, 0})}, to);
     }},
    {"Pad that mirrors",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Pad", {from, at.list({0, 1, 0, -1})}, to,
              {attribute("mode", kText).text(4, "reflect")});
     }},
    {"Gather",
     [](At& at, const std::string& from, const std::string& to) {
       std::vector<int64_t> rows;
       for (int64_t k = 0; k < at.shape[0]; ++k) rows.push_back((7 * k + k * k + 1) % at.shape[0]);
       at.add("Gather", {from, at.list(rows)}, to);
     }},
    {"Slices and Concat",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Slice", {from, at.list({1}), at.list({100}), at.list({0})}, to + "a");
       at.add("Slice", {from, at.list({0}), at.list({1}), at.list({0})}, to + "b");
       at.add("Concat", {to + "a", to + "b"}, to, {integer_attribute("axis", 0)});
     }},
    {"Expand",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Slice", {from, at.list({1}), at.list({2}), at.list({0})}, to + "a");
       at.add("Expand", {to + "a", at.list(at.shape)}, to);
     }},
    {"DepthToSpace",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Reshape", {from, at.list({1, 4, 3, 2})}, to + "a");
       at.add("DepthToSpace", {to + "a"}, to + "b", {integer_attribute("blocksize", 2)});
       at.add("Reshape", {to + "b", at.list(at.shape)}, to);
     }},
    {"Resize",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Resize", {from, "", "", at.list({4, 6})}, to,
              {attribute("mode", kText).text(4, "linear")});
       at.shape = {4, 6};
     }},
    {"Exp",
     [](At& at, const std::string& from, const std::string& to) { at.add("Exp", {from}, to); }},
    {"Add",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Add", {from, at.number(0.5F)}, to);
     }},
    {"Mul of itself",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Mul", {from, from}, to);
     }},
    {"x * sigmoid(x)",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Sigmoid", {from}, to + "s");
       at.add("Mul", {from, to + "s"}, to);
     }},
    {"Where",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Greater", {from, at.number(0.25F)}, to + "c");
       at.add("Where", {to + "c", from, at.number(0.125F)}, to);
     }},
    {"Where of itself",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Greater", {from, from}, to + "c");
       at.add("Where", {to + "c", from, from}, to);
     }},
    {"Cast",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Cast", {from}, to + "i", {integer_attribute("to", kInt32)});
       at.add("Cast", {to + "i"}, to, {integer_attribute("to", kFloat)});
     }},
    {"Sum and Add",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("ReduceSum", {from, at.list({1})}, to + "r");
       at.add("Add", {from, to + "r"}, to);
     }},
    {"MatMul",
     [](At& at, const std::string& from, const std::string& to) {
       const int64_t depth = at.shape[1];
       const std::string weights = "w" + std::to_string(depth);
       if (at.known.insert(weights).second) {
         Message numbers = tensor(weights, kFloat, {depth, depth});
         for (int64_t i = 0; i < depth * depth; ++i)
           numbers.real(4, static_cast<float>(i % 7) / 16.0F);
         at.constants.push_back(numbers);
       }
       at.add("MatMul", {from, weights}, to);
     }},
};

// One size, as a number of no dimensions: what links make of it is followed as an expression.
void on_size(At& at, const char* op, const std::string& from, int64_t number,
             const std::string& to) {
  const std::string name = "s" + std::to_string(number);
  if (at.known.insert(name).second)
    at.constants.push_back(tensor(name, kInt64, {}).integer(7, number));
  at.add(op, {from, name}, to);
}

const Link kSizeLinks[] = {
    {"Add of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Add", from, 1, to); }},
    {"Mod of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Mod", from, 1'000'003, to); }},
    {"Sub of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Sub", from, 3, to); }},
    {"Mul of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Mul", from, 5, to); }},
    {"Div of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Div", from, 2, to); }},
    {"Max of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Max", from, 7, to); }},
    {"Min of a size", [](At& at, const std::string& from,
                         const std::string& to) { on_size(at, "Min", from, 1'000'033, to); }},
    {"size times itself",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Mul", {from, from}, to + "m");
       on_size(at, "Mod", to + "m", 1009, to);
     }},
    {"half of a size, in floats",
     [](At& at, const std::string& from, const std::string& to) {
       at.add("Cast", {from}, to + "f", {integer_attribute("to", kFloat)});
       at.add("Mul", {to + "f", at.number(0.7F)}, to + "h");
       at.add("Floor", {to + "h"}, to + "g");
       at.add("Cast", {to + "g"}, to, {integer_attribute("to", kInt64)});
     }},
};

// A chain on the rows of the input.
Message chain_of_sizes(const Link& a, const Link& b, int length) {
  std::vector<Message> nodes, constants;
  std::set<std::string> known;
  At at{{4, 6}, nodes, constants, known};
  at.add("Shape", {"x"}, "rows", {integer_attribute("end", 1)});
  at.add("Squeeze", {"rows", at.list({0})}, "t0");
  for (int i = 0; i < length; ++i)
    (i % 2 == 0 ? a : b).make(at, numbered("t", i), numbered("t", i + 1));
  return model(graph({.nodes = nodes,
                      .initializers = constants,
                      .inputs = {value("x", kFloat, {"rows", 4})},
                      .outputs = {open_value(numbered("t", length))}}));
}

Message chain_of(const Link& a, const Link& b, int length) {
  std::vector<Message> nodes, constants;
  std::set<std::string> known;
  At at{{4, 6}, nodes, constants, known};
  for (int i = 0; i < length; ++i)
    (i % 2 == 0 ? a : b).make(at, numbered("t", i), numbered("t", i + 1));
  return model(graph({.nodes = nodes,
                      .initializers = constants,
                      .inputs = {value("t0", kFloat, {4, 6})},
                      .outputs = {open_value(numbered("t", length))}}));
}

class Chains : public testing::Test {
 protected:
  // Pieces of memory that a tree of the model takes.
  int64_t work(const Message& chain) {
    const std::string path = scratch_.path() + "/m.onnx";
    std::ofstream(path, std::ios::binary) << chain.bytes();
    CompileOptions options;
    options.model = path;
    const int64_t before = memory_asked_for();
    const Compiled compiled = compile(options, hardware_);
    emit_tree(compiled.plan, {});
    return memory_asked_for() - before;
  }

  using Chain = Message (*)(const Link& a, const Link& b, int length);

  // Each length takes for each node at most twice of what the shortest does: parts of a chain that
  // become one kernel are not all equally long. A square takes three or four times that.
  void grows_like_its_length(Chain chain, const Link& a, const Link& b,
                             const std::vector<int>& lengths) {
    const std::string what = std::string(a.name) + ", " + b.name;
    int64_t first = 0;
    for (const int length : lengths) {
      const int64_t took = work(chain(a, b, length));
      if (first == 0) first = took;
      EXPECT_LE(took * lengths[0], first * length * 2)
          << what << ": " << first << " for " << lengths[0] << ", " << took << " for " << length;
      EXPECT_LE(took / length, kMostOfALink) << what << " of " << length;
      most_ = std::max(most_, took / length);
      if (most_ == took / length) most_of_ = what;
    }
  }

  // Each with itself and with one of another kind; all pairs at the lengths that are given.
  void of_all(Chain chain, std::span<const Link> links, size_t other, std::vector<int> lengths) {
    const char* const given = std::getenv("BURIN_CHAINS");
    if (given) {
      lengths.clear();
      std::istringstream in(given);
      for (int one; in >> one;) lengths.push_back(one);
    }
    for (size_t a = 0; a < links.size(); ++a) {
      for (size_t b = a; b < links.size(); ++b) {
        const bool chosen =
            b == a || b == (a + other) % links.size() || a == (b + other) % links.size();
        if (given || chosen) grows_like_its_length(chain, links[a], links[b], lengths);
      }
    }
    std::cout << "most for one link: " << most_ << " pieces of memory (" << most_of_ << ")\n";
  }

  const ScratchFolder scratch_;
  const Hardware hardware_ =
      load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json");
  int64_t most_ = 0;
  std::string most_of_;
};

TEST_F(Chains, TakeWorkAsTheyAreLong) { of_all(chain_of, kLinks, 7, {60, 240}); }

// Until an expression over sizes is as long as one is followed, links take more and more.
TEST_F(Chains, OfSizesTakeWorkAsTheyAreLong) { of_all(chain_of_sizes, kSizeLinks, 1, {400, 1600}); }

}  // namespace
}  // namespace burin::chains_test
