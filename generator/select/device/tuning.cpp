#include "select/device/tuning.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "support/sha256.h"

namespace burin {
namespace {

constexpr size_t kKeyDigits = 16;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "v51[i0] + v7[i0]" as "v0[i0] + v1[i0]"; `order` gets 51, 7.
std::string renumbered(const std::string& text, std::vector<size_t>& order) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const bool starts = text[at] == 'v' && (at == 0 || !is_word(text[at - 1]));
    size_t end = at + 1;
    while (starts && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    if (!starts || end == at + 1 || (end < text.size() && is_word(text[end]))) {
      out += text[at++];
      continue;
    }
    const size_t id = std::stoul(text.substr(at + 1, end - at - 1));
    const auto known = std::find(order.begin(), order.end(), id);
    out += "v" + std::to_string(known - order.begin());
    if (known == order.end()) order.push_back(id);
    at = end;
  }
  return out;
}

}  // namespace

std::string kernel_key(const Kernel& kernel, const std::vector<Value>& values) {
  Kernel nameless = kernel;
  nameless.name.clear();
  nameless.origins = {};
  std::vector<size_t> order;
  std::string text = renumbered(to_string(nameless, {}), order);
  for (const size_t id : order) {
    if (id >= values.size()) continue;
    const Value& value = values[id];
    text += std::string(to_string(value.type)) + to_string(value.shape) +
            (value.kind == ValueKind::constant ? " constant\n" : "\n");
  }
  return sha256_hex(text).substr(0, kKeyDigits);
}

TuningUse tuning_use(const Tuning& tuning, const std::map<StepId, std::string>& keys) {
  TuningUse out;
  out.entries = tuning.kernels.size() + tuning.pairs.size();
  std::set<std::string> known;
  for (const auto& [step, key] : keys) {
    known.insert(key);
    if (tuning.kernels.contains(key)) out.tuned[step] = key;
  }
  for (const auto& [pair, joint] : tuning.pairs)
    out.pairs += known.contains(pair.first) && known.contains(pair.second);
  return out;
}

KernelPair pair_of(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

Hardware as_given(Hardware hardware, const Given& given) {
  OpenClDevice& device = hardware.opencl;
  const std::vector<int64_t>* const items = given.numbers("work-group");
  if (items != nullptr && (*items)[0] >= 1 && (*items)[0] <= device.work_group_size_max)
    device.work_group_size = static_cast<int>((*items)[0]);
  return hardware;
}

}  // namespace burin
