#include "isa/bundles.h"

#include "isa/arm_dot.h"
#include "isa/arm_mmla.h"
#include "isa/pair_rows.h"

namespace burin::isa {

const std::vector<BundleRow>& bundles() {
  static const std::vector<BundleRow> all = [] {
    std::vector<BundleRow> out;
    for (const auto& make : {pairs, dot_bundles, mmla_bundles}) {
      for (BundleRow& one : make()) out.push_back(std::move(one));
    }
    return out;
  }();
  return all;
}

const BundleRow* bundle_of(const Instruction& row) {
  for (const BundleRow& one : bundles()) {
    if (one.row == row.name) return &one;
  }
  return nullptr;
}

int copies_of_group(const Instruction& row) {
  for (const BundleRow& one : bundles()) {
    if (one.of == row.name) return one.copies;
  }
  return 0;
}

}  // namespace burin::isa
