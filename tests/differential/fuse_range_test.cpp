// What fusing may change of floats: whole networks with inputs over the whole range of the type,
// before and after. A rewrite either changes no bit, which is seen here, or stands in kElsewhere
// with the test that holds it to what it states.
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "differential/support/emitted.h"
#include "differential/support/onnx_case.h"
#include "fuse/rewrites.h"
#include "kernel/tensor.h"
#include "report/data_set.h"
#include "select/fuse_options.h"

namespace burin::fuse_range_test {
namespace {

const std::string kModels = std::string(BURIN_SOURCE_DIR) + "/tests/models";

// Rewrites that may round otherwise (generator/fuse/algebra/README.md), or that no network here
// has, and the tests that hold them to what they state.
struct Elsewhere {
  const char* name;
  const char* held_by;
};
const Elsewhere kElsewhere[] = {{"scales", "FoldScaleRange"},
                                {"attention", "AttentionRange"},
                                {"fp16-weights", "AttentionWeights"},
                                {"integers", "DequantisedRange"},
                                {"signs", "Signs"},
                                {"associative", "FloatOrder"},
                                {"distributive", "FloatOrder"},
                                {"repeats", "RepeatedValues"},
                                {"chains", "Chain"},
                                {"stored-bytes", "StoredBytes"}};

const InterpretOptions kBudget = {.operations = 20'000'000};

// Numbers of one tensor: any bits; one magnitude of all that there are; far apart; as usual.
class Numbers {
 public:
  Numbers(uint32_t seed, int how)
      : source_(seed), how_(how), exponent_(static_cast<int>(source_() % 200) - 100) {}

  double next(Type type) {
    const double plain = static_cast<double>(source_() % 200001) / 50000 - 2;
    switch (how_) {
      case 0:
        return type == Type::f64
                   ? std::bit_cast<double>(uint64_t{source_()} << 32 | uint64_t{source_()})
                   : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(source_())));
      case 1:
        return std::ldexp(plain, exponent_);
      case 2:
        return std::ldexp(plain, source_() % 4 == 0 ? 30 : static_cast<int>(source_() % 8) - 4);
      default:
        return plain;
    }
  }

 private:
  std::mt19937 source_;
  int how_, exponent_;
};

bool has_halves(const KernelGraph& graph) {
  return std::any_of(graph.values.begin(), graph.values.end(), [](const Value& value) {
    return is_float(value.type) && value.type != Type::f32 && value.type != Type::f64;
  });
}

// The floats of a data set drawn anew.
std::vector<HostTensor> drawn(const std::vector<HostTensor>& data, uint32_t seed, int how) {
  std::vector<HostTensor> out = data;
  for (HostTensor& tensor : out) {
    if (!is_float(tensor.type)) continue;
    Numbers numbers(++seed * 7919, how);
    for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, {numbers.next(tensor.type), 0});
  }
  return out;
}

// The first element that is another one; a zero has no sign here.
std::string difference(const RunResult& a, const RunResult& b) {
  if (a.status != b.status) return a.message + " became " + b.message;
  for (size_t k = 0; a.status == kRunOk && k < a.outputs.size(); ++k) {
    if (a.outputs[k].shape != b.outputs[k].shape) return "another shape";
    for (int64_t i = 0; i < a.outputs[k].elements(); ++i) {
      const ScalarValue x = a.outputs[k].get(i), y = b.outputs[k].get(i);
      const bool same = is_float(compute_type(a.outputs[k].type))
                            ? x.number == y.number || (std::isnan(x.number) && std::isnan(y.number))
                            : x.integer == y.integer;
      if (!same)
        return "output " + std::to_string(k) + ", element " + std::to_string(i) + ": " +
               std::to_string(x.number) + " became " + std::to_string(y.number);
    }
  }
  return {};
}

FuseOptions exact_options(const std::string& hardware) {
  FuseOptions options = fuse_options({}, project_hardware(hardware), true);
  for (const FuseSwitch& one : fuse_switches()) {
    for (const Elsewhere& other : kElsewhere)
      if (std::string_view(one.name) == other.name) options.*one.on = false;
  }
  return options;
}

