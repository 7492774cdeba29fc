#include "select/verbs/read_verbs.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kMostVerbs = 256;

}  // namespace

Verbs read_verbs(const JsonValue& list) {
  if (list.kind() != JsonKind::kArray) list.refuse("wrong-type", "expected a list of verbs");
  if (list.size() > kMostVerbs)
    list.refuse("out-of-range", "a kernel has at most " + std::to_string(kMostVerbs) +
                                    " verbs, not " + std::to_string(list.size()));
  Verbs out;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string text = list[i].as_string();
    const std::optional<Verb> verb = parse_verb(text);
    if (!verb) {
      const std::string form = form_of(text);
      list[i].refuse("unknown-verb", form.empty()
                                         ? "nothing of a kernel is called " + burin::quoted(text)
                                         : burin::quoted(text) + " is none: " + form);
    }
    const size_t before = out.size();
    set_verb(out, *verb);
    if (out.size() == before)
      list[i].refuse("unknown-verb", burin::quoted(verb->what) + " is said twice");
  }
  return out;
}

}  // namespace burin
