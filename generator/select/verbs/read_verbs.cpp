#include "select/verbs/read_verbs.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {

Verbs read_verbs(const JsonValue& list) {
  if (list.kind() != JsonKind::kArray) list.refuse("wrong-type", "expected a list of verbs");
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
    Verbs with = out;
    set_verb(with, *verb);
    if (with.size() == out.size())
      list[i].refuse("unknown-verb", burin::quoted(verb->what) + " is said twice");
    out = std::move(with);
  }
  return out;
}

}  // namespace burin
