#include "cli/recorded.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "backends/cpp/json_text.h"
#include "backends/cpp/names.h"
#include "cli/config_flag.h"
#include "cli/usage.h"
#include "graph/string_bytes.h"
#include "hardware/json_file.h"
#include "ops/api/core/op_def.h"
#include "report/data_set.h"
#include "support/diagnostics.h"
#include "support/file_bytes.h"
#include "support/sha256.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTestData = "test_data";

// A flag with one value.
struct TextFlag {
  const char* flag;
  std::string CommonFlags::*value;
  const char* usual;  // the value that means nothing
  const char* file;   // the copy of a file; null: the value is a word
};
constexpr TextFlag kTexts[] = {
    {"--config", &CommonFlags::config, "", "hardware.json"},
    {"--name", &CommonFlags::name, "", nullptr},
    {"--weights", &CommonFlags::weights, "", nullptr},
    {"--profile", &CommonFlags::profile, "", nullptr},
    {"--layouts", &CommonFlags::layouts, "row-major", nullptr},
    {"--plan-lock", &CommonFlags::plan_lock, "", "plan-lock.json"},
    {"--tuning", &CommonFlags::tuning, "", "tuning.json"},
    {"--packing", &CommonFlags::packing, "searched", nullptr},
    {"--parallel-fusion", &CommonFlags::parallel_fusion, "", nullptr},
    {"--memory", &CommonFlags::memory, "selected", nullptr},
    {"--half", &CommonFlags::half, "off", nullptr},
    {"--winograd", &CommonFlags::winograd, "", nullptr},
};
// One that is there or not.
struct Switch {
  const char* flag;
  bool CommonFlags::*value;
};
constexpr Switch kRecordedSwitches[] = {
    {"--code-sizes", &CommonFlags::code_sizes},   {"--fast-math", &CommonFlags::fast_math},
    {"--single-file", &CommonFlags::single_file}, {"--step-hook", &CommonFlags::step_hook},
    {"--strict", &CommonFlags::strict},
};
// One that may be repeated, in any order.
struct ListFlag {
  const char* flag;
  std::vector<std::string> CommonFlags::*values;
};
constexpr ListFlag kLists[] = {
    {"--dim", &CommonFlags::dims},         {"--input", &CommonFlags::inputs},
    {"--package", &CommonFlags::packages}, {"--state", &CommonFlags::states},
    {"--without", &CommonFlags::without},
};

// One with a number from 1 on; 0: it is not given.
struct NumberFlag {
  const char* flag;
  int CommonFlags::*value;
  int most;
};
constexpr NumberFlag kNumbers[] = {
    {"--assume-opset", &CommonFlags::assume_opset, kLatestOpset},
    {"--string-bytes", &CommonFlags::string_bytes, static_cast<int>(kMostStringBytes)},
};

std::string bytes_of_file(const std::string& path) {
  return located({.file = path}, [&] { return read_file(path); });
}

// input_<k>.pb and output_<k>.pb of every data set of a folder, in sets that count from 0.
void copy_data(const std::string& folder, const std::string& place, MadeFrom& out) {
  std::vector<std::string> sets = data_sets_of(folder);
  if (sets.empty()) sets.push_back(folder);
  for (size_t i = 0; i < sets.size(); ++i) {
    const std::string set = place + "/test_data_set_" + std::to_string(i) + "/";
    for (const std::string& path : data_files_of(sets[i]))
      out.files.push_back({set + fs::path(path).filename().string(), bytes_of_file(path)});
  }
}

// The layouts that a lock gave, whatever else its file says: a tree's own plan.json is a lock of
// the same tree.
std::string lock_text(const ModelPlan& own, const std::vector<const ModelPlan*>& models) {
  const auto layouts_of = [](const ModelPlan& plan) {
    cpp::Json out = cpp::Json::object();
    for (const auto& [tensor, layout] : plan.layouts) out[tensor] = layout;
    return out;
  };
  cpp::Json json{{"hardware", own.hardware.name}, {"layouts", layouts_of(own)}};
  for (const ModelPlan* one : models)
    json["models"][cpp::tree_name(one->name).text()] = {{"layouts", layouts_of(*one)}};
  return cpp::dump(json);
}

std::string name_of_plan(const ModelPlan& plan) { return cpp::tree_name(plan.name).text(); }

