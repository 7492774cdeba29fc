#include "backends/cpp/network.h"

#include "backends/cpp/emit_cpp.h"

namespace burin::cpp {
namespace {

// Names, places and weights: everything but kernels.
std::vector<Network> without_kernels(const ModelPlan& own,
                                     const std::vector<const ModelPlan*>& models) {
  std::vector<Network> out;
  for (const ModelPlan* plan : models) out.push_back({plan, name_everything(*plan), {}, {}});
  out.push_back({&own, name_everything(own), {}, {}});
  const TreePlaces tree = out.back().names.places;
  out.back().weights = lay_out_joint_weights(own, models);
  for (size_t i = 0; i < models.size(); ++i) {
    const ContainedWeights& weights = out.back().weights.contained[i];
    out[i].weights = *weights.layout;
    TreePlaces& places = out[i].names.places;
    places.tree = tree.tree;
    places.weights = tree.weights;
    places.weights_offset = kWeightsHeaderBytes + weights.start;
    places.number = static_cast<int>(i) + 1;
    places.report = "REPORT-" + out[i].names.model.text() + ".md";
  }
  for (Network& one : out) {
    one.names.places.weights_bytes = weights_file_bytes(one.weights);
    if (!models.empty()) one.names.places.test += one.names.model.text() + "/";
  }
  return out;
}

}  // namespace

std::vector<Network> networks_of(const ModelPlan& own, const std::vector<const ModelPlan*>& models,
                                 const std::function<PlanUnits(const ModelPlan&)>& units) {
  std::vector<Network> out = without_kernels(own, models);
  std::vector<PlanUnits> printed;
  for (const Network& one : out) printed.push_back(units(*one.plan));
  std::vector<KernelSet> sets = distinct_kernels(printed);
  for (size_t i = 0; i < out.size(); ++i) out[i].kernels = std::move(sets[i]);
  return out;
}

std::vector<TreePlaces> places_of(const ModelPlan& own,
                                  const std::vector<const ModelPlan*>& models) {
  std::vector<TreePlaces> out;
  for (const Network& one : without_kernels(own, models)) out.push_back(one.names.places);
  return out;
}

KernelSet all_kernels(const std::vector<Network>& networks) {
  std::vector<KernelSet> sets;
  for (const Network& network : networks) sets.push_back(network.kernels);
  return all_kernels(sets);
}

}  // namespace burin::cpp
