// The corpus of tests/vliw/kernels: packets run and modelled cycles of every function,
//   pack_corpus MACHINE
// unpacked, under each policy, and as clang-19 -O2 packs it with and without its pipeliner. Cycles
// are those of the packer's own model; a hardware loop runs 64 times. `best` is given both
// clang's unpacked code (best) and clang's packets (again). Fails where the latter is behind clang.
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "vliw/pack.h"
#include "vliw/support/emulator.h"

namespace {

using namespace burin::vliw;
using namespace burin::vliw::testing;

struct Totals {
  double packets = 0, cycles = 0;  // run, with kTrips trips of every hardware loop
};
constexpr int kTrips = 64;

// How often a block runs. The parts of a pipelined loop that only few iterations need never do.
int runs_of(const BlockReport& block) {
  if (block.part == "short set-up" || block.part == "short loop" || block.part == "odd iteration")
    return 0;
  if (!block.loop) return 1;
  return block.part == "kernel" ? kTrips / block.pipelining->unroll - block.pipelining->stages + 1
                                : kTrips;
}
struct Row {
  std::map<std::string, Totals> of;  // by column
};

// Function names are the labels that do not start with a dot.
void add(const PackResult& result, const std::string& column, bool before,
         std::map<std::string, Row>& rows, std::vector<std::string>& order) {
  std::string name;
  for (const BlockReport& block : result.blocks) {
    if (!block.label.empty() && block.label[0] != '.') name = block.label;
    if (rows.find(name) == rows.end()) order.push_back(name);
    Totals& totals = rows[name].of[column];
    const Cost& cost = before ? block.before : block.after;
    const int runs = before && block.loop ? kTrips : runs_of(block);
    totals.packets += cost.packets * runs;
    totals.cycles += cost.cycles * runs;
  }
}

std::string compile(const std::string& source, const std::string& flags,
                    const std::string& output) {
  const std::string command =
      "clang-19 --target=hexagon -mcpu=hexagonv66 -mhvx -mhvx-length=128b -ffreestanding -fno-pic "
      "-G0 -O2 -S " +
      flags + " -o '" + output + "' '" + source + "'";
  const Output result = run_command(command);
  if (result.status != 0) std::printf("%s\n", result.text.c_str());
  return read_text(output);
}

double mean(const std::map<std::string, Row>& rows, const std::string& slow,
            const std::string& fast) {
  double sum = 0;
  for (const auto& [name, row] : rows)
    sum += std::log(row.of.at(slow).cycles / row.of.at(fast).cycles);
  return std::exp(sum / static_cast<double>(rows.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Machine machine = load_machine(argv[1]);
  const std::string folder = fresh_folder("corpus");
  std::map<std::string, Row> rows;
  std::vector<std::string> order;
  for (const std::string file : {"vector", "scalar"}) {
    const std::string source = std::string(BURIN_SOURCE_DIR) + "/tests/vliw/kernels/" + file + ".c";
    const std::string unpacked =
        compile(source, "-mllvm -disable-packetizer -mno-nvj", folder + file + "_unpacked.s");
    const std::string packed = compile(source, "", folder + file + "_clang.s");
    const std::string plain =
        compile(source, "-mllvm -enable-pipeliner=0", folder + file + "_plain.s");
    if (unpacked.empty() || packed.empty() || plain.empty()) return 1;
    for (const std::string policy : {"soft-to-hard", "soft-to-none", "sda", "list", "best"}) {
      PackOptions options;
      options.policy = policy_of(policy);
      const PackResult result = pack(read_assembly(unpacked, file, machine), machine, options);
      add(result, policy, false, rows, order);
      if (policy == "best") add(result, "unpacked", true, rows, order);
      if (!assemble_text(print_assembly(result.module), folder + "out.o", "v66").empty()) {
        std::printf("the assembler refuses the output of %s\n", policy.c_str());
        return 1;
      }
    }
    const PackResult again = pack(read_assembly(packed, file, machine), machine, {});
    add(again, "clang", true, rows, order);
    add(again, "again", false, rows, order);
    add(pack(read_assembly(plain, file, machine), machine, {}), "plain", true, rows, order);
  }
  const std::vector<std::string> columns = {
      "unpacked", "soft-to-none", "soft-to-hard", "sda", "list", "best", "clang", "plain", "again"};
  std::printf("%-18s", "packets, cycles");
  for (const std::string& column : columns) std::printf(" %13s", column.c_str());
  std::printf("\n");
  int behind = 0, ahead = 0, best_behind = 0, best_ahead = 0;
  for (const std::string& name : order) {
    Row& row = rows[name];
    std::printf("%-18s", name.c_str());
    for (const std::string& column : columns)
      std::printf(" %6.0f %6.0f", row.of[column].packets, row.of[column].cycles);
    const Totals &clang = row.of["clang"], &again = row.of["again"], &best = row.of["best"];
    behind += again.packets > clang.packets || again.cycles > clang.cycles ? 1 : 0;
    ahead += again.packets < clang.packets || again.cycles < clang.cycles ? 1 : 0;
    best_behind += best.packets > clang.packets || best.cycles > clang.cycles ? 1 : 0;
    best_ahead += best.packets < clang.packets || best.cycles < clang.cycles ? 1 : 0;
    std::printf("\n");
  }
  std::printf(
      "%zu kernels; from clang's packets: ahead of clang on %d, behind on %d; from unpacked code: "
      "ahead on %d, behind on %d\n",
      order.size(), ahead, behind, best_ahead, best_behind);
  std::printf(
      "cycles, geometric means: soft-to-hard/sda %.3f, soft-to-none/sda %.3f (GCD2 Figure 11: up "
      "to 2.1 and 1.4); "
      "unpacked/best %.3f, clang/best %.3f, clang/again %.3f\n",
      mean(rows, "soft-to-hard", "sda"), mean(rows, "soft-to-none", "sda"),
      mean(rows, "unpacked", "best"), mean(rows, "clang", "best"), mean(rows, "clang", "again"));
  return behind == 0 ? 0 : 1;
}
