#include "vliw/checker/symbols.h"

namespace burin::vliw {

int Values::number(const std::string& key, int root, int64_t constant) {
  const auto [at, fresh] = known_.try_emplace(key, static_cast<int>(parts_.size()));
  if (fresh) parts_.emplace_back(root < 0 ? at->second : root, constant);
  return at->second;
}

int Values::start(int reg) { return number("r" + std::to_string(reg), -1, 0); }

int Values::operation(const std::string& name, const std::vector<int>& operands, int output) {
  std::string key = "o" + name;
  for (const int v : operands) key += "," + std::to_string(v);
  return number(key + ">" + std::to_string(output), -1, 0);
}

int Values::plus(int value, int64_t constant) {
  const auto [root, before] = split(value);
  const auto sum =
      static_cast<int32_t>(static_cast<uint32_t>(before) + static_cast<uint32_t>(constant));
  if (sum == 0) return root;
  return number("p" + std::to_string(root) + "+" + std::to_string(sum), root, sum);
}

int Values::under(int value, int predicate, bool sense) const {
  const auto at = choices_.find(value);
  if (at == choices_.end() || at->second.predicate != predicate) return value;
  return sense ? at->second.when_true : at->second.when_false;
}

int Values::choice(int predicate, bool sense, int chosen, int otherwise) {
  int when_true = otherwise, when_false = otherwise;
  if (const auto at = choices_.find(otherwise);
      at != choices_.end() && at->second.predicate == predicate) {
    when_true = at->second.when_true;
    when_false = at->second.when_false;
  }
  (sense ? when_true : when_false) = chosen;
  if (when_true == when_false) return when_true;
  const int value = number("c" + std::to_string(predicate) + "?" + std::to_string(when_true) + ":" +
                               std::to_string(when_false),
                           -1, 0);
  choices_[value] = {predicate, when_true, when_false};
  return value;
}

}  // namespace burin::vliw
