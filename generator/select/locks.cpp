#include "select/locks.h"

#include "kernel/place_of.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Of a kind that a list without it leaves out.
bool may_be_left_out(const Verb& verb) {
  const VerbKind* const kind = kind_of(verb.what);
  return kind != nullptr && !kind->switch_name.empty();
}

// A lock is kept or refused.
void check_locked(const LoopPlan& schedule, const Verbs& locked) {
  for (const Verb& verb : locked) {
    if (says(schedule.verbs, verb)) continue;
    std::string now;
    for (const Verb& one : schedule.verbs)
      now += (now.empty() ? "" : ", ") + burin::quoted(to_string(one));
    refuse("plan-lock",
           "--plan-lock: the kernel cannot have " + burin::quoted(to_string(verb)) + "; it has " +
               (now.empty() ? "plain loops" : now),
           "take the kernel out of the file, or generate the plan anew");
  }
  for (const Verb& verb : schedule.verbs) {
    if (may_be_left_out(verb) && !says(locked, verb))
      refuse("plan-lock",
             "--plan-lock: the kernel has " + burin::quoted(to_string(verb)) +
                 ", which its list in the file has not",
             "take the kernel out of the file, or generate the plan anew");
  }
}

}  // namespace

Given given_of(const std::string& key, const SelectOptions& options) {
  if (options.locked != nullptr) {
    const auto locked = options.locked->find(key);
    if (locked != options.locked->end()) return {&locked->second, true, &options.without};
  }
  if (options.tuning != nullptr) {
    const auto tuned = options.tuning->kernels.find(key);
    if (tuned != options.tuning->kernels.end())
      return {&tuned->second.verbs, false, &options.without};
  }
  return {nullptr, false, &options.without};
}

size_t check_locks(const LoopPlans& chosen, const LockedVerbs& locked) {
  size_t unlocked = 0;
  for (const auto& [step, schedule] : chosen.plans) {
    const auto found = locked.find(chosen.keys.at(step));
    if (found == locked.end()) {
      ++unlocked;
      continue;
    }
    const Kernel& kernel = schedule.kernel;
    const LoopPlan& chosen = schedule;
    const Verbs& verbs = found->second;
    at_place([&] { return place_of(kernel.origins); },
             [&] {
               check_locked(chosen, verbs);
               return true;
             });
  }
  return unlocked;
}

}  // namespace burin
