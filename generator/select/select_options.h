// What selection is told beside the hardware.
#pragma once

#include <set>
#include <string>

#include "select/device/tuning.h"
#include "select/verbs/verbs.h"

namespace burin {

inline constexpr double kWinogradError = 1e-4;

struct SelectOptions {
  std::set<std::string> without = {};   // words of verbs that no kernel has
  const Tuning* tuning = nullptr;       // its kernels are as it says; may be null
  const LockedVerbs* locked = nullptr;  // its kernels have these verbs and no others; may be null
  // Convolutions by fewer products may err by so much together, as a share of the largest result
  // (select/winograd_choice.h); 0: there are none.
  double winograd_error = kWinogradError;
};

}  // namespace burin
