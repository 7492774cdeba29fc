#include "vliw/checker/stores.h"

#include <algorithm>

namespace burin::vliw {
namespace {

constexpr int kPart = 7;  // parts of 128 bytes: an access touches three of them at most

uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint64_t place(int root, int64_t part) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(root)) << 32) ^
         static_cast<uint64_t>(static_cast<uint32_t>(part));
}

}  // namespace

bool meet(const Touch& a, const Touch& b) {
  if (!a.known || !b.known || a.root != b.root) return true;
  if (a.line && b.line) {
    const int64_t gap = a.address < b.address ? b.address - a.address : a.address - b.address;
    return gap < b.high - b.address;
  }
  return !(a.high <= b.low || b.high <= a.low);
}

void ValueSet::add(int value) {
  const auto v = static_cast<uint64_t>(value);
  a += mixed(v * 0x9e3779b97f4a7c15ull + 0x1234567ull);
  b += mixed(v * 0xd1342543de82ef95ull + 0x89abcdefull);
}

void append(std::vector<int>& operands, const ValueSet& set) {
  for (const uint64_t half : {set.a, set.b}) {
    operands.push_back(static_cast<int>(static_cast<uint32_t>(half)));
    operands.push_back(static_cast<int>(static_cast<uint32_t>(half >> 32)));
  }
}

void Stores::add(const Touch& store) {
  all_.add(store.value);
  if (!store.known) return;
  of_root_[store.root].add(store.value);
  for (int64_t part = store.low >> kPart; part <= (store.high - 1) >> kPart; ++part)
    near_[place(store.root, part)].push_back(store);
}

void Stores::clear() { *this = {}; }

ValueSet Stores::before(const Touch& access, std::vector<int>& own) const {
  own.clear();
  if (!access.known) return all_;
  const auto mine = of_root_.find(access.root);
  if (mine == of_root_.end()) return all_;
  for (int64_t part = access.low >> kPart; part <= (access.high - 1) >> kPart; ++part) {
    const auto at = near_.find(place(access.root, part));
    if (at == near_.end()) continue;
    for (const Touch& store : at->second) {
      if (meet(store, access)) own.push_back(store.value);
    }
  }
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return all_ - mine->second;
}

}  // namespace burin::vliw
