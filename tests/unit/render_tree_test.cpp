// Trees on disk: what is written, kept, removed and refused, and what a failure leaves behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "render/source_tree.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin::render_tree_test {
namespace {

namespace fs = std::filesystem;
using Snapshot = std::map<std::string, std::string>;

std::string manifest_of(const std::vector<TreeFile>& files) {
  std::string text = "{\"files\": [";
  for (const TreeFile& file : files) {
    text += (text.back() == '[' ? "" : ",") + std::string("{\"path\": \"") + file.path +
            "\", \"sha256\": \"" + file.sha256 + "\", \"bytes\": " + std::to_string(file.bytes) +
            "}";
  }
  return text + "]}";
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

template <class Body>
std::string refusal(Body&& body) {
  try {
    body();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

std::string listed(const std::vector<TreeChange>& changes) {
  std::string out;
  for (const TreeChange& change : changes) out += (out.empty() ? "" : ", ") + to_string(change);
  return out;
}

class TreeOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    base = fs::temp_directory_path() / ("burin_tree_" + std::to_string(getpid()));
    fs::remove_all(base);
    fs::create_directories(base);
    out = (base / "out").string();
  }
  void TearDown() override { fs::remove_all(base); }

  // Every file beneath `base` with its bytes; folders end in '/'.
  Snapshot snapshot() const {
    Snapshot all;
    for (const auto& entry : fs::recursive_directory_iterator(base)) {
      const std::string name = fs::relative(entry.path(), base).string();
      if (entry.is_symlink()) {
        all[name] = "-> " + fs::read_symlink(entry.path()).string();
      } else if (entry.is_directory()) {
        all[name + "/"] = "";
      } else {
        all[name] = text_of(entry.path());
      }
    }
    return all;
  }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((base / name).parent_path());
    std::ofstream(base / name, std::ios::binary) << text;
  }

  fs::path base;
  std::string out;
};

SourceTree sample(const std::string& a = "int a;\n", const std::string& b = "int b;\n") {
  SourceTree tree;
  tree.add_data("src/a.cpp", a, "source");
  tree.add_data("src/deep/b.cpp", b, "source");
  tree.add("CMakeLists.txt", Code("project(x)\n"), "build");
  tree.add_stream(
      "weights/w.bin",
      [](const ByteSink& sink) {
        for (int i = 0; i < 1000; ++i) sink(std::string(100, static_cast<char>(i)));
      },
      "weights");
  return tree;
}

TEST_F(TreeOnDisk, AFreshTreeIsAllThereAndNothingElse) {
  EXPECT_EQ(
      listed(check_tree(sample(), out, manifest_of)),
      "added CMakeLists.txt, added manifest.json, added src/a.cpp, added src/deep/b.cpp, added "
      "weights/w.bin");
  EXPECT_EQ(snapshot(), Snapshot{});
  EXPECT_EQ(write_tree(sample(), out + "/", manifest_of).size(), 5u);
  std::string weights;
  for (int i = 0; i < 1000; ++i) weights += std::string(100, static_cast<char>(i));
  const std::vector<TreeFile> files = {{"CMakeLists.txt", "build", sha256_hex("project(x)\n"), 11},
                                       {"src/a.cpp", "source", sha256_hex("int a;\n"), 7},
                                       {"src/deep/b.cpp", "source", sha256_hex("int b;\n"), 7},
                                       {"weights/w.bin", "weights", sha256_hex(weights), 100000}};
  const Snapshot expected = {{"out/", ""},
                             {"out/CMakeLists.txt", "project(x)\n"},
                             {"out/src/", ""},
                             {"out/src/a.cpp", "int a;\n"},
                             {"out/src/deep/", ""},
                             {"out/src/deep/b.cpp", "int b;\n"},
                             {"out/weights/", ""},
                             {"out/weights/w.bin", weights},
                             {"out/manifest.json", manifest_of(files)}};
  EXPECT_EQ(snapshot(), expected);
  EXPECT_EQ(listed(check_tree(sample(), out, manifest_of)), "");
}

TEST_F(TreeOnDisk, ParentsAreMadeAndAnEmptyFolderIsTaken) {
  const std::string deep = (base / "p/q/out").string();
  write_tree(sample(), deep, manifest_of);
  EXPECT_EQ(text_of(deep + "/src/a.cpp"), "int a;\n");
  fs::create_directories(out);
  EXPECT_EQ(write_tree(sample(), out, manifest_of).size(), 5u);
  EXPECT_EQ(listed(check_tree(sample(), out, manifest_of)), "");
}

TEST_F(TreeOnDisk, OnlyWhatDiffersIsTouched) {
  write_tree(sample(), out, manifest_of);
  const auto inode = [&](const std::string& path) {
    struct stat status {};
    EXPECT_EQ(stat((out + "/" + path).c_str(), &status), 0);
    return std::tuple(status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  };
  const auto a = inode("src/a.cpp");
  const auto b = inode("src/deep/b.cpp");
  const auto w = inode("weights/w.bin");
  const auto m = inode("manifest.json");
  EXPECT_EQ(listed(write_tree(sample(), out, manifest_of)), "");
  EXPECT_EQ(inode("manifest.json"), m);
  const SourceTree edited = sample("int a2;\n");
  EXPECT_EQ(listed(check_tree(edited, out, manifest_of)),
            "changed manifest.json, changed src/a.cpp");
  EXPECT_EQ(listed(write_tree(edited, out, manifest_of)),
            "changed manifest.json, changed src/a.cpp");
  EXPECT_NE(inode("src/a.cpp"), a);
  EXPECT_EQ(inode("src/deep/b.cpp"), b);
  EXPECT_EQ(inode("weights/w.bin"), w);
  EXPECT_EQ(text_of(out + "/src/a.cpp"), "int a2;\n");
}

TEST_F(TreeOnDisk, OnlyListedFilesAreRemoved) {
  write_tree(sample(), out, manifest_of);
  put("out/notes.txt", "mine");
  put("out/build/cache", "mine");
  SourceTree smaller;
  smaller.add_data("src/a.cpp", "int a;\n", "source");
  const std::string expected =
      "removed CMakeLists.txt, changed manifest.json, removed src/deep/b.cpp, removed "
      "weights/w.bin";
  EXPECT_EQ(listed(check_tree(smaller, out, manifest_of)), expected);
  EXPECT_EQ(listed(write_tree(smaller, out, manifest_of)), expected);
  Snapshot left = snapshot();
  left.erase("out/manifest.json");
  const Snapshot want = {{"out/", ""},
                         {"out/src/", ""},
                         {"out/src/a.cpp", "int a;\n"},
                         {"out/notes.txt", "mine"},
                         {"out/build/", ""},
                         {"out/build/cache", "mine"}};
  EXPECT_EQ(left, want);
}

TEST_F(TreeOnDisk, AFileThatIsNotListedInAFolderOfTheTreeIsNamedAndRefused) {
  write_tree(sample(), out, manifest_of);
  put("out/src/mine.cpp", "mine");
  put("out/build/cache", "beside its folders is no place of the tree");
  fs::create_directories(out + "/src/empty");
  EXPECT_EQ(listed(check_tree(sample(), out, manifest_of)), "unlisted src/mine.cpp");
  Snapshot before = snapshot();
  EXPECT_EQ(refusal([&] { write_tree(sample("int a2;\n"), out, manifest_of); }),
            "error: '" + out +
                "/src/mine.cpp' is no file of this tree, in a folder that the tree owns "
                "[not-our-file]; move it elsewhere or remove it");
  EXPECT_EQ(snapshot(), before);
  put("out/src/deep/deeper/x.h", "mine");
  fs::create_symlink("a.cpp", out + "/src/link.cpp");
  EXPECT_EQ(listed(check_tree(sample("int a2;\n"), out, manifest_of)),
            "changed manifest.json, changed src/a.cpp, unlisted src/deep/deeper/x.h, unlisted "
            "src/link.cpp, unlisted src/mine.cpp");
  before = snapshot();
  EXPECT_EQ(refusal([&] { write_tree(sample(), out, manifest_of); }),
            "error: '" + out +
                "/src/deep/deeper/x.h' (and 2 more) is no file of this tree, in a folder that the "
                "tree owns [not-our-file]; move it elsewhere or remove it");
  EXPECT_EQ(snapshot(), before);
}

// Gradle, cargo and Python build where a package lies.
TEST_F(TreeOnDisk, WhatToolsLeaveIsInNobodysWay) {
  const auto tree_of = [](const char* text) {
    SourceTree tree = sample(text);
    for (const char* path :
         {"android/build.gradle", "bindings/rust/net/Cargo.toml", "bindings/python/net.py"})
      tree.add(path, Code("// mine\n"), "binding");
    return tree;
  };
  write_tree(tree_of("int a;\n"), out, manifest_of);
  for (const char* path : {"android/build/x.so", "android/.cxx/x", "android/.gradle/y",
                           "bindings/rust/net/target/debug/x", "bindings/rust/net/Cargo.lock"})
    put(out + "/" + path, "of a tool");
  EXPECT_EQ(listed(check_tree(tree_of("int a;\n"), out, manifest_of)), "");
  put(out + "/bindings/python/__pycache__/net.pyc", "of a tool");
  EXPECT_EQ(listed(check_tree(tree_of("int a;\n"), out, manifest_of)),
            "unlisted bindings/python/__pycache__/net.pyc");
  write_tree(tree_of("int a2;\n"), out, manifest_of);
  EXPECT_EQ(snapshot().at("out/android/build/x.so"), "of a tool");
  // Nowhere else.
  for (const char* path : {"bindings/python/target/x", "bindings/rust/net/src/x.rs",
                           "bindings/rust/Cargo.lock", "android/x", "src/build/x.cpp"}) {
    put(out + "/" + path, "mine");
    EXPECT_NE(refusal([&] { write_tree(tree_of("int a;\n"), out, manifest_of); }).find(path),
              std::string::npos);
    fs::remove(out + "/" + path);
  }
}

TEST_F(TreeOnDisk, FoldersAndFilesOfOthersAreRefused) {
  put("out/thesis.tex", "mine");
  Snapshot before = snapshot();
  const std::string line =
      "error: folder '" + out +
      "' is not empty and has no manifest.json [not-our-folder]; name a folder that is "
      "new, empty or made by burin";
  EXPECT_EQ(refusal([&] { write_tree(sample(), out, manifest_of); }), line);
  EXPECT_EQ(refusal([&] { check_tree(sample(), out, manifest_of); }), line);
  EXPECT_EQ(snapshot(), before);

  const std::string file = (base / "out/thesis.tex").string();
  EXPECT_EQ(refusal([&] { write_tree(sample(), file, manifest_of); }),
            "error: '" + file + "' is not a folder [not-our-folder]; name another place");

  fs::remove_all(out);
  SourceTree small;
  small.add_data("a", "a", "x");
  write_tree(small, out, manifest_of);
  put("out/src/a.cpp", "mine");
  before = snapshot();
  EXPECT_EQ(
      refusal([&] { write_tree(sample(), out, manifest_of); }),
      "error: '" + out +
          "/src/a.cpp' is in the way: burin did not write it [not-our-file]; move it elsewhere");
  EXPECT_EQ(snapshot(), before);
  put("out/src/a.cpp", "int a;\n");  // the same bytes are no loss
  EXPECT_EQ(refusal([&] { write_tree(sample(), out, manifest_of); }), "accepted");
}

TEST_F(TreeOnDisk, LinksLeadNowhere) {
  SourceTree small;
  small.add_data("a", "a", "x");
  write_tree(small, out, manifest_of);
  put("elsewhere/a.cpp", "mine");
  fs::create_directory_symlink(base / "elsewhere", out + "/src");
  const Snapshot before = snapshot();
  EXPECT_EQ(refusal([&] { write_tree(sample(), out, manifest_of); }),
            "error: '" + out + "/src' is in the way: it is not a folder [not-our-file]");
  EXPECT_EQ(snapshot(), before);
  // A manifest that lists a path through the link, or out of the folder, removes nothing there.
  put("out/manifest.json", R"({"files": [{"path": "a"}, {"path": "src/a.cpp"}]})");
  EXPECT_EQ(refusal([&] { write_tree(small, out, manifest_of); }),
            "error: '" + out + "/src' is in the way: it is not a folder [not-our-file]");
  put("out/manifest.json", R"({"files": [{"path": "../elsewhere/a.cpp"}]})");
  EXPECT_EQ(refusal([&] { write_tree(small, out, manifest_of); }),
            out +
                "/manifest.json:1:21: #/files/0/path: error: '../elsewhere/a.cpp' is not a path "
                "that a tree "
                "has [not-our-file]");
  EXPECT_EQ(text_of(base / "elsewhere/a.cpp"), "mine");
}

// A staging folder that came with a tree leads nowhere else, either.
TEST_F(TreeOnDisk, JournalsOfOthersAreRefused) {
  put("elsewhere/a.cpp", "mine");
  const auto with_journal = [&](const std::string& journal) {
    fs::remove_all(out);
    put("out/manifest.json", R"({"files": []})");
    put("out/.burin-staging/.burin-staging", "");
    put("out/.burin-staging/.burin-journal", journal);
    put("out/.burin-staging/.burin-old/src/a.cpp", "theirs");
    fs::create_directory_symlink(base / "elsewhere", out + "/src");
    const std::string why = refusal([&] { write_tree(sample(), out, manifest_of); });
    EXPECT_EQ(text_of(base / "elsewhere/a.cpp"), "mine") << journal;
    return why;
  };
  for (const std::string journal : {"-src/a.cpp\n", "+src/a.cpp\n"})
    EXPECT_NE(with_journal(journal).find("/src' is in the way: it is not a folder [not-our-file]"),
              std::string::npos);
  for (const std::string journal : {"\n", "-../elsewhere/a.cpp\n", "-b", "?b\n", "-\n", "\n\n"})
    EXPECT_NE(with_journal(journal).find("its journal is none that burin has written"),
              std::string::npos)
        << journal;
}

TEST_F(TreeOnDisk, BrokenManifestsAreRefused) {
  write_tree(sample(), out, manifest_of);
  put("out/manifest.json", "{\"files\": [");
  EXPECT_EQ(refusal([&] { write_tree(sample("x"), out, manifest_of); }),
            out + "/manifest.json:1:12: error: the file ends inside a value [malformed-json]");
  put("out/manifest.json", "{}");
  EXPECT_EQ(refusal([&] { write_tree(sample("x"), out, manifest_of); }),
            out + "/manifest.json:1:1: #: error: key 'files' is missing [missing-key]");
  EXPECT_EQ(text_of(out + "/src/a.cpp"), "int a;\n");
}

TEST_F(TreeOnDisk, AStreamThatRefusesLeavesTheOldTree) {
  for (const bool exists : {false, true}) {
    if (exists) write_tree(sample(), out, manifest_of);
    const Snapshot before = snapshot();
    SourceTree bad = sample("int changed;\n");
    bad.add_stream(
        "weights/z.bin", [](const ByteSink& sink) { sink("x"), refuse("bad-data", "no"); }, "w");
    EXPECT_EQ(refusal([&] { write_tree(bad, out, manifest_of); }), "error: no [bad-data]");
    EXPECT_EQ(snapshot(), before);
  }
}

// The file size limit stands in for a full disk: for every limit the old tree stays whole or the
// new one is.
TEST_F(TreeOnDisk, AFullDiskLeavesTheOldTree) {
  write_tree(sample(), out, manifest_of);
  const Snapshot before = snapshot();
  int refused = 0;
  for (rlim_t limit = 0; limit <= 110000; limit += limit < 1500 ? 50 : 9973) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit bytes = {limit, limit};
      setrlimit(RLIMIT_FSIZE, &bytes);
      const std::string line =
          refusal([&] { write_tree(sample("int changed;\n"), out, manifest_of); });
      _exit(line == "accepted" ? 0 : line.find("[cannot-write]") != line.npos ? 1 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2) << limit;
    if (WEXITSTATUS(status) == 0) break;
    ++refused;
    ASSERT_EQ(snapshot(), before) << limit;
  }
  EXPECT_GT(refused, 30);
  EXPECT_EQ(text_of(out + "/src/a.cpp"), "int changed;\n");
}

TEST_F(TreeOnDisk, AnInterruptedSwapIsRepairedByTheNextRun) {
  write_tree(sample(), out, manifest_of);
  // As a run leaves it that was killed after some renames: an interim manifest, a new file, a
  // staging folder with its mark.
  put("out/manifest.json",
      R"({"interrupted": true, "files": [{"path": "src/a.cpp"}, {"path": "src/new.cpp"}, {"path": "src/deep/b.cpp"},
          {"path": "CMakeLists.txt"}, {"path": "weights/w.bin"}]})");
  put("out/src/new.cpp", "of a model that is gone\n");
  put("out/.burin-staging/.burin-staging", "burin writes a tree here\n");
  put("out/.burin-staging/src/old.cpp", "left over");
  EXPECT_EQ(listed(write_tree(sample(), out, manifest_of)),
            "changed manifest.json, removed src/new.cpp");
  EXPECT_EQ(listed(check_tree(sample(), out, manifest_of)), "");
  EXPECT_FALSE(fs::exists(out + "/.burin-staging"));
}

