// What is left of residual networks: convolutions, pools and products with everything else inside
// them. No kernel moves data only, none is an activation or a normalisation of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "differential/support/emitted.h"
#include "pipeline.h"

namespace burin::structure_test {
namespace {

const std::string kTests = std::string(BURIN_SOURCE_DIR) + "/tests";

struct Network {
  const char* model;                // below tests/
  std::set<std::string> computing;  // operators of which each kernel holds exactly one
};

void PrintTo(const Network& network, std::ostream* out) { *out << network.model; }

class Structure : public testing::TestWithParam<Network> {
 protected:
  static std::vector<Kernel> kernels_of(const Network& network, const std::string& hardware) {
    CompileOptions options;
    options.model = kTests + "/" + network.model;
    const Compiled compiled = compile(options, project_hardware(hardware));
    std::vector<Kernel> kernels;
    for_each_kernel(compiled.plan.graph.steps,
                    [&](const Kernel& kernel) { kernels.push_back(kernel); });
    values_ = compiled.plan.graph.values;
    return kernels;
  }
  static inline std::vector<Value> values_;
};

std::multiset<std::string> operators_of(const Kernel& kernel) {
  std::multiset<std::string> out;
  for (const Origin& origin : kernel.origins) out.insert(origin.op);
  return out;
}

TEST_P(Structure, EveryKernelHoldsOneComputingOperator) {
  for (const char* hardware : {"cpp-generic", "x86-64-v4-vnni"}) {
    for (const Kernel& kernel : kernels_of(GetParam(), hardware)) {
      const std::multiset<std::string> held = operators_of(kernel);
      const auto computing = std::count_if(held.begin(), held.end(), [&](const std::string& op) {
        return GetParam().computing.contains(op);
      });
      EXPECT_EQ(computing, 1) << kernel.name;
      EXPECT_FALSE(kernel.lets.empty()) << kernel.name;
    }
  }
}

// A normalisation after a convolution is one multiplication and one addition per element: its four
// parameters have become two, computed while generating, and no root is left.
TEST_P(Structure, NormalisationsAreFolded) {
  for (const Kernel& kernel : kernels_of(GetParam(), "cpp-generic")) {
    if (!operators_of(kernel).contains("BatchNormalization")) continue;
    for (const Write& write : kernel.writes) {
      int divisions = 0, roots = 0;
      std::set<ValueId> vectors;
      visit(write.value, [&](const ExprNode& node) {
        if (node.kind == ExprKind::binary && node.binary() == Binary::div) ++divisions;
        if (node.kind == ExprKind::unary && node.unary() == Unary::sqrt) ++roots;
        if (node.kind != ExprKind::load) return;
        const Value& value = values_[static_cast<size_t>(node.id)];
        if (value.kind == ValueKind::constant && !value.shape.empty()) vectors.insert(node.id);
      });
      EXPECT_EQ(divisions, 0) << kernel.name;
      EXPECT_EQ(roots, 0) << kernel.name;
      EXPECT_LE(vectors.size(), 2U) << kernel.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Structure,
                         testing::Values(Network{"digits/digits.onnx",
                                                 {"Conv", "Gemm", "GlobalAveragePool", "Softmax"}},
                                         Network{"models/residual_blocks/model.onnx",
                                                 {"Conv", "Gemm", "GlobalAveragePool"}}));

}  // namespace
}  // namespace burin::structure_test
