// Mutated packings: does the checker catch every one that changes the result or that the assembler
// refuses?
//   pack_mutation MACHINE [mutants that change the result, default 5000] [seed]
#include <cstdio>
#include <cstdlib>

#include "vliw/support/emulator.h"
#include "vliw/support/mutation_round.h"

int main(int argc, char** argv) {
  using namespace burin::vliw;
  using namespace burin::vliw::testing;
  if (argc < 2) return 2;
  const int wanted = argc > 2 ? std::atoi(argv[2]) : 5000;
  const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const Machine machine = load_machine(argv[1]);
  const std::string folder = fresh_folder("mutation_" + std::to_string(seed));
  const auto forms = runnable_forms(machine, folder);
  constexpr int kBatch = 250;  // the assembler's time grows with the square
  MutationCounts total;
  for (uint64_t batch = 0; total.changed < wanted; ++batch) {
    std::string error;
    const MutationCounts round =
        mutation_round(machine, forms, seed + batch, kBatch, folder, error);
    if (!error.empty()) {
      std::printf("%s\n", error.c_str());
      return 1;
    }
    total.made += round.made;
    total.of_pipelined += round.of_pipelined;
    total.caught += round.caught;
    total.refused += round.refused;
    total.changed += round.changed;
    total.harmless += round.harmless;
    for (const auto& [name, kind] : round.kinds) {
      KindCounts& sum = total.kinds[name];
      sum.made += kind.made;
      sum.matter += kind.matter;
      sum.caught += kind.caught;
    }
    for (const std::string& missed : round.missed) std::printf("missed: %s\n", missed.c_str());
    total.missed.insert(total.missed.end(), round.missed.begin(), round.missed.end());
    std::printf("%d mutants, %d change the result, %zu missed\n", total.made, total.changed,
                total.missed.size());
    std::fflush(stdout);
  }
  std::printf("%-14s %8s %8s %8s\n", "mistake", "mutants", "matter", "caught");
  for (const auto& [name, kind] : total.kinds)
    std::printf("%-14s %8d %8d %8d\n", name.c_str(), kind.made, kind.matter, kind.caught);
  std::printf(
      "%d mutants (%d with a pipelined loop): %d caught (%d change the result, %d are refused by "
      "the assembler), %d harmless, "
      "%zu missed\n",
      total.made, total.of_pipelined, total.caught, total.changed, total.refused, total.harmless,
      total.missed.size());
  return total.missed.empty() ? 0 : 1;
}
