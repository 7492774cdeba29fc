// Operators with operands of other shapes than they expect: every operand of the ONNX project's
// models, and of ours, gets other extents, one less and one more of them, and none. Each result
// must be refused, or run to its end or to a status by the interpreter, which checks every access;
// anything else is a place outside of a tensor that a tree would read.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <random>

#include "graph/graph.h"
#include "import/import.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin::hostile_operands_test {
namespace {

using Extents = std::vector<int64_t>;

struct Counts {
  int ran = 0, stopped = 0, refused = 0;
};

HostTensor drawn(Type type, const Extents& shape, int64_t seed) {
  HostTensor out = make_tensor(type, shape);
  for (int64_t k = 0; k < out.elements(); ++k) {
    const int64_t number = (k * 5 + seed) % 7;
    out.set(k, {static_cast<double>(number) / 2, number});
  }
  return out;
}

Extents extents_of(const GraphValue& value) {
  Extents out;
  for (const Dim& extent : *value.shape) out.push_back(extent.as_constant().value_or(3));
  return out;
}

std::vector<Extents> others(const Extents& shape) {
  std::vector<Extents> out = {{}, {1}};
  for (size_t d = 0; d < shape.size(); ++d) {
    for (const int64_t extent : {int64_t{0}, int64_t{1}, shape[d] + 1}) {
      out.push_back(shape);
      out.back()[d] = extent;
    }
    out.push_back(shape);
    out.back().erase(out.back().begin() + static_cast<std::ptrdiff_t>(d));
  }
  for (const int64_t extent : {1, 2}) {
    out.push_back(shape);
    out.back().insert(out.back().begin(), extent);
    out.push_back(shape);
    out.back().push_back(extent);
  }
  return out;
}

void set_shape(Graph& graph, GraphValueId id, const Extents& shape) {
  GraphValue& value = graph.values[static_cast<size_t>(id)];
  value.shape.emplace();
  for (const int64_t extent : shape) value.shape->push_back(extent);
  if (!value.constant) return;
  const Type type = value.constant->type;
  value.constant = Tensor{type, shape, to_constant(drawn(type, shape, 1)), {}};
}

void try_running(const Graph& graph, const std::string& what, Counts& counts) {
  constexpr int64_t kOperations = 300'000, kBytes = int64_t{1} << 24;
  try {
    const Lowered lowered = lower(graph, {});
    std::vector<HostTensor> inputs;
    for (const ValueId id : lowered.graph.inputs) {
      const Value& value = lowered.graph.values[static_cast<size_t>(id)];
      Extents shape;
      for (const Dim& extent : value.shape) shape.push_back(at_hints(extent));
      inputs.push_back(drawn(value.type, shape, static_cast<int64_t>(inputs.size())));
    }
    InterpretOptions budget;
    budget.operations = kOperations;
    budget.bytes = kBytes;
    const RunResult result = interpret(lowered.graph, inputs, {}, budget);
    ++(result.status == kRunOk ? counts.ran : counts.stopped);
  } catch (const Refused&) {
    ++counts.refused;
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

std::string text_of(const Extents& shape) {
  std::string out;
  for (const int64_t extent : shape) out += " " + std::to_string(extent);
  return out;
}

// Each model with what its operands are, and nothing said of results.
void for_each_model(const std::function<void(const std::string& folder, const Graph& graph,
                                             const std::vector<GraphValueId>& operands)>& visit) {
  for (const char* root :
       {"/usr/share/libonnx-testdata/data/node", BURIN_SOURCE_DIR "/tests/models/operators"}) {
    for (const std::string& folder : find_cases(root)) {
      Graph graph;
      try {
        graph = import_model(folder + "/model.onnx");
      } catch (const Refused&) {
        continue;
      }
      std::vector<GraphValueId> operands;
      for (GraphValue& value : graph.values) {
        const auto id = static_cast<GraphValueId>(&value - graph.values.data());
        const std::vector<GraphValueId>& inputs = graph.block.inputs;
        const bool input = std::find(inputs.begin(), inputs.end(), id) != inputs.end();
        if (!value.constant && !input) value.shape.reset();
        if (!value.shape || value.type == Type::string || value.type == Type::none) continue;
        if (input) set_shape(graph, id, extents_of(value));
        operands.push_back(id);
      }
      if (!operands.empty()) visit(folder, graph, operands);
    }
  }
}

class HostileOperands : public testing::Test {
 protected:
  void try_shape(Graph& graph, GraphValueId id, const Extents& shape, std::string& what) {
    set_shape(graph, id, shape);
    what += ", '" + graph.values[static_cast<size_t>(id)].name + "' is [" + text_of(shape) + " ]";
  }
  void said() const {
    std::cout << counts_.ran << " ran, " << counts_.stopped << " stopped, " << counts_.refused
              << " refused\n";
    EXPECT_GT(counts_.ran, 2000);
    EXPECT_GT(counts_.refused, 2000);
  }
  Counts counts_;
};

TEST_F(HostileOperands, OfOtherShapesAreRefusedOrRunInside) {
  for_each_model([&](const std::string& folder, const Graph& graph, const auto& operands) {
    for (const GraphValueId id : operands) {
      for (const Extents& shape : others(extents_of(graph.values[static_cast<size_t>(id)]))) {
        Graph changed = graph;
        std::string what = folder;
        try_shape(changed, id, shape, what);
        try_running(changed, what, counts_);
      }
    }
  });
  said();
}

// Several at once, drawn: extents that are wrong together may agree.
TEST_F(HostileOperands, SeveralOfOtherShapesToo) {
  std::mt19937 random(1);
  for_each_model([&](const std::string& folder, const Graph& graph, const auto& operands) {
    for (int draw = 0; draw < 16 && operands.size() > 1; ++draw) {
      Graph changed = graph;
      std::string what = folder;
      const size_t count = 2 + random() % std::min<size_t>(2, operands.size() - 1);
      for (size_t k = 0; k < count; ++k) {
        const GraphValueId id = operands[random() % operands.size()];
        const auto all = others(extents_of(graph.values[static_cast<size_t>(id)]));
        try_shape(changed, id, all[random() % all.size()], what);
      }
      try_running(changed, what, counts_);
    }
  });
  said();
}

TEST_F(HostileOperands, OfOtherTypesAreRefusedOrRun) {
  for_each_model([&](const std::string& folder, const Graph& graph, const auto& operands) {
    for (const GraphValueId id : operands) {
      for (const Type type : {Type::f32, Type::f64, Type::f16, Type::i8, Type::u8, Type::i32,
                              Type::i64, Type::boolean}) {
        Graph changed = graph;
        GraphValue& value = changed.values[static_cast<size_t>(id)];
        if (value.type == type) continue;
        const Extents shape = extents_of(value);
        value.type = type;
        if (value.constant) value.constant->type = type;
        set_shape(changed, id, shape);
        // Results have whatever types follow.
        for (GraphValue& other : changed.values) {
          const auto place = static_cast<GraphValueId>(&other - changed.values.data());
          const bool given = std::find(operands.begin(), operands.end(), place) != operands.end();
          if (!given && !other.constant) other.type = Type::none;
        }
        try_running(changed, folder + ", '" + value.name + "' is " + std::string(to_string(type)),
                    counts_);
      }
    }
  });
  said();
}

}  // namespace
}  // namespace burin::hostile_operands_test
