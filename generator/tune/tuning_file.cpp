#include "tune/tuning_file.h"

#include <nlohmann/json.hpp>

#include "hardware/json_file.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMost = 1 << 12;
constexpr double kMostUs = 1e9;

Json entry_json(const KernelTuning& tuning, const std::string& what) {
  Json out{{"what", what}};
  if (tuning.work_group) out["work_group"] = *tuning.work_group;
  if (tuning.us) out["us"] = *tuning.us;
  if (const auto& tile = tuning.tile)
    out["tile"] = {tile->rows,         tile->columns, tile->item_rows,
                   tile->item_columns, tile->depth,   tile->splits};
  return out;
}

double read_us(const JsonValue& value) {
  const double us = value.as_number();
  if (us < 0 || us > kMostUs) value.refuse("out-of-range", "expected a time from 0 to 1e9");
  return us;
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
  return out + "\n  }\n}\n";
}

TuningFile read_tuning_file(const std::string& path, const std::string& hardware) {
  const JsonDocument document = read_json_file(path);
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
    KernelTuning& tuning = out.tuning.kernels[kernels.key(i)];
    if (one.has("what")) out.what[kernels.key(i)] = one.at("what").as_string();
    if (one.has("work_group"))
      tuning.work_group = static_cast<int>(one.at("work_group").as_integer(1, kMost));
    if (one.has("us")) tuning.us = read_us(one.at("us"));
    if (one.has("tile")) tuning.tile = read_tile(one.at("tile"));
  }
  return out;
}

}  // namespace burin
