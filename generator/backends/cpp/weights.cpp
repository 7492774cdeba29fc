#include "backends/cpp/weights.h"

#include <algorithm>
#include <string>

#include "runtime_min/crc32.h"
#include "support/mapped_pages.h"

namespace burin::cpp {
namespace {

std::string_view bytes_of(const Value& value) {
  return {reinterpret_cast<const char*>(value.constant.data), value.constant.bytes};
}

void stream_payload(const ModelPlan& plan, const WeightsLayout& layout, const ByteSink& sink) {
  int64_t at = 0;
  for (const ValueId id : layout.order) {
    const int64_t offset = layout.offsets.at(id);
    sink(std::string(static_cast<size_t>(offset - at), '\0'));
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    const std::string_view bytes = bytes_of(value);
    sink(bytes);
    forget_pages(bytes.data(), bytes.size(), value.constant.owner);
    at = offset + static_cast<int64_t>(bytes.size());
  }
  sink(std::string(static_cast<size_t>(layout.payload_bytes - at), '\0'));
}

}  // namespace

WeightsLayout lay_out_weights(const ModelPlan& plan) {
  WeightsLayout layout;
  std::map<std::string_view, ValueId> known;  // by content; views into the constants
  const auto add = [&](ValueId id) {
    const Value& value = plan.graph.values[static_cast<size_t>(id)];
    if (value.kind != ValueKind::constant || layout.offsets.contains(id)) return;
    const auto [same, fresh] = known.emplace(bytes_of(value), id);
    if (!fresh) {
      layout.offsets[id] = layout.offsets.at(same->second);
      return;
    }
    layout.order.push_back(id);
    layout.offsets[id] = layout.payload_bytes;
    const int64_t end = layout.payload_bytes + static_cast<int64_t>(value.constant.bytes);
    layout.payload_bytes = (end + kWeightsAlign - 1) / kWeightsAlign * kWeightsAlign;
  };
  for_each_step(plan.graph.steps, [&](const Step& step) {
    if (std::holds_alternative<std::shared_ptr<Loop>>(step) ||
        std::holds_alternative<std::shared_ptr<If>>(step))
      return;
    for (const ValueId id : reads_of(step)) add(id);
  });
  for_each_step(plan.graph.steps, [&](const Step& step) {
    for (const ValueId id : reads_of(step)) add(id);
  });
  stream_payload(plan, layout, [&](std::string_view bytes) {
    layout.crc = burin_rt::crc32(bytes.data(), bytes.size(), layout.crc);
  });
  return layout;
}

ByteSource weights_file(const ModelPlan& plan, const WeightsLayout& layout) {
  return [&plan, layout](const ByteSink& sink) {
    std::string header = "BURINWT1";
    const auto put = [&](uint64_t number, int bytes) {
      for (int i = 0; i < bytes; ++i) header += static_cast<char>(number >> (8 * i) & 0xff);
    };
    put(static_cast<uint64_t>(layout.payload_bytes), 8);
    put(layout.crc, 4);
    header.resize(static_cast<size_t>(kWeightsHeaderBytes), '\0');
    sink(header);
    stream_payload(plan, layout, sink);
  };
}

}  // namespace burin::cpp
