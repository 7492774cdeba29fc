#include "vliw/support/mutation_round.h"

#include <sstream>

#include "vliw/checker/checker.h"
#include "vliw/support/emulator.h"
#include "vliw/support/mutate.h"
#include "vliw/support/random_loops.h"

namespace burin::vliw::testing {

MutationCounts mutation_round(const Machine& all_of_machine,
                              const std::vector<const Form*>& all_forms, uint64_t seed, int count,
                              const std::string& folder, std::string& error) {
  const Population drawn = population(all_of_machine, all_forms, seed);
  const Machine& machine = drawn.machine;
  const std::vector<const Form*>& forms = drawn.forms;
  Random random(seed);
  MutationCounts counts;
  size_t turn = seed;
  std::vector<std::string> originals, mutants, kinds;
  std::vector<bool> caught;
  while (counts.made < count) {
    const std::string name = "f" + std::to_string(counts.made);
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
    const std::string& kind = kMutations[turn++ % kMutations.size()];
    const std::optional<Mutation> mutation = mutate(kind, packed.module, machine, random);
    if (!mutation) continue;
    // Judged as a text, like every output.
    const std::string changed = print_assembly(mutation->module);
    const Module again = read_assembly(changed, "mutant.s", machine);
    const bool found = !check_packets(again, machine).empty() ||
                       !check_equal(original, again, machine, packed.pipelined, false).empty();
    ++counts.made;
    counts.of_pipelined += packed.pipelined.empty() ? 0 : 1;
    counts.caught += found ? 1 : 0;
    originals.push_back(text);
    mutants.push_back(changed);
    kinds.push_back(mutation->kind);
    caught.push_back(found);
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
  // A mutant that kills the emulator changes the result: the original takes its place.
  std::vector<bool> died(mutants.size(), false);
  std::string before_text;
  for (const std::string& original : originals) before_text += original;
  const auto before = run_functions(before_text, count, folder, error, version_of(machine));
  if (!error.empty()) return counts;
  std::vector<std::string> after;
  for (size_t deaths = 0; deaths < 50; ++deaths) {
    std::string after_text;
    for (size_t i = 0; i < mutants.size(); ++i)
      after_text += refused[i] || died[i] ? originals[i] : mutants[i];
    error.clear();
    after = run_functions(after_text, count, folder, error, version_of(machine), 20);
    if (after.size() >= mutants.size()) break;
    died[after.size()] = true;
  }
  error.clear();
  if (before.size() != mutants.size() || after.size() != mutants.size()) {
    error += "not every program ran";
    return counts;
  }
  for (size_t i = 0; i < mutants.size(); ++i) {
    const bool differs = died[i] || before[i] != after[i];
    KindCounts& kind = counts.kinds[kinds[i]];
    ++kind.made;
    kind.matter += refused[i] || differs ? 1 : 0;
    kind.caught += (refused[i] || differs) && caught[i] ? 1 : 0;
    if (caught[i] && refused[i]) ++counts.refused;
    if (caught[i] && !refused[i] && differs) ++counts.changed;
    if (caught[i]) continue;
    if (refused[i] || differs)
      counts.missed.push_back(kinds[i] + (refused[i] ? " (the assembler refuses it)\n" : "\n") +
                              originals[i] + "----\n" + mutants[i]);
    else
      ++counts.harmless;
  }
  return counts;
}

}  // namespace burin::vliw::testing
