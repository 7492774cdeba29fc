// Constants on the disk: the same bytes, however often their pages are dropped, and none left
// behind.
#include "support/mapped_pages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace burin::mapped_pages_test {
namespace {

constexpr std::size_t kLarge = 1000003;

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<std::byte>((i * 131 + i / 997) & 255);
  return out;
}

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& folder) {
    if (const char* old = std::getenv("TMPDIR")) old_ = old;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryFolder() { old_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old_.c_str(), 1); }

 private:
  std::string old_;
};

TEST(MappedPages, BytesSurviveBeingForgotten) {
  const std::vector<std::byte> bytes = pattern(kLarge);
  const std::shared_ptr<const void> owner = move_to_disk(bytes);
  ASSERT_NE(owner, nullptr);
  const auto* data = static_cast<const std::byte*>(owner.get());
  EXPECT_EQ(std::memcmp(data, bytes.data(), bytes.size()), 0);
  forget_pages(data, bytes.size(), owner);
  EXPECT_EQ(std::memcmp(data, bytes.data(), bytes.size()), 0);
  forget_pages(data + 5, 1, owner);
  EXPECT_EQ(std::memcmp(data, bytes.data(), bytes.size()), 0);
}

TEST(MappedPages, FewBytesAndFoldersThatCannotBeWrittenStayInMemory) {
  EXPECT_EQ(move_to_disk(pattern(1000)), nullptr);
  const TemporaryFolder nowhere("/proc/self");  // no file can be made there, by root either
  EXPECT_EQ(move_to_disk(pattern(kLarge)), nullptr);
}

TEST(MappedPages, OrdinaryMemoryIsNeverDropped) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(pattern(kLarge));
  forget_pages(owner->data(), owner->size(), owner);
  EXPECT_EQ(*owner, pattern(kLarge));
}

TEST(MappedPages, NoFileIsLeftInTheFolder) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "burin_mapped_pages";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const TemporaryFolder here(folder.string());
  const std::shared_ptr<const void> owner = move_to_disk(pattern(kLarge));
  ASSERT_NE(owner, nullptr);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace burin::mapped_pages_test
