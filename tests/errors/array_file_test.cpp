// Images, sound and archives of arrays as other programs wrote them (arrays/make.py), and what is
// said of those that are broken or do not fit.
#include "report/array_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/diagnostics.h"
#include "support/process.h"

namespace burin::array_file_test {
namespace {

const std::string kArrays = BURIN_SOURCE_DIR "/tests/errors/arrays/";

std::vector<double> numbers(const HostTensor& tensor) {
  std::vector<double> out;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const ScalarValue value = tensor.get(i);
    out.push_back(is_float(tensor.type) ? value.number : static_cast<double>(value.integer));
  }
  return out;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The refusal, without the path.
std::string refusal(const std::string& path, const ArrayForm& form) {
  try {
    read_array(path, form);
  } catch (const Refused& refused) {
    const Diagnostic& said = refused.diagnostics.at(0);
    return said.message + " [" + said.rule + "]";
  }
  return "read";
}

TEST(ArrayFile, Archives) {
  const std::vector<double> x = {0, 1, 2, -4, 0.5, 100};
  for (const char* file : {"stored.npz", "packed.npz", "only.npz"}) {
    const HostTensor got = read_array(kArrays + file, {Type::f32, {-1, 3}, "x"});
    EXPECT_EQ(numbers(got), x) << file;
    EXPECT_EQ(got.shape, (std::vector<int64_t>{2, 3})) << file;
  }
  EXPECT_EQ(npz_names(kArrays + "stored.npz"), (std::vector<std::string>{"x", "other"}));
  EXPECT_EQ(numbers(read_array(kArrays + "stored.npz", {Type::i64, {1}, "other"})),
            std::vector<double>{7});
  EXPECT_EQ(refusal(kArrays + "stored.npz", {Type::f32, {}, "y"}), "has no array 'y' [io]");
}

TEST(ArrayFile, BrokenArchives) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/a.npz", whole = bytes_of(kArrays + "packed.npz");
  // Of the end only the length of a remark may be missing.
  for (size_t cut = 0; cut < whole.size() - 4; cut += 7) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, cut);
    EXPECT_NE(refusal(path, {Type::f32, {2, 3}, "x"}), "read") << cut;
  }
  // A byte of the packed data: the checksum tells.
  std::string changed = whole;
  changed[60] = static_cast<char>(changed[60] ^ 0x55);
  std::ofstream(path, std::ios::binary) << changed;
  EXPECT_NE(refusal(path, {Type::f32, {2, 3}, "x"}), "read");
}

TEST(ArrayFile, Images) {
  const double a = 51.0 / 255, b = 102.0 / 255, c = 1.0 / 255, d = 2.0 / 255, e = 3.0 / 255;
  const auto floats = [](const std::vector<double>& list) {
    return std::vector<double>(list.begin(), list.end());
  };
  const auto near = [](const std::vector<double>& got, const std::vector<double>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-7) << i;
  };
  near(numbers(read_array(kArrays + "rgb.png", {Type::f32, {1, 3, 2, 2}})),
       floats({0, 1, b, c, a, 0, b, d, 1, a, b, e}));
  near(numbers(read_array(kArrays + "rgb.png", {Type::f32, {-1, -1, -1, 3}})),
       floats({0, a, 1, 1, 0, a, b, b, b, c, d, e}));
  EXPECT_EQ(numbers(read_array(kArrays + "rgb.png", {Type::u8, {2, 2, 3}})),
            (std::vector<double>{0, 51, 255, 255, 0, 51, 102, 102, 102, 1, 2, 3}));
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{2, 3}, {1, 2, 3}, {1, 1, 2, 3}, {1, 2, 3, 1}}) {
    const HostTensor got = read_array(kArrays + "gray.png", {Type::u8, shape});
    EXPECT_EQ(numbers(got), (std::vector<double>{0, 51, 255, 102, 153, 204}));
    EXPECT_EQ(got.shape, shape);
  }
  EXPECT_EQ(refusal(kArrays + "gray.png", {Type::f32, {1, 1, 28, 28}}),
            "is an image of 2 rows, the input has 28 [io]");
  EXPECT_EQ(refusal(kArrays + "gray.png", {Type::f32, {1, 6}}),
            "is an image of 2 rows, the input has 1 [io]");
  EXPECT_EQ(refusal(kArrays + "gray.png", {Type::f32, {6}}),
            "is an image, which the input is not [io]");
  EXPECT_EQ(refusal(kArrays + "gray.png", {Type::i64, {2, 3}}),
            "is an image, and elements of i64 have no usual range for one [type]");
  const ScratchFolder folder;
  const std::string path = folder.path() + "/a.png", whole = bytes_of(kArrays + "rgb.png");
  for (size_t cut = 0; cut < whole.size() - 16; cut += 5) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, cut);
    EXPECT_NE(refusal(path, {Type::u8, {2, 2, 3}}), "read") << cut;
  }
}

TEST(ArrayFile, Sound) {
  const std::vector<double> mono = {0, 0.5, -1, 32767.0 / 32768};
  const HostTensor got = read_array(kArrays + "mono16.wav", {Type::f32, {1, -1}});
  EXPECT_EQ(numbers(got), mono);
  EXPECT_EQ(got.shape, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(numbers(read_array(kArrays + "mono16.wav", {Type::i16, {4}})),
            (std::vector<double>{0, 16384, -32768, 32767}));
  // One channel after the other.
  EXPECT_EQ(numbers(read_array(kArrays + "stereo8.wav", {Type::f32, {2, 3}})),
            (std::vector<double>{0, 0.5, -0.5, -1, 127.0 / 128, 0}));
  EXPECT_EQ(refusal(kArrays + "mono16.wav", {Type::i32, {4}}),
            "holds samples of 16 bits, which no i32 is [type]");
  EXPECT_EQ(refusal(kArrays + "mono16.wav", {Type::f32, {3}}),
            "has 4 elements, the input takes 3 [io]");
  const ScratchFolder folder;
  const std::string path = folder.path() + "/a.wav", whole = bytes_of(kArrays + "mono16.wav");
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, cut);
    EXPECT_NE(refusal(path, {Type::f32, {4}}), "read") << cut;
  }
}

}  // namespace
}  // namespace burin::array_file_test
