// plan.json: every decision, one after the other, in an order that a small edit of the model does
// not move.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/json_text.h"
#include "backends/kernel_work.h"
#include "hardware/capabilities.h"
#include "kernel/layout.h"
#include "kernel/run_order.h"

namespace burin::cpp {
namespace {

class PlanText {
 public:
  PlanText(const ModelPlan& plan, const TreeNames& names, const KernelSet& kernels,
           const WeightsLayout& weights, size_t depth)
      : plan_(plan), names_(names), kernels_(kernels), weights_(weights), depth_(depth) {}

  Json json() const {
    Json out;
    out["format"] = 3;
    out["hardware"] = plan_.hardware.name;
    out["profile"] = name_of(plan_.profile);
    out["weights"] = plan_.weights == WeightsMode::blob ? "blob" : "embed";
    if (plan_.fast_math) out["fast_math"] = true;
    out["at"] = at();
    out["kernels"] = kernels();
    if (const Json list = procedures(); !list.empty()) out["procedures"] = list;
    PrintedMembers eliminated(depth_ + 1);
    for (const Eliminated& one : plan_.eliminated) {
      eliminated.add({{"name", one.node.node},
                      {"op", one.node.op},
                      {"why", one.folded ? "known" : "not needed"}});
    }
    out["eliminated"] = std::move(eliminated).list();
    out["layouts"] = Json::object();
    for (const auto& [tensor, layout] : plan_.layouts) add_member(out["layouts"], tensor, layout);
    for (const DeviceSize& one : plan_.sizes.sizes) {
      out["sizes"][one.symbol->name] =
          one.on_host.empty() ? "on the device" : "read by the host: " + one.on_host;
    }
    if (plan_.fp16.use != Fp16Use::off) out["fp16"] = fp16();
    if (plan_.groups.mode != ParallelFusion::off) out["parallel_fusion"] = parallel_fusion();
    if (!plan_.images.maps.empty()) out["images"] = images();
    out["memory"] = memory();
    if (has_device(plan_.hardware)) out["device"] = device_json(plan_, names_);
    out["constants"] = constants();
    return out;
  }

 private:
  const Value& value(ValueId id) const { return plan_.graph.values[static_cast<size_t>(id)]; }

  Json values(const std::vector<ValueId>& list) const {
    Json out = Json::array();
    for (const ValueId id : list) out.push_back(names_.value(id).text());
    return out;
  }

  // Of what is in the tree: a tensor may be gone, and a weight packed as floats.
  Json fp16() const {
    Json tensors = Json::array();
    for (const ValueId id : plan_.fp16.stored) {
      if (is_stored_fp16(plan_, weights_, id)) tensors.push_back(value(id).name);
    }
    const Fp16Weights bytes = fp16_weights(plan_, weights_);
    return {{"use", to_string(plan_.fp16.use)},
            {"tensors", tensors},
            {"weights_bytes", {{"f16", bytes.f16}, {"f32", bytes.f32}}},
            {"kernels", plan_.fp16.kernels.size()}};
  }

  Json kernels() const {
    PrintedMembers out(depth_ + 1);
    WorkMeter meter(plan_.graph, &plan_.kernels);
    int position = -1;
    for_each_step(plan_.graph.steps, [&](const Step& step) {
      ++position;
      if (const Kernel* kernel = std::get_if<Kernel>(&step))
        out.add(call(*kernel, step.id, position, meter));
    });
    return std::move(out).list();
  }

  // The sizes that figures are for, and those figures that are sums.
  Json at() const {
    Json out{{"sizes", Json::object()}};
    for (const Symbol& symbol : plan_.graph.symbols)
      add_member(out["sizes"], names_.symbol(symbol).text(), at_hints(Index::symbol(symbol)));
    const int64_t arena = evaluate(plan_.memory, plan_.memory.arena_bytes,
                                   [](const Symbol& one) { return at_hints(Index::symbol(one)); });
    out["arena_bytes"] = std::max<int64_t>(0, arena);
    return out;
  }

  static Json nodes(const Origins& origins) {
    Json out = Json::array();
    for (const Origin& origin : origins) out.push_back({{"name", origin.node}, {"op", origin.op}});
    return out;
  }

  Json procedures() const {
    Json out = Json::array();
    int position = -1;
    for_each_step(plan_.graph.steps, [&](const Step& step) {
      ++position;
      const Procedure* procedure = std::get_if<Procedure>(&step);
      if (!procedure) return;
      out.push_back({{"step", position},
                     {"function", procedure->function},
                     {"nodes", nodes(procedure->origins)},
                     {"reads", values(reads_of(step))},
                     {"writes", values(writes_of(step))}});
    });
    return out;
  }

  Json call(const Kernel& kernel, StepId step, int position, WorkMeter& meter) const {
    const KernelSchedule& schedule = plan_.kernels.at(step);
    const bool is_view = plan_.memory.dropped.contains(step);
    Json out;
    out["step"] = position;
    out["kernel"] = is_view ? Json(nullptr) : Json(kernels_.kernel_at(step).name.text());
    if (!is_view && has_device(plan_.hardware)) {
      out["launches"] = Json::array();
      for (const KernelCall& one : kernels_.calls.at(step))
        out["launches"].push_back(kernels_.kernels[one.kernel].name.text());
    }
    out["nodes"] = nodes(kernel.origins);
    out["reads"] = values(reads_of(kernel));
    out["writes"] = values(writes_of(kernel));
    out["key"] = plan_.kernel_keys.at(step);
    out["verbs"] = Json::array();
    for (const Verb& verb : schedule.verbs) out["verbs"].push_back(to_string(verb));
    if (is_view) return out;
    if (const ThreadGroup* const group = plan_.thread_groups.group_of(step)) {
      for (const StepId other : group->steps) {
        if (other != step) out["beside"].push_back(positions_.at(other));
      }
    }
    if (plan_.tuning && plan_.tuning->tuned.contains(step))
      out["tuned"] = plan_.tuning->tuned.at(step);
    const KernelWork work = meter.of(kernel);
    out["macs"] = work.macs;
    out["least_cycles"] = work.least_cycles(plan_.hardware);
    out["family"] = schedule.family;
    out["reason"] = schedule.reason;
    out["index_bits"] = schedule.index_bits;
    out["scratch_bytes"] = size_json(schedule.scratch_bytes, names_);
    return out;
  }