TEST_F(TreeOnDisk, TwoRunsDoNotMix) {
  write_tree(sample(), out, manifest_of);
  const std::string staging = out + "/.burin-staging";
  fs::create_directory(staging);
  const int other = open(staging.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  EXPECT_EQ(refusal([&] { write_tree(sample("x"), out, manifest_of); }),
            "error: '" + staging +
                "' cannot be written: another run of burin is writing there [cannot-write]");
  close(other);
  EXPECT_EQ(refusal([&] { write_tree(sample("x"), out, manifest_of); }), "accepted");
}

TEST(SourceTree, PathsAreChecked) {
  for (const char* path : {"", "/a", "a/", "a//b", "..", "a/../b", "./a", "a b", "a\nb", "a\\b",
                           "manifest.json", ".burin-staging", "x/.burin-staging/y", "\xC3\xA9"}) {
    SourceTree tree;
    EXPECT_THROW(tree.add_data(path, "", "x"), InternalError) << path;
  }
  SourceTree tree;
  tree.add_data("src/A.cpp", "", "x");
  tree.add_data(".clang-format", "", "x");
  EXPECT_THROW(tree.add_data("src/a.cpp", "", "x"), InternalError);
  EXPECT_THROW(tree.add_data("SRC/A.cpp", "", "x"), InternalError);
  EXPECT_EQ(tree.entries().size(), 2u);
}

}  // namespace
}  // namespace burin::render_tree_test
