#include "vliw/support/mutation_round.h"

#include <sstream>

#include "vliw/checker/checker.h"
#include "vliw/support/emulator.h"
#include "vliw/support/mutate.h"
#include "vliw/support/random_loops.h"

namespace burin::vliw::testing {
namespace {

constexpr int kMutantsOfAProgram = 5;

// The first packet that is not as it was packed.
std::string changed_packet(const Module& packed, const Module& mutant) {
  for (size_t i = 0; i < mutant.items.size(); ++i) {
    const Item& item = mutant.items[i];
    if (item.kind != Item::Kind::kPacket) continue;
    const bool same = i < packed.items.size() && packed.items[i].kind == item.kind &&
                      print_packet(packed.items[i].packet) == print_packet(item.packet);
    if (!same) return print_packet(item.packet);
  }
  return "none";
}

// The program under another name; its labels (".Lfunction_0") are named by it too.
std::string renamed(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

MutationCounts mutation_round(const Machine& all_of_machine,
                              const std::vector<const Form*>& all_forms, uint64_t seed, int count,
                              const std::string& folder, std::string& error) {
  const Population drawn = population(all_of_machine, all_forms, seed);
  const Machine& machine = drawn.machine;
  const std::vector<const Form*>& forms = drawn.forms;
  Random random(seed);
  MutationCounts counts;
  size_t turn = seed;
  std::vector<std::string> originals, mutants, kinds, places;
  std::vector<bool> caught;
  while (counts.made < count) {
    const std::string name = "function";
    const bool loops = random.chance(50);
    const std::string text =
        loops ? random_loop_function(name, forms, 10, random)
              : random_function(name, forms, 10 + random.below(14), random, drawn.in_order);
    const Module original = read_assembly(text, "random.s", machine);
    PackOptions options;
    options.at_return = AtReturn::kEverything;
    const PackResult packed = pack(original, machine, options);
    if (loops && packed.pipelined.empty()) continue;
    // Kinds take turns; a program that has no place for one kind goes on to the next.
    for (int k = 0; k < kMutantsOfAProgram && counts.made < count; ++k) {
      const std::string& kind = kMutations[turn++ % kMutations.size()];
      const std::optional<Mutation> mutation = mutate(kind, packed.module, machine, random);
      if (!mutation) continue;
      // Judged as a text, like every output; its function gets a name of its own for the table.
      const std::string changed = print_assembly(mutation->module);
      const Module again = read_assembly(changed, "mutant.s", machine);
      const bool found = !check_packets(again, machine).empty() ||
                         !check_equal(original, again, machine, packed.pipelined, false).empty();
      const std::string own = "f" + std::to_string(counts.made);
      originals.push_back(renamed(text, name, own));
      mutants.push_back(renamed(changed, name, own));
      kinds.push_back(mutation->kind);
      places.push_back(changed_packet(packed.module, mutation->module));
      caught.push_back(found);
      ++counts.made;
      counts.of_pipelined += packed.pipelined.empty() ? 0 : 1;
      counts.caught += found ? 1 : 0;
    }
  }
  // The assembler's word on each mutant: one packet with an error condemns its function.
  std::string all;
  std::vector<size_t> line_of;
  for (size_t i = 0; i < mutants.size(); ++i) {
    all += mutants[i];
    for (const char c : mutants[i]) {
      if (c == '\n') line_of.push_back(i);
    }
  }
  std::vector<bool> refused(mutants.size(), false);
  std::istringstream messages(assemble_text(all, folder + "mutants.o", version_of(machine)));
  for (std::string line; std::getline(messages, line);) {
    const size_t at = line.find("mutants.o.s:");
    if (at == std::string::npos || line.find("error:") == std::string::npos) continue;
    const size_t number = std::stoul(line.substr(at + 12));
    if (number >= 1 && number <= line_of.size()) refused[line_of[number - 1]] = true;
  }
  // Each in a process of its own; one that dies or does not end changes the result.
  std::string before_text, after_text;
  for (size_t i = 0; i < mutants.size(); ++i) {
    before_text += originals[i];
    after_text += refused[i] ? originals[i] : mutants[i];
  }
  const auto before = run_functions(before_text, count, folder, error, version_of(machine));
  if (!error.empty()) return counts;
  const auto after =
      run_functions(after_text, count, folder, error, version_of(machine), Runs::kApart);
  if (!error.empty()) return counts;
  if (before.size() != mutants.size() || after.size() != mutants.size()) {
    error += "not every program ran";
    return counts;
  }
  for (size_t i = 0; i < mutants.size(); ++i) {
    const bool differs = before[i] != after[i];
    KindCounts& kind = counts.kinds[kinds[i]];
    ++kind.made;
    kind.matter += refused[i] || differs ? 1 : 0;
    kind.caught += (refused[i] || differs) && caught[i] ? 1 : 0;
    if (caught[i] && refused[i]) ++counts.refused;
    if (caught[i] && !refused[i] && differs) ++counts.changed;
    if (caught[i]) continue;
    if (refused[i] || differs)
      counts.missed.push_back(kinds[i] + (refused[i] ? " (the assembler refuses it): " : ": ") +
                              places[i] + "\n" + originals[i] + "----\n" + mutants[i]);
    else
      ++counts.harmless;
  }
  return counts;
}

}  // namespace burin::vliw::testing
