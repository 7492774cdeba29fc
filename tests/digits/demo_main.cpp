// Runs the emitted digits network on the real test images: one at a time, then in batches, with the
// same tree. Prints accuracy, time per image and arena bytes; fails when accuracy is below what
// training gave.
//
//   demo FOLDER [WEIGHTS [CODE_BYTES]]
//
// FOLDER holds digits_test_images.bin and digits_test_labels.bin (see README.md), WEIGHTS is the
// tree's weights/digits.bin, or "-" where the weights are embedded.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "digits.h"

namespace {

constexpr int kPixels = 64;
constexpr int kClasses = 10;
constexpr double kLeastAccuracy = 0.98;

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

void require(std::int32_t status, const char* what) {
  if (status == 0) return;
  std::fprintf(stderr, "%s: %s\n", what, digits_strerror(status));
  std::exit(1);
}

struct Result {
  int right = 0;
  double microseconds = 0;  // per image, the fastest of several passes over all images
  std::size_t arena_bytes = 0;
};

// All images through the network, `batch` at a time; a last, smaller batch takes what is left over.
Result run_all(const std::vector<float>& images, const std::vector<std::uint8_t>& labels,
               const std::vector<std::uint8_t>& weights, std::int64_t batch, int passes) {
  digits_dims dims{};
  dims.batch = batch;
  Result result;
  result.arena_bytes = static_cast<std::size_t>(digits_arena_bytes(&dims));
  constexpr std::size_t kAlign = 64;
  std::vector<std::uint8_t> store(result.arena_bytes + kAlign);
  std::uint8_t* arena =
      store.data() + (kAlign - reinterpret_cast<std::uintptr_t>(store.data()) % kAlign) % kAlign;
  digits_context context;
  require(digits_init(&context, arena, result.arena_bytes,
                      weights.empty() ? nullptr : weights.data(), weights.size()),
          "digits_init");

  const auto count = static_cast<std::int64_t>(labels.size());
  std::vector<float> probabilities(labels.size() * kClasses);
  for (int pass = 0; pass < passes; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t first = 0; first < count; first += batch) {
      dims.batch = std::min(batch, count - first);
      digits_inputs inputs{};
      inputs.image = images.data() + first * kPixels;
      digits_outputs outputs{};
      outputs.probabilities = probabilities.data() + first * kClasses;
      require(digits_run(&context, &dims, &inputs, &outputs), "digits_run");
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    const double each = took.count() / static_cast<double>(count);
    result.microseconds = pass == 0 ? each : std::min(result.microseconds, each);
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float* row = probabilities.data() + i * kClasses;
    result.right += std::max_element(row, row + kClasses) - row == labels[i];
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER [WEIGHTS [CODE_BYTES]]\n", argv[0]);
    return 2;
  }
  const std::string folder = argv[1];
  const std::vector<std::uint8_t> pixels = read_file(folder + "/digits_test_images.bin");
  const std::vector<std::uint8_t> labels = read_file(folder + "/digits_test_labels.bin");
  if (labels.empty() || pixels.size() != labels.size() * kPixels) {
    std::fprintf(stderr, "%zu pixels do not make %zu images\n", pixels.size(), labels.size());
    return 1;
  }
  std::vector<float> images(pixels.size());
  std::transform(pixels.begin(), pixels.end(), images.begin(),
                 [](std::uint8_t pixel) { return static_cast<float>(pixel) / 16.0f; });
  std::vector<std::uint8_t> weights;
  if (argc > 2 && std::string(argv[2]) != "-") weights = read_file(argv[2]);

  bool good = true;
  for (const std::int64_t batch : {1, 32}) {
    const Result result = run_all(images, labels, weights, batch, 20);
    const double accuracy = static_cast<double>(result.right) / static_cast<double>(labels.size());
    std::printf(
        "batch %2lld: accuracy %.2f %% (%d of %zu test images), %.2f us per image, arena %zu "
        "bytes\n",
        static_cast<long long>(batch), 100 * accuracy, result.right, labels.size(),
        result.microseconds, result.arena_bytes);
    good = good && accuracy >= kLeastAccuracy;
  }
  if (argc > 3) std::printf("code size: %s bytes\n", argv[3]);
  return good ? 0 : 1;
}
