#include "tune/tuning_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "hardware/json_file.h"
#include "support/diagnostics.h"
#include "support/file_bytes.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMost = 1 << 12, kMostUnroll = 64, kMostPoints = 16;
constexpr double kMostUs = 1e9;

Json entry_json(const KernelTuning& tuning, const std::string& what) {
  Json out{{"what", what}};
  if (tuning.work_group) out["work_group"] = *tuning.work_group;
  if (const auto& tile = tuning.tile)
    out["tile"] = {tile->rows,         tile->columns, tile->item_rows,
                   tile->item_columns, tile->depth,   tile->splits};
  const auto put = [&](const char* name, const auto& value) {
    if (value) out[name] = *value;
  };
  put("group_rows", tuning.group_rows);
  put("unroll", tuning.unroll);
  put("vector", tuning.vector);
  put("points", tuning.points);
  put("images", tuning.images);
  put("constants", tuning.constants);
  put("us", tuning.us);
  return out;
}

constexpr std::string_view kMembers[] = {"what",      "work_group", "group_rows", "tile",
                                         "unroll",    "vector",     "points",     "images",
                                         "constants", "us"};

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

// A power of two at most: sides of vectors, turns of a work-item, rows of a work-group.
std::optional<int> read_power(const JsonValue& entry, const char* name, int64_t least,
                              int64_t most) {
  if (!entry.has(name)) return std::nullopt;
  const int64_t value = entry.at(name).as_integer(least, most);
  if ((value & (value - 1)) != 0) entry.at(name).refuse("out-of-range", "expected a power of two");
  return static_cast<int>(value);
}

std::optional<bool> read_choice(const JsonValue& entry, const char* name) {
  return entry.has(name) ? std::optional(entry.at(name).as_bool()) : std::nullopt;
}

GroupTile read_tile(const JsonValue& value) {
  if (value.size() != 6) value.refuse("wrong-type", "expected six numbers");
  const auto at = [&](size_t i) { return static_cast<int>(value[i].as_integer(1, kMost)); };
  return {at(0), at(1), at(2), at(3), at(4), at(5)};
}

}  // namespace

std::string to_json(const TuningFile& file) {
  const auto text = [](const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
  };
  std::string out = "{\n  \"format\": 1,\n  \"hardware\": " + text(file.hardware) + ",\n";
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
  root.at("format").as_integer(1, 1);
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
    if (one.has("work_group"))
      tuning.work_group = static_cast<int>(one.at("work_group").as_integer(1, kMost));
    if (one.has("us")) tuning.us = read_us(one.at("us"));
    if (one.has("tile")) tuning.tile = read_tile(one.at("tile"));
    tuning.group_rows = read_power(one, "group_rows", 1, kMost);
    tuning.unroll = read_power(one, "unroll", 0, kMostUnroll);
    tuning.vector = read_power(one, "vector", 1, kMostPoints);
    tuning.points = read_power(one, "points", 1, kMostPoints);
    tuning.images = read_choice(one, "images");
    tuning.constants = read_choice(one, "constants");
  }
  if (!root.has("pairs")) return out;
  const JsonValue pairs = root.at("pairs");
  for (size_t i = 0; i < pairs.size(); ++i)
    out.tuning.pairs[read_pair(pairs, i)] = pairs[i].at("joint").as_bool();
  return out;
}

}  // namespace burin
