// Every model of the ONNX project's test data is imported, but for a list of kinds that are refused
// by name; and a model of the size of real ones costs no memory but its own.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "import/import.h"
#include "support/onnx_writer.h"

namespace burin {
namespace {

std::vector<std::string> test_models() {
  std::vector<std::string> models;
  const std::filesystem::path root = "/usr/share/libonnx-testdata/data";
  if (!std::filesystem::is_directory(root)) return models;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".onnx") models.push_back(entry.path().string());
  }
  std::sort(models.begin(), models.end());
  return models;
}

TEST(ImportTestdata, AllModels) {
  const std::vector<std::string> models = test_models();
  ASSERT_GE(models.size(), 1000u)
      << "/usr/share/libonnx-testdata is missing; install libonnx-testdata";
  // What is refused, and how often.
  std::map<std::string, int> refused;
  std::vector<std::string> other;
  for (const std::string& model : models) {
    try {
      check_graph(import_model(model));
    } catch (const Refused& refusal) {
      const std::string& message = refusal.diagnostics[0].message;
      ++refused[message];
    }
  }
  const std::map<std::string, int> expected = {
      {"it is a type, which is not supported", 1},
      {"operators of domain 'ai.onnx.preview.training' are not known", 9},
  };
  EXPECT_EQ(refused, expected);
}

TEST(ImportTestdata, TensorFiles) {
  const std::filesystem::path root = "/usr/share/libonnx-testdata/data/node";
  ASSERT_TRUE(std::filesystem::is_directory(root)) << "install libonnx-testdata";
  int tensors = 0, others = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".pb") continue;
    try {
      const Tensor tensor = import_tensor(entry.path().string()).tensor;
      EXPECT_GE(tensor.elements(), 0);
      ++tensors;
    } catch (const Refused&) {
      ++others;  // sequences and optional values
    }
  }
  EXPECT_GE(tensors, 2500);
  EXPECT_LE(others, 120);
}

// 256 MiB of weights in the file: what import takes in memory stays near that, both when they lie
// aligned (nothing is copied) and when they do not (copied once, and the file's pages given back).
TEST(ImportTestdata, MemoryStaysNearTheFileSize) {
  using namespace onnx_writer;  // NOLINT
  constexpr int64_t kElements = int64_t{1} << 22;
  constexpr int kTensors = 16;
  for (const size_t padding : {size_t{0}, size_t{1}, size_t{2}, size_t{3}}) {
    std::string path = testing::TempDir() + "burin_large_XXXXXX";
    const int descriptor = mkstemp(path.data());
    ASSERT_GE(descriptor, 0);
    close(descriptor);
    {
      GraphParts parts = relu_parts();
      const std::string weights(static_cast<size_t>(kElements) * 4, 'w');
      for (int i = 0; i < kTensors; ++i) {
        parts.initializers.push_back(raw_tensor("w" + std::string(static_cast<size_t>(i), 'w'),
                                                kFloat, {kElements}, weights));
      }
      parts.name = std::string(padding, 'g');
      std::ofstream(path, std::ios::binary) << model(graph(parts)).bytes();
    }
    const auto file_bytes = static_cast<int64_t>(std::filesystem::file_size(path));
    const pid_t child = fork();  // its peak is its own
    if (child == 0) {
      struct rusage before {
      }, after{};
      getrusage(RUSAGE_SELF, &before);
      try {
        const Graph graph = import_model(path);
        getrusage(RUSAGE_SELF, &after);
        const int64_t taken = (after.ru_maxrss - before.ru_maxrss) * 1024;
        _exit(taken < file_bytes + (int64_t{64} << 20) && graph.values.size() > kTensors ? 0 : 1);
      } catch (...) {
        _exit(2);
      }
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << padding;
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace burin
