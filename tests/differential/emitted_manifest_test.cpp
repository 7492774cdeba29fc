// manifest.json is a contract: what it says holds for committed trees and for trees of many models.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "backends/cpp/emit.h"
#include "differential/support/emitted.h"
#include "hardware/schema.h"
#include "pipeline.h"
#include "report/data_set.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

const std::string kRoot = BURIN_SOURCE_DIR;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

JsonDocument schema() { return read_json_file(kRoot + "/configs/manifest.schema.json"); }

TEST(EmittedManifest, CommittedTreesAreWhatTheirManifestsSay) {
  int trees = 0;
  for (const auto& entry : fs::directory_iterator(kRoot + "/generated_examples")) {
    if (!entry.is_directory()) continue;
    ++trees;
    const JsonDocument manifest = read_json_file((entry.path() / "manifest.json").string());
    EXPECT_NO_THROW(validate(manifest.root(), schema().root())) << entry.path();
    std::set<std::string> listed = {"manifest.json"};
    const JsonValue files = manifest.root().at("files");
    for (size_t i = 0; i < files.size(); ++i) {
      const std::string& path = files[i].at("path").as_string();
      const std::string bytes = bytes_of(entry.path() / path);
      EXPECT_EQ(files[i].at("sha256").as_string(), sha256_hex(bytes)) << path;
      EXPECT_EQ(files[i].at("bytes").as_integer(), static_cast<int64_t>(bytes.size())) << path;
      listed.insert(path);
    }
    for (const auto& file : fs::recursive_directory_iterator(entry.path())) {
      if (file.is_directory()) continue;
      EXPECT_TRUE(listed.contains(fs::relative(file.path(), entry.path()).string()))
          << file.path() << " is not in the manifest";
    }
    for (const char* list : {"sources", "threads_sources", "self_test_sources"}) {
      const JsonValue sources = manifest.root().at("build").at(list);
      for (size_t i = 0; i < sources.size(); ++i)
        EXPECT_TRUE(listed.contains(sources[i].as_string())) << sources[i].as_string();
    }
  }
  EXPECT_GE(trees, 3);
}

TEST(EmittedManifest, ManyModelsKeepToTheSchema) {
  std::vector<std::string> cases = sample(onnx_cases(), 150);
  for (const std::string& folder : find_cases(kRoot + "/tests/models")) cases.push_back(folder);
  int checked = 0;
  for (const char* name : {"cpp-generic", "hexagon-v66", "x86-64-v3"}) {
    const Hardware hardware = project_hardware(name);
    for (const std::string& folder : cases) {
      CompileOptions options;
      options.model = folder + "/model.onnx";
      try {
        const Compiled compiled = compile(options, hardware);
        const cpp::EmittedTree emitted = cpp::emit(compiled.plan, {});
        std::vector<TreeFile> files;
        for (const auto& [path, entry] : emitted.tree.entries())
          files.push_back({path, entry.role, sha256_hex(entry.bytes), entry.bytes.size()});
        const JsonDocument manifest = read_json_text(emitted.manifest(files), "manifest.json");
        validate(manifest.root(), schema().root());
        ++checked;
      } catch (const Refused& refused) {
        EXPECT_EQ(std::string(refused.what()).find("manifest.json"), std::string::npos)
            << folder << ": " << refused.what();
      }
    }
  }
  EXPECT_GE(checked, 300);
}

}  // namespace
}  // namespace burin
