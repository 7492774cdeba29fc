// Every kernel as its schedule's program: run_loops() gives what the interpreter gives, in this
// process, before any compiler has seen a loop. Bits agree where sums have the order of the
// definition; programs with partial sums (lanes of a row, several points of the depth at a time)
// agree as closely as sums of floats in another order do.
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "differential/support/programs_of.h"

namespace burin::programs_test {
namespace {

bool calls_instructions(const Compiled& compiled) {
  return std::any_of(
      compiled.plan.kernels.begin(), compiled.plan.kernels.end(),
      [](const auto& one) { return one.second.program && calls(*one.second.program, true); });
}

// `instructions_only`: models in which no kernel calls an instruction of that machine are left out.
void run_model(const std::string& folder, const Hardware& hardware, bool instructions_only,
               Counts& counts) {
  CompileOptions options;
  options.model = folder + "/model.onnx";
  // Its trips have no bound of their own.
  if (folder.ends_with("/loop")) options.import.dims = {{.name = "trips", .min = 0, .max = 64}};
  const Compiled compiled = compile(options, hardware);
  if (instructions_only && !calls_instructions(compiled)) return;
  ProgramsOf programs(compiled, folder.substr(kRoot.size() + 1) + " for " + hardware.name, counts);
  for (const std::string& set : data_sets_of(folder))
    programs.run(read_case(compiled, read_data_set(set, options.model), options));
}

TEST(Programs, OfAllTestModelsAgreeWithTheInterpreter) {
  Counts counts;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    // Of few registers, where tiles are outlined, and of many, where results leave from them.
    for (const std::string hardware : {"cpp-generic", "x86-64-v3", "x86-64-v4-vnni"}) {
      try {
        run_model(folder, project_hardware(hardware), false, counts);
      } catch (const std::exception& error) {
        ADD_FAILURE() << folder << " for " << hardware << ": " << error.what();
      }
    }
  }
  std::cout << counts.kernels << " kernels, " << counts.programs << " programs, "
            << counts.reordered << " of them with partial sums\n";
  EXPECT_GT(counts.programs, 3500);
  // Products of floats, by rows that every machine has.
  EXPECT_GE(counts.calling, 600);
  EXPECT_GE(counts.instructions, 4);
  // Chunks end where quotients and minima of dynamic sizes do, which the proof does not follow.
  std::set<std::string> unproven;
  for (const std::string hardware : {"x86-64-v3", "x86-64-v4-vnni"}) {
    unproven.insert({
        "tests/models/axes_of_run for " + hardware + ": means_1",
        "tests/models/class_token for " + hardware + ": patches",
    });
  }
  EXPECT_EQ(counts.unproven, unproven);
}

// Of five threads which cost nothing: most of what may be cut is, along one axis or two.
TEST(Programs, InPartsOfThreadsAgreeWithTheInterpreter) {
  Counts counts;
  Hardware hardware = project_hardware("x86-64-v4-vnni");
  hardware.threads_max = 5;
  hardware.thread_start_us = 0;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    try {
      run_model(folder, hardware, false, counts);
    } catch (const std::exception& error) {
      ADD_FAILURE() << folder << ": " << error.what();
    }
  }
  std::cout << counts.cut << " programs in parts, " << counts.across << " along two axes\n";
  std::set<std::string> unproven;
  for (const std::string one : {"axes_of_run: means_1", "class_token: patches"}) {
    const size_t name = one.find(": ");
    unproven.insert("tests/models/" + one.substr(0, name) + " for " + hardware.name +
                    one.substr(name));
  }
  EXPECT_EQ(counts.unproven, unproven);
  EXPECT_GT(counts.cut, 1000);
  EXPECT_GT(counts.other_orders, 1000);
  EXPECT_GE(counts.across, 2);
}

// Networks that zoo_programs.sh names; by itself there are none.
std::vector<std::string> named_networks() {
  std::vector<std::string> out;
  const char* const folders = std::getenv("BURIN_NETWORKS");
  std::istringstream names(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(names, folder, ':');) out.push_back(folder);
  return out;
}

class NetworkPrograms : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NetworkPrograms);
INSTANTIATE_TEST_SUITE_P(Named, NetworkPrograms, testing::ValuesIn(named_networks()));

TEST_P(NetworkPrograms, AgreeWithTheInterpreter) {
  const std::string& folder = GetParam();
  Counts counts;
  CompileOptions options;
  options.model = folder + "/model.onnx";
  const Compiled compiled = compile(options, project_hardware("x86-64-v4-vnni"));
  ProgramsOf programs(compiled, folder, counts);
  for (const std::string& set : data_sets_of(folder))
    programs.run(read_case(compiled, read_data_set(set, options.model), options));
  std::cout << folder << ": " << counts.kernels << " kernels, " << counts.programs << " programs, "
            << counts.reordered << " of them with partial sums, " << counts.instructions
            << " that call instructions, " << counts.cut << " in parts, " << counts.unproven.size()
            << " of these not shown to be apart\n";
  EXPECT_GT(counts.programs, 0);
}

TEST(Programs, ThatCallInstructionsAgreeOnOtherDescriptions) {
  Counts counts;
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    try {
      run_model(folder, project_hardware("armv8-neoverse-n1"), true, counts);
    } catch (const std::exception& error) {
      ADD_FAILURE() << folder << ": " << error.what();
    }
  }
  EXPECT_GE(counts.instructions, 2);
  EXPECT_TRUE(counts.unproven.empty()) << *counts.unproven.begin();
}

}  // namespace
}  // namespace burin::programs_test
