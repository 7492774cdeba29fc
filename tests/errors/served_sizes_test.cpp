// What generate says at its end of the sizes that a tree serves.
#include <gtest/gtest.h>

#include <fstream>

#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::served_sizes_test {
namespace {

// What generate says; said_of: the lines that it ends with, behind the number of files. The model
// as "m.onnx", the tree as "tree".
std::string all_said_of(const std::string& text, const std::string& config) {
  const ScratchFolder scratch;
  const TinyModel model = tiny_model(text);
  const std::string file = scratch.path() + "/m.onnx", tree = scratch.path() + "/tree";
  std::ofstream(file, std::ios::binary) << model.bytes;
  std::vector<std::string> arguments = {
      BURIN_PROGRAM,
      "generate",
      file,
      "--config",
      std::string(BURIN_SOURCE_DIR) + "/configs/" + config + ".json",
      "-o",
      tree};
  for (const std::string& dim : model.dims) arguments.insert(arguments.end(), {"--dim", dim});
  std::string said = run_process(arguments, 120).output;
  for (size_t at; (at = said.find(scratch.path() + "/")) != std::string::npos;)
    said.erase(at, scratch.path().size() + 1);
  return said;
}

std::string said_of(const std::string& text, const std::string& config = "cpp-generic") {
  std::string said = all_said_of(text, config);
  const size_t end = said.find(" changed\n");
  if (end == std::string::npos) return said;
  // The lines about room and what comes next are those of generate_tells_test.
  said.erase(0, end + 9);
  return said.substr(0, said.find("tree: RAM: "));
}

// What is told of nodes, before the number of files.
std::string warnings_of(const std::string& text) {
  const std::string said = all_said_of(text, "cpp-generic");
  return said.substr(0, said.find("tree: "));
}

// Where pointers have 32 bits, every tensor is below 2^31 bytes.
TEST(ServedSizes, EndWherePointersDo) {
  const std::string open = "in x f32[n,1024]\nnode Neg(x) -> y\nout y\n";
  EXPECT_EQ(said_of(open, "cortex-m7"), "tree: serves 'n' 1..262144\n");
  EXPECT_EQ(
      said_of("in x f32[n,1024]\ndim n=1..1000000\nnode Neg(x) -> y\nout y\n", "cortex-m7"),
      "m.onnx: input 'x': error: it can take more than 2^31 bytes, more than pointers of the "
      "hardware reach with sizes in the declared ranges: '4096*n' [limit]; ranges that fit are "
      "--dim 'n=1..32767'\n");
  const std::string large = "in x f32[30000,20000]\nnode Neg(x) -> y\nout y\n";
  EXPECT_EQ(said_of(large, "rv32imc"),
            "m.onnx: input 'x': error: it can take more than 2^31 bytes, more than pointers of the "
            "hardware reach: '2400000000' [limit]\n");
  EXPECT_EQ(said_of(large), "");
}

TEST(ServedSizes, AreToldAtTheEnd) {
  EXPECT_EQ(said_of("in x f32[3]\nnode Relu(x) -> y\nout y\n"), "");
  EXPECT_EQ(said_of("in x f32[n,m]\ndim n=1..8\ndim m=4..\nnode Relu(x) -> y\nout y\n"),
            "tree: serves 'n' 1..8, 'm' 4..9007199254740992\n");
}

// A number that a node leaves of an open size is told with the node; ranges end where checks do.
TEST(ServedSizes, WhatANodeLeavesIsTold) {
  const auto only = [](int node, const std::string& op, const std::string& number,
                       const std::string& rule) {
    return "m.onnx: node " + std::to_string(node) + " (" + op +
           "): warning: size 'b' is open, and can only be " + number + " (" + rule +
           ") [shape-mismatch]; --dim 'b=" + number + "' says so\n";
  };
  EXPECT_EQ(warnings_of("in x f32[b,4]\nconst s i64[2] 1 4\nnode Relu(x) -> r\n"
                        "node Reshape(r, s) -> q\nnode Add(q, r) -> y\nout y\n"),
            only(1, "Reshape", "1", "number of elements"));
  EXPECT_EQ(warnings_of("in x f32[b,4]\nconst s i64[2] 2 4\nnode Split(x, s) -> y, z axis=0\n"
                        "out y\nout z\n"),
            only(0, "Split", "6", "sum of the sizes"));
  EXPECT_EQ(warnings_of("in x f32[b,4]\nconst s i64[1] 0\nnode Squeeze(x, s) -> y\nout y\n"),
            only(0, "Squeeze", "1", "squeezed dimension"));
  // What was said is not said again.
  EXPECT_EQ(warnings_of("in x f32[b,4]\ndim b=1\nconst s i64[2] 1 4\nnode Reshape(x, s) -> y\n"
                        "out y\n"),
            "");
  EXPECT_EQ(said_of("in x f32[b,4]\nconst s i64[2] 8 4\nnode Expand(x, s) -> y\nout y\n"),
            "tree: serves 'b' some of 1..8\n");
}

// Of a long range the first few thousand sizes are tried: beyond these nothing is cut off.
TEST(ServedSizes, WhatWasNotTriedIsNotDenied) {
  const std::string rows =
      "in x f32[a]\ndim a=1..100000\nconst s i64[2] -1 4\nnode Reshape(x,s) -> y\nout y\n";
  EXPECT_EQ(said_of(rows), "tree: serves 'a' some of 4..100000\n");
  const std::string wide =
      "in x f32[a]\ndim a=1..1000000\nconst s i64[2] -1 151936\n"
      "node Reshape(x,s) -> y\nout y\n";
  EXPECT_EQ(said_of(wide), "tree: serves 'a' some of 151936..911616\n");
}

TEST(ServedSizes, FewerThanTheModelHasAreAWarning) {
  // Halves of a size are put together again: every run checks that it is even.
  EXPECT_EQ(said_of("in x f32[n]\ndim n=1..64\nconst s i64[2] 2 -1\n"
                    "node Reshape(x, s) -> y\nout y\n"),
            "tree: serves 'n' some of 2..64\n");
  // A size that grows with every layer.
  std::string text = "in x0 f32[b,t,8]\nconst s i64[3] 1 -1 8\n";
  for (int i = 0; i < 5; ++i) {
    const std::string a = std::to_string(i), b = std::to_string(i + 1);
    text += "node Reshape(x" + a + ", s) -> r" + a + "\nnode Add(x" + a + ", r" + a + ") -> x" + b +
            "\n";
  }
  text += "out x5\n";
  EXPECT_EQ(
      said_of(text),
      "tree: serves 'b' 1..32, 't' 1..16777216; a run checks that they go together (broadcast "
      "dimension)\n"
      "m.onnx: warning: open sizes ('b') are served up to 32 only, since 64 bits must "
      "count the bytes of all tensors; the others up to 16777216; with --dim 'b=1' the "
      "others may be up to 2251799813685248\n");
  EXPECT_EQ(said_of("dim b=1\n" + text), "tree: serves 't' 1..2251799813685248\n");
}

// One that comes in a high power is no handful for the sake of more than many of the others.
TEST(ServedSizes, NoneIsKeptAtAHandful) {
  EXPECT_EQ(
      said_of("in x f32[a,n,b,n]\nconst s i64[2] -1 4\nnode Reshape(x, s) -> r\n"
              "const t i64[2] 0 -1\nnode Transpose(r) -> c perm=[1,0]\n"
              "node MatMul(r, c) -> y\nout y\n"),
      "tree: serves 'a' 1..2048, 'n' 1..16, 'b' 1..2048; a run checks that they go together "
      "(number of elements)\n"
      "m.onnx: warning: open sizes ('n') are served up to 16 only, since 64 bits must count "
      "the bytes of all tensors; the others up to 2048; with --dim 'n=1' the others may be up "
      "to 32768\n");
}

// Where taps meet columns of a plane whose width follows from several sizes, nothing is known of
// it.
TEST(ServedSizes, AreThoseOfAConvolutionBehindAReshape) {
  EXPECT_EQ(said_of("in x f32[1,a,b,c]\nconst s i64[4] 1 1 2 -1\nnode Reshape(x, s) -> r\n"
                    "const w f32[2,1,5,2] 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2\n"
                    "node Conv(r, w) -> y pads=[4,1,2,0] strides=[1,3]\nout y\n"),
            "tree: serves 'a' 1..262144, 'b' 1..262144, 'c' 1..262144; a run checks that they go "
            "together (number of elements)\n");
}

// What a run checks of several sizes is told as a rule: no range says it.
TEST(ServedSizes, ThoseThatGoTogether) {
  EXPECT_EQ(said_of("in x f32[n,m]\ndim n=1..64\ndim m=1..64\nconst s i64[2] -1 6\n"
                    "node Reshape(x, s) -> y\nout y\n"),
            "tree: serves 'n' 1..64, 'm' 1..64; a run checks that they go together (number of "
            "elements)\n");
}

// Room is told at a size that the tree serves.
TEST(ServedSizes, RoomIsThatOfAServedSize) {
  const ScratchFolder scratch;
  const std::string file = scratch.path() + "/m.onnx", tree = scratch.path() + "/tree";
  std::ofstream(file, std::ios::binary)
      << tiny_model(
             "in x f32[n,8388608]\nnode Softmax(x) -> h\nnode Softmax(h) -> g\nnode ReduceSum(g) "
             "-> y keepdims=0\nout y\n")
             .bytes;
  const std::string said =
      run_process({BURIN_PROGRAM, "generate", file, "--config", "cortex-m7", "-o", tree}, 120)
          .output;
  EXPECT_NE(said.find("serves 'n' 1..32\n"), said.npos) << said;
  EXPECT_NE(said.find(" at 'n' = 32"), said.npos) << said;
}

}  // namespace
}  // namespace burin::served_sizes_test
