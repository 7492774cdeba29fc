// What a reviewer of trees sees of a small edit of a model: numbers of lines, by file, without what
// the tree's own .gitattributes fold away.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::small_edits_test {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;
using Tree = std::map<std::string, Lines>;

// `blocks` convolutions with a bias and an activation, and a pool.
std::string blocks_of(int blocks, int first_weight = 1) {
  std::ostringstream text;
  text << "in x f32[1,4,6,6]\n";
  std::string before = "x";
  for (int i = 0; i < blocks; ++i) {
    text << "const w" << i << " f32[4,4,3,3]";
    for (int k = 0; k < 144; ++k) text << " " << (k * 7 + i + first_weight) % 11 - 5;
    text << "\nconst b" << i << " f32[4] 1 2 3 " << i << "\n";
    text << "node Conv(" << before << ", w" << i << ", b" << i << ") -> c" << i << " name=conv" << i
         << " pads=[1,1,1,1]\n";
    text << "node Relu(c" << i << ") -> r" << i << " name=relu" << i << "\n";
    before = "r" + std::to_string(i);
  }
  text << "node GlobalAveragePool(" << before << ") -> y name=pool\nout y\n";
  return tiny_model(text.str()).bytes;
}

bool is_folded(const std::string& path) {
  return path == "plan.json" || path == "manifest.json" || path == "files.sha256" ||
         path == "REPORT.html" || path == "include/net_content.h" || path.starts_with("weights/") ||
         path.ends_with("_weights.cpp") || path.ends_with("vectors.h");
}

class SmallEdits : public testing::Test {
 protected:
  Tree tree_of(const std::string& model) {
    std::ofstream(folder_.path() + "/m.onnx", std::ios::binary) << model;
    const std::string place = folder_.path() + "/tree" + std::to_string(trees_++);
    const ProcessResult made =
        run_process({BURIN_PROGRAM, "generate", folder_.path() + "/m.onnx", "--config", "cortex-m7",
                     "--weights", "blob", "--name", "net", "-o", place},
                    120);
    EXPECT_EQ(made.exit_code, kExitOk) << made.output;
    Tree out;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      const std::string path = fs::relative(entry.path(), place).string();
      if (!entry.is_regular_file() || is_folded(path)) continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) out[path].push_back(line);
    }
    return out;
  }

  // Lines of a file that the other one has not, each as often as it is missing there.
  static int64_t only_in(const Lines& lines, const Lines& other) {
    std::multiset<std::string> left(other.begin(), other.end());
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
      const auto found = left.find(line);
      if (found == left.end()) return true;
      left.erase(found);
      return false;
    });
  }

  // By file, of those of the new tree.
  static std::map<std::string, int64_t> new_lines(Tree before, const Tree& now) {
    std::map<std::string, int64_t> out;
    for (const auto& [path, lines] : now) {
      if (const int64_t count = only_in(lines, before[path])) out[path] = count;
    }
    return out;
  }

  const ScratchFolder folder_;
  int trees_ = 0;
};

TEST_F(SmallEdits, OtherWeightsAreOtherDataOnly) {
  EXPECT_EQ(new_lines(tree_of(blocks_of(4)), tree_of(blocks_of(4, 2))),
            (std::map<std::string, int64_t>()));
}

// What nobody reads says what the content is.
TEST_F(SmallEdits, FoldedFilesTellWeightsApart) {
  tree_of(blocks_of(4));
  tree_of(blocks_of(4, 2));
  for (const char* name : {"manifest.json", "include/net_content.h", "files.sha256"}) {
    const auto text = [&](const char* tree) {
      std::ifstream in(folder_.path() + "/" + tree + "/" + name);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_FALSE(text("tree0").empty()) << name;
    EXPECT_NE(text("tree0"), text("tree1")) << name;
  }
}

TEST_F(SmallEdits, OneMoreBlockIsItsOwnLines) {
  const Tree before = tree_of(blocks_of(4)), now = tree_of(blocks_of(5));
  std::map<std::string, int64_t> lines = new_lines(before, now);
  // Kernels are the same: the comment of the one that is called once more has one more number, in
  // the names of its nodes.
  int64_t in_kernels = 0;
  std::erase_if(lines, [&](const auto& one) {
    const bool kernel = one.first.starts_with("src/kernels/");
    if (kernel) in_kernels += one.second;
    return kernel;
  });
  EXPECT_EQ(in_kernels, 1);
  // Bytes of weights; a row, the sum; a call with who it is for, the operand of the next call; a
  // tensor, its weights, its bias.
  const std::map<std::string, int64_t> expected = {{"REPORT.md", 2},
                                                   {"include/net.h", 1},
                                                   {"src/net.cpp", 3},
                                                   {"src/net_memory.h", 3}};
  EXPECT_EQ(lines, expected);
  for (const auto& [path, lines_before] : before) EXPECT_TRUE(now.contains(path)) << path;
  EXPECT_EQ(before.size(), now.size());
}

TEST_F(SmallEdits, NamesOfTensorsMoveNoKernel) {
  const std::string model = blocks_of(3);
  std::string renamed = model;
  for (size_t at = renamed.find("r1"); at != renamed.npos; at = renamed.find("r1", at + 2))
    renamed.replace(at, 2, "q9");
  const std::map<std::string, int64_t> lines = new_lines(tree_of(model), tree_of(renamed));
  for (const auto& [path, count] : lines) {
    const bool kernel = path.starts_with("src/kernels/");
    EXPECT_LE(count, kernel ? 2 : 8) << path;  // of a kernel, whom it was called for
  }
  EXPECT_FALSE(lines.contains("src/kernels.h"));
}

// Every part of a kernel's body says what it does, and no line is longer than a screen.
TEST_F(SmallEdits, KernelsAreReadable) {
  int kernels = 0;
  for (const auto& [path, lines] : tree_of(blocks_of(2))) {
    if (!path.starts_with("src/kernels/")) continue;
    ++kernels;
    EXPECT_LE(fs::path(path).stem().string().size(), 48u) << path;
    bool in_body = false, says = false;
    for (const std::string& line : lines) {
      EXPECT_LE(line.size(), 120u) << path << ": " << line;
      EXPECT_NE(line.substr(std::min(line.find_first_not_of(' '), line.size())), "{") << path;
      in_body |= line.starts_with("void ");
      says |= in_body && line.starts_with("  // ");
    }
    EXPECT_TRUE(says) << path;
  }
  EXPECT_GE(kernels, 2);
}

}  // namespace
}  // namespace burin::small_edits_test
