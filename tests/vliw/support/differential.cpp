#include "vliw/support/differential.h"

#include <set>
#include <sstream>

#include "vliw/support/emulator.h"
#include "vliw/support/random_loops.h"

namespace burin::vliw::testing {

std::vector<const Form*> assembled_forms(const Machine& machine, const std::string& folder) {
  std::vector<const Form*> forms = usable_forms(machine);
  // The assembler's word on each, several operands each.
  Random random(7);
  std::string text;
  std::vector<size_t> owner;
  for (size_t f = 0; f < forms.size(); ++f) {
    for (int k = 0; k < 6; ++k) {
      text += "{ " + random_instruction(*forms[f], random) + " }\n";
      owner.push_back(f);
    }
  }
  std::set<size_t> bad;
  std::istringstream messages(assemble_text(text, folder + "forms.o", version_of(machine)));
  for (std::string line; std::getline(messages, line);) {
    const size_t at = line.find("forms.o.s:");
    if (at == std::string::npos || line.find("error:") == std::string::npos) continue;
    const size_t number = std::stoul(line.substr(at + 10));
    if (number >= 1 && number <= owner.size()) bad.insert(owner[number - 1]);
  }
  std::vector<const Form*> good;
  for (size_t f = 0; f < forms.size(); ++f) {
    if (bad.count(f) == 0) good.push_back(forms[f]);
  }
  return good;
}

std::vector<const Form*> runnable_forms(const Machine& machine, const std::string& folder) {
  std::vector<const Form*> good = assembled_forms(machine, folder);
  // Words of newer chips are other instructions to the emulator, which knows none above v67.
  const Machine emulated =
      load_machine(std::string(BURIN_SOURCE_DIR) + "/configs/vliw/hexagon-v66.json");
  std::erase_if(good, [&](const Form* form) { return emulated.find(form->key) == nullptr; });
  // The emulator's word: one form a function, and those that die are out.
  Random again(11);
  std::string functions, error;
  for (size_t f = 0; f < good.size(); ++f) {
    functions += "f" + std::to_string(f) + ":\n";
    for (int k = 0; k < 3; ++k) functions += "\t{ " + random_instruction(*good[f], again) + " }\n";
    functions += "\t{ jumpr r31 }\n";
  }
  const std::vector<std::string> lines = run_functions(
      functions, static_cast<int>(good.size()), folder, error, version_of(machine), Runs::kApart);
  std::vector<const Form*> runnable;
  for (size_t f = 0; f < std::min(good.size(), lines.size()); ++f) {
    if (!is_dead(lines[f])) runnable.push_back(good[f]);
  }
  return runnable;
}

Originals run_originals(const Machine& machine, const std::vector<const Form*>& forms,
                        uint64_t seed, int count, int size, Programs programs,
                        const std::string& folder, std::string& error) {
  Originals all{population(machine, forms, seed), {}, {}};
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const std::string name = "f" + std::to_string(i);
    all.text += programs == Programs::kLoops
                    ? random_loop_function(name, all.drawn.forms, size / 2, random)
                    : random_function(name, all.drawn.forms, size / 2 + random.below(size), random,
                                      all.drawn.in_order);
  }
  write_text(folder + "original.s", all.text);
  all.results = run_functions(all.text, count, folder, error, version_of(machine));
  if (all.results.size() != static_cast<size_t>(count))
    error += "the original did not run to its end";
  return all;
}

std::vector<Difference> compare(const Originals& originals, const PackOptions& options,
                                const std::string& folder, std::string& error, int* pipelined) {
  const Machine& machine = originals.drawn.machine;
  PackOptions all_compared = options;
  all_compared.at_return = AtReturn::kEverything;
  all_compared.pipelining.module_limit = int64_t{1} << 40;  // a module is many programs here
  const PackResult packed =
      pack(read_assembly(originals.text, "random.s", machine), machine, all_compared);
  if (pipelined != nullptr) *pipelined += static_cast<int>(packed.pipelined.size());
  const std::string text = print_assembly(packed.module);
  write_text(folder + "packed.s", text);
  const std::vector<std::string>& before = originals.results;
  const std::vector<std::string> after =
      run_functions(text, static_cast<int>(before.size()), folder, error, version_of(machine));
  if (after.size() != before.size()) error += "the packed program did not run to its end";
  std::vector<Difference> differences;
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i] != after[i]) differences.push_back({static_cast<int>(i), before[i], after[i]});
  }
  return differences;
}

std::vector<Difference> compare_random(const Machine& machine,
                                       const std::vector<const Form*>& forms, uint64_t seed,
                                       int count, int size, const PackOptions& options,
                                       const std::string& folder, std::string& error,
                                       Programs programs, int* pipelined) {
  const Originals originals =
      run_originals(machine, forms, seed, count, size, programs, folder, error);
  if (!error.empty()) return {};
  return compare(originals, options, folder, error, pipelined);
}

}  // namespace burin::vliw::testing