// Those that can be given: one with a hash for what no name may have follows from the model again.
void add_names(const ModelPlan& own, const std::vector<const ModelPlan*>& models, MadeFrom& out) {
  std::string names;
  for (const ModelPlan* one : models) {
    if (!cpp::is_tree_name(name_of_plan(*one))) return;
    names += (names.empty() ? "" : ",") + name_of_plan(*one);
  }
  if (!names.empty()) out.flags.insert(out.flags.end(), {"--names", names});
  if (cpp::is_tree_name(name_of_plan(own)))
    out.flags.insert(out.flags.end(), {"--name", name_of_plan(own)});
}

// Of data of several models, one folder each.
std::string data_place(size_t model, size_t models) {
  return models > 1 ? kTestData + ("/" + std::to_string(model)) : std::string(kTestData);
}

}  // namespace

MadeFrom made_from(const GenerateFlags& flags, const ModelPlan& own,
                   const std::vector<const ModelPlan*>& models) {
  MadeFrom out;
  for (const TextFlag& one : kTexts) {
    const std::string& value = flags.*one.value;
    if (one.value == &CommonFlags::name) {
      add_names(own, models, out);
    } else if (!value.empty() && value != one.usual) {
      if (one.file) {
        out.files.push_back({one.file, one.value == &CommonFlags::config ? own.hardware.text
                                       : one.value == &CommonFlags::plan_lock
                                           ? lock_text(own, models)
                                           : flags.read->bytes(value)});
      }
      out.flags.insert(out.flags.end(),
                       {one.flag, one.file ? std::string(kMadeFromFolder) + one.file : value});
    }
  }
  for (const Switch& one : kRecordedSwitches) {
    if (flags.*one.value) out.flags.emplace_back(one.flag);
  }
  for (const NumberFlag& one : kNumbers) {
    if (flags.*one.value != 0)
      out.flags.insert(out.flags.end(), {one.flag, std::to_string(flags.*one.value)});
  }
  for (const ListFlag& one : kLists) {
    const std::vector<std::string>& values = flags.*one.values;
    for (const std::string& value : std::set<std::string>(values.begin(), values.end()))
      out.flags.insert(out.flags.end(), {one.flag, value});
  }
  for (size_t i = 0; i < flags.test_data.size(); ++i) {
    const std::string place = data_place(i, flags.test_data.size());
    copy_data(flags.test_data[i], place, out);
    out.flags.insert(out.flags.end(), {"--test-data", kMadeFromFolder + place});
  }
  return out;
}

namespace {

std::string manifest_of(const std::string& tree) {
  const std::string path = tree + "/manifest.json";
  if (!fs::is_regular_file(path)) {
    located({.file = tree}, [] {
      refuse("not-a-tree", "the folder has no manifest.json",
             "give a tree that burin generate has written");
    });
  }
  return path;
}

// Of a tree that an older version wrote: what helps.
JsonValue made_by(const JsonValue& manifest) {
  if (!manifest.has("made_by")) {
    manifest.refuse("not-recorded", "this tree does not say how it was made",
                    "make it once more with burin generate and the flags of then");
  }
  return manifest.at("made_by");
}

// files.sha256 of a tree: hashes by path.
std::map<std::string, std::string> hashes_of(const std::string& tree) {
  constexpr size_t kDigits = 64;
  std::map<std::string, std::string> out;
  const std::string place = tree + "/" + std::string(kHashesName);
  if (!fs::is_regular_file(fs::symlink_status(place))) return out;
  const std::string text = bytes_of_file(place);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end - at > kDigits + 2)
      out[text.substr(at + kDigits + 2, end - at - kDigits - 2)] = text.substr(at, kDigits);
    at = end + 1;
  }
  return out;
}

// Copies are what the tree was made from only as long as nobody changes them.
void check_copies(const std::string& tree, const JsonValue& files) {
  const std::map<std::string, std::string> hashes = hashes_of(tree);
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files[i].at("path").as_string();
    if (!path.starts_with(kMadeFromFolder)) continue;
    const std::string place = tree + "/" + path;
    if (path.find("..") != path.npos || !fs::is_regular_file(fs::symlink_status(place)))
      files[i].at("path").refuse("not-our-file", burin::quoted(place) + " is no file");
    const auto hash = hashes.find(path);
    if (hash == hashes.end())
      files[i].at("path").refuse("not-recorded",
                                 burin::quoted(place) + " has no hash in files.sha256",
                                 "make the tree once more with burin generate");
    if (sha256_hex(bytes_of_file(place)) == hash->second) continue;
    files[i].at("path").refuse(
        "changed-copy", burin::quoted(place) + " is not the file that the tree was made from",
        "restore it, or make the tree from a changed file with burin generate");
  }
}

