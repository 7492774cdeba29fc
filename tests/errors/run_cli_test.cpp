// burin run: a model on files of one's own, and what is said of files that do not fit; and what
// burin verify does where there are no data, or none of outputs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "report/array_file.h"
#include "report/compare.h"
#include "support/process.h"

namespace burin::run_cli_test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;  // NOLINT

const std::string kRunModels = BURIN_SOURCE_DIR "/tests/models";

class RunCli : public testing::Test {
 protected:
  // y = x * 2 + 1, x f32[n,3].
  RunCli() {
    put("m.onnx", tiny_model("in x f32[n,3]\nconst a f32[1] 2\nconst b f32[1] 1\n"
                             "node Mul(x, a) -> t\nnode Add(t, b) -> y\nout y\n")
                      .bytes);
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  // What is printed, without the folder.
  std::string said(int code, std::vector<std::string> more) const {
    for (std::string& word : more) {
      if (const size_t at = word.find('='); word.starts_with("x=")) word.insert(at + 1, path(""));
    }
    std::vector<std::string> command = {BURIN_PROGRAM, "run", path("m.onnx")};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = run_process(command, 60);
    EXPECT_EQ(result.exit_code, code) << result.output;
    std::string out = result.output;
    for (size_t at; (at = out.find(folder_.path() + "/")) != std::string::npos;)
      out.erase(at, folder_.path().size() + 1);
    return out;
  }

  const ScratchFolder folder_;
};

const std::string kTwoRows =
    "'y' f32[2, 3]: 1, 3, 5, -7, 2, 201\n  from -7 to 201, which is element 5\n";

// As numpy.save writes it: the header is padded to 64 bytes.
std::string npy(const std::string& header, const std::string& elements) {
  const std::string text = header + std::string(118 - header.size() - 1, ' ') + "\n";
  return "\x93NUMPY\x01\0v\0"s + text + elements;
}

std::string floats(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

TEST_F(RunCli, ReadsEveryKindOfFile) {
  const std::vector<float> numbers = {0, 1, 2, -4, 0.5f, 100};
  put("x.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", floats(numbers)));
  put("x.csv", "0,1,2\r\n-4, 5e-1;+100\n");
  put("x.raw", floats(numbers));
  for (const char* file : {"x=x.npy", "x=x.csv", "x=x.raw"})
    EXPECT_EQ(said(kExitOk, {"--input", file}), kTwoRows) << file;
  EXPECT_EQ(said(kExitOk, {"--input", "x=x.csv", "--dim", "n=2"}), kTwoRows);
}

// What it writes is what it reads, and what ONNX's data say.
TEST_F(RunCli, ResultsAreThoseOfTheData) {
  const std::string set = kRunModels + "/softmax_sym/test_data_set_0";
  const ProcessResult ran =
      run_process({BURIN_PROGRAM, "run", kRunModels + "/softmax_sym/model.onnx", "--input",
                   "x=" + set + "/input_0.pb", "--output", path("out")},
                  60);
  ASSERT_EQ(ran.exit_code, kExitOk) << ran.output;
  const HostTensor got = read_array(path("out") + "/last.npy", {}),
                   wanted = read_array(set + "/output_0.pb", {});
  EXPECT_EQ(got.shape, wanted.shape);
  EXPECT_TRUE(compare(got, wanted).agrees());
}

// The caller of a tree brings room for an output that nothing bounds.
TEST_F(RunCli, OutputsThatNothingBoundsGetRoomByAndBy) {
  put("m.onnx", tiny_model("in s i64[1]\nnode ConstantOfShape(s) -> y\nout y\n").bytes);
  for (const char* count : {"3", "70000"}) {
    put("s.csv", count);
    EXPECT_EQ(said(kExitOk, {"--input", "s=" + path("s.csv"), "--config", "cpp-generic"})
                  .find("'y' f32["s + count + "]: 0, 0, 0"),
              0u);
  }
}

TEST_F(RunCli, EveryTypeComesBack) {
  for (const Type type : {Type::f32, Type::f64, Type::f16, Type::i8, Type::u8, Type::i16, Type::u16,
                          Type::i32, Type::u32, Type::i64, Type::u64, Type::boolean}) {
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{}, {1}, {3}, {0, 2}, {2, 1, 3}}) {
      HostTensor tensor = make_tensor(type, shape);
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.set(i, {static_cast<double>(i % 2), i % 2});
      put("t.npy", npy_bytes(tensor));
      EXPECT_EQ(read_array(path("t.npy"), {}), tensor) << to_string(type) << shape.size();
      // Readers map the elements where they are.
      EXPECT_EQ((npy_bytes(tensor).size() - tensor.bytes.size()) % 64, 0u);
    }
  }
}

