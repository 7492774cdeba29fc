// `--state`: one buffer of the caller for an input and the output that is longer by what is new.
#include "errors/support/state_cli.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "hardware/schema.h"
#include "support/onnx_writer.h"

namespace burin::state_cli_test {
namespace {

// What is kept, with `fresh` rows behind it; and what reads all of it.
const char* const kCache =
    "in p f32[2,past,3]\nin n f32[2,fresh,3]\nnode Concat(p, n) -> q name=join axis=1\n"
    "node Mul(q, q) -> m name=square\nnode ReduceSum(m) -> s name=sum keepdims=0\nout q\nout s\n";

TEST_F(StateCli, AgreesWithTheInterpreterAtEveryFill) {
  for (const char* past : {"past=0..5@0", "past=0..5@1", "past=0..5@4", "past=0..5@5"}) {
    const ProcessResult result =
        burin("verify", kCache, {"--state", "p=q", "--dim", past, "--dim", "fresh=1..3@2"});
    EXPECT_EQ(result.exit_code, kExitOk) << past << "\n" << result.output;
  }
}

// Keys and values of com.microsoft Attention are one tensor.
TEST_F(StateCli, KeysAndValuesAreOneState) {
  const char* const attention =
      "opset com.microsoft 1\nopset 17\nin x f32[1,s,4]\nin p f32[2,1,2,past,2]\n"
      "const w f32[4,12] 0.5 -1 0.25 2 1 0 -0.5 1.5 -2 0.75 1 -1 0 1 2 -0.25 0.5 1 -1.5 0.125 1 2 "
      "-2 0.5 1 -0.5 0.25 1 0 2 -1 1.5 0.5 -0.75 1 0.25 -1 0.5 1 0 2 -0.5 1 0.75 -1.25 1 0.5 -2\n"
      "node Attention(x, w, \"\", \"\", p) -> y, q domain=com.microsoft num_heads=2 "
      "unidirectional=1\n"
      "out y\nout q\n";
  for (const char* past : {"past=0..5@0", "past=0..5@3", "past=0..5@5"}) {
    const ProcessResult result =
        burin("verify", attention, {"--state", "p=q", "--dim", past, "--dim", "s=1..3@2"});
    EXPECT_EQ(result.exit_code, kExitOk) << past << "\n" << result.output;
  }
}

TEST_F(StateCli, BothSidesHaveTheRoomOfTheLongest) {
  const ProcessResult result =
      burin("generate", kCache, {"--state", "p=q", "--dim", "past=0..5", "--dim", "fresh=1..3"});
  ASSERT_EQ(result.exit_code, kExitOk) << result.output;
  std::ifstream in(folder_.path() + "/tree/include/g.h");
  const std::string header((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(header.find("// p: f32[2, 8, 3]\n"), header.npos) << header;
  EXPECT_NE(header.find("// q: f32[2, 8, 3]; state: where it is the buffer of p, only what is new "
                        "is written\n"),
            header.npos)
      << header;
  const JsonDocument manifest = read_json_file(folder_.path() + "/tree/manifest.json");
  validate(manifest.root(),
           read_json_file(BURIN_SOURCE_DIR "/configs/manifest.schema.json").root());
  EXPECT_EQ(manifest.root().at("outputs")[0].at("state_of").as_string(), "p");
  EXPECT_FALSE(manifest.root().at("outputs")[1].has("state_of"));
  EXPECT_FALSE(manifest.root().at("inputs")[0].has("state_of"));
}

TEST_F(StateCli, TheTreeRemembersIt) {
  const std::vector<std::string> flags = {"--state",   "p=q",   "--dim",
                                          "past=0..5", "--dim", "fresh=1"};
  ASSERT_EQ(burin("generate", kCache, flags).exit_code, kExitOk);
  const ProcessResult again = run_process({BURIN_PROGRAM, "regenerate", folder_.path() + "/tree",
                                           folder_.path() + "/m.onnx", "--check"},
                                          120);
  EXPECT_EQ(again.exit_code, kExitOk) << again.output;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Data of a user are as long as what there is; the tree's buffer has room for more.
TEST_F(StateCli, ATreeRunsOnWhatThereIs) {
  const std::vector<std::string> sizes = {"--state",   "p=q",   "--dim",
                                          "past=0..5", "--dim", "fresh=1..3"};
  ASSERT_EQ(burin("generate", kCache, sizes).exit_code, kExitOk);
  const auto write = [&](const std::string& name, int from, int count) {
    std::ofstream out(folder_.path() + "/" + name);
    for (int i = 0; i < count; ++i) out << (from + i) % 7 - 2 << (i + 1 < count ? "," : "\n");
  };
  for (const int past : {0, 4}) {
    write("p.csv", 3, 2 * past * 3);
    write("n.csv", 1, 2 * 2 * 3);
    std::vector<std::string> command = {BURIN_PROGRAM,
                                        "run",
                                        folder_.path() + "/m.onnx",
                                        "--input",
                                        "p=" + folder_.path() + "/p.csv",
                                        "--input",
                                        "n=" + folder_.path() + "/n.csv"};
    for (const char* by : {"interpreter", "tree"}) {
      std::vector<std::string> all = command;
      all.insert(all.end(), {"--output", folder_.path() + "/" + by});
      if (by == std::string("tree")) {
        all.insert(all.end(), {"--tree", folder_.path() + "/tree"});
      } else {
        all.insert(all.end(), {"--dim", "past=0..5"});
      }
      const ProcessResult result = run_process(all, 120);
      ASSERT_EQ(result.exit_code, kExitOk) << result.output;
      EXPECT_NE(result.output.find("'q' f32[2, " + std::to_string(past + 2) + ", 3]"),
                std::string::npos)
          << result.output;
    }
    for (const char* output : {"/q.npy", "/s.npy"}) {
      EXPECT_EQ(bytes_of(folder_.path() + "/interpreter" + output),
                bytes_of(folder_.path() + "/tree" + output))
          << output << " behind " << past;
    }
  }
}

// Behind a row's keys the model has zeros, and the buffer what it had: only the former is data.
TEST_F(StateCli, DataOfAGroupedCache) {
  namespace writer = onnx_writer;
  const char* const attention =
      "opset com.microsoft 1\nopset 17\nin x f32[2,1,4]\nin k f32[2,1,2]\nin v f32[2,1,2]\n"
      "in pk f32[2,1,past,2]\nin pv f32[2,1,past,2]\nin lengths i32[2]\nin t i32[1]\n"
      "node GroupQueryAttention(x, k, v, pk, pv, lengths, t) -> y, nk, nv name=attention "
      "domain=com.microsoft num_heads=2 kv_num_heads=1\nout nk\nout nv\n";
  const std::string data = folder_.path() + "/data";
  std::filesystem::create_directory(data);
  const auto put = [&](const std::string& name, const std::vector<int64_t>& shape,
                       const std::vector<float>& numbers) {
    std::string raw(numbers.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), numbers.data(), raw.size());
    std::ofstream(data + "/" + name + ".pb", std::ios::binary)
        << writer::raw_tensor("", writer::kFloat, shape, raw).bytes();
  };
  const auto put_whole = [&](const std::string& name, const std::vector<int64_t>& shape,
                             const std::vector<int32_t>& numbers) {
    std::string raw(numbers.size() * sizeof(int32_t), '\0');
    std::memcpy(raw.data(), numbers.data(), raw.size());
    std::ofstream(data + "/" + name + ".pb", std::ios::binary)
        << writer::raw_tensor("", writer::kInt32, shape, raw).bytes();
  };
  put("input_0", {2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  for (const char* now : {"input_1", "input_2"}) put(now, {2, 1, 2}, {70, 71, 80, 81});
  // Three earlier keys in the first row, one in the second, with what an earlier text left there.
  for (const char* past : {"input_3", "input_4"})
    put(past, {2, 1, 3, 2}, {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16});
  put_whole("input_5", {2}, {3, 1});
  put_whole("input_6", {1}, {4});
  const auto verified = [&](const std::vector<float>& present, int code) {
    for (const char* output : {"output_0", "output_1"}) put(output, {2, 1, 4, 2}, present);
    std::string said;
    for (const char* config : {"cpp-generic", "pocl"}) {
      const ProcessResult result = burin("verify", attention,
                                         {"--state", "pk=nk", "--state", "pv=nv", "--dim",
                                          "past=0..7", "--data", data, "--config", config});
      EXPECT_EQ(result.exit_code, code) << config << "\n" << result.output;
      said = result.output;
    }
    return said;
  };
  const std::vector<float> right = {1,  2,  3,  4,  5, 6, 70, 71,  //
                                    11, 12, 80, 81, 0, 0, 0,  0};
  EXPECT_NE(verified(right, kExitOk)
                .find("    2 elements behind the rows of the state, zeros in the model, are as the "
                      "buffer had them\n"),
            std::string::npos);
  // Neither what is new nor what other numbers than zeros say is the caller's.
  std::vector<float> other = right;
  other[10] = 0;
  EXPECT_EQ(verified(other, kExitDiffers).find("agrees"), std::string::npos);
  other = right;
  other[13] = 1;
  EXPECT_EQ(verified(other, kExitDiffers).find("agrees"), std::string::npos);
}

// As a caller does: one buffer is both.
TEST_F(StateCli, TheSelfTestHasOneBuffer) {
  expect_steps(kCache, {"--state", "p=q", "--dim", "past=0..5", "--dim", "fresh=1..3"},
               "#include \"" + folder_.path() + "/tree/test/self_test.c\"\n");
  EXPECT_NE(bytes_of(folder_.path() + "/tree/test/self_test.c").find("inputs.p = outputs.q;"),
            std::string::npos);
}

TEST_F(StateCli, BenchRunsInOneBuffer) {
  const ProcessResult result =
      burin("bench", kCache, {"--state", "p=q", "--dim", "past=0..5", "--dim", "fresh=1..3"});
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
}

TEST_F(StateCli, WhatIsNoStateIsRefused) {
  const std::vector<std::string> sizes = {"--dim", "past=0..5", "--dim", "fresh=1"};
  const auto with = [&](const std::string& state) {
    std::vector<std::string> flags = {"--state", state};
    flags.insert(flags.end(), sizes.begin(), sizes.end());
    return flags;
  };
  expect_refused(kCache, {"--state", "p=q", "--dim", "fresh=1"},
                 "--state p=q: error: nothing bounds the length of 'q', 'past + 1', for which its "
                 "buffer must have room [unbounded-size]; bound it, as in --dim 'past=0..1023'");
  expect_refused(kCache, with("pp=q"),
                 "--state pp=q: error: no input of the model is called 'pp' [unknown-name]");
  expect_refused(
      kCache, with("p=s"),
      "--state p=s: error: output 's' is not input 'p' with something behind it, or in it: "
      "f32[2, past, 3] and f32[] [state]");
  expect_refused(kCache, with("p"),
                 "error: --state 'p' is not INPUT=OUTPUT [usage]; name both, as in --state "
                 "past_k=present_k",
                 kExitUsage);
  // What is new stands in front.
  expect_refused(
      "in p f32[past,3]\nin n f32[1,3]\nnode Concat(n, p) -> q name=join axis=0\nout q\n",
      {"--state", "p=q", "--dim", "past=0..5"},
      "--state p=q: error: output 'q' is not input 'p' with something behind it, or in it: kernel "
      "'join' "
      "does not leave it as it is, in front [state]");
  // What is old is changed on the way.
  expect_refused(
      "in p f32[past,3]\nin n f32[1,3]\nnode Neg(p) -> m name=minus\nnode Concat(m, n) -> q "
      "name=join axis=0\nout q\n",
      {"--state", "p=q", "--dim", "past=0..5"},
      "--state p=q: error: output 'q' is not input 'p' with something behind it, or in it: kernel "
      "'join' "
      "does not leave it as it is, in front [state]");
}

}  // namespace
}  // namespace burin::state_cli_test
