#include "vliw/checker/values.h"

#include <algorithm>

namespace burin::vliw {
namespace {

enum Kind : int { kStart, kOperation, kPlus, kChoice };

uint64_t hash_of(const std::vector<int>& key) {
  uint64_t h = 0x9e3779b97f4a7c15ull;
  for (const int k : key) {
    h ^= static_cast<uint32_t>(k);
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

Values::Values() : key_at_(1, 0), table_(1024, -1) {
  for (int r = 0; r < kRegisterCount; ++r) number({kStart, r}, -1, 0);
}

int Values::name(std::string_view text) {
  const auto [at, fresh] = names_.try_emplace(std::string(text), static_cast<int>(names_.size()));
  if (fresh) texts_.push_back(&at->first);
  return at->second;
}

void Values::grow() {
  std::vector<int> wider(table_.size() * 2, -1);
  const size_t mask = wider.size() - 1;
  for (size_t v = 0; v < hashes_.size(); ++v) {
    size_t at = hashes_[v] & mask;
    while (wider[at] >= 0) at = (at + 1) & mask;
    wider[at] = static_cast<int>(v);
  }
  table_ = std::move(wider);
}

int Values::number(const std::vector<int>& key, int root, int64_t constant) {
  if (2 * hashes_.size() >= table_.size()) grow();
  const uint64_t hash = hash_of(key);
  const size_t mask = table_.size() - 1;
  size_t at = hash & mask;
  for (; table_[at] >= 0; at = (at + 1) & mask) {
    const auto v = static_cast<size_t>(table_[at]);
    if (hashes_[v] != hash || key_at_[v + 1] - key_at_[v] != key.size()) continue;
    if (std::equal(key.begin(), key.end(), keys_.begin() + static_cast<std::ptrdiff_t>(key_at_[v])))
      return static_cast<int>(v);
  }
  const auto fresh = static_cast<int>(hashes_.size());
  table_[at] = fresh;
  hashes_.push_back(hash);
  keys_.insert(keys_.end(), key.begin(), key.end());
  key_at_.push_back(keys_.size());
  roots_.push_back(root < 0 ? fresh : root);
  constants_.push_back(constant);
  return fresh;
}

int Values::operation(int name, const std::vector<int>& operands, int output) {
  scratch_.assign({kOperation, name, output});
  scratch_.insert(scratch_.end(), operands.begin(), operands.end());
  return number(scratch_, -1, 0);
}

int Values::plus(int value, int64_t constant) {
  const auto [root, before] = split(value);
  const auto sum =
      static_cast<int32_t>(static_cast<uint32_t>(before) + static_cast<uint32_t>(constant));
  if (sum == 0) return root;
  scratch_.assign({kPlus, root, sum});
  return number(scratch_, root, sum);
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
  scratch_.assign({kChoice, predicate, when_true, when_false});
  const int value = number(scratch_, -1, 0);
  choices_[value] = {predicate, when_true, when_false};
  return value;
}

}  // namespace burin::vliw
