#include "backends/cpp/weights.h"

#include <algorithm>
#include <string>

#include "runtime_min/crc32.h"
#include "support/mapped_pages.h"

namespace burin::cpp {
namespace {

// As texels, where it is an image.
const Constant& constant_of(const ModelPlan& plan, ValueId id) {
  const auto image = plan.image_constants.find(id);
  return image != plan.image_constants.end() ? image->second
                                             : plan.graph.values[static_cast<size_t>(id)].constant;
}

std::string_view bytes_of(const Constant& constant) {
  return {reinterpret_cast<const char*>(constant.data), constant.bytes};
}

void stream_file(const ModelPlan& plan, const WeightsLayout& layout, const ByteSink& sink);

void stream_payload(const ModelPlan& plan, const WeightsLayout& layout, const ByteSink& sink) {
  int64_t at = 0;
  for (const ContainedWeights& one : layout.contained) {
    if (one.start < at) continue;  // the same bytes as an earlier one
    stream_file(*one.plan, *one.layout, sink);
    at = one.start + weights_file_bytes(*one.layout);
  }
  for (const ValueId id : layout.order) {
    const int64_t offset = layout.offsets.at(id);
    sink(std::string(static_cast<size_t>(offset - at), '\0'));
    const Constant& constant = constant_of(plan, id);
    const std::string_view bytes = bytes_of(constant);
    sink(bytes);
    forget_pages(bytes.data(), bytes.size(), constant.owner);
    at = offset + static_cast<int64_t>(bytes.size());
  }
  sink(std::string(static_cast<size_t>(layout.payload_bytes - at), '\0'));
}

std::string header_of(const WeightsLayout& layout) {
  std::string header = "BURINWT1";
  const auto put = [&](uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) header += static_cast<char>(number >> (8 * i) & 0xff);
  };
  put(static_cast<uint64_t>(layout.payload_bytes), 8);
  put(layout.crc, 4);
  header.resize(static_cast<size_t>(kWeightsHeaderBytes), '\0');
  return header;
}

void stream_file(const ModelPlan& plan, const WeightsLayout& layout, const ByteSink& sink) {
  sink(header_of(layout));
  stream_payload(plan, layout, sink);
}

using KnownBytes = std::map<std::string_view, int64_t>;  // views into constants; where they lie

// Adds what the steps of a plan read and `known` does not have, images last, and says how long it
// all is.
void add_constants(const ModelPlan& plan, KnownBytes& known, WeightsLayout& layout) {
  bool images = false;
  const auto add = [&](ValueId id) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    if (value.kind != ValueKind::constant || layout.offsets.contains(id)) return;
    if (plan.image_constants.contains(id) != images) return;
    const Constant& constant = constant_of(plan, id);
    const auto [same, fresh] = known.emplace(bytes_of(constant), layout.payload_bytes);
    layout.offsets[id] = same->second;
    if (!fresh) return;
    layout.order.push_back(id);
    const int64_t end = layout.payload_bytes + static_cast<int64_t>(constant.bytes);
    layout.payload_bytes = (end + kWeightsAlign - 1) / kWeightsAlign * kWeightsAlign;
  };
  for_each_step(plan.graph.steps, [&](const Step& step) {
    if (std::holds_alternative<std::shared_ptr<Loop>>(step) ||
        std::holds_alternative<std::shared_ptr<If>>(step))
      return;
    for (const ValueId id : reads_of(step)) add(id);
  });
  const auto add_all = [&] {
    for_each_step(plan.graph.steps, [&](const Step& step) {
      for (const ValueId id : reads_of(step)) add(id);
    });
  };
  add_all();
  layout.array_bytes = layout.payload_bytes;
  images = true;
  add_all();
  stream_payload(plan, layout, [&](std::string_view bytes) {
    layout.crc = burin_rt::crc32(bytes.data(), bytes.size(), layout.crc);
  });
}

bool equal_files(const ContainedWeights& a, const ContainedWeights& b) {
  if (a.layout->crc != b.layout->crc || a.layout->payload_bytes != b.layout->payload_bytes ||
      a.layout->order.size() != b.layout->order.size())
    return false;
  for (size_t i = 0; i < a.layout->order.size(); ++i) {
    const ValueId one = a.layout->order[i], other = b.layout->order[i];
    if (a.layout->offsets.at(one) != b.layout->offsets.at(other) ||
        bytes_of(constant_of(*a.plan, one)) != bytes_of(constant_of(*b.plan, other)))
      return false;
  }
  return true;
}

}  // namespace

uint32_t weights_file_crc(const WeightsLayout& layout) {
  const std::string header = header_of(layout);
  return burin_rt::crc32(header.data(), header.size(), layout.crc);
}

WeightsLayout lay_out_weights(const ModelPlan& plan) {
  WeightsLayout layout;
  KnownBytes known;
  add_constants(plan, known, layout);
  return layout;
}

WeightsLayout lay_out_joint_weights(const ModelPlan& joint,
                                    const std::vector<const ModelPlan*>& others) {
  WeightsLayout layout;
  KnownBytes known;
  for (const ModelPlan* plan : others) {
    ContainedWeights one{plan, std::make_shared<const WeightsLayout>(lay_out_weights(*plan)),
                         layout.payload_bytes};
    const auto same =
        std::find_if(layout.contained.begin(), layout.contained.end(),
                     [&](const ContainedWeights& earlier) { return equal_files(earlier, one); });
    if (same != layout.contained.end()) {
      one.start = same->start;
    } else {
      layout.payload_bytes += weights_file_bytes(*one.layout);
      for (const ValueId id : one.layout->order)
        known.emplace(bytes_of(constant_of(*plan, id)),
                      one.start + kWeightsHeaderBytes + one.layout->offsets.at(id));
    }
    layout.contained.push_back(std::move(one));
  }
  add_constants(joint, known, layout);
  return layout;
}

ByteSource weights_file(const ModelPlan& plan, const WeightsLayout& layout) {
  return [&plan, layout](const ByteSink& sink) { stream_file(plan, layout, sink); };
}

Fp16Weights fp16_weights(const ModelPlan& plan, const WeightsLayout& weights) {
  Fp16Weights out;
  for (const ValueId id : weights.order) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    if (!is_float(value.type)) continue;
    const int bits = size_bits(value.type);
    if (bits == 16) out.f16 += value.constant.bytes;
    if (bits == 32) out.f32 += value.constant.bytes;
  }
  return out;
}

bool is_stored_fp16(const ModelPlan& plan, const WeightsLayout& weights, ValueId id) {
  const Value& value = plan.graph.values[static_cast<size_t>(id)];
  if (value.type != Type::f16) return false;
  if (value.kind == ValueKind::constant)
    return weights.offsets.contains(id) || plan.image_constants.contains(id);
  const auto at = static_cast<size_t>(id);
  const bool placed =
      at < plan.memory.values.size() && plan.memory.values[at].sharing != Sharing::none;
  return placed || plan.images.maps.contains(id);
}

}  // namespace burin::cpp
