// The corpus of tests/vliw/kernels: packets run and modelled cycles of every function,
//   pack_corpus MACHINE
// unpacked, under each policy, and as clang-19 -O2 packs it with and without its pipeliner. Cycles
// are those of the packer's own model; a hardware loop runs 64 times. `best` is given both
// clang's unpacked code (best) and clang's packets (again). Then, per hardware loop, cycles and
// bounds. Fails where either is behind clang in cycles; in how many packets it is behind is printed.
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "vliw/packer.h"
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
  if (block.part.rfind("short", 0) == 0 || block.part == "odd iteration") return 0;
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

// Against clang, by packets run and by cycles.
struct Verdicts {
  int ahead = 0;                                   // in cycles, or level and in packets
  std::vector<std::string> packets, cycles, both;  // kernels behind
  void count(const std::string& name, const Totals& mine, const Totals& clang) {
    const bool more_packets = mine.packets > clang.packets, more = mine.cycles > clang.cycles;
    ahead +=
        mine.cycles < clang.cycles || (mine.cycles == clang.cycles && mine.packets < clang.packets);
    const auto by = [](double a, double b) { return " +" + std::to_string(std::lround(a - b)); };
    if (more_packets)
      packets.push_back(name + by(mine.packets, clang.packets) + " of " +
                        std::to_string(std::lround(clang.packets)) +
                        (more ? "" : ", cycles" + by(mine.cycles, clang.cycles).substr(2)));
    if (more) cycles.push_back(name + by(mine.cycles, clang.cycles));
    if (more && more_packets) both.push_back(name);
  }
  void print(const char* from) const {
    std::printf(
        "%s: ahead of clang on %d; behind in cycles on %zu, in packets run on %zu, in both "
        "on %zu\n",
        from, ahead, cycles.size(), packets.size(), both.size());
    for (const std::string& name : cycles) std::printf("  cycles: %s\n", name.c_str());
    for (const std::string& name : packets) std::printf("  packets: %s\n", name.c_str());
  }
};

// One line per hardware loop: what it costs and what it cannot go below.
std::string loop_lines(const PackResult& result) {
  std::string out, name;
  for (const BlockReport& block : result.blocks) {
    if (!block.label.empty() && block.label[0] != '.') name = block.label;
    if (!block.pipelining || !block.loop) continue;
    const LoopReport& loop = *block.pipelining;
    char line[200];
    std::snprintf(
        line, sizeof line, "%-18s %4g cycles, ResMII %2d%s, RecMII %2d, %d stalls, %s\n",
        name.c_str(), block.after.cycles / loop.unroll, loop.bounds.resource,
        loop.unroll > 1 ? " for two" : "", loop.bounds.recurrence, block.after.stalls,
        loop.pipelined ? (std::to_string(loop.stages) + " stages").c_str() : loop.reason.c_str());
    out += line;
  }
  return out;
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
  std::string loops;
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
      if (policy == "best") loops += loop_lines(result);
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
  Verdicts from_packed, from_unpacked;
  for (const std::string& name : order) {
    Row& row = rows[name];
    std::printf("%-18s", name.c_str());
    for (const std::string& column : columns)
      std::printf(" %6.0f %6.0f", row.of[column].packets, row.of[column].cycles);
    const Totals &clang = row.of["clang"], &again = row.of["again"], &best = row.of["best"];
    from_packed.count(name, again, clang);
    from_unpacked.count(name, best, clang);
    std::printf("\n");
  }
  std::printf("%zu kernels\n", order.size());
  from_packed.print("from clang's packets");
  from_unpacked.print("from unpacked code");
  std::printf(
      "cycles, geometric means: soft-to-hard/sda %.3f, soft-to-none/sda %.3f (GCD2 Figure 11: up "
      "to 2.1 and 1.4); "
      "unpacked/best %.3f, clang/best %.3f, clang/again %.3f\n",
      mean(rows, "soft-to-hard", "sda"), mean(rows, "soft-to-none", "sda"),
      mean(rows, "unpacked", "best"), mean(rows, "clang", "best"), mean(rows, "clang", "again"));
  std::printf("\nhardware loops of best, per iteration of the original:\n%s", loops.c_str());
  return from_packed.cycles.empty() && from_unpacked.cycles.empty() ? 0 : 1;  // so in both, too
}
