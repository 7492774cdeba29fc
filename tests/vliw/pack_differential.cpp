// Random programs on qemu-hexagon, original against packed, for every policy:
//   pack_differential MACHINE [functions per policy, default 20000] [seed] [loops]
// The last argument leaves only the round of loops, which are software pipelined.
// Prints one line per policy and fails on the first difference.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "vliw/support/differential.h"
#include "vliw/support/emulator.h"

int main(int argc, char** argv) {
  using namespace burin::vliw;
  using namespace burin::vliw::testing;
  if (argc < 2) return 2;
  const int wanted = argc > 2 ? std::atoi(argv[2]) : 20000;
  const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const Machine machine = load_machine(argv[1]);
  const std::string folder = fresh_folder("differential");
  const auto forms = runnable_forms(machine, folder);
  std::printf("%zu of %zu forms in use\n", forms.size(), machine.forms.size());
  bool same = true;
  const std::pair<Policy, Programs> rounds[] = {
      {Policy::kSoftToHard, Programs::kMixed}, {Policy::kSoftToNone, Programs::kMixed},
      {Policy::kSda, Programs::kMixed},        {Policy::kList, Programs::kMixed},
      {Policy::kBest, Programs::kMixed},       {Policy::kBest, Programs::kLoops}};
  for (const auto& [policy, programs] : rounds) {
    if (argc > 4 && programs != Programs::kLoops) continue;
    PackOptions options;
    options.policy = policy;
    int pipelined = 0;
    int done = 0;
    size_t differences = 0;
    constexpr int kBatch = 1000;
    for (int batch = 0; done < wanted; ++batch, done += kBatch) {
      std::string error;
      const auto found = compare_random(machine, forms, seed + static_cast<uint64_t>(batch), kBatch,
                                        24, options, folder, error, programs, &pipelined);
      if (!error.empty()) {
        std::printf("%s batch %d: %s\n", std::string(name_of(policy)).c_str(), batch,
                    error.c_str());
        return 1;
      }
      differences += found.size();
      if (!found.empty()) {
        std::printf("%s batch %d function f%d: %s, packed %s\n",
                    std::string(name_of(policy)).c_str(), batch, found[0].function,
                    found[0].original.c_str(), found[0].packed.c_str());
        return 1;
      }
    }
    std::printf("%-13s %d programs%s, %d pipelined loops, %zu differences\n",
                std::string(name_of(policy)).c_str(), done,
                programs == Programs::kLoops ? " of loops" : "", pipelined, differences);
    std::fflush(stdout);
    same = same && differences == 0;
  }
  return same ? 0 : 1;
}
