// What Switch and Combine may ask and say, and how a node finds the paths that it stands on.
#include <algorithm>

#include "lower/engine.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

bool takes_paths(const OpDef& def) {
  return std::any_of(def.inputs.begin(), def.inputs.end(), [](const Formal& formal) {
    return (formal.types.bits & types::path.bits) != 0;
  });
}

Path common_prefix(const Path& a, const Path& b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return Path(a.begin(), end);
}

}  // namespace

PathContext& paths_of(OpContext& op) { return dynamic_cast<PathContext&>(op); }

std::optional<Path> Engine::enter_paths(const Node& node, const OpDef& def) {
  const std::vector<GraphValueId> reads = reads_of(node);
  const bool joins = takes_paths(def);
  std::optional<Path> path;
  if (!joins) {
    path = paths_.of_reader(reads);
  } else {
    for (const GraphValueId id : reads) {
      const std::optional<Path> one = paths_.of(id);
      if (one) path = path ? common_prefix(*path, *one) : *one;
    }
    if (!path) refuse("dynamic-value", "none of the paths runs, whatever the inputs are");
  }
  if (!path) {
    for (const GraphValueId id : node.outputs) {
      if (id != kAbsent) paths_.never(id);
    }
    return std::nullopt;
  }
  for (const GraphValueId id : reads) {
    const std::optional<Path> needs = paths_.of(id);
    if (!needs) continue;
    paths_.settle_for(id, *steps_);
    paths_.check_open(id, joins ? *needs : *path);
  }
  return path;
}

void Engine::finish_paths(const Block& block, Steps& steps) {
  for (const GraphValueId id : block.outputs) {
    if (refused_[static_cast<size_t>(id)]) continue;
    const std::optional<Path> needs = paths_.of(id);
    if (needs && needs->empty()) continue;
    located({.node = "result " + quoted(graph_.values[static_cast<size_t>(id)].name)}, [] {
      refuse("dynamic-value", "it lies on a path of a Switch that need not run",
             "give it to a Combine together with what the other paths give");
    });
  }
  paths_.settle_all(steps);
}

void NodeContext::route(const Operand& predicate, PathForm form) {
  routes_ = true;
  fork_ = engine_.paths_.fork({predicate, form, output_count(), false, {origin()}});
}

void NodeContext::route_known(const std::vector<bool>& runs) {
  routes_ = true;
  runs_ = runs;
}

Path NodeContext::path_of(const Arm& arm) const {
  return *engine_.paths_.of(node_.inputs[static_cast<size_t>(arm.input)]);
}

std::vector<PathContext::Arm> NodeContext::arms() const {
  routes_ = true;
  std::vector<Arm> arms;
  for (int i = 0; i < input_count(); ++i) {
    const std::optional<Path> needs = engine_.paths_.of(node_.inputs[static_cast<size_t>(i)]);
    if (!needs) continue;
    if (needs->size() > path_.size() + 1) {
      refuse("unsupported-feature", "operand " + std::to_string(i) + " is on a path inside a path",
             "combine the inner paths first");
    }
    Arm arm{i, input(i), Expr::boolean(true), needs->size() == path_.size()};
    if (!arm.always) {
      const auto [number, path] = needs->back();
      const Paths::Fork& fork = engine_.paths_.at(number);
      arm.runs = runs(fork.form, fork.predicate, path);
    }
    arms.push_back(std::move(arm));
  }
  return arms;
}

bool NodeContext::alternatives() const {
  std::vector<int> paths;
  int fork = -1;
  for (const Arm& arm : arms()) {
    if (arm.always) return false;
    const auto [number, path] = path_of(arm).back();
    if (fork >= 0 && number != fork) return false;
    fork = number;
    paths.push_back(path);
  }
  if (fork < 0 || !engine_.paths_.at(fork).exclusive()) return false;
  std::sort(paths.begin(), paths.end());
  const bool distinct = std::adjacent_find(paths.begin(), paths.end()) == paths.end();
  return distinct && static_cast<int>(paths.size()) == engine_.paths_.at(fork).count;
}

bool NodeContext::certain() const {
  const std::vector<Arm> all = arms();
  if (std::any_of(all.begin(), all.end(), [](const Arm& arm) { return arm.always; })) return true;
  return alternatives() && engine_.paths_.at(path_of(all[0]).back().first).form == PathForm::flag;
}

void NodeContext::in_arm(const Arm& arm, const std::function<void()>& body) {
  if (arm.always) return body();
  collect(engine_.paths_.steps(path_of(arm), *engine_.steps_), body);
}

void NodeContext::place_routed() {
  const GraphValueId data = node_.inputs[0];
  for (int i = 0; i < output_count(); ++i) {
    if (!has_output(i)) continue;
    const GraphValueId id = node_.outputs[static_cast<size_t>(i)];
    Path needs = path_;
    if (fork_ < 0) {
      if (!runs_[static_cast<size_t>(i)]) {
        engine_.paths_.never(id);
        continue;
      }
    } else {
      const bool exclusive = engine_.paths_.at(fork_).exclusive();
      const bool elsewhere = std::any_of(needs.begin(), needs.end(), [&](const auto& taken) {
        return exclusive && taken.first == fork_ && taken.second != i;
      });
      if (elsewhere) {
        engine_.paths_.never(id);
        continue;
      }
      const std::pair<int, int> here(fork_, i);
      const auto at = std::lower_bound(needs.begin(), needs.end(), here);
      if (at == needs.end() || *at != here) needs.insert(at, here);
    }
    engine_.paths_.place(id, std::move(needs), engine_.paths_.made(data));
  }
}

void NodeContext::place_outputs() {
  if (fork_ >= 0 || !runs_.empty()) return place_routed();
  std::set<int> forks;
  if (routes_) {
    for (const Arm& arm : arms()) {
      if (!arm.always) forks.insert(path_of(arm).back().first);
    }
    // The check that one of them runs stands before all of them.
    if (alternatives()) engine_.paths_.at(*forks.begin()).closed = true;
  }
  for (const GraphValueId id : node_.outputs) {
    if (id == kAbsent) continue;
    engine_.paths_.place(id, path_, path_);
    engine_.paths_.join(id, path_, forks);
  }
}

}  // namespace burin
