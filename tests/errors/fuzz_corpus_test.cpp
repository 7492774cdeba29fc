// The committed corpora of the fuzzers (tests/fuzz/corpus), through what the fuzzers do with them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "fuzz/support/compared.h"
#include "fuzz/support/targets.h"
#include "support/process.h"

namespace burin::fuzz_corpus_test {
namespace {

namespace fs = std::filesystem;

struct Replayed {
  int accepted = 0, refused = 0;
};

// What leaves `target` as an exception fails the test with the name of the file.
Replayed replay(const char* corpus, const std::function<bool(const std::string&)>& target) {
  Replayed out;
  for (const auto& entry :
       fs::directory_iterator(std::string(BURIN_SOURCE_DIR) + "/tests/fuzz/corpus/" + corpus)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    try {
      ++(target(bytes) ? out.accepted : out.refused);
    } catch (const std::exception& error) {
      ADD_FAILURE() << entry.path() << ": " << error.what();
    }
  }
  return out;
}

TEST(FuzzCorpus, ModelsAreImportedOrRefused) {
  const Replayed seen = replay("import", fuzz::import_input);
  EXPECT_GT(seen.accepted, 5);
  EXPECT_GT(seen.refused, 5);
}

TEST(FuzzCorpus, DescriptionsAreReadOrRefused) {
  const Replayed seen = replay("config", fuzz::config_input);
  EXPECT_GT(seen.accepted, 0);
  EXPECT_GT(seen.refused, 5);
}

TEST(FuzzCorpus, TreesAreGeneratedOrRefused) {
  const ScratchFolder scratch;
  const Replayed seen = replay("generate", [&](const std::string& bytes) {
    return fuzz::generate_input(bytes, scratch.path());
  });
  EXPECT_GT(seen.accepted, 5);
  EXPECT_GT(seen.refused, 5);
}

TEST(FuzzCorpus, ModelsComputeWhatTheyDidAtFirst) {
  const ScratchFolder scratch;
  const Replayed seen = replay("generate", [&](const std::string& bytes) {
    return fuzz::compare_input(bytes, scratch.path());
  });
  EXPECT_GT(seen.accepted, 5);  // and had something to compare
}

}  // namespace
}  // namespace burin::fuzz_corpus_test
