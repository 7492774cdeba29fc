// Processor time that the packer takes, reading, printing and the checker's proof included, on
// inputs of five kinds:
//   pack_speed MACHINE [instructions, default 100000] [seconds allowed, default 5]
// (tests/vliw/support/large_input.h). Fails where a policy takes longer. For figures, build with
// the release preset.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "vliw/packer.h"
#include "vliw/support/large_input.h"

int main(int argc, char** argv) {
  using namespace burin::vliw;
  using namespace burin::vliw::testing;
  if (argc < 2) return 2;
  const Machine machine = load_machine(argv[1]);
  const int count = argc > 2 ? std::atoi(argv[2]) : 100000;
  const double allowed = argc > 3 ? std::atof(argv[3]) : 5;
  const std::string only = argc > 4 ? argv[4] : "";  // one kind of input
  bool slow = false;
  std::printf("%-9s %-13s %12s %8s %8s %8s\n", "input", "policy", "instructions", "packets",
              "blocks", "seconds");
  for (const std::string kind : {"compiled", "random", "searched", "straight", "memory"}) {
    if (!only.empty() && kind != only) continue;
    const std::string text = large_input(kind, count, machine);
    for (const std::string policy : {"sda", "list", "best"}) {
      PackOptions options;
      options.policy = policy_of(policy);
      const std::clock_t start = std::clock();
      const Module module = read_assembly(text, kind + ".s", machine);
      const PackResult result = pack(module, machine, options);
      const std::string out = print_assembly(result.module);
      const double time = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      for (const std::string& warning : result.warnings) std::printf("%s\n", warning.c_str());
      int packets = 0;
      for (const BlockReport& block : result.blocks) packets += block.after.packets;
      std::printf("%-9s %-13s %12d %8d %8zu %8.2f\n", kind.c_str(), policy.c_str(),
                  instructions_of(module), packets, result.blocks.size(), time);
      std::fflush(stdout);
      slow = slow || time > allowed || out.empty();
    }
  }
  return slow ? 1 : 0;
}
