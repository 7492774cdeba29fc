// Files that are built in are the files of the project, byte for byte, and every template among
// them reads well.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "render/template.h"
#include "support/check.h"
#include "support/embedded.h"

namespace burin::render_embedded_test {
namespace {

namespace fs = std::filesystem;

TEST(Embedded, FilesAreThoseOfTheProject) {
  std::vector<std::string> wanted;
  // Machines of packers, too; schemas of what burin writes are for others.
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(BURIN_SOURCE_DIR) / "configs")) {
    const std::string path = fs::relative(entry.path(), BURIN_SOURCE_DIR).string();
    if (path.ends_with(".json") && !path.ends_with(".schema.json")) wanted.push_back(path);
  }
  for (const char* folder : {"templates", "runtime_min"}) {
    if (!fs::exists(fs::path(BURIN_SOURCE_DIR) / folder)) continue;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(BURIN_SOURCE_DIR) / folder)) {
      if (!entry.is_regular_file() || entry.path().filename() == "README.md" ||
          entry.path().filename() == "LICENSE")
        continue;
      wanted.push_back(fs::relative(entry.path(), BURIN_SOURCE_DIR).string());
    }
  }
  std::sort(wanted.begin(), wanted.end());
  const std::vector<std::string_view> found = embedded_files("");
  EXPECT_EQ(std::vector<std::string>(found.begin(), found.end()), wanted);
  for (const std::string_view path : found) {
    std::ostringstream text;
    text << std::ifstream(fs::path(BURIN_SOURCE_DIR) / path, std::ios::binary).rdbuf();
    EXPECT_EQ(embedded_file(path), text.str()) << path;
  }
}

TEST(Embedded, ListsByPrefix) {
  for (const std::string_view path : embedded_files("templates/project/program/")) {
    EXPECT_TRUE(path.starts_with("templates/project/program/"));
  }
  EXPECT_GE(embedded_files("templates/project/program/").size(), 2u);
  EXPECT_TRUE(embedded_files("nowhere/").empty());
  EXPECT_THROW(embedded_file("templates/absent"), InternalError);
  EXPECT_THROW(embedded_file(""), InternalError);
}

TEST(Embedded, TemplatesRead) {
  for (const std::string_view path : embedded_files("templates/")) {
    if (!path.ends_with(".in")) continue;
    EXPECT_NO_THROW(Template::embedded(path)) << path;
    EXPECT_LE(std::count(embedded_file(path).begin(), embedded_file(path).end(), '\n'), 200)
        << path;
  }
}

}  // namespace
}  // namespace burin::render_embedded_test
