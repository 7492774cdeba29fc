// Which folder of the generator may know which: dependencies point one way. The order of the
// stages is the order of this table; a folder names all that it may include. The rooms of a folder
// stand in an order of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "unit/support/source_files.h"

namespace burin::lint_include_test {
namespace {

using Folders = std::set<std::string>;

// runtime_min is what emitted code computes with: the interpreter computes with it as well, and
// backends copy it.
const std::map<std::string, Folders>& may_include() {
  static const std::map<std::string, Folders> table = [] {
    std::map<std::string, Folders> out;
    out["support"] = {};
    out["hardware"] = {"support"};
    out["render"] = out["vliw"] = {"support", "hardware"};
    out["kernel"] = {"support", "runtime_min"};
    out["graph"] = {"support", "kernel"};
    out["import"] = out["ops"] = {"support", "kernel", "graph"};
    out["lower"] = {"support", "kernel", "graph", "ops"};
    // From here on nobody knows that operators exist.
    out["fuse"] = {"support", "kernel"};
    out["isa"] = {"support", "kernel"};
    out["loops"] = {"support", "kernel", "isa"};
    out["cost"] = {"support", "hardware", "kernel", "isa", "loops"};
    out["choice"] = {"support"};
    out["select"] = {"support", "hardware", "kernel", "fuse", "isa", "loops", "cost", "choice"};
    out["plan"] = {"support", "hardware", "kernel"};
    out["layout"] = {"support", "hardware", "kernel", "fuse", "choice", "select", "plan"};
    out["print"] = {"support", "kernel", "isa", "loops", "select"};
    out["backends"] = {"support", "hardware", "kernel", "isa",  "loops",  "cost",
                       "print",   "select",   "layout", "plan", "render", "runtime_min"};
    // Around the pipeline: what is told about its stages, and tried.
    out["pipeline"] = {"support", "hardware", "kernel", "graph", "import", "ops",     "lower",
                       "fuse",    "select",   "layout", "plan",  "render", "backends"};
    out["compile_options"] = {"fuse", "import", "kernel", "layout", "lower", "select", "backends"};
    out["pipeline_input"] = {"support", "graph", "import", "compile_options"};
    out["pipeline_memory"] = {"support", "kernel", "select", "plan", "backends", "compile_options"};
    out["missing_operators"] = {"support", "import", "ops", "lower"};
    out["pipeline"].insert("compile_options");
    out["report"] = out["pipeline"];
    out["report"].insert("pipeline");
    out["several"] = out["report"];
    out["pipeline"].merge(Folders{"missing_operators", "pipeline_input", "pipeline_memory"});
    Folders all = {"runtime_min", "pipeline"};
    for (const auto& [folder, known] : out) all.insert(folder);
    out["verify"] = out["tune"] = all;
    out["tune"].insert("verify");
    all.insert("verify");
    all.insert("tune");
    out["small_blocks"] = {};
    out["cli"] = all;
    out["main"] = {"cli", "support"};
    return out;
  }();
  return table;
}

// The rooms of each folder that has some: one may include those in front of it. "." is the folder
// itself. (What the folder may know besides says the table above.)
const std::map<std::string, std::vector<std::string>>& rooms() {
  static const std::map<std::string, std::vector<std::string>> table = {
      {"fuse",
       {"access", "movement", "cascade", "attention", "siblings", "algebra", "constants", "."}},
      {"loops", {".", "run", "verify", "transforms"}},
      {"kernel", {"index", "expr", ".", "procedures", "symbolic", "interpreter"}},
      {"ops/api",
       {"core", "strings", "movement", "math", "layers", "quantized", "learning", "sequences",
        "loops"}},
      {"plan", {"packing", "memory", "order", "append", "images"}},
      {"select",
       {"axes", "verbs", "tiles", "products", "schedule", "rows", "threads", "precision", "device",
        "joint", "images", "programs", "programs/device", "bytes", "integers", "bits", "."}},
  };
  return table;
}

// The room of generator/kernel/index/index.h: {"kernel", "index"}; of a file of no folder with
// rooms: {"", ""}.
std::pair<std::string, std::string> room_of(std::string path) {
  const std::string root = "generator/";
  if (path.starts_with(root)) path = path.substr(root.size());
  for (const auto& [folder, order] : rooms()) {
    if (!path.starts_with(folder + "/")) continue;
    const std::string rest = path.substr(folder.size() + 1);
    const size_t slash = rest.rfind('/');
    return {folder, slash == std::string::npos ? "." : rest.substr(0, slash)};
  }
  return {};
}

// "kernel" of generator/kernel/expr/expr.h and kernel/expr/expr.h; "pipeline" of pipeline.h.
std::string folder_of(std::string path) {
  const std::string root = "generator/";
  if (path.starts_with(root)) path = path.substr(root.size());
  return path.substr(0, path.find_first_of("/."));
}

TEST(LintInclude, FoldersDependOneWay) {
  int seen = 0;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    const std::string folder = folder_of(file.path);
    const auto known = may_include().find(folder);
    if (known == may_include().end()) {
      ADD_FAILURE() << file.path << ": " << folder
                    << " has no place in the order: give it a line in this table";
      continue;
    }
    for (const Literal& include : includes_of(file.text)) {
      const std::string other = folder_of(include.text);
      if (other == folder || (!may_include().contains(other) && other != "runtime_min")) continue;
      ++seen;
      EXPECT_TRUE(known->second.contains(other))
          << file.path << ":" << include.line << " includes " << include.text << ", but " << folder
          << "/ may not know " << other << "/";
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(LintInclude, TheOrderHasNoCycle) {
  // Taking away whoever knows nobody that is left must end with nothing left.
  std::map<std::string, Folders> left = may_include();
  for (size_t round = may_include().size(); round > 0; --round) {
    std::erase_if(left, [&](const auto& one) {
      for (const std::string& other : one.second) {
        if (left.contains(other)) return false;
      }
      return true;
    });
  }
  EXPECT_TRUE(left.empty()) << left.begin()->first << " is in a cycle";
}

TEST(LintInclude, RoomsDependOneWay) {
  int seen = 0;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    const auto [folder, room] = room_of(file.path);
    if (folder.empty()) continue;
    const std::vector<std::string>& order = rooms().at(folder);
    const auto here = std::find(order.begin(), order.end(), room);
    if (here == order.end()) {
      ADD_FAILURE() << file.path << ": " << room << " has no place among the rooms of " << folder;
      continue;
    }
    for (const Literal& include : includes_of(file.text)) {
      const auto [other_folder, other] = room_of(include.text);
      if (other_folder != folder || other == room) continue;
      ++seen;
      EXPECT_NE(std::find(order.begin(), here, other), here)
          << file.path << ":" << include.line << " includes " << include.text << ", but " << room
          << " may not know " << other << ": it stands behind it";
    }
  }
  EXPECT_GT(seen, 100);
}

// What a policy of select/ chose on the way to a program is its own: others see the program, what
// threads share, launches, and why.
TEST(LintInclude, PoliciesOfSelectAreItsOwn) {
  const std::vector<std::string> open = {"select/select",
                                         "select/select_options",
                                         "select/fuse_options",
                                         "select/locks",
                                         "select/axes/",
                                         "select/verbs/",
                                         "select/precision/",
                                         "select/device/",
                                         "select/joint/",
                                         "select/images/",
                                         "select/schedule/kernel_schedule",
                                         "select/schedule/schedule_indices"};
  // Asked of kernels, not of schedules.
  const std::map<std::string, std::string> of_kernels = {
      {"generator/layout/layout_cost.cpp", "select/products/contraction.h"},
      {"generator/layout/relayout.cpp", "select/threads/fused_copies.h"}};
  size_t seen = 0, excepted = 0;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || file.is_in("generator/select") || !file.is_code()) continue;
    for (const Literal& include : includes_of(file.text)) {
      if (!include.text.starts_with("select/")) continue;
      ++seen;
      const auto known = of_kernels.find(file.path);
      if (known != of_kernels.end() && known->second == include.text) {
        ++excepted;
        continue;
      }
      EXPECT_TRUE(
          std::any_of(open.begin(), open.end(),
                      [&](const std::string& one) { return include.text.starts_with(one); }))
          << file.path << ":" << include.line << " includes " << include.text
          << ", which is for select/ alone";
    }
  }
  EXPECT_GT(seen, 30U);
  EXPECT_EQ(excepted, of_kernels.size());
}

// Nor by way of another header.
TEST(LintInclude, NobodyElseReachesLoopPlans) {
  std::map<std::string, std::vector<std::string>> includes;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    for (const Literal& include : includes_of(file.text))
      includes[file.path].push_back("generator/" + include.text);
  }
  const std::string plan = "generator/select/schedule/loop_plan.h";
  ASSERT_TRUE(includes.contains(plan));
  size_t inside = 0;
  for (const auto& [path, own] : includes) {
    std::set<std::string> reached;
    std::vector<std::string> open = own;
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (!reached.insert(next).second || !includes.contains(next)) continue;
      open.insert(open.end(), includes.at(next).begin(), includes.at(next).end());
    }
    if (path.starts_with("generator/select/")) {
      inside += reached.contains(plan);
    } else if (path != "generator/layout/relayout.cpp") {  // which kernels are fused copies
      EXPECT_FALSE(reached.contains(plan)) << path << " reaches " << plan;
    }
  }
  EXPECT_GT(inside, 30U);
}

