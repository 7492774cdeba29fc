#include "cli/state_flag.h"

#include "cli/usage.h"
#include "support/diagnostics.h"

namespace burin {

void add_state_flag(CLI::App& command, std::vector<std::string>& states) {
  command
      .add_option("--state", states,
                  "an input and the output that is the input with something behind it, as in "
                  "past_k=present_k: one buffer of the caller with room for the longest is both, "
                  "and a run writes what is new; may be repeated")
      ->allow_extra_args(false)
      ->type_name("INPUT=OUTPUT");
}

std::vector<CallerState> parse_states(const std::vector<std::string>& states) {
  std::vector<CallerState> out;
  for (const std::string& one : states) {
    const size_t equals = one.find('=');
    if (equals == one.npos || equals == 0 || equals + 1 == one.size())
      throw UsageError{"--state " + quoted(one) + " is not INPUT=OUTPUT",
                       "name both, as in --state past_k=present_k"};
    out.push_back({one.substr(0, equals), one.substr(equals + 1)});
    for (size_t i = 0; i + 1 < out.size(); ++i) {
      if (out[i].input == out.back().input || out[i].output == out.back().output)
        throw UsageError{"--state " + quoted(one) + " names what another --state has", {}};
    }
  }
  return out;
}

}  // namespace burin
