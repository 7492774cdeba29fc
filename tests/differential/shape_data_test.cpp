// What lowering says about sizes while they are symbols (SoD2 4.1), against shapes that others have
// found: those of the ONNX project's output data, and of the tensors between that its models
// declare. Every extent of the inputs is a symbol, nothing that the file says about other shapes is
// seen; the sizes of the data are put in afterwards.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "differential/support/emitted.h"
#include "differential/support/onnx_case.h"
#include "differential/support/sizes.h"
#include "kernel/interpreter/interpreter.h"
#include "report/data_set.h"
#include "support/diagnostics.h"
#include "verify/read_case.h"

namespace burin::shape_data_test {
namespace {

constexpr int kLeastExact = 2800;   // dimensions of outputs that are known before the run
constexpr int kLeastBounded = 120;  // that the run finds, within bounds
constexpr int kLeastBetween = 3;    // of tensors that are no outputs
// Cases whose data are not for their model: four of CastLike, with an input of another rank, and a
// sequence of an empty tensor.
constexpr int kMostUnusable = 5;

struct Counts {
  int models = 0;
  Extents outputs, between;
};

// The sizes of the symbols, from the shapes of the inputs; those whose contents were held are gone.
std::optional<Sizes> sizes_of(const Graph& graph, const KernelGraph& lowered, const DataSet& set) {
  std::map<std::string, std::vector<int64_t>> given;
  for (size_t k = 0; k < graph.block.inputs.size() && k < set.inputs.size(); ++k) {
    if (!set.inputs[k]) continue;
    const Tensor& tensor = set.inputs[k]->tensor;
    std::vector<int64_t>& shape =
        given[graph.values[static_cast<size_t>(graph.block.inputs[k])].name] = tensor.shape;
    if (tensor.type == Type::string) shape.push_back(LowerOptions{}.string_bytes);
  }
  std::vector<std::vector<int64_t>> shapes;
  for (const ValueId id : lowered.inputs) {
    const auto found = given.find(lowered.values[static_cast<size_t>(id)].name);
    if (found == given.end()) return std::nullopt;
    shapes.push_back(found->second);
  }
  return bind_symbols(lowered, shapes);
}

// What the file says of the shapes of tensors that are neither inputs nor outputs, as numbers.
std::map<std::string, std::vector<int64_t>> declared_between(const Graph& graph) {
  std::map<std::string, std::vector<int64_t>> out;
  for (const GraphValue& value : graph.values) {
    if (!value.shape || value.constant) continue;
    std::vector<int64_t> shape;
    for (const Dim& dim : *value.shape) {
      if (dim.is_constant()) shape.push_back(dim.constant());
    }
    if (shape.size() == value.shape->size()) out[value.name] = shape;
  }
  for (const GraphValueId id : graph.block.inputs)
    out.erase(graph.values[static_cast<size_t>(id)].name);
  for (const GraphValueId id : graph.block.outputs)
    out.erase(graph.values[static_cast<size_t>(id)].name);
  return out;
}

void compare_case(const std::string& folder, Counts& counts) {
  SCOPED_TRACE(folder);
  std::optional<Lowered> open = lower_onnx_case(folder, true);
  if (!open) open = lower_onnx_case(folder, false);
  if (!open) return;
  const Graph graph = import_case(folder);
  const KernelGraph& kernels = open->graph;
  bool compared = false;
  for (const std::string& path : data_sets_of(folder)) {
    const DataSet set = read_data_set(path, folder + "/model.onnx");
    const std::optional<Sizes> sizes = sizes_of(graph, kernels, set);
    if (!sizes) continue;
    const std::vector<std::optional<HostTensor>> wanted =
        read_outputs(kernels, open->packed_outputs, set, *sizes);
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (!wanted[k]) continue;
      const Value& value = kernels.values[static_cast<size_t>(kernels.outputs[k])];
      expect_extents(value.name, value.shape, ranges_of(wanted[k]->shape), *sizes, counts.outputs);
      compared = true;
    }
    const auto between = declared_between(graph);
    std::map<std::string, int> uses;
    for (const Value& value : kernels.values) ++uses[value.name];
    for (const Value& value : kernels.values) {
      const auto said = between.find(value.name);
      if (said == between.end() || uses[value.name] > 1 || value.kind != ValueKind::internal)
        continue;
      expect_extents(value.name, value.shape, ranges_of(said->second), *sizes, counts.between);
    }
  }
  counts.models += compared ? 1 : 0;
}

TEST(ShapeData, InferredShapesAreThoseOfTheData) {
  Counts counts;
  int unusable = 0;
  for (const std::string& folder : onnx_cases()) {
    try {
      compare_case(folder, counts);
    } catch (const Refused& refused) {
      std::cout << folder << ": " << refused.what() << "\n";
      ++unusable;
    }
  }
  std::cout << counts.models << " models, " << counts.outputs.exact << " dimensions of outputs, "
            << counts.outputs.bounded << " that the run finds, "
            << counts.between.exact + counts.between.bounded << " of tensors between\n";
  EXPECT_LE(unusable, kMostUnusable);
  EXPECT_GE(counts.outputs.exact, kLeastExact);
  EXPECT_GE(counts.outputs.bounded, kLeastBounded);
  EXPECT_GE(counts.between.exact + counts.between.bounded, kLeastBetween);
}

}  // namespace
}  // namespace burin::shape_data_test
