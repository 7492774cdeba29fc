// The corpus of tests/vliw/kernels on the emulator: packets run (its counter), static packets and
// modelled cycles of every function,
//   pack_packets MACHINE
// unpacked, under each policy, and as clang-19 -O2 packs it with and without its pipeliner; `again`
// is best from clang's packets. The loops of the model run 64 times, those of the emulator as long
// as they are. Every program must compute what clang's computes, and clang's convolutions what a
// scalar loop computes. Then the two ablations of GCD2's Figure 11 and the sweep of w.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "vliw/packer.h"
#include "vliw/support/emulator.h"

namespace {

using namespace burin::vliw;
using namespace burin::vliw::testing;

const std::vector<std::string> kFiles = {"vector", "scalar", "convolutions"};

constexpr int kTrips = 64;  // of every hardware loop, in the model

// How often a block runs in the model. The parts of a pipelined loop that only few iterations need
// never do.
double runs_of(const BlockReport& block) {
  if (block.part.rfind("short", 0) == 0 || block.part == "odd iteration") return 0;
  if (!block.loop) return 1;
  return block.part == "kernel" ? kTrips / block.pipelining->unroll - block.pipelining->stages + 1
                                : kTrips;
}

struct Figures {
  int packets = 0;     // static
  long long run = 0;   // on the emulator
  double cycles = 0;   // of the model
  std::string result;  // checksum
};
using Column = std::map<std::string, Figures>;  // by function

struct Corpus {
  const Machine& machine;
  std::string version, folder;
  std::vector<std::string> order;  // of functions
  int equal_to_scalar = 0;
  bool wrong = false;

  std::string text(const std::string& file, const std::string& kind) const {
    return read_text(folder + file + "_" + kind + ".s");
  }

  bool compile(const std::string& kind, const std::string& flags) {
    for (const std::string& file : kFiles) {
      const Output made =
          run_command("clang-19 --target=hexagon -mcpu=hexagon" + version +
                      " -mhvx -mhvx-length=128b -ffreestanding -fno-pic -G0 -O2 -S " + flags +
                      " -o '" + folder + file + "_" + kind + ".s' '" + BURIN_SOURCE_DIR +
                      "/tests/vliw/kernels/" + file + ".c'");
      if (made.status != 0) std::printf("%s\n", made.text.c_str());
      if (made.status != 0) return false;
    }
    return true;
  }

  // Static figures of packed blocks, as read or as written; functions are labels without a dot.
  void count(const PackResult& result, bool as_read, Column& column) const {
    std::string name;
    for (const BlockReport& block : result.blocks) {
      if (!block.label.empty() && block.label[0] != '.') name = block.label;
      const Cost& cost = as_read ? block.before : block.after;
      column[name].packets += cost.packets;
      column[name].cycles += cost.cycles * (as_read ? (block.loop ? kTrips : 1) : runs_of(block));
    }
  }

  // Assembles, links and runs one version of all files.
  void run(const std::vector<std::string>& texts, bool scalar_too, Column& column) {
    std::vector<std::string> objects = {folder + "measure.o",
                                        folder + (scalar_too ? "checking.o" : "driver.o")};
    for (size_t i = 0; i < texts.size(); ++i) {
      objects.push_back(folder + kFiles[i] + ".o");
      const std::string refused = assemble_text(texts[i], objects.back(), version);
      if (refused.empty()) continue;
      std::printf("the assembler refuses %s: %s\n", kFiles[i].c_str(), refused.c_str());
      wrong = true;
      return;
    }
    const Output ran = link_and_run(objects, folder + "corpus", version);
    if (ran.status != 0) std::printf("%s\n", ran.text.substr(0, 1000).c_str());
    wrong = wrong || ran.status != 0;
    std::istringstream lines(ran.text);
    std::string name, sum, verdict;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      long long packets = 0;
      verdict.clear();
      if (!(words >> name >> packets >> sum)) continue;
      words >> verdict;
      if (scalar_too) order.push_back(name);
      column[name].run = packets;
      column[name].result = sum;
      if (verdict == "wrong") std::printf("%s differs from the scalar loop\n", name.c_str());
      wrong = wrong || verdict == "wrong";
      equal_to_scalar += verdict == "right" ? 1 : 0;
    }
  }

  Column packed(const std::string& kind, const PackOptions& options) {
    Column column;
    std::vector<std::string> texts;
    for (const std::string& file : kFiles) {
      const PackResult result =
          pack(read_assembly(text(file, kind), file, machine), machine, options);
      for (const std::string& warning : result.warnings) {
        std::printf("%s\n", warning.c_str());
        wrong = true;
      }
      count(result, false, column);
      texts.push_back(print_assembly(result.module));
    }
    run(texts, false, column);
    return column;
  }

  Column as_read(const std::string& kind, bool scalar_too) {
    Column column;
    std::vector<std::string> texts;
    PackOptions quick;
    quick.policy = Policy::kList;
    for (const std::string& file : kFiles) {
      texts.push_back(text(file, kind));
      count(pack(read_assembly(texts.back(), file, machine), machine, quick), true, column);
    }
    run(texts, scalar_too, column);
    return column;
  }
};

