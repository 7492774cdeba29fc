#include "verify/exchange.h"

#include <algorithm>
#include <cstring>

#include "backends/cpp/emit_cpp.h"
#include "kernel/index/size_bound.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kPad = 8;
constexpr int64_t kMostText = 1024;  // of test_driver.h

const Value& output_value(const ModelPlan& plan, size_t k) {
  return plan.graph.values[static_cast<size_t>(plan.graph.outputs[k])];
}

void put(std::string& to, int64_t number) {
  for (int i = 0; i < 8; ++i) to += static_cast<char>(static_cast<uint64_t>(number) >> (8 * i));
}

int64_t known_extent(const Dim& dim, const Run& run) {
  return dim.evaluate([&](const Index& leaf) {
    const auto at = run.symbols.find(leaf.as_symbol()->name);
    BURIN_CHECK(at != run.symbols.end(), "symbol " + leaf.as_symbol()->name + " is not bound");
    return at->second;
  });
}

// The largest extent that the run can give a dimension. What nothing bounds gets the extent that is
// expected, which then is the caller's capacity; nothing where that is not known either.
std::optional<int64_t> largest_extent(const Dim& dim, const Run& run, size_t output, size_t d) {
  if (const std::optional<Dim> most = bound_before_run(dim))
    return std::max<int64_t>(0, known_extent(*most, run));
  if (output < run.wanted.size() && d < run.wanted[output].size()) return run.wanted[output][d];
  return std::nullopt;
}

int64_t capacity(const ModelPlan& plan, const Run& run, size_t output) {
  const Value& value = output_value(plan, output);
  if (cpp::is_data_sized(value) && output < run.capacities.size()) return run.capacities[output];
  int64_t elements = 1;
  for (size_t d = 0; d < value.shape.size(); ++d) {
    const std::optional<int64_t> extent =
        cpp::is_data_sized(value) ? largest_extent(value.shape[d], run, output, d)
                                  : std::max<int64_t>(0, known_extent(value.shape[d], run));
    if (!extent) return run.room;
    if (__builtin_mul_overflow(elements, *extent, &elements))
      refuse("limit", "the capacity of output " + burin::quoted(value.name) + " exceeds 64 bits");
  }
  return elements;
}

struct Reader {
  const std::string& bytes;
  size_t at = 0;

  const char* take(int64_t count) {
    const auto wanted = static_cast<size_t>(count);
    if (wanted > bytes.size() - at) refuse("io", "the response of the test program is too short");
    const char* here = bytes.data() + at;
    at += wanted;
    return here;
  }
  int64_t number() {
    int64_t value = 0;
    std::memcpy(&value, take(8), 8);
    return value;
  }
};

int64_t padded(int64_t bytes) { return (bytes + kPad - 1) / kPad * kPad; }

// The extents that the run reported, where they make sense: within the buffer.
std::vector<int64_t> output_shape(const ModelPlan& plan, const Run& run, size_t output,
                                  const std::vector<int64_t>& reported) {
  const Value& value = output_value(plan, output);
  if (cpp::is_data_sized(value)) return reported;
  std::vector<int64_t> shape;
  for (const Dim& dim : value.shape) shape.push_back(known_extent(dim, run));
  return shape;
}

HostTensor output_tensor(const Value& value, std::vector<int64_t> shape, const char* bytes,
                         int64_t room) {
  int64_t elements = 1;
  bool sensible = true;
  for (const int64_t extent : shape)
    sensible = sensible && extent >= 0 && !__builtin_mul_overflow(elements, extent, &elements);
  if (!sensible || elements > room) {
    refuse("io", "the shape that the run reports for output " + burin::quoted(value.name) +
                     " is larger than its capacity");
  }
  HostTensor tensor = make_tensor(value.type, std::move(shape));
  std::memcpy(tensor.bytes.data(), bytes, tensor.bytes.size());
  return tensor;
}

}  // namespace

std::string encode_request(const ModelPlan& plan, const std::vector<Run>& runs) {
  std::string out;
  put(out, static_cast<int64_t>(runs.size()));
  for (const Run& run : runs) {
    put(out, run.fill);
    put(out, run.in_one_buffer);
    for (const Symbol& symbol : plan.graph.symbols) put(out, run.symbols.at(symbol->name));
    for (const HostTensor& input : run.inputs) put(out, static_cast<int64_t>(input.bytes.size()));
    for (size_t k = 0; k < plan.graph.outputs.size(); ++k) {
      const int64_t elements = capacity(plan, run, k);
      put(out, elements);
      put(out, size_bytes(output_value(plan, k).type, elements));
    }
    for (const HostTensor& input : run.inputs) {
      out.append(reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size());
      out.resize(static_cast<size_t>(padded(static_cast<int64_t>(out.size()))), '\0');
    }
  }
  return out;
}

std::vector<RunOutcome> decode_response(const ModelPlan& plan, const std::vector<Run>& runs,
                                        const std::string& bytes) {
  Reader reader{bytes};
  std::vector<RunOutcome> outcomes;
  for (const Run& run : runs) {
    RunOutcome outcome;
    outcome.status = static_cast<int32_t>(reader.number());
    outcome.faults = reader.number();
    outcome.arena_bytes = reader.number();
    const int64_t text_bytes = reader.number();
    std::vector<std::vector<int64_t>> reported(plan.graph.outputs.size());
    for (size_t k = 0; k < plan.graph.outputs.size(); ++k) {
      const Value& value = output_value(plan, k);
      if (!cpp::is_data_sized(value)) continue;
      for (size_t d = 0; d < value.shape.size(); ++d) reported[k].push_back(reader.number());
      if (value.shape.empty()) reader.number();
    }
    if (text_bytes < 0 || text_bytes > kMostText)
      refuse("io", "the response of the test program has no text of that length");
    outcome.explained.assign(reader.take(padded(text_bytes)), static_cast<size_t>(text_bytes));
    for (size_t k = 0; k < plan.graph.outputs.size(); ++k) {
      const Value& value = output_value(plan, k);
      const int64_t room = capacity(plan, run, k);
      const char* data = reader.take(padded(size_bytes(value.type, room)));
      if (outcome.status != 0) continue;
      outcome.outputs.push_back(
          output_tensor(value, output_shape(plan, run, k, reported[k]), data, room));
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

std::string describe_faults(int64_t faults) {
  static constexpr const char* kNames[] = {
      "the arena's guard was overwritten", "an output's guard was overwritten",
      "an input was changed", "the context's guard was overwritten"};
  std::string out;
  for (size_t bit = 0; bit < std::size(kNames); ++bit) {
    if (faults >> bit & 1) out += (out.empty() ? "" : ", ") + std::string(kNames[bit]);
  }
  return out;
}

}  // namespace burin
