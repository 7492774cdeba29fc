#include "tune/tuning_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "hardware/json_file.h"
#include "select/verbs/read_verbs.h"
#include "support/diagnostics.h"
#include "support/file_bytes.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostUs = 1e9;

Json entry_json(const KernelTuning& tuning, const std::string& what) {
  Json out{{"what", what}};
  if (!tuning.verbs.empty()) out["verbs"] = Json::array();
  for (const Verb& verb : tuning.verbs) out["verbs"].push_back(to_string(verb));
  if (tuning.us) out["us"] = *tuning.us;
  return out;
}

constexpr std::string_view kMembers[] = {"what", "verbs", "us"};

// A misspelt choice would be none.
void refuse_unknown(const JsonValue& entry) {
  for (size_t i = 0; i < entry.size(); ++i) {
    if (std::find(std::begin(kMembers), std::end(kMembers), entry.key(i)) == std::end(kMembers))
      entry[i].refuse("unknown-key",
                      "nothing of a kernel is called " + burin::quoted(entry.key(i)));
  }
}

double read_us(const JsonValue& value) {
  const double us = value.as_number();
  if (us < 0 || us > kMostUs) value.refuse("out-of-range", "expected a time from 0 to 1e9");
  return us;
}

// "0a1b2c3d4e5f6071 1a1b2c3d4e5f6071".
KernelPair read_pair(const JsonValue& pairs, size_t number) {
  const std::string text = pairs.key(number);
  const size_t blank = text.find(' ');
  if (blank == std::string::npos || blank == 0 || blank + 1 == text.size())
    pairs[number].refuse("wrong-type", "expected the keys of two kernels, with a blank between");
  return pair_of(text.substr(0, blank), text.substr(blank + 1));
}

// As kernel_keys has it.
bool is_key(const std::string& text) {
  constexpr size_t kDigits = 16;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::string to_json(const TuningFile& file) {
  const auto text = [](const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
  };
  std::string out = "{\n  \"format\": 2,\n  \"hardware\": " + text(file.hardware) + ",\n";
  out += "  \"search\": " +
         text(Json{{"seed", file.seed},
                   {"population", file.population},
                   {"generations", file.generations},
                   {"untuned_us", file.untuned_us},
                   {"us", file.us}}) +
         ",\n  \"kernels\": {";
  const char* before = "\n";
  for (const auto& [key, tuning] : file.tuning.kernels) {
    const auto what = file.what.find(key);
    out += before + ("    \"" + key + "\": ") +
           text(entry_json(tuning, what == file.what.end() ? "" : what->second));
    before = ",\n";
  }
  out += "\n  }";
  if (file.tuning.pairs.empty()) return out + "\n}\n";
  const auto what_of = [&](const std::string& key) {
    const auto what = file.what.find(key);
    return what == file.what.end() ? std::string() : what->second;
  };
  out += ",\n  \"pairs\": {";
  before = "\n";
  for (const auto& [pair, joint] : file.tuning.pairs) {
    out += before + ("    \"" + pair.first + " " + pair.second + "\": ") +
           text(Json{{"what", what_of(pair.first) + " beside " + what_of(pair.second)},
                     {"joint", joint}});
    before = ",\n";
  }
  return out + "\n  }\n}\n";
}

TuningFile read_tuning_file(const std::string& path, const std::string& hardware) {
  return parse_tuning_file(located({.file = path}, [&] { return read_file(path); }), path, hardware);
}

TuningFile parse_tuning_file(std::string_view text, const std::string& path,
                             const std::string& hardware) {
  const JsonDocument document = read_json_text(text, path);
  const JsonValue root = document.root();
  root.at("format").as_integer(2, 2);
  TuningFile out;
  out.hardware = root.at("hardware").as_string();
  if (out.hardware != hardware)
    root.at("hardware")
        .refuse("inconsistent-hardware", "the file is for " + burin::quoted(out.hardware) +
                                             ", the tree for " + burin::quoted(hardware));
  const JsonValue kernels = root.at("kernels");
  for (size_t i = 0; i < kernels.size(); ++i) {
    const JsonValue one = kernels[i];
    if (!is_key(kernels.key(i)))
      one.refuse("wrong-type", "expected the key of a kernel, 16 hexadecimal digits");
    refuse_unknown(one);
    KernelTuning& tuning = out.tuning.kernels[kernels.key(i)];
    if (one.has("what")) out.what[kernels.key(i)] = one.at("what").as_string();
    if (one.has("verbs")) tuning.verbs = read_verbs(one.at("verbs"));
    if (one.has("us")) tuning.us = read_us(one.at("us"));
  }
  if (!root.has("pairs")) return out;
  const JsonValue pairs = root.at("pairs");
  for (size_t i = 0; i < pairs.size(); ++i)
    out.tuning.pairs[read_pair(pairs, i)] = pairs[i].at("joint").as_bool();
  return out;
}

}  // namespace burin