// Words of the list, one after the other.
class Words {
 public:
  explicit Words(const JsonValue& list) : list_(list) {}
  bool left() const { return at_ < list_.size(); }
  JsonValue next() {
    if (!left()) list_.refuse("malformed-manifest", "the last flag has no value");
    return list_[at_++];
  }

 private:
  const JsonValue list_;
  size_t at_ = 0;
};

std::string copy_in(const std::string& tree, const JsonValue& word) {
  const std::string& path = word.as_string();
  if (!path.starts_with(kMadeFromFolder) || path.find("..") != path.npos)
    word.refuse("malformed-manifest",
                burin::quoted(path) + " is not in " + burin::quoted(kMadeFromFolder));
  return tree + "/" + path;
}

// Whether `flag` is one of the tables; then its value is in `flags`.
bool read_flag(const std::string& flag, const std::string& tree, Words& words,
               GenerateFlags& flags) {
  for (const TextFlag& one : kTexts) {
    if (flag != one.flag) continue;
    const JsonValue word = words.next();
    flags.*one.value = one.file ? copy_in(tree, word) : word.as_string();
    return true;
  }
  for (const Switch& one : kRecordedSwitches) {
    if (flag == one.flag) return flags.*one.value = true;
  }
  for (const NumberFlag& one : kNumbers) {
    if (flag != one.flag) continue;
    const JsonValue word = words.next();
    const std::string& text = word.as_string();
    const auto end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, flags.*one.value);
    if (error != std::errc() || read != end || flags.*one.value < 1 || flags.*one.value > one.most)
      word.refuse("malformed-manifest", burin::quoted(text) + " is no number for " + one.flag);
    return true;
  }
  for (const ListFlag& one : kLists) {
    if (flag != one.flag) continue;
    (flags.*one.values).push_back(words.next().as_string());
    return true;
  }
  if (flag == "--names") {
    std::string rest = words.next().as_string() + ",";
    for (size_t comma; (comma = rest.find(',')) != rest.npos; rest.erase(0, comma + 1))
      flags.names.push_back(rest.substr(0, comma));
    return true;
  }
  if (flag == "--test-data") {
    flags.test_data.push_back(copy_in(tree, words.next()));
    return true;
  }
  return false;
}

}  // namespace

GenerateFlags recorded_flags(const std::string& tree, const std::vector<std::string>& models) {
  const JsonDocument document = read_json_file(manifest_of(tree));
  const JsonValue manifest = document.root();
  const JsonValue list = made_by(manifest).at("flags");
  if (list.kind() != JsonKind::kArray) list.refuse("wrong-type", "expected an array");
  if (list.size() == 0)
    list.refuse("not-recorded", "this tree does not say how it was made",
                "make it once more with burin generate");
  const size_t count = manifest.has("models") ? manifest.at("models").size() : 1;
  if (count != models.size()) {
    manifest.refuse("model-count",
                    "the tree is of " + std::to_string(count) + " models, not of " +
                        std::to_string(models.size()),
                    "give each of them, in their order");
  }
  check_copies(tree, manifest.at("files"));
  GenerateFlags flags;
  flags.models = models;
  for (Words words(list); words.left();) {
    const JsonValue word = words.next();
    if (!read_flag(word.as_string(), tree, words, flags)) {
      word.refuse("malformed-manifest",
                  "this burin knows no flag " + burin::quoted(word.as_string()) + " of a tree",
                  "the tree is of another version: make it once more with burin generate");
    }
  }
  return flags;
}

CommonFlags flags_of_tree(const CommonFlags& flags, const std::string& tree) {
  if (tree.empty()) return flags;
  if (!flags.config.empty() || !flags.dims.empty())
    throw UsageError{"--tree goes without --config and --dim", "a tree has its own"};
  GenerateFlags recorded = recorded_flags(tree, flags.models);
  recorded.external_root = flags.external_root;
  recorded.links_root = flags.links_root;
  return recorded;
}

std::string recorded_version(const std::string& tree) {
  const JsonDocument document = read_json_file(manifest_of(tree));
  return made_by(document.root()).at("burin").as_string();
}

std::string recorded_model(const std::string& tree) {
  const JsonDocument document = read_json_file(manifest_of(tree));
  return document.root().at("model").at("sha256").as_string();
}

}  // namespace burin
