#include "several.h"

#include <algorithm>

#include "backends/cpp/names.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Of import: its name in a tree, and which of the bindings it took.
struct Found {
  std::string name;
  std::vector<std::string> others;  // names of bindings that are no dimensions of its inputs
};

Found look_into(const CompileOptions& options) {
  OtherDims others;
  const Graph graph = import_model(options.model, options.import, &others);
  Found found{cpp::tree_name(default_name(options, graph)).text(), {}};
  for (const DimBinding& binding : others.bindings) found.others.push_back(binding.name);
  return found;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "model/size" for the model, else whom the name means; a name that no input has may be that of a
// dynamic size of any of them: all get it.
void give_dims(const std::vector<Found>& found, std::vector<CompileOptions>& models) {
  const std::vector<DimBinding> all = models[0].import.dims;
  for (CompileOptions& one : models) one.import.dims.clear();
  for (const DimBinding& binding : all) {
    const size_t cut = binding.name.find('/');
    const std::string owner = binding.name.substr(0, cut);
    const bool owned = cut != std::string::npos &&
                       std::any_of(found.begin(), found.end(),
                                   [&](const Found& one) { return one.name == owner; });
    const bool taken = std::any_of(found.begin(), found.end(), [&](const Found& one) {
      return !has(one.others, binding.name);
    });
    for (size_t i = 0; i < models.size(); ++i) {
      DimBinding own = binding;
      if (owned) own.name = binding.name.substr(cut + 1);
      own.of_any = !owned && !taken;
      if (owned ? found[i].name == owner : !taken || !has(found[i].others, binding.name))
        models[i].import.dims.push_back(own);
    }
  }
}

// Whoever has the size has taken it by now.
void refuse_dims_of_none(const Several& several) {
  for (const DimBinding& binding : several.options[0].import.dims) {
    if (!binding.of_any) continue;
    bool found = false;
    std::vector<std::string> known;
    for (size_t i = 0; i < several.models.size(); ++i) {
      const std::vector<std::string>& sizes = several.models[i].run_sizes;
      found = found || has(sizes, binding.name);
      for (const std::string& one : sizes) known.push_back(several.options[i].name + "/" + one);
    }
    if (found) continue;
    std::string list;
    for (const std::string& one : known) list += (list.empty() ? "" : ", ") + quoted(one);
    refuse("symbol", "no model has a dimension named " + quoted(binding.name),
           list.empty() ? "" : "dynamic sizes: " + list);
  }
}

std::string name_of_all(const std::vector<Found>& found) {
  std::string name;
  for (const Found& one : found) name += (name.empty() ? "" : "_") + one.name;
  if (!cpp::is_tree_name(name))
    refuse("name-collision",
           "the names of the models in a row, " + quoted(name) + ", cannot name a tree",
           "give it one with --name");
  return name;
}

}  // namespace

SampleRun Several::joint_run(const std::vector<SampleRun>& runs) const {
  SampleRun out;
  for (size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [name, size] : runs[i].sizes) out.sizes[options[i].name + "." + name] = size;
    for (const auto& [place, drawn] : runs[i].drawn)
      out.drawn.emplace(out.inputs.size() + place, drawn);
    out.inputs.insert(out.inputs.end(), runs[i].inputs.begin(), runs[i].inputs.end());
    out.outputs.insert(out.outputs.end(), runs[i].outputs.begin(), runs[i].outputs.end());
    out.most_off.insert(out.most_off.end(), runs[i].most_off.begin(), runs[i].most_off.end());
  }
  return out;
}

SelfTest joint_self_test(const Several& several) {
  SelfTest out;
  size_t count = 0;
  for (const Compiled& one : several.models) {
    const SelfTest& own = one.plan.self_test;
    out.absolute.insert(out.absolute.end(), own.absolute.begin(), own.absolute.end());
    out.relative.insert(out.relative.end(), own.relative.begin(), own.relative.end());
    count = std::max(count, own.runs.size());
    if (own.runs.empty() && out.origin.empty())
      out.origin = "no sample vectors: " + quoted(one.plan.name) + " has none";
  }
  if (!out.origin.empty()) return out;
  out.origin = "inputs and results are those of the models";
  for (size_t k = 0; k < count; ++k) {
    std::vector<SampleRun> runs;
    for (const Compiled& one : several.models) {
      const std::vector<SampleRun>& own = one.plan.self_test.runs;
      runs.push_back(own[k % own.size()]);
    }
    out.runs.push_back(several.joint_run(runs));
  }
  return out;
}

Several compile_several(std::vector<CompileOptions> models, const CompileOptions& joint,
                        const Hardware& hardware) {
  Several out;
  std::vector<Found> found;
  for (const CompileOptions& one : models) found.push_back(look_into(one));
  give_dims(found, models);
  out.joint_options = joint;
  std::string& name = out.joint_options.name;
  if (name.empty()) name = name_of_all(found);
  std::vector<std::string> names;
  for (const Found& one : found) names.push_back(one.name);
  names.push_back(name);
  cpp::refuse_name_collisions(names);
  for (size_t i = 0; i < models.size(); ++i) {
    models[i].name = found[i].name;
    out.joint_options.parts.push_back({models[i].model, models[i].name, models[i].import});
    out.models.push_back(compile(models[i], hardware));
  }
  out.options = std::move(models);
  refuse_dims_of_none(out);
  out.joint = compile(out.joint_options, hardware);
  // One file of weights, or none.
  for (Compiled& one : out.models) one.plan.weights = out.joint.plan.weights;
  return out;
}

}  // namespace burin
