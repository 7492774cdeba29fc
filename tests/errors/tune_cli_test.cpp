// `burin tune` with runners that fail, and files that are damaged or cannot be written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "support/process.h"

namespace burin::tune_cli_test {
namespace {

namespace fs = std::filesystem;

const std::string kSource = BURIN_SOURCE_DIR;

class TuneCli : public testing::Test {
 protected:
  std::string file() const { return folder_.path() + "/net.json"; }

  void write(const std::string& path, const std::string& text) const {
    std::ofstream(path, std::ios::app) << text;
  }

  ProcessResult tune(const std::string& script, const std::string& to = {}) const {
    const std::string runner = folder_.path() + "/runner.sh";
    fs::remove(runner);
    write(runner, script);
    return run_process(
        {BURIN_PROGRAM, "tune", kSource + "/tests/models/softmax_sym/model.onnx", "--config",
         kSource + "/configs/pocl.json", "--tuning", to.empty() ? file() : to, "--runner",
         "bash " + runner, "--population", "8", "--generations", "3"},
        120);
  }

  std::string measured() const {
    std::ifstream in(file() + ".measured");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static void expect(const ProcessResult& result, int code, const std::string& what) {
    EXPECT_EQ(result.exit_code, code) << result.output;
    EXPECT_NE(result.output.find(what), std::string::npos) << result.output;
  }

  ScratchFolder folder_;
};

TEST_F(TuneCli, AFailingRunnerIsQuotedEachTime) {
  for (int call = 0; call < 2; ++call)
    expect(tune("echo 'device offline'; exit 1"), kExitTool, "device offline");
  expect(tune("echo 50 us"), kExitTool, "printed no microseconds, last on its output: '50 us");
  expect(tune("echo inf"), kExitTool, "printed no microseconds");
  EXPECT_EQ(measured().find("inf"), std::string::npos);
}

TEST_F(TuneCli, ARunnerThatIsLostEndsTheSearch) {
  const std::string once = folder_.path() + "/once";
  const ProcessResult result =
      tune("[ -e " + once + " ] && { echo 'adb: offline'; exit 1; }; touch " + once + "; echo 100");
  expect(result, kExitTool, "8 candidates in a row failed, and so does the tree as it is");
  EXPECT_NE(result.output.find("adb: offline"), std::string::npos);
  EXPECT_NE(measured().find(" 100\n"), std::string::npos);
  EXPECT_FALSE(fs::exists(file()));
}

// What the system says of the runner is nothing that a candidate has done: no file comes of it.
TEST_F(TuneCli, ARunnerThatCannotBeStartedEndsTheSearch) {
  const std::string runner = folder_.path() + "/alone.sh";
  write(runner, "#!/bin/sh\nrm $0\necho 100\n");
  fs::permissions(runner, fs::perms::owner_all);
  const ProcessResult result = run_process(
      {BURIN_PROGRAM, "tune", kSource + "/tests/models/softmax_sym/model.onnx", "--config",
       kSource + "/configs/pocl.json", "--tuning", file(), "--runner", runner},
      120);
  expect(result, kExitTool, "a candidate cannot be measured: '" + runner + "' cannot be started");
  EXPECT_EQ(result.output.find("failed: "), std::string::npos) << result.output;
  EXPECT_NE(measured().find(" 100\n"), std::string::npos);
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(TuneCli, ADamagedLineIsOneLine) {
  expect(tune("echo 100"), kExitOk, "is not written");
  const std::string before = measured();
  write(file() + ".measured", "3 0 x\n");
  expect(tune("echo 100"), kExitRefused, "[damaged-measurements]");
  // The end of a program that was killed while it wrote is no damage.
  fs::remove(file() + ".measured");
  write(file() + ".measured", before + "3 0");
  expect(tune("echo 100"), kExitOk, "candidates were measured before");
  expect(tune("echo 100"), kExitOk, "candidates were measured before");
}

TEST_F(TuneCli, PlacesAreRefusedBeforeTheSearch) {
  const std::string called = folder_.path() + "/called", script = "touch " + called + "; echo 100";
  expect(tune(script, folder_.path() + "/none/net.json"), kExitRefused,
         "/none/net.json: error: the file cannot be written [cannot-write]");
  expect(tune(script, folder_.path()), kExitRefused, ": error: this is a folder [cannot-write]");
  write(file(), "{\"format\": 2, \"hardware\": \"other\", \"kernels\": {}}");
  expect(tune(script), kExitRefused, "the file is for 'other'");
  EXPECT_FALSE(fs::exists(called));
}

TEST_F(TuneCli, ProgressIsToldWithinAGeneration) {
  const ProcessResult result = tune("echo 100");
  const size_t first = result.output.find("generation 1 of 3");
  ASSERT_NE(first, std::string::npos) << result.output;
  EXPECT_LT(result.output.find("  2 of at most 24: 100"), first) << result.output;
}

// Two folders: the tree and the untuned one, with their self-tests.
TEST_F(TuneCli, TheRunnerHasBothTreesAndTheirSelfTests) {
  expect(tune("[ -e $1/test/self_test.c ] && [ -e $2/test/self_test.c ] && [ $1 != $2 ] || exit 1;"
              "echo 100"),
         kExitOk, "is not written");
}

// Functions of opencl/*.cl, each all that its kernel launches.
const std::string kLaunches =
    "for f in $1/opencl/*.cl; do echo \"launch $(basename $f .cl) 10\"; done; echo 100";

TEST_F(TuneCli, KernelsAreTimedOnTheirOwn) {
  expect(tune(kLaunches), kExitOk, "untuned: 100.0000 us, 2 kernels timed on their own");
  EXPECT_NE(measured().find("=10\n"), std::string::npos) << measured();
  expect(tune(kLaunches), kExitOk, "candidates were measured before");
  std::string damaged = measured();
  damaged.replace(damaged.rfind("=10\n"), 4, "=ten\n");
  fs::remove(file() + ".measured");
  write(file() + ".measured", damaged);
  expect(tune(kLaunches), kExitRefused, "[damaged-measurements]");
  // What is no such line, or no kernel's, is what a runner says to people.
  fs::remove(file() + ".measured");
  expect(tune("echo launch nothing 3; echo launch; echo launch a b c; echo 100"), kExitOk,
         "untuned: 100.0000 us\n");
}

TEST_F(TuneCli, SeveralModelsAreTunedTogether) {
  const std::string runner = folder_.path() + "/both.sh";
  write(runner, kLaunches);
  const std::string model = kSource + "/tests/models/softmax_sym/model.onnx";
  const std::vector<std::string> two = {model,      kSource + "/tests/models/relu_sym/model.onnx",
                                        "--names",  "a,b",
                                        "--config", kSource + "/configs/pocl.json"};
  std::vector<std::string> command = {BURIN_PROGRAM, "tune"};
  command.insert(command.end(), two.begin(), two.end());
  command.insert(command.end(), {"--tuning", file(), "--runner", "bash " + runner, "--population",
                                 "2", "--generations", "2"});
  expect(run_process(command, 120), kExitOk, "3 kernels, 2 pairs");
}

}  // namespace
}  // namespace burin::tune_cli_test
