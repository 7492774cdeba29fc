// manifest.json is a contract: what it says holds for committed trees and for trees of many models.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "backends/cpp/emit_cpp.h"
#include "differential/support/emitted.h"
#include "hardware/schema.h"
#include "pipeline.h"
#include "report/data_set.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin::emitted_manifest_test {
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
    std::string hashes;
    for (size_t i = 0; i < files.size(); ++i) {
      const std::string& path = files[i].at("path").as_string();
      const std::string bytes = bytes_of(entry.path() / path);
      if (path != "files.sha256") hashes += sha256_hex(bytes) + "  " + path + "\n";
      listed.insert(path);
    }
    hashes += sha256_hex(bytes_of(entry.path() / "manifest.json")) + "  manifest.json\n";
    EXPECT_EQ(bytes_of(entry.path() / "files.sha256"), hashes) << entry.path();
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
  // Each model for one description, in turn.
  const std::vector<const char*> names = {"cpp-generic", "hexagon-v66", "x86-64-v3"};
  for (size_t k = 0; k < names.size(); ++k) {
    const Hardware hardware = project_hardware(names[k]);
    for (size_t i = k; i < cases.size(); i += names.size()) {
      const std::string& folder = cases[i];
      CompileOptions options;
      options.model = folder + "/model.onnx";
      try {
        const Compiled compiled = compile(options, hardware);
        const cpp::EmittedTree emitted = cpp::emit(compiled.plan, {});
        std::vector<TreeFile> files;
        for (const auto& [path, entry] : emitted.tree.entries())
          files.push_back({path, entry.role, sha256_hex(entry.bytes), entry.bytes.size()});
        const JsonDocument manifest =
            read_json_text(emitted.manifest(files).manifest, "manifest.json");
        validate(manifest.root(), schema().root());
        ++checked;
      } catch (const Refused& refused) {
        EXPECT_EQ(std::string(refused.what()).find("manifest.json"), std::string::npos)
            << folder << ": " << refused.what();
      }
    }
  }
  EXPECT_GE(checked, 150);
}

// Which tensors of an interface are together a sequence of the model, as "name part items axes".
std::string packed_tensors(const std::string& model, const char* list) {
  CompileOptions options;
  options.model = kRoot + "/tests/models/" + model + "/model.onnx";
  const Compiled compiled = compile(options, project_hardware("cpp-generic"));
  const cpp::EmittedTree emitted = cpp::emit(compiled.plan, {});
  const JsonDocument manifest = read_json_text(emitted.manifest({}).manifest, "manifest.json");
  const JsonValue tensors = manifest.root().at(list);
  std::string out;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].has("packed")) continue;
    const JsonValue packed = tensors[i].at("packed");
    out += tensors[i].at("c_name").as_string() + ": " + packed.at("kind").as_string() + ", " +
           packed.at("part").as_string() + " of " + packed.at("items").as_string() + ", axes";
    for (size_t k = 0; k < packed.at("axes").size(); ++k)
      out += " " + std::to_string(packed.at("axes")[k].as_integer());
    out += "\n";
  }
  return out;
}

TEST(EmittedManifest, TensorsOfASequenceAreToldToBe) {
  EXPECT_EQ(packed_tensors("given_sequences", "inputs"),
            "pieces: sequence, items of pieces, axes 0\n"
            "pieces_extents: sequence, extents of pieces, axes 0\n"
            "images: sequence, items of images, axes 0 1\n"
            "images_extents: sequence, extents of images, axes 0 1\n"
            "squares: sequence, items of squares, axes\n");
  EXPECT_EQ(packed_tensors("relu_sym", "inputs"), "");
  EXPECT_NE(packed_tensors("given_optional", "inputs").find("optional sequence, holds of"),
            std::string::npos);
}

}  // namespace
}  // namespace burin::emitted_manifest_test
