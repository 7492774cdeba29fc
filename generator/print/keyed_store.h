// Taking a key with its payloads: the first one, or a better one, takes the place of the last.
#pragma once

#include <string>
#include <vector>

#include "print/language.h"
#include "print/text_builder.h"

namespace burin::print {

struct KeyOfStore {
  std::string name;  // of the variable that holds it
  Type type = Type::none;
  Combiner combine = Combiner::none;
};

// `there`: where the key, its payloads, and whether there is a key yet are; `values`: a key and
// payloads.
void print_keyed_store(const KeyOfStore& key, const std::vector<std::string>& values,
                       const std::vector<std::string>& there, const Language& language,
                       TextBuilder& text, Headers& headers);

}  // namespace burin::print