TEST_F(RunCli, FilesThatDoNotFit) {
  put("four.csv", "1 2 3 4");
  put("word.csv", "1 2 three");
  put("doubles.npy",
      npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }", std::string(24, '\0')));
  put("part.raw", "12345");
  put("complex.npy",
      npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 3), }", std::string(24, '\0')));
  put("short.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }", "1234"));
  put("cut.npy", "\x93NUMPY\x01\0v\0{'descr': "s);
  put("huge.npy",
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999), }", ""));
  put("x.jpeg", "\xff\xd8");
  const std::pair<const char*, const char*> kCases[] = {
      {"x=four.csv", "four.csv: error: has 4 elements, the input takes a multiple of 3 [io]\n"},
      {"x=part.raw", "part.raw: error: has 5 bytes, which are no whole number of f32 [io]\n"},
      {"x=word.csv", "word.csv: error: element 2 is 'three', no f32 [type]\n"},
      {"x=doubles.npy",
       "doubles.npy: error: its elements are f64, input 'x' f32[n, 3] has others [type]; convert "
       "the array; nothing is rounded here\n"},
      {"x=complex.npy",
       "complex.npy: error: its elements are '<c8', which is not read [type]; floats and integers "
       "of "
       "up to 8 bytes are, and truths\n"},
      {"x=short.npy", "short.npy: error: has 4 bytes of elements, 12 are needed [io]\n"},
      {"x=cut.npy", "cut.npy: error: its header is cut [io]\n"},
      {"x=huge.npy", "huge.npy: error: its shape is too large [io]\n"},
      {"x=x.jpeg",
       "x.jpeg: error: is of no known kind [io]; the endings .npy, .npz, .pb, .png, .wav, .csv, "
       ".txt, .raw and .bin are read\n"},
      {"x=none.npy", "none.npy: error: cannot be read: No such file or directory [io]\n"},
  };
  for (const auto& [input, line] : kCases)
    EXPECT_EQ(said(kExitRefused, {"--input", input}), line) << input;
}

// By columns, in the other byte order, both; text with names of columns and from other editors.
TEST_F(RunCli, FilesOfOtherPrograms) {
  const auto read = [&](const std::string& file, std::vector<int64_t> shape) {
    const HostTensor got = read_array(path(file), {Type::i16, shape});
    EXPECT_EQ(got.shape, shape) << file;
    std::vector<int64_t> out;
    for (int64_t i = 0; i < got.elements(); ++i) out.push_back(got.get(i).integer);
    return out;
  };
  const std::vector<int64_t> six = {1, 2, 3, 4, 5, 6};
  put("columns.npy", npy("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }",
                         "\1\0\4\0\2\0\5\0\3\0\6\0"s));
  EXPECT_EQ(read("columns.npy", {2, 3}), six);
  put("big.npy", npy("{'descr': '>i2', 'fortran_order': False, 'shape': (3, 2), }",
                     "\0\1\0\2\0\3\0\4\0\5\0\6"s));
  EXPECT_EQ(read("big.npy", {3, 2}), six);
  put("both.npy", npy("{'descr': '>i2', 'fortran_order': True, 'shape': (1, 3, 2), }",
                      "\0\1\0\3\0\5\0\2\0\4\0\6"s));
  EXPECT_EQ(read("both.npy", {1, 3, 2}), six);
  put("names.csv", "a,b,c\r\n1,2,3\r\n4,5,6\r\n");
  EXPECT_EQ(read("names.csv", {2, 3}), six);
  put("marked.csv", "\xef\xbb\xbf\"1\";2;3\n4;\"5\";6");
  EXPECT_EQ(read("marked.csv", {2, 3}), six);
  put("word.csv", "one\n");
  EXPECT_THROW(read_array(path("word.csv"), {Type::i16, {1}}), Refused);
}

TEST_F(RunCli, InputsThatAreMissingOrUnknown) {
  put("x.csv", "1 2 3");
  EXPECT_EQ(said(kExitRefused, {}),
            "m.onnx: error: input 'x' f32[n, 3] is not given [io]; --input x=FILE gives it\n");
  EXPECT_EQ(said(kExitRefused, {"--input", "x=x.csv", "--input", "z=z.csv"}),
            "m.onnx: error: the network has no input 'z' [io]; it has 'x'\n");
  EXPECT_EQ(said(kExitUsage, {"--input", "x.csv"}),
            "error: --input 'x.csv' has no name [usage]; write --input NAME=FILE\n");
}

// Without data, inputs are made up; without outputs, the interpreter says what is expected.
TEST_F(RunCli, VerifyMakesUpWhatIsMissing) {
  const std::vector<std::string> verify = {BURIN_PROGRAM, "verify",      path("m.onnx"),
                                           "--config",    "cpp-generic", "--fast"};
  const ProcessResult made_up = run_process(verify, 120);
  EXPECT_EQ(made_up.exit_code, kExitOk) << made_up.output;
  EXPECT_EQ(made_up.output.find("made-up inputs at "), 0u) << made_up.output;
  EXPECT_NE(made_up.output.find(" = 2, results of the interpreter: agrees"), std::string::npos)
      << made_up.output;
  fs::create_directories(path("data"));
  fs::copy(kRunModels + "/softmax_sym/test_data_set_0/input_0.pb", path("data/input_0.pb"));
  fs::copy(kRunModels + "/softmax_sym/model.onnx", path("softmax.onnx"));
  const ProcessResult inputs_only =
      run_process({BURIN_PROGRAM, "verify", path("softmax.onnx"), "--config", "cpp-generic",
                   "--fast", "--data", path("data")},
                  120);
  EXPECT_EQ(inputs_only.exit_code, kExitOk) << inputs_only.output;
  EXPECT_NE(inputs_only.output.find("data, results of the interpreter: agrees"), std::string::npos)
      << inputs_only.output;
  // A folder without anything is no data.
  fs::remove(path("data/input_0.pb"));
  const ProcessResult nothing = run_process({BURIN_PROGRAM, "verify", path("softmax.onnx"),
                                             "--config", "cpp-generic", "--data", path("data")},
                                            120);
  EXPECT_EQ(nothing.exit_code, kExitRefused) << nothing.output;
}

}  // namespace
}  // namespace burin::run_cli_test
