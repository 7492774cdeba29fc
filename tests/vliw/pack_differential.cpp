// Random programs on qemu-hexagon, original against packed, for every policy:
//   pack_differential MACHINE [functions per policy, default 20000] [seed] [loops]
// The last argument leaves only the round of loops, which are software pipelined.
// Prints a line per batch of programs and one per policy; fails on the first difference.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "vliw/support/differential.h"
#include "vliw/support/emulator.h"

int main(int argc, char** argv) {
  using namespace burin::vliw;
  using namespace burin::vliw::testing;
  if (argc < 2) return 2;
  const int wanted = argc > 2 ? std::atoi(argv[2]) : 20000;
  const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const Machine machine = load_machine(argv[1]);
  const std::string folder = fresh_folder("differential_" + std::to_string(seed));
  const auto forms = runnable_forms(machine, folder);
  std::printf("%zu of %zu forms in use\n", forms.size(), machine.forms.size());
  struct Round {
    Policy policy;
    Programs programs;
    int pipelined = 0;
  };
  std::vector<Round> rounds = {
      {Policy::kSoftToHard, Programs::kMixed}, {Policy::kSoftToNone, Programs::kMixed},
      {Policy::kSda, Programs::kMixed},        {Policy::kList, Programs::kMixed},
      {Policy::kBest, Programs::kMixed},       {Policy::kBest, Programs::kLoops}};
  if (argc > 4)
    std::erase_if(rounds, [](const Round& r) { return r.programs != Programs::kLoops; });
  constexpr int kBatch = 250;  // the assembler's time grows with the square
  int done = 0;
  for (int batch = 0; done < wanted; ++batch, done += kBatch) {
    std::optional<Originals> originals;
    std::optional<Programs> of;
    for (Round& round : rounds) {
      std::string error;
      if (of != round.programs) {
        originals = run_originals(machine, forms, seed + static_cast<uint64_t>(batch), kBatch, 24,
                                  round.programs, folder, error);
        of = round.programs;
      }
      PackOptions options;
      options.policy = round.policy;
      std::vector<Difference> found;
      if (error.empty()) found = compare(*originals, options, folder, error, &round.pipelined);
      const std::string policy(name_of(round.policy));
      if (!error.empty()) std::printf("%s batch %d: %s\n", policy.c_str(), batch, error.c_str());
      if (!found.empty())
        std::printf("%s batch %d function f%d: %s, packed %s\n", policy.c_str(), batch,
                    found[0].function, found[0].original.c_str(), found[0].packed.c_str());
      if (!error.empty() || !found.empty()) return 1;
    }
    std::printf("%d programs per policy, no difference\n", done + kBatch);
    std::fflush(stdout);
  }
  for (const Round& round : rounds)
    std::printf("%-13s %d programs%s, %d pipelined loops, no difference\n",
                std::string(name_of(round.policy)).c_str(), done,
                round.programs == Programs::kLoops ? " of loops" : "", round.pipelined);
  return 0;
}
