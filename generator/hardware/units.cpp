#include "hardware/units.h"

#include <algorithm>

namespace burin {
namespace {

// Longer ones first, so that "bytes_per_cycle" is not read as "cycle".
constexpr std::string_view kUnits[] = {"bytes_per_cycle",
                                       "bits_per_cycle",
                                       "bytes_per_s",
                                       "mib_per_s",
                                       "gib_per_s",
                                       "per_cycle",
                                       "mb_per_s",
                                       "gb_per_s",
                                       "kb_per_s",
                                       "percent",
                                       "kbytes",
                                       "mbytes",
                                       "gbytes",
                                       "cycles",
                                       "cycle",
                                       "bytes",
                                       "byte",
                                       "bits",
                                       "bit",
                                       "kib",
                                       "mib",
                                       "gib",
                                       "tib",
                                       "khz",
                                       "mhz",
                                       "ghz",
                                       "kb",
                                       "mb",
                                       "gb",
                                       "tb",
                                       "kbit",
                                       "mbit",
                                       "ns",
                                       "us",
                                       "ms",
                                       "hz",
                                       "words",
                                       "kw",
                                       "mw",
                                       "k",
                                       "m",
                                       "g",
                                       "b",
                                       "s"};

struct Split {
  std::string_view stem;
  std::string_view unit;
};

Split split_unit(std::string_view name) {
  for (const std::string_view unit : kUnits) {
    if (name.size() > unit.size() + 1 && name.ends_with(unit) &&
        name[name.size() - unit.size() - 1] == '_') {
      return {name.substr(0, name.size() - unit.size() - 1), unit};
    }
  }
  return {name, {}};
}

}  // namespace

std::string_view same_but_for_unit(std::string_view key, const std::vector<std::string>& known) {
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const Split mine = split_unit(lower);
  for (const std::string& name : known) {
    const Split theirs = split_unit(name);
    if (!theirs.unit.empty() && theirs.stem == mine.stem && theirs.unit != mine.unit) return name;
  }
  return {};
}

std::string unit_in_words(std::string_view name) {
  std::string words(split_unit(name).unit);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (words.starts_with("mb ") || words.starts_with("gb ")) {
    words[0] = words[0] == 'm' ? 'M' : 'G';
    words[1] = 'B';
  }
  if (words == "mhz") words = "MHz";
  return words;
}

}  // namespace burin
