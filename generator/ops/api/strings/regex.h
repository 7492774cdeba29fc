// Regular expressions in the syntax of RE2: literals, escapes, classes of any codes, groups,
// alternatives, repetitions, dots, anchors, borders of words, the flags i and s.
#pragma once

#include <string>

#include "ops/api/strings/automaton.h"

namespace burin {

// Refused (unsupported-feature) is what it does not know, such as classes of letters by Unicode
// property and what looks ahead; (bad-attribute) what is no expression; (limit) one of too many
// positions.
Automaton automaton_of(const std::string& pattern);

}  // namespace burin