// A test model whose floats are f32 or f64, and the data that it comes with.
struct Network {
  std::string folder;
  KernelGraph graph;
  std::vector<HostTensor> data;
  std::map<std::string, int64_t> sizes;
};

std::vector<Network> networks() {
  std::vector<Network> out;
  for (const std::string& folder : find_cases(kModels)) {
    std::optional<Lowered> lowered = lower_onnx_case(folder, false);
    const std::vector<std::string> sets = data_sets_of(folder);
    if (!lowered || has_halves(lowered->graph) || sets.empty()) continue;
    Network one{folder, std::move(lowered->graph), {}, {}};
    std::vector<std::vector<int64_t>> shapes;
    for (const auto& input : read_data_set(sets[0], folder + "/model.onnx").inputs) {
      if (!input || !input->tensor.strings.empty()) continue;
      const Tensor& tensor = input->tensor;
      one.data.push_back(to_tensor(tensor.type, tensor.shape, tensor.content));
      shapes.push_back(tensor.shape);
    }
    if (shapes.size() != one.graph.inputs.size()) continue;
    one.sizes = bind_symbols(one.graph, shapes);
    out.push_back(std::move(one));
  }
  return out;
}

// Both on numbers of every kind; returns how many runs there were.
int expect_same_bits(const Network& network, const KernelGraph& before, const KernelGraph& after,
                     const std::string& where) {
  int runs = 0;
  for (int how = 0; how < 4; ++how) {
    const auto seed =
        static_cast<uint32_t>(network.folder.size() * 131) + static_cast<uint32_t>(how);
    const std::vector<HostTensor> inputs = drawn(network.data, seed, how);
    // Where the data are sizes or numbers of trips, a run may never end.
    const RunResult wanted = interpret(before, inputs, network.sizes, kBudget);
    if (wanted.status == kRunOverBudget) continue;
    ++runs;
    EXPECT_EQ(difference(wanted, interpret(after, inputs, network.sizes)), "")
        << network.folder << " on " << where << ", numbers " << how;
  }
  return runs;
}

TEST(FuseRange, WhatIsNotHeldElsewhereChangesNoBit) {
  std::set<std::string> unseen;  // rewrites that no network has met
  for (const FuseSwitch& one : fuse_switches()) unseen.insert(one.name);
  for (const Elsewhere& one : kElsewhere) EXPECT_EQ(unseen.erase(one.name), 1u) << one.name;
  int runs = 0;
  for (const Network& network : networks()) {
    for (const char* hardware : {"cpp-generic", "x86-64-v4-vnni", "hexagon-v66"}) {
      const FuseOptions options = exact_options(hardware);
      const KernelGraph fused = fuse(network.graph, options);
      const std::string text = to_string(fused);
      for (const FuseSwitch& one : fuse_switches()) {
        if (unseen.count(one.name) == 0) continue;
        FuseOptions off = options;
        off.*one.on = false;
        if (to_string(fuse(network.graph, off)) != text) unseen.erase(one.name);
      }
      runs += expect_same_bits(network, network.graph, fused, hardware);
    }
  }
  EXPECT_GT(runs, 2000);
  std::string missing;
  for (const std::string& one : unseen) missing += one + " ";
  EXPECT_EQ(missing, "");
}

TEST(FuseRange, WhatHoldsTheOthersIsThere) {
  std::string tests;
  for (const auto& file : std::filesystem::directory_iterator(BURIN_SOURCE_DIR "/tests/passes")) {
    if (!file.is_regular_file()) continue;
    std::ifstream in(file.path(), std::ios::binary);
    tests.append(std::istreambuf_iterator<char>(in), {});
  }
  for (const Elsewhere& one : kElsewhere)
    EXPECT_NE(tests.find("(" + std::string(one.held_by) + ","), std::string::npos) << one.held_by;
}

}  // namespace
}  // namespace burin::fuse_range_test
