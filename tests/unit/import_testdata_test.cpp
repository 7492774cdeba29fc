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

namespace burin::import_testdata_test {
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
  // The rules by which models are refused, and how often.
  std::map<std::string, int> refused;
  for (const std::string& model : models) {
    try {
      check_graph(import_model(model));
    } catch (const Refused& refusal) {
      ++refused[refusal.diagnostics[0].rule];
    }
  }
  const std::map<std::string, int> expected = {
      {"dynamic-rank", 3},  // inputs that are sequences of tensors of any rank
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

// Writes a model with `tensors` initializers of `bytes` bytes each, without holding them in memory:
// what this process keeps would count as its child's.
void write_large_model(const std::string& path, int tensors, int64_t bytes, size_t padding) {
  using namespace onnx_writer;  // NOLINT
  GraphParts parts = relu_parts();
  parts.name = std::string(padding, 'g');
  const std::string rest = graph(parts).bytes();
  const std::string payload_tag = Message().tag(9, 2).raw(Message::varint(bytes)).bytes();
  std::vector<std::string> heads;
  size_t graph_bytes = rest.size();
  for (int i = 0; i < tensors; ++i) {
    const std::string name = "w" + std::string(static_cast<size_t>(i), 'w');
    const std::string head = tensor(name, kFloat, {bytes / 4}).bytes() + payload_tag;
    const auto length = Message::varint(head.size() + static_cast<size_t>(bytes));
    heads.push_back(Message().tag(5, 2).raw(length).raw(head).bytes());
    graph_bytes += heads.back().size() + static_cast<size_t>(bytes);
  }
  std::ofstream file(path, std::ios::binary);
  file << Message().integer(1, 8).message(8, opset("", 17)).tag(7, 2).bytes();
  file << Message::varint(graph_bytes) << rest;
  const std::string block(4096, 'w');
  for (const std::string& head : heads) {
    file << head;
    for (int64_t at = 0; at < bytes; at += 4096) file << block;
  }
}

// The peak memory of importing a model in a process of its own, in bytes; -1 when it is refused.
int64_t import_peak(const std::string& path) {
  int channel[2];
  if (pipe(channel) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    int64_t peak = -1;
    try {
      struct rusage usage {};
      const Graph graph = import_model(path);
      getrusage(RUSAGE_SELF, &usage);
      peak = usage.ru_maxrss * 1024;
    } catch (const Refused&) {
    }
    const bool written = write(channel[1], &peak, sizeof peak) == sizeof peak;
    _exit(written ? 0 : 1);
  }
  close(channel[1]);
  int64_t peak = -1;
  if (read(channel[0], &peak, sizeof peak) != sizeof peak) peak = -1;
  close(channel[0]);
  waitpid(child, nullptr, 0);
  return peak;
}

// What a process takes beside the weights. The address sanitizer keeps freed memory and a shadow of
// it.
#if defined(__SANITIZE_ADDRESS__)
constexpr int64_t kBeside = int64_t{2} << 30;
#elif defined(__has_feature)
constexpr int64_t kBeside = __has_feature(address_sanitizer) ? int64_t{2} << 30 : int64_t{16} << 20;
#else
constexpr int64_t kBeside = int64_t{16} << 20;
#endif

// Whether weights lie aligned (nothing is copied) or not (copied once, and the file's pages given
// back), import takes little more than the file has.
TEST(ImportTestdata, MemoryStaysNearTheFileSize) {
  std::string path = testing::TempDir() + "burin_large_XXXXXX";
  const int descriptor = mkstemp(path.data());
  ASSERT_GE(descriptor, 0);
  close(descriptor);
  for (size_t padding = 0; padding < 4; ++padding) {
    write_large_model(path, 16, 4 << 20, padding);
    const int64_t peak = import_peak(path);
    EXPECT_GT(peak, 0);
    EXPECT_LT(peak, (int64_t{64} << 20) + kBeside) << padding;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace burin::import_testdata_test
