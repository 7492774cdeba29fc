// Names of trees beside the headers of the system, of compilers and of trees themselves.
#include <gtest/gtest.h>

#include <filesystem>

#include "backends/cpp/names.h"
#include "render/header_names.h"
#include "render/identifier.h"

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
