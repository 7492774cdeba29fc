// Programs in C (tests/vliw/programs) on qemu-hexagon, as clang-19 writes them for v65 to v73 at
// -O0 to -O3, with its packetizer and without, and as each policy packs them:
//   pack_programs [version, default all]
// Fails where one is refused, warned of, not assembled, or prints anything else.
#include <cstdio>

#include "vliw/support/emulator.h"
#include "vliw/support/programs.h"

int main(int argc, char** argv) {
  using namespace burin::vliw;
  using namespace burin::vliw::testing;
  const std::vector<Policy> policies = {Policy::kBest, Policy::kList, Policy::kSda,
                                        Policy::kSoftToHard, Policy::kSoftToNone};
  int compared = 0;
  size_t problems = 0;
  for (const std::string version : {"v65", "v66", "v68", "v73"}) {
    if (argc > 1 && version != argv[1]) continue;
    const std::string folder = fresh_folder("programs_" + version);
    for (const std::string level : {"-O0", "-O1", "-O2", "-O3"}) {
      for (const std::string packets : {"", " -mllvm -disable-packetizer -mno-nvj"}) {
        const ProgramCounts counts = compare_programs({version, level + packets}, policies, folder);
        for (const std::string& problem : counts.problems) std::printf("%s\n", problem.c_str());
        std::printf("%s %s%s: %d the same\n", version.c_str(), level.c_str(), packets.c_str(),
                    counts.compared);
        std::fflush(stdout);
        compared += counts.compared;
        problems += counts.problems.size();
      }
    }
  }
  std::printf("%d programs the same, %zu problems\n", compared, problems);
  return problems == 0 ? 0 : 1;
}
