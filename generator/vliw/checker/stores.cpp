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

bool meet(const Touch& a, const Touch& b, const std::vector<Apart>& apart) {
  if (!a.known || !b.known) return true;
  if (a.root != b.root) {
    // They overlap only where the distance from b's root to a's lies strictly between these two.
    const int64_t low = b.low - a.high, high = b.high - a.low;
    for (const Apart& fact : apart) {
      const bool same = fact.a == a.root && fact.b == b.root;
      const bool swapped = fact.a == b.root && fact.b == a.root;
      if ((same || swapped) && low >= -fact.window - 1 && high <= fact.window + 1) return false;
    }
    return true;
  }
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

void ValueSet::remove(int value) {
  ValueSet one;
  one.add(value);
  *this = *this - one;
}

void append(std::vector<int>& operands, const ValueSet& set) {
  for (const uint64_t half : {set.a, set.b}) {
    operands.push_back(static_cast<int>(static_cast<uint32_t>(half)));
    operands.push_back(static_cast<int>(static_cast<uint32_t>(half >> 32)));
  }
}

void Stores::add(const Touch& store) {
  all_.add(store.value);
  if (!apart_.empty()) done_.push_back(store);
  if (!store.known) return;
  of_root_[store.root].add(store.value);
  each_part(store, [&](uint64_t part) { near_[part].push_back(store); });
}

void Stores::clear() {
  std::vector<Apart> apart = std::move(apart_);
  *this = {};
  apart_ = std::move(apart);
}

ValueSet Stores::before(const Touch& access, std::vector<int>& own) const {
  own.clear();
  if (!access.known) return all_;
  ValueSet others = all_;
  for (const Touch& store : done_) {
    if (store.known && store.root != access.root && !meet(store, access, apart_))
      others.remove(store.value);
  }
  const auto mine = of_root_.find(access.root);
  if (mine == of_root_.end()) return others;
  each_part(access, [&](uint64_t part) {
    const auto at = near_.find(part);
    if (at == near_.end()) return;
    for (const Touch& store : at->second) {
      if (meet(store, access, apart_)) own.push_back(store.value);
    }
  });
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return others - mine->second;
}

}  // namespace burin::vliw
