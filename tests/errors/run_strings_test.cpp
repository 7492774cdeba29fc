// burin run on files of strings: what NumPy, the ONNX project and editors write of them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "report/array_file.h"
#include "support/diagnostics.h"
#include "support/process.h"

namespace burin::run_strings_test {
namespace {

using namespace std::string_literals;  // NOLINT

std::string npy(const std::string& type, const std::string& shape, const std::string& elements,
                const std::string& by_columns = "False") {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + by_columns + ", 'shape': " + shape + ", }\n";
  return "\x93NUMPY\x01"s + '\0' + static_cast<char>(header.size()) + '\0' + header + elements;
}

// Code points, four bytes each, of strings of `width`.
std::string points(const std::vector<std::u32string>& strings, size_t width, bool big_end_first) {
  std::string out;
  for (std::u32string one : strings) {
    one.resize(width, U'\0');
    for (const char32_t point : one) {
      for (int k = 0; k < 4; ++k)
        out += static_cast<char>(point >> (8 * (big_end_first ? 3 - k : k)) & 0xff);
    }
  }
  return out;
}

class RunStrings : public testing::Test {
 protected:
  // The other way around along the last dimension.
  RunStrings() {
    put("m.onnx", tiny_model("in x string[n,3]\nconst places i64[3] 2 1 0\n"
                             "node Gather(x, places) -> y axis=1\nout y\n")
                      .bytes);
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string said(int code, const std::string& file, const std::string& bytes,
                   const std::vector<std::string>& more = {}) const {
    put(file, bytes);
    std::vector<std::string> command = {BURIN_PROGRAM, "run", path("m.onnx"), "--input",
                                        "x=" + path(file)};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = run_process(command, 60);
    EXPECT_EQ(result.exit_code, code) << result.output;
    std::string out = result.output;
    for (size_t at; (at = out.find(folder_.path() + "/")) != std::string::npos;)
      out.erase(at, folder_.path().size() + 1);
    return out;
  }

 private:
  const ScratchFolder folder_;
};

const std::vector<std::u32string> kWords = {U"a",          U"h\u00e9", U"", U"\u65e5\u672c",
                                            U"\U0001f600", U"c"};
constexpr const char* kTurned =
    "'y' string[2, 3]: '', 'h\u00e9', 'a', 'c', '\U0001f600', '\u65e5\u672c'\n";

TEST_F(RunStrings, OfNumPy) {
  EXPECT_EQ(said(kExitOk, "x.npy", npy("<U2", "(2, 3)", points(kWords, 2, false))), kTurned);
  EXPECT_EQ(said(kExitOk, "x.npy", npy(">U5", "(2, 3)", points(kWords, 5, true))), kTurned);
  const std::vector<std::u32string> columns = {kWords[0], kWords[3], kWords[1],
                                               kWords[4], kWords[2], kWords[5]};
  EXPECT_EQ(said(kExitOk, "x.npy", npy("<U2", "(2, 3)", points(columns, 2, false), "True")),
            kTurned);
  EXPECT_EQ(said(kExitOk, "x.npy", npy("|S2", "(1, 3)", "a\0bc\0\0"s)),
            "'y' string[1, 3]: '', 'bc', 'a'\n");
  EXPECT_EQ(said(kExitOk, "x.npy", npy("<U0", "(1, 3)", "")), "'y' string[1, 3]: '', '', ''\n");
}

TEST_F(RunStrings, AreALineEach) {
  EXPECT_EQ(said(kExitOk, "x.txt",
                 "\xef\xbb\xbf"
                 "a b\r\n\nc, d\n"),
            "'y' string[1, 3]: 'c, d', '', 'a b'\n");
}

// What a terminal would act on is escaped.
TEST_F(RunStrings, AreShownWithoutControlCharacters) {
  EXPECT_EQ(said(kExitOk, "x.txt", "\x1b[31m\n\u202eabc\nit's\n"),
            "'y' string[1, 3]: 'it\\x27s', '\\xe2\\x80\\xaeabc', '\\x1b[31m'\n");
}

// Through a tree, and back from the file that it writes.
TEST_F(RunStrings, ComeBackFromATree) {
  EXPECT_EQ(said(kExitOk, "x.npy", npy("<U2", "(2, 3)", points(kWords, 2, false)),
                 {"--config", "cpp-generic", "--output", path("out")}),
            kTurned);
  std::ifstream in(path("out/y.npy"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_NE(bytes.find("{'descr': '|S64', 'fortran_order': False, 'shape': (2, 3), }"),
            std::string::npos);
  EXPECT_EQ(said(kExitOk, "again.npy", bytes),
            "'y' string[2, 3]: 'a', 'h\u00e9', '', '\u65e5\u672c', '\U0001f600', 'c'\n");
}

TEST_F(RunStrings, FilesThatDoNotFit) {
  const std::string long_one(65, 'w');
  EXPECT_EQ(said(kExitRefused, "x.txt", long_one + "\nb\nc\n"),
            "x.txt: error: a string has 65 bytes, the tree's have 64 [unsupported-feature]; "
            "--string-bytes 65 gives it room\n");
  EXPECT_EQ(said(kExitOk, "x.txt", long_one + "\nb\nc\n", {"--string-bytes", "65"}),
            "'y' string[1, 3]: 'c', 'b', '" + long_one + "'\n");
  EXPECT_EQ(said(kExitRefused, "x.txt", "a\nb\n"),
            "x.txt: error: has 2 elements, the input takes a multiple of 3 [io]\n");
  EXPECT_EQ(said(kExitRefused, "x.txt", "a\n\xff\nb\n"),
            "x.txt: error: a string is no UTF-8 at its byte 0 [io]\n");
  EXPECT_EQ(said(kExitRefused, "x.csv", "1,2,3\n"),
            "x.csv: error: has no strings [io]; an array of strings is a .npy, .npz or .pb file, "
            "or a .txt file with one in each line\n");
  EXPECT_EQ(said(kExitRefused, "x.npy", npy("|O", "(1, 3)", "whatever")),
            "x.npy: error: its elements are '|O', which is not read [type]; objects of Python are "
            "not; astype(str) makes strings of them\n");
  EXPECT_EQ(said(kExitRefused, "x.npy", npy("<f4", "(1, 3)", std::string(12, '\0'))),
            "x.npy: error: its elements are f32, input 'x' string[n, 3] has others [type]; convert "
            "the array; nothing is rounded here\n");
  EXPECT_EQ(said(kExitRefused, "x.npy", npy("<U1", "(1, 3)", std::string(11, '\0'))),
            "x.npy: error: has 11 bytes of elements, 3 of 4 are needed [io]\n");
  EXPECT_EQ(
      said(kExitRefused, "x.npy", npy("<U1", "(1, 3)", points({U"\xd800", U"", U""}, 1, false))),
      "x.npy: error: has a character that Unicode does not have [io]\n");
  EXPECT_EQ(said(kExitRefused, "x.npy", npy("<U99999999999999999999", "(1, 3)", "")),
            "x.npy: error: its header is broken [io]\n");
}

}  // namespace
}  // namespace burin::run_strings_test