TEST(LintInclude, ImportAloneKnowsTheFileFormat) {
  int inside = 0;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    for (const Literal& include : includes_of(file.text)) {
      const bool format =
          include.text.starts_with("google/protobuf/") || include.text.starts_with("onnx/");
      if (file.is_in("generator/import")) {
        inside += format;
      } else {
        EXPECT_FALSE(format) << file.path << ":" << include.line << " includes " << include.text
                             << ", which is for import/ alone";
      }
    }
  }
  EXPECT_GT(inside, 0);
}

// A name says which file it is, whatever its folder.
TEST(LintInclude, AFileNameIsUsedOnce) {
  std::map<std::string, std::string> folders;
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("generator") || !file.is_code()) continue;
    const size_t slash = file.path.rfind('/');
    const auto [known, is_new] =
        folders.try_emplace(file.path.substr(slash + 1), file.path.substr(0, slash));
    EXPECT_TRUE(is_new) << file.path << ": " << known->second << " has a file of that name";
  }
  EXPECT_GT(folders.size(), 500U);
}

// What is copied into emitted trees needs nothing of ours; see also the builds of rt_build_test.
TEST(LintInclude, RuntimeKnowsNothingOfTheGenerator) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_in("runtime_min") || !file.is_code()) continue;
    for (const Literal& include : includes_of(file.text)) {
      EXPECT_FALSE(may_include().contains(folder_of(include.text)) &&
                   include.text.find('/') != std::string::npos)
          << file.path << ":" << include.line << " includes " << include.text;
    }
  }
}

}  // namespace
}  // namespace burin::lint_include_test
