#include "vliw/checker/stores.h"

#include <algorithm>

namespace burin::vliw {
namespace {

constexpr int kPart = 7;  // parts of 128 bytes: an access touches three of them at most

// Addresses are 32 bits wide: how far is it up from a to b?
uint32_t up(int64_t a, int64_t b) { return static_cast<uint32_t>(static_cast<uint64_t>(b - a)); }

uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// f(key) for each part of memory that the access touches.
template <typename F>
void each_part(const Touch& touch, F f) {
  const uint64_t root = static_cast<uint64_t>(static_cast<uint32_t>(touch.root)) << 32;
  const uint32_t first = up(0, touch.low), last = up(0, touch.high - 1);
  for (uint32_t part = first >> kPart;; part = (part + 1) & (~0u >> kPart)) {
    f(root | part);
    if (part == last >> kPart) return;
  }
}

}  // namespace

bool meet(const Touch& a, const Touch& b) {
  if (!a.known || !b.known || a.root != b.root) return true;
  if (a.line && b.line) {
    const int64_t size = b.high - b.address;
    return up(a.address, b.address) < size || up(b.address, a.address) < size;
  }
  return up(a.low, b.low) < a.high - a.low || up(b.low, a.low) < b.high - b.low;
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
  each_part(store, [&](uint64_t part) { near_[part].push_back(store); });
}

void Stores::clear() { *this = {}; }

ValueSet Stores::before(const Touch& access, std::vector<int>& own) const {
  own.clear();
  if (!access.known) return all_;
  const auto mine = of_root_.find(access.root);
  if (mine == of_root_.end()) return all_;
  each_part(access, [&](uint64_t part) {
    const auto at = near_.find(part);
    if (at == near_.end()) return;
    for (const Touch& store : at->second) {
      if (meet(store, access)) own.push_back(store.value);
    }
  });
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return all_ - mine->second;
}

}  // namespace burin::vliw
