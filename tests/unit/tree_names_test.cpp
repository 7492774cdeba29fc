// Names of trees beside the headers of the system, of compilers and of trees themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "backends/cpp/names.h"
#include "render/header_names.h"
#include "render/identifier.h"
#include "support/file_bytes.h"

namespace burin::tree_names_test {
namespace {

namespace fs = std::filesystem;

TEST(TreeNames, HeadersOfTheSystemAreNotReplaced) {
  for (const char* name : {"math", "string", "stdint", "time", "errno", "Signal", "UNISTD",
                           "features", "immintrin", "arm_neon", "hexagon_types"}) {
    EXPECT_FALSE(cpp::is_tree_name(name)) << name;
    EXPECT_TRUE(cpp::tree_name(name).text().starts_with(std::string(name) + "_x")) << name;
  }
  for (const char* name : {"net", "maths", "vector", "model"}) {
    EXPECT_TRUE(cpp::is_tree_name(name)) << name;
    EXPECT_EQ(cpp::tree_name(name).text(), name);
  }
}

// sem_init and mtx_init are functions of the C library.
TEST(TreeNames, FunctionsOfTheSystemAreNotDeclaredAgain) {
  for (const char* name : {"sem", "mtx", "cnd", "aio", "pthread_attr", "pthread_mutex"})
    EXPECT_FALSE(cpp::is_tree_name(name)) << name;
}

// Every header of a committed tree that is not called after its network.
TEST(TreeNames, HeadersOfTreesAreNotReplaced) {
  int others = 0;
  for (const auto& tree : fs::directory_iterator(BURIN_SOURCE_DIR "/generated_examples")) {
    if (!tree.is_directory()) continue;
    std::vector<std::string> names;
    for (const auto& header : fs::directory_iterator(tree.path() / "include"))
      names.push_back(header.path().stem().string());
    for (const char* folder : {"src", "test", "threads"}) {
      if (!fs::is_directory(tree.path() / folder)) continue;
      for (const auto& file : fs::directory_iterator(tree.path() / folder)) {
        if (file.path().extension() != ".h") continue;
        const std::string stem = file.path().stem().string();
        const bool own = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return stem.starts_with(name + "_");
        });
        if (own) continue;
        ++others;
        EXPECT_FALSE(cpp::is_tree_name(stem)) << file.path();
      }
    }
  }
  EXPECT_GT(others, 5);
}

// Headers that callers find, of a tree that has them beside its own: no other tree's own is called
// so.
TEST(TreeNames, HeadersOfOtherTreesAreNotReplaced) {
  std::set<std::string> endings;
  for (const auto& tree : fs::directory_iterator(BURIN_SOURCE_DIR "/generated_examples")) {
    if (!tree.is_directory()) continue;
    std::set<std::string> stems;
    for (const char* folder : {"include", "threads"}) {
      if (!fs::is_directory(tree.path() / folder)) continue;
      for (const auto& file : fs::directory_iterator(tree.path() / folder))
        if (file.path().extension() == ".h") stems.insert(file.path().stem().string());
    }
    for (const std::string& stem : stems) {
      for (const std::string& name : stems)
        if (stem.starts_with(name + "_")) endings.insert(stem.substr(name.size()));
    }
  }
  EXPECT_TRUE(endings.contains("_content"));
  EXPECT_TRUE(endings.contains("_threads"));
  for (const std::string& ending : endings) {
    EXPECT_FALSE(cpp::is_tree_name("net" + ending)) << ending;
    EXPECT_TRUE(cpp::tree_name("net" + ending).text().starts_with("net" + ending + "_x"));
    EXPECT_EQ(cpp::ending_of_trees("Net" + ending), ending);
    EXPECT_EQ(cpp::ending_of_trees(ending), "");
  }
}

// Targets that build files make beside that of the network, and headers of calls to a DSP.
TEST(TreeNames, TargetsOfOtherTreesAreNotReplaced) {
  std::set<std::string> endings;
  const std::regex target(R"((?:add_\w+\(|name = "|#include ")\$\{(?:\w+\.)?name\}(_\w+))");
  for (const char* folder : {"/templates/cpp", "/templates/packages"}) {
    for (const auto& file :
         fs::recursive_directory_iterator(BURIN_SOURCE_DIR + std::string(folder))) {
      if (!file.is_regular_file()) continue;
      const std::string text = read_file(file.path().string());
      for (std::sregex_iterator at(text.begin(), text.end(), target), end; at != end; ++at)
        endings.insert((*at)[1]);
    }
  }
  endings.erase("_memory");  // of src/, which no caller looks into
  EXPECT_GT(endings.size(), 8u);
  for (const std::string& ending : endings)
    EXPECT_FALSE(cpp::is_tree_name("net" + ending)) << ending;
}

// Fields of an interface land among the macros of whatever a caller includes before it.
TEST(TreeNames, MacrosAreNoIdentifiers) {
  for (const char* name : {"BUFSIZ", "RAND_MAX", "I", "st_atime", "EXIT_FAILURE", "sa_handler",
                           "s6_addr", "CLOCKS_PER_SEC", "SIGINT", "AF_INET", "errno"}) {
    EXPECT_FALSE(is_identifier(name)) << name;
    NameTable table;
    EXPECT_TRUE(table.add(name).text().starts_with(std::string(name) + "_x")) << name;
  }
  EXPECT_TRUE(is_identifier("st_atimes"));
  EXPECT_TRUE(is_identifier("i"));
}

}  // namespace
}  // namespace burin::tree_names_test