template <typename Get>
void print_table(const char* title, const std::vector<std::string>& order,
                 const std::vector<std::string>& names, std::map<std::string, Column>& columns,
                 Get get) {
  std::printf("\n%-24s", title);
  for (const std::string& name : names) std::printf(" %12s", name.c_str());
  std::printf("\n");
  for (const std::string& function : order) {
    std::printf("%-24s", function.c_str());
    for (const std::string& name : names) std::printf(" %12.0f", get(columns[name][function]));
    std::printf("\n");
  }
}

// Geometric mean and largest of slow / fast.
template <typename Get>
std::string ratio(const std::vector<std::string>& order, Column& slow, Column& fast, Get get) {
  double sum = 0, most = 0;
  for (const std::string& name : order) {
    const double r = get(slow[name]) / get(fast[name]);
    sum += std::log(r);
    most = std::max(most, r);
  }
  char text[80];
  std::snprintf(text, sizeof text, "mean %.3f, up to %.2f",
                std::exp(sum / static_cast<double>(order.size())), most);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Machine machine = load_machine(argv[1]);
  Corpus corpus{machine, version_of(machine), fresh_folder("packets"), {}};
  for (const auto& [name, flags] : {std::pair("driver", "-DCHECK=0"), {"checking", "-DCHECK=1"}}) {
    if (build_support("corpus_driver.c", std::string("-w -O2 ") + flags,
                      corpus.folder + name + ".o")
            .status != 0)
      return 1;
  }
  if (build_support("measure.s", "", corpus.folder + "measure.o").status != 0) return 1;
  if (!corpus.compile("unpacked", "-mllvm -disable-packetizer -mno-nvj") ||
      !corpus.compile("clang", "") || !corpus.compile("plain", "-mllvm -enable-pipeliner=0"))
    return 1;
  std::map<std::string, Column> columns;
  columns["clang"] = corpus.as_read("clang", true);
  columns["plain"] = corpus.as_read("plain", false);
  columns["unpacked"] = corpus.as_read("unpacked", false);
  for (const std::string policy : {"soft-to-none", "soft-to-hard", "sda", "list", "best"}) {
    PackOptions options;
    options.policy = policy_of(policy);
    columns[policy] = corpus.packed("unpacked", options);
  }
  columns["again"] = corpus.packed("clang", {});
  for (auto& [kind, column] : columns) {
    for (const std::string& name : corpus.order) {
      if (column[name].result == columns["clang"][name].result) continue;
      std::printf("%s of %s computes something else\n", name.c_str(), kind.c_str());
      corpus.wrong = true;
    }
  }
  const auto packets = [](const Figures& f) { return static_cast<double>(f.packets); };
  const auto run = [](const Figures& f) { return static_cast<double>(f.run); };
  const auto cycles = [](const Figures& f) { return f.cycles; };
  const std::vector<std::string> names = {
      "unpacked", "soft-to-none", "soft-to-hard", "sda", "list", "best", "clang", "plain", "again"};
  print_table("packets run", corpus.order, names, columns, run);
  print_table("static packets", corpus.order, names, columns, packets);
  print_table("modelled cycles", corpus.order, names, columns, cycles);
  std::printf("\n%d convolutions compute what a scalar loop computes; %s\n", corpus.equal_to_scalar,
              corpus.wrong ? "NOT EVERYTHING AGREES" : "every version of every kernel agrees");
  std::printf("\nGCD2 Figure 11, over %zu kernels: %28s %28s\n", corpus.order.size(), "cycles",
              "packets run");
  for (const auto& [slow, paper] : {std::pair("soft-to-hard", "2.1"), {"soft-to-none", "1.4"}}) {
    std::printf("%-12s / sda (paper: up to %s)        %28s %28s\n", slow, paper,
                ratio(corpus.order, columns[slow], columns["sda"], cycles).c_str(),
                ratio(corpus.order, columns[slow], columns["sda"], run).c_str());
  }
  for (const char* slow : {"unpacked", "clang", "plain"}) {
    std::printf("%-12s / best                         %28s %28s\n", slow,
                ratio(corpus.order, columns[slow], columns["best"], cycles).c_str(),
                ratio(corpus.order, columns[slow], columns["best"], run).c_str());
  }
  std::printf("clang        / again                        %28s %28s\n",
              ratio(corpus.order, columns["clang"], columns["again"], cycles).c_str(),
              ratio(corpus.order, columns["clang"], columns["again"], run).c_str());
  std::printf("\nsda by w %14s %16s %16s\n", "static packets", "packets run", "modelled cycles");
  for (const double w : machine.sda_sweep) {
    PackOptions options;
    options.policy = Policy::kSda;
    options.w = w;
    Column column = corpus.packed("unpacked", options);
    Figures total;
    for (const std::string& name : corpus.order) {
      total.packets += column[name].packets;
      total.run += column[name].run;
      total.cycles += column[name].cycles;
    }
    std::printf("%8.2f %14d %16lld %16.0f\n", w, total.packets, total.run, total.cycles);
  }
  return corpus.wrong ? 1 : 0;
}