  Json parallel_fusion() const {
    const LaunchGroups& groups = plan_.groups;
    Json out{{"mode", to_string(groups.mode)}, {"groups", Json::array()}};
    for (const LaunchGroup& group : groups.groups) {
      Json launches = Json::array();
      for (const JointLaunch& launch : group.launches) {
        Json members = Json::array();
        for (const LaunchMember& member : launch.members)
          members.push_back({{"step", positions_.at(member.step)},
                             {"launch", member.launch},
                             {"work_groups", size_json(member.groups, names_)}});
        launches.push_back({{"work_items", launch.items}, {"members", members}});
      }
      Json steps = Json::array();
      for (const StepId step : group.steps) steps.push_back(positions_.at(step));
      out["groups"].push_back({{"steps", steps}, {"launches", launches}});
    }
    out["decisions"] = Json::array();
    for (const LaunchDecision& decision : groups.decisions) {
      out["decisions"].push_back({{"kernel", decision.kernel},
                                  {"beside", decision.beside},
                                  {"joint", decision.joint},
                                  {"reason", reason_of(decision)}});
    }
    return out;
  }

  // Tensors that are images, and why others are not.
  Json images() const {
    Json out{{"mode", std::string(to_string(plan_.images.use))}, {"pool", Json::array()}};
    for (const ImageSlot& slot : plan_.image_pool.slots)
      out["pool"].push_back({{"components", std::string(to_string(slot.type))},
                             {"width", size_json(slot.width, names_)},
                             {"height", size_json(slot.height, names_)}});
    out["tensors"] = Json::object();
    for (const ImageDecision& one : plan_.images.decisions) {
      Json tensor{{"reason", one.reason}};
      if (one.image) {
        tensor["map"] = to_string(plan_.images.maps.at(one.value));
        tensor["image"] = image_number(plan_, one.value);
      }
      add_member(out["tensors"], names_.value(one.value).text(), std::move(tensor));
    }
    return out;
  }

  Json memory() const {
    const MemoryPlan& memory = plan_.memory;
    Json out;
    out["bytes"] = size_json(memory.arena_bytes, names_);
    out["lower_bound"] = size_json(memory.lower_bound, names_);
    out["without_sharing"] = size_json(memory.naive_bytes, names_);
    out["optimal"] = memory.optimal;
    out["method"] = memory.method;
    out["alignment"] = memory.alignment;
    out["named"] = Json::object();
    for (const NamedSize& size : memory.named)
      add_member(out["named"], names_.symbol(size.symbol).text(), size_json(size.value, names_));
    PrintedMembers values(depth_ + 2);
    for (size_t i = 0; i < memory.values.size(); ++i) {
      const Placement& place = memory.values[i];
      if (place.sharing == Sharing::none) continue;
      Json one{{"offset", size_json(place.offset, names_)},
               {"bytes", size_json(place.bytes, names_)},
               {"sharing", std::string(to_string(place.sharing))}};
      if (!place.live.empty()) one["steps"] = {place.live.front().first, place.live.back().last};
      if (place.base != kNoValue) one["base"] = names_.value(place.base).text();
      if (place.root != kNoValue) one["inside"] = names_.value(place.root).text();
      values.add(names_.value(static_cast<ValueId>(i)).text(), one);
    }
    out["values"] = std::move(values).object();
    PrintedMembers scratches(depth_ + 2);
    for (const ScratchPlacement& scratch : memory.scratch) {
      scratches.add({{"step", positions_.at(scratch.step)},
                     {"offset", size_json(scratch.offset, names_)},
                     {"bytes", size_json(scratch.bytes, names_)},
                     {"stride", size_json(scratch.stride, names_)},
                     {"workers", size_json(scratch.workers, names_)}});
    }
    out["scratch"] = std::move(scratches).list();
    return out;
  }

  Json constants() const {
    Json out = Json::object();
    for (const auto& [id, offset] : weights_.offsets) {
      add_member(out, names_.value(id).text(),
                 {{"offset", offset},
                  {"bytes", value(id).constant.bytes},
                  {"layout", to_string(value(id).layout)}});
    }
    return out;
  }

  const ModelPlan& plan_;
  const Positions positions_{plan_.graph};
  const TreeNames& names_;
  const KernelSet& kernels_;
  const WeightsLayout& weights_;
  size_t depth_;  // of values around it
};

}  // namespace

void emit_plan(const std::vector<Network>& networks, SourceTree& tree) {
  const auto json_of = [](const Network& one, size_t depth) {
    return PlanText(*one.plan, one.names, one.kernels, one.weights, depth).json();
  };
  Json json = json_of(networks.back(), 0);
  for (size_t i = 0; i + 1 < networks.size(); ++i)
    json["models"][networks[i].names.model.text()] = json_of(networks[i], 2);
  tree.add_data("plan.json", dump(json), "plan");
}

}  // namespace burin::cpp
