#include "fuse/switches.h"

namespace burin {

std::span<const FuseSwitch> fuse_switches() {
  static constexpr FuseSwitch kSwitches[] = {
      {"movement", &FuseOptions::movement},
      {"simplify", &FuseOptions::simplify, "indices that movement composes"},
      {"integers", &FuseOptions::integers, "products of dequantised bytes"},
      {"epilogue", &FuseOptions::epilogue},
      {"prologue", &FuseOptions::prologue},
      {"attention", &FuseOptions::attention},
      {"half-weights", &FuseOptions::half_weights, "of attention, which stay unrounded"},
      {"rows", &FuseOptions::rows},
      {"siblings", &FuseOptions::siblings},
      {"narrow", &FuseOptions::narrow, "to what is read"},
      {"factors", &FuseOptions::factors},
      {"finish", &FuseOptions::finish, "rows of products"},
      {"back-to-back", &FuseOptions::back_to_back, "products of the same rows"},
      {"rides", &FuseOptions::rides, "of copies"},
      {"chains", &FuseOptions::chains},
      {"concat", &FuseOptions::concat_in_place},
      {"hoist", &FuseOptions::hoist_constants},
      {"products", &FuseOptions::known_products, "of constants"},
      {"fills", &FuseOptions::early_fills, "of what branches give"},
      {"scales", &FuseOptions::fold_scales},
      {"associative", &FuseOptions::associative, "order of arithmetic, as the next two"},
      {"distributive", &FuseOptions::distributive},
      {"commutative", &FuseOptions::commutative},
      {"symbols", &FuseOptions::symbols, "fusions of kernels whose sizes are not all numbers"},
  };
  return kSwitches;
}

}  // namespace burin
