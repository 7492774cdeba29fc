// Schedules as other verbs have them (select/verbs/verbs.h): whatever a tuning file says, with each
// kind left out, and as an earlier plan has them. Programs give what the interpreter gives.
#include <iostream>

#include "differential/support/drawn_tuning.h"
#include "differential/support/programs_of.h"
#include "fuse/rewrites.h"

namespace burin::programs_test {
namespace {

// Five threads that cost nothing: most of what may be cut is.
Hardware five_threads(const std::string& name) {
  Hardware hardware = project_hardware(name);
  hardware.threads_max = 5;
  hardware.thread_start_us = 0;
  return hardware;
}

CompileOptions options_of(const std::string& folder) {
  CompileOptions options;
  options.model = folder + "/model.onnx";
  if (folder.ends_with("/loop")) options.import.dims = {{.name = "trips", .min = 0, .max = 64}};
  return options;
}

void run(const Compiled& compiled, const CompileOptions& options, const std::string& where,
         Counts& counts) {
  ProgramsOf programs(compiled, where, counts);
  for (const std::string& set : data_sets_of(options.model.substr(0, options.model.rfind('/'))))
    programs.run(read_case(compiled, read_data_set(set, options.model), options));
}

template <class Each>
void each_model(const Each& each) {
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) {
    try {
      each(folder);
    } catch (const std::exception& error) {
      ADD_FAILURE() << folder << ": " << error.what();
    }
  }
}

// What is drawn may not be possible for a kernel; then it is as without a file.
TEST(Verbs, WhateverATuningFileSaysProgramsAgree) {
  Counts counts;
  int obeyed = 0, drawn = 0;
  std::map<std::string, int> kinds;
  for (const uint64_t seed : {1, 2}) {
    each_model([&](const std::string& folder) {
      const Hardware hardware = five_threads(seed == 1 ? "x86-64-v3" : "x86-64-v4-vnni");
      CompileOptions options = options_of(folder);
      options.tuning = drawn_tuning(options, hardware, seed);
      const Compiled compiled = compile(options, hardware);
      for (const auto& [step, schedule] : compiled.plan.kernels) {
        const auto told = options.tuning->kernels.find(compiled.kernel_keys.at(step));
        if (told == options.tuning->kernels.end()) continue;
        for (const Verb& verb : told->second.verbs) {
          const bool has = says(schedule.verbs, verb);
          ++drawn;
          obeyed += has;
          kinds[verb.what] += has;
        }
      }
      run(compiled, options, folder.substr(kRoot.size() + 1), counts);
    });
  }
  std::cout << counts.programs << " programs, " << obeyed << " of " << drawn
            << " drawn verbs were possible\n";
  for (const auto& [what, times] : kinds) std::cout << "  " << what << " " << times << "\n";
  EXPECT_GT(counts.programs, 4000);
  for (const char* const what :
       {"tile", "tile scores", "tile sums", "tile values", "block keys", "lanes", "outer",
        "threads", "decode", "accumulators", "block rows"})
    EXPECT_GT(kinds[what], 0) << what;
}

// Numbers that nothing fits: none is taken that would be wrong, and nothing fails.
TEST(Verbs, NumbersThatNothingFitsAreNotTaken) {
  const std::vector<int64_t> numbers = {0, 1, 3, 5, 12, 31, 100, 4095, 1 << 24};
  int kernels = 0;
  size_t next = 0;
  each_model([&](const std::string& folder) {
    for (const char* const name : {"x86-64-v4-vnni", "pocl"}) {
      const Hardware hardware =
          std::string(name) == "pocl" ? project_hardware(name) : five_threads(name);
      CompileOptions options = options_of(folder);
      try {
        const Compiled before = compile(options, hardware);
        Tuning tuning;
        for (const auto& [step, schedule] : before.plan.kernels) {
          for (Verb verb : schedule.verbs) {
            for (size_t i = is_of_let(verb.what) ? 1 : 0; i < verb.numbers.size(); ++i)
              verb.numbers[i] = numbers[next++ % numbers.size()];
            if (parse_verb(to_string(verb)))
              set_verb(tuning.kernels[before.kernel_keys.at(step)].verbs, verb);
          }
        }
        options.tuning = tuning;
        for (const auto& [step, schedule] : compile(options, hardware).plan.kernels) {
          // Kernels of tensors that have no elements are wrong in any form, and never run.
          if (!loops::verify(*before.plan.kernels.at(step).program).empty()) continue;
          ++kernels;
          for (const std::string& fault : loops::verify(*schedule.program))
            EXPECT_NE(fault.find(") share "), std::string::npos) << folder << ": " << fault;
        }
      } catch (const Refused& refused) {
        EXPECT_NE(std::string(refused.what()).find("f64"), std::string::npos) << refused.what();
      }
    }
  });
  EXPECT_GT(kernels, 1500);
}

// The words of every kind that some kernel of a model has are left out, alone: each of a third of
// the models that have it, others for the next kind, and of the first few.
constexpr size_t kLeftOutOf = 3;
constexpr int kLeftOutFirst = 3;
void leave_out(const Hardware& hardware, const std::set<std::string>& only, Counts& counts,
               std::map<std::string, int>& left_out) {
  size_t turn = 0;
  each_model([&](const std::string& folder) {
    CompileOptions options = options_of(folder);
    std::set<std::string> switches;
    const Compiled all = compile(options, hardware);
    for (const auto& [step, schedule] : all.plan.kernels) {
      for (const Verb& verb : schedule.verbs) {
        for (const VerbKind& kind : verb_kinds()) {
          if (kind.what == without_then(verb.what)) switches.emplace(kind.switch_name);
        }
      }
    }
    switches.erase("");
    for (const std::string& one : switches) {
      if (!only.empty() && !only.contains(one)) continue;
      const bool first = left_out[one] < kLeftOutFirst;
      if (++turn % kLeftOutOf != 0 && !first) continue;
      SCOPED_TRACE(folder + " without " + one);
      options.without_verbs = words_of_switch(one);
      const Compiled without = compile(options, hardware);
      for (const auto& [step, schedule] : without.plan.kernels) {
        for (const Verb& verb : schedule.verbs)
          EXPECT_FALSE(options.without_verbs.contains(std::string(without_then(verb.what))))
              << folder << ": " << one << ": " << to_string(verb);
      }
      ++left_out[one];
      run(without, options, folder.substr(kRoot.size() + 1) + " without " + one, counts);
    }
  });
}

TEST(Verbs, EachKindMayBeLeftOut) {
  Counts counts;
  std::map<std::string, int> left_out;
  leave_out(five_threads("x86-64-v4-vnni"), {}, counts, left_out);
  leave_out(project_hardware("hexagon-v66"), {"byte-vectors", "instructions"}, counts, left_out);
  leave_out(five_threads("x86-64-v3"), {"winograd"}, counts, left_out);
  // Beside a second cache of so few bytes even small models have constants that stay small.
  Hardware narrow = five_threads("x86-64-v3");
  narrow.memory.caches[1].size_bytes = 256;
  leave_out(narrow, {"compact"}, counts, left_out);
  // Beside a first cache of so few, small panels are asked for before they are read.
  Hardware far = five_threads("x86-64-v4-vnni");
  far.memory.caches[0].size_bytes = 256;
  leave_out(far, {"prefetch"}, counts, left_out);
  std::cout << counts.programs << " programs\n";
  for (const VerbKind& kind : verb_kinds()) {
    if (kind.switch_name.empty()) continue;
    EXPECT_GT(left_out[std::string(kind.switch_name)], 0) << kind.switch_name;
  }
}

// As plan.json has it: texts, read back.
LockedVerbs lock_of(const Compiled& compiled) {
  LockedVerbs out;
  for (const auto& [step, schedule] : compiled.plan.kernels) {
    Verbs& verbs = out[compiled.kernel_keys.at(step)];
    verbs.clear();
    for (const Verb& verb : schedule.verbs) {
      const std::optional<Verb> read = parse_verb(to_string(verb));
      EXPECT_TRUE(read) << to_string(verb);
      if (read) verbs.push_back(*read);
    }
  }
  return out;
}

std::string programs_of(const Compiled& compiled) {
  std::string out;
  for (const auto& [step, schedule] : compiled.plan.kernels)
    out += schedule.family + ": " + schedule.reason + "\n" + loops::to_string(*schedule.program);
  return out;
}

// A plan gives back what made it: the default's, a drawn one's.
TEST(Verbs, ALockGivesTheSamePrograms) {
  int kernels = 0;
  for (const char* const name : {"x86-64-v4-vnni", "cortex-m7", "hexagon-v66", "pocl"}) {
    Hardware hardware = project_hardware(name);
    if (std::string(name).starts_with("x86")) hardware = five_threads(name);
    each_model([&](const std::string& folder) {
      CompileOptions options = options_of(folder);
      try {
        options.tuning = drawn_tuning(options, hardware, 3);
        // Which tensors are images is not of a kernel.
        for (auto& [key, one] : options.tuning->kernels)
          std::erase_if(one.verbs, [](const Verb& verb) {
            return verb.what == "images" || verb.what == "constants";
          });
        const Compiled before = compile(options, hardware);
        options.tuning.reset();
        options.locked = PlanLock{{}, lock_of(before)};
        const Compiled after = compile(options, hardware);
        kernels += static_cast<int>(after.plan.kernels.size());
        EXPECT_EQ(programs_of(after), programs_of(before)) << folder << " for " << name;
      } catch (const Refused& refused) {
        EXPECT_NE(std::string(refused.what()).find("f64"), std::string::npos) << refused.what();
      }
    });
  }
  EXPECT_GT(kernels, 3400);
}

TEST(Verbs, WhatAKernelCannotHaveIsRefused) {
  CompileOptions options;
  options.model = kRoot + "/tests/digits/digits.onnx";
  const Hardware hardware = project_hardware("x86-64-v3");
  const Compiled before = compile(options, hardware);
  for (const Verb& wrong : {Verb{"tile", {90, 9}}, Verb{"decode", {1, 2, 1}}}) {
    LockedVerbs locked = lock_of(before);
    set_verb(locked.begin()->second, wrong);
    options.locked = PlanLock{{}, locked};
    try {
      compile(options, hardware);
      ADD_FAILURE() << to_string(wrong);
    } catch (const Refused& refused) {
      EXPECT_NE(std::string(refused.what())
                    .find("the kernel cannot have '" + to_string(wrong) + "'; it has "),
                std::string::npos)
          << refused.what();
    }
  }
  // Nothing of a kernel: plain loops.
  LockedVerbs bare = lock_of(before);
  for (auto& [key, verbs] : bare) verbs.clear();
  options.locked = PlanLock{{}, bare};
  for (const auto& [step, schedule] : compile(options, hardware).plan.kernels)
    EXPECT_TRUE(schedule.verbs.empty()) << to_string(schedule.verbs[0]);
  // A kernel that the file does not have is chosen anew, and said.
  bare.erase(bare.begin());
  options.locked = PlanLock{{}, bare};
  const Compiled anew = compile(options, hardware);
  ASSERT_EQ(anew.notes.size(), 1u);
  EXPECT_NE(anew.notes[0].message.find("1 of "), std::string::npos) << anew.notes[0].message;
}

// A switch of verbs is none of a rewrite.
TEST(Verbs, SwitchesHaveNamesOfTheirOwn) {
  for (const FuseSwitch& one : fuse_switches())
    EXPECT_TRUE(words_of_switch(one.name).empty()) << one.name;
}

// Every kind there and back; words of one may begin those of another.
TEST(Verbs, TextIsReadBack) {
  for (const VerbKind& kind : verb_kinds()) {
    for (size_t count = kind.least; count <= kind.most; ++count) {
      for (const char* const then : {"", "then "}) {
        Verb verb{then + std::string(kind.what), {}};
        for (size_t i = 0; i < count; ++i) verb.numbers.push_back(kind.greatest_power > 0 ? 1 : 7);
        const std::optional<Verb> read = parse_verb(to_string(verb));
        ASSERT_TRUE(read) << to_string(verb);
        EXPECT_EQ(*read, verb);
      }
    }
  }
  for (const char* const wrong :
       {"", "tile", "tile 1", "tile 1 2 3", "tile -1 2", "tile 1  2", "tile 1 2 ", "tile 1 x",
        "tiles 1 2", "then", "tile 99999999999999999999 1", "unroll 3", "unroll 128", "images 2",
        "block keys 34359738368"})
    EXPECT_FALSE(parse_verb(wrong)) << wrong;
}

}  // namespace
}  // namespace burin::programs_test
