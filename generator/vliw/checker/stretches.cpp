#include "vliw/checker/stretches.h"

#include <algorithm>

namespace burin::vliw {
namespace {

bool means_nothing(const Item& item) {
  if (item.kind != Item::Kind::kDirective) return false;
  const size_t at = item.text.find_first_not_of(" \t");
  return at == std::string::npos || item.text.compare(at, 2, "//") == 0 ||
         item.text.compare(at, 4, ".loc") == 0;
}

}  // namespace

Stretch Stretch::part(size_t from, size_t to) const {
  to = std::min(to, packets.size());
  from = std::min(from, to);
  Stretch some;
  for (size_t k = from; k < to; ++k) {
    some.packets.push_back(packets[k]);
    some.items.push_back(items[k]);
  }
  some.line = some.packets.empty() ? line : some.packets[0]->line;
  return some;
}

std::vector<Stretch> stretches(const Module& module) {
  std::vector<Stretch> all(1);
  for (size_t i = 0; i < module.items.size(); ++i) {
    const Item& item = module.items[i];
    if (item.kind == Item::Kind::kPacket) {
      if (all.back().packets.empty()) all.back().line = item.packet.line;
      all.back().packets.push_back(&item.packet);
      all.back().items.push_back(i);
      continue;
    }
    if (means_nothing(item)) continue;
    if (!all.back().packets.empty()) all.emplace_back();
    all.back().anchors.push_back((item.kind == Item::Kind::kLabel ? "label " : "") + item.text);
  }
  return all;
}

}  // namespace burin::vliw
