// `burin verify` says "agrees" only of what it compared, and its exit codes tell why it did not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::verify_cli_test {
namespace {

namespace fs = std::filesystem;

const std::string kSource = BURIN_SOURCE_DIR;
const std::string kModels = kSource + "/tests/models";
const std::string kOnnx = "/usr/share/libonnx-testdata/data";
const std::string kConfig = kSource + "/configs/cpp-generic.json";

ProcessResult run_burin(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BURIN_PROGRAM);
  arguments.insert(arguments.end(), {"--config", kConfig});
  return run_process(arguments, 120);
}

TEST(VerifyCli, AnOutputWithoutDataIsNotCalledRight) {
  const ScratchFolder folder;
  fs::copy(kModels + "/softmax_sym", folder.path() + "/case", fs::copy_options::recursive);
  fs::remove(folder.path() + "/case/test_data_set_0/output_1.pb");
  const ProcessResult result = run_burin({"verify", folder.path() + "/case/model.onnx", "--fast"});
  EXPECT_EQ(result.exit_code, kExitDiffers) << result.output;
  EXPECT_NE(result.output.find("nothing says what output 'middle' should be (output_1.pb)"),
            std::string::npos)
      << result.output;
}

TEST(VerifyCli, ACaseWithoutDataFails) {
  const ScratchFolder folder;
  fs::create_directories(folder.path() + "/case");
  fs::copy(kModels + "/softmax_sym/model.onnx", folder.path() + "/case/model.onnx");
  const ProcessResult result = run_burin({"verify", "--all", folder.path()});
  EXPECT_EQ(result.exit_code, kExitDiffers) << result.output;
  EXPECT_NE(result.output.find("0 passed, 1 failed, 0 refused"), std::string::npos)
      << result.output;
}

// Beside data that have outputs, which are not taken for those of the others.
TEST(VerifyCli, DataOfACaseWithoutOutputsAreHeldToTheInterpreter) {
  const ScratchFolder folder;
  const std::string one = folder.path() + "/case";
  fs::copy(kModels + "/softmax_sym", one, fs::copy_options::recursive);
  fs::remove_all(one + "/test_data_set_1");
  fs::copy(one + "/test_data_set_0", one + "/test_data_set_1");
  for (const char* output : {"/output_0.pb", "/output_1.pb"})
    fs::remove(one + "/test_data_set_1" + output);
  const ProcessResult result = run_burin({"verify", "--all", folder.path()});
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
  EXPECT_NE(result.output.find("1 passed, 0 failed, 0 refused"), std::string::npos)
      << result.output;
  fs::copy(one + "/test_data_set_0/output_1.pb", one + "/test_data_set_0/output_0.pb",
           fs::copy_options::overwrite_existing);
  EXPECT_EQ(run_burin({"verify", "--all", folder.path()}).exit_code, kExitDiffers);
}

TEST(VerifyCli, AFolderOfRefusedCasesIsRefused) {
  const ScratchFolder folder;
  fs::create_directories(folder.path() + "/case/test_data_set_0");
  std::ofstream(folder.path() + "/case/model.onnx", std::ios::binary)
      << tiny_model("in x f32[2]\nnode NoSuch(x) -> y\nout y\n").bytes;
  const ProcessResult result = run_burin({"verify", "--all", folder.path()});
  EXPECT_EQ(result.exit_code, kExitRefused) << result.output;
  EXPECT_NE(result.output.find("0 passed, 0 failed, 1 refused"), std::string::npos)
      << result.output;
}

TEST(VerifyCli, CompilersThatAreNotThere) {
  const ProcessResult unknown =
      run_burin({"verify", "--all", kModels + "/softmax_sym", "--compiler", "nope"});
  EXPECT_EQ(unknown.exit_code, kExitRefused) << unknown.output;
  EXPECT_NE(unknown.output.find("[no-compiler]"), std::string::npos) << unknown.output;
  const ProcessResult missing =
      run_process({"env", "PATH=/nonexistent", BURIN_PROGRAM, "verify", "--all",
                   kModels + "/softmax_sym", "--config", kConfig},
                  120);
  EXPECT_EQ(missing.exit_code, kExitTool) << missing.output;
}

TEST(VerifyCli, JsonSaysWhyNothingWasCompared) {
  const ProcessResult result =
      run_process({"bash", "-c", "PATH=/nonexistent \"$0\" \"$@\" 2> /dev/null", BURIN_PROGRAM,
                   "verify", kModels + "/softmax_sym/model.onnx", "--json", "--config", kConfig},
                  120);
  EXPECT_EQ(result.exit_code, kExitTool) << result.output;
  const nlohmann::json json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json.at("agrees"), false);
  EXPECT_NE(json.at("problem").get<std::string>().find("g++"), std::string::npos) << result.output;
}

// The loader finds no library of that name that has every function.
TEST(VerifyCli, WithoutOpenClNothingRan) {
  const ScratchFolder folder;
  for (const char* name : {"libOpenCL.so", "libOpenCL.so.1"})
    std::ofstream(folder.path() + "/" + name) << "no library";
  const ProcessResult result = run_process(
      {"env", "LD_LIBRARY_PATH=" + folder.path(), BURIN_PROGRAM, "verify",
       kModels + "/softmax_sym/model.onnx", "--fast", "--config", kSource + "/configs/pocl.json"},
      120);
  EXPECT_EQ(result.exit_code, kExitTool) << result.output;
  EXPECT_NE(result.output.find("nothing ran: no OpenCL library was found"), std::string::npos)
      << result.output;
}

// Buffers and images are told by every command, and so is a tuning file of another model.
TEST(DeviceReports, MemoryImagesAndTuningAreTold) {
  const ScratchFolder folder;
  const std::string tuning = folder.path() + "/foreign.json", tree = folder.path() + "/tree";
  std::ofstream(tuning) << R"({"format": 2, "hardware": "pocl", "kernels": )"
                        << R"({"0123456789abcdef": {"verbs": ["vector 4"]}}})";
  const auto run = [&](std::vector<std::string> command) {
    command.insert(command.begin(), BURIN_PROGRAM);
    command.insert(command.end(),
                   {kModels + "/residual_blocks/model.onnx", "--config",
                    kSource + "/configs/pocl.json", "--memory", "images", "--dim", "batch=1"});
    return run_process(command, 120);
  };
  const ProcessResult made = run({"generate", "--tuning", tuning, "-o", tree});
  EXPECT_NE(made.output.find("none of its 1 entries is of a kernel of"), std::string::npos)
      << made.output;
  const auto read = [&](const std::string& name) {
    std::ifstream in(tree + "/" + name);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  const std::string report = read("REPORT.md");
  EXPECT_NE(report.find("| memory of the device, bytes |"), std::string::npos);
  EXPECT_NE(report.find("opencl/<kernel>.cl"), std::string::npos);
  EXPECT_EQ(report.find("src/kernels"), std::string::npos);
  EXPECT_NE(report.find("1 entries; 0 kernels"), std::string::npos);
  const nlohmann::json manifest = nlohmann::json::parse(read("manifest.json"));
  const int64_t bytes = manifest.at("device").at("bytes");
  int64_t sum = 0;
  for (const auto& [part, of] : manifest.at("device").at("parts").items()) sum += of.get<int64_t>();
  EXPECT_EQ(bytes, sum);
  EXPECT_GT(manifest.at("device").at("parts").at("images"), 0);
  EXPECT_NE(read("include/" + manifest.at("name").get<std::string>() + ".h")
                .find("_DEVICE_BYTES " + std::to_string(bytes) + "\n"),
            std::string::npos);
  const nlohmann::json plan = nlohmann::json::parse(read("plan.json"));
  EXPECT_EQ(plan.at("device").at("bytes"), bytes);
  const nlohmann::json device =
      nlohmann::json::parse(run({"analyze", "--json"}).output).at("device");
  EXPECT_EQ(device.at("bytes_at_hints"), bytes);
  size_t launches = 0, images = 0, planned = 0;
  for (const auto& kernel : plan.at("kernels"))
    launches += kernel.contains("launches") ? kernel.at("launches").size() : 0;
  for (const auto& tensor : device.at("tensors")) images += tensor.at("image").get<bool>();
  for (const auto& [name, tensor] : plan.at("images").at("tensors").items())
    planned += tensor.contains("map");
  EXPECT_EQ(device.at("launches"), launches);
  EXPECT_EQ(images, planned);
  EXPECT_GT(images, 0u);
  const ProcessResult text = run({"analyze", "--verbose"});
  EXPECT_NE(text.output.find("tensors in images"), std::string::npos) << text.output;
}

TEST(Cli, LostOutputIsNoSuccess) {
  for (const char* command : {"ops", "ops --json", "--help"}) {
    const ProcessResult result = run_process(
        {"bash", "-c", "\"$0\" " + std::string(command) + " > /dev/full", BURIN_PROGRAM}, 120);
    EXPECT_EQ(result.exit_code, kExitRefused) << command;
    EXPECT_EQ(result.output, "burin: error: standard output cannot be written [io]\n");
  }
}

TEST(VerifyCli, ChosenLayoutsAgree) {
  for (const char* model : {"residual_blocks", "attention", "convtranspose"}) {
    const ProcessResult result =
        run_process({BURIN_PROGRAM, "verify", kModels + "/" + model + "/model.onnx", "--layouts",
                     "chosen", "--fast", "--config", kSource + "/configs/x86-64-v3.json"},
                    120);
    EXPECT_EQ(result.exit_code, kExitOk) << result.output;
  }
}

// A description by its name has its machine with it. What is packed runs, and is legal.
TEST(VerifyCli, WhatTheDescriptionPacksIsPacked) {
  const ScratchFolder folder;
  const auto packed_in = [&](const std::string& name, std::vector<std::string> more) {
    const std::string keep = folder.path() + "/" + name;
    std::vector<std::string> command = {
        BURIN_PROGRAM, "verify", kModels + "/qdq_conv/model.onnx", "--config", "hexagon-v66",
        "--keep",      keep};
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = run_process(command, 120);
    EXPECT_EQ(result.exit_code, kExitOk) << result.output;
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(keep + "/objects")) {
      const std::string path = entry.path();
      if (path.ends_with(".o.s")) out.push_back(path);
    }
    return out;
  };
  const std::vector<std::string> packed = packed_in("packed", {});
  ASSERT_GE(packed.size(), 2u);
  for (const std::string& one : packed) {
    const ProcessResult checked =
        run_process({BURIN_PROGRAM, "pack", one, "--config", "hexagon-v66", "--check"}, 120);
    EXPECT_EQ(checked.exit_code, kExitOk) << checked.output;
    EXPECT_NE(checked.output.find("is legal on hexagon-v66"), std::string::npos) << checked.output;
  }
  EXPECT_TRUE(packed_in("left", {"--without", "packing"}).empty());
}

TEST(VerifyCli, FlagsOfAllNeedIt) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--sample", "3"}, std::vector<std::string>{"--list"}}) {
    std::vector<std::string> arguments = {"verify", kModels + "/softmax_sym/model.onnx"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    EXPECT_EQ(run_burin(arguments).exit_code, kExitUsage) << flags[0];
  }
}

// Halves between nodes are kept as floats where nodes share a kernel: a result that is widened
// again is as far off as a half.
TEST(VerifyCli, FloatsThatWereHalvesAgree) {
  const ScratchFolder folder;
  const std::string file = folder.path() + "/m.onnx";
  const auto verified = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << tiny_model(text).bytes;
    return run_burin({"verify", file, "--fast"});
  };
  const ProcessResult halves = verified(
      "in x f32[64]\nnode Cast(x) -> h to=10\nnode Exp(h) -> e\nnode Cast(e) -> y to=1\nout y\n");
  EXPECT_EQ(halves.exit_code, kExitOk) << halves.output;
  EXPECT_NE(halves.output.find("0.002 * max"), std::string::npos) << halves.output;
  const ProcessResult once = verified(
      "in x f32[8,8]\nnode Cast(x) -> h to=10\nnode ReduceMax(h) -> m keepdims=0\nnode Cast(m) -> "
      "y "
      "to=1\nout y\n");
  EXPECT_EQ(once.exit_code, kExitOk) << once.output;
  // What is a half when it is given has lost its digits before.
  const ProcessResult given =
      verified("in x f16[64]\nnode Cast(x) -> f to=1\nnode Exp(f) -> y\nout y\n");
  EXPECT_EQ(given.exit_code, kExitOk) << given.output;
  EXPECT_NE(given.output.find("0.0001 * max"), std::string::npos) << given.output;
}

// JSON names refused cases itself.
TEST(VerifyCli, ListAndJson) {
  const ScratchFolder folder;
  fs::create_directories(folder.path() + "/a");
  std::ofstream(folder.path() + "/a/model.onnx", std::ios::binary)
      << tiny_model("in x f32[2]\nnode NoSuch(x) -> y\nout y\n").bytes;
  const ProcessResult result = run_burin({"verify", "--all", folder.path(), "--list", "--json"});
  EXPECT_EQ(result.exit_code, kExitRefused) << result.output;
  EXPECT_EQ(nlohmann::json::parse(result.output)["cases"][0]["outcome"], "refused");
}

// An initializer that is an input too: data may have a file for it or none.
TEST(VerifyCli, DataMayBeNumberedByAllInputs) {
  const ScratchFolder folder;
  const std::string from = kSource + "/tests/errors/models/default_input";
  fs::copy(from, folder.path() + "/case", fs::copy_options::recursive);
  const std::string model = folder.path() + "/case/model.onnx",
                    data = folder.path() + "/case/test_data_set_0/input_";
  const ProcessResult all = run_burin({"verify", model, "--fast"});
  EXPECT_EQ(all.exit_code, kExitOk) << all.output;
  fs::rename(data + "1.pb", data + "0.pb");
  const ProcessResult own = run_burin({"verify", model, "--fast"});
  EXPECT_EQ(own.exit_code, kExitOk) << own.output;
}

TEST(VerifyCli, SampleHasARange) {
  const ProcessResult result =
      run_burin({"verify", "--all", kModels + "/softmax_sym", "--sample", "0"});
  EXPECT_EQ(result.exit_code, kExitUsage) << result.output;
}

// Wherever the signal comes: while the tree is written, while a compiler runs with files of its
// own.
TEST(VerifyCli, ASignalLeavesNothingBehind) {
  const std::string script = R"sh(
    TMPDIR=$1 "$2" verify "$3" --config "$4" &
    program=$!
    while [ -z "$(ls "$1")" ] && kill -0 $program; do sleep 0.02; done
    [ -n "$(ls "$1")" ] && echo "there was a folder"
    sleep "$5"
    kill -TERM $program
    wait $program
    echo "code $?, left: $(ls "$1")"
  )sh";
  for (const char* delay : {"0", "0.1", "0.4"}) {
    const ScratchFolder folder;
    const ProcessResult result =
        run_process({"bash", "-c", script, "bash", folder.path(), BURIN_PROGRAM,
                     kSource + "/tests/digits/digits.onnx", kConfig, delay},
                    120);
    EXPECT_NE(result.output.find("there was a folder"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("code 143, left: \n"), std::string::npos) << result.output;
  }
}

// Next to the output lies what a killed run may have left, or something of somebody else.
TEST(GenerateCli, AFolderOfSomebodyElseIsNoStagingFolder) {
  const ScratchFolder folder;
  const std::string other = folder.path() + "/tree.burin-staging";
  fs::create_directories(other);
  std::ofstream(other + "/keep") << "keep";
  const std::vector<std::string> generate = {"generate", kModels + "/relu_sym/model.onnx",
                                             "--output", folder.path() + "/tree"};
  const ProcessResult refused = run_burin(generate);
  EXPECT_EQ(refused.exit_code, kExitRefused) << refused.output;
  EXPECT_TRUE(fs::exists(other + "/keep"));
  EXPECT_FALSE(fs::exists(folder.path() + "/tree"));
  std::ofstream(other + "/.burin-staging") << "burin writes a tree here\n";
  const ProcessResult left_behind = run_burin(generate);
  EXPECT_EQ(left_behind.exit_code, kExitOk) << left_behind.output;
  EXPECT_FALSE(fs::exists(other));
  EXPECT_FALSE(fs::exists(folder.path() + "/tree/.burin-staging"));
}

TEST(AnalyzeCli, ParametersAreThoseOfTheFile) {
  const ProcessResult result = run_burin({"analyze", kSource + "/tests/digits/digits.onnx"});
  EXPECT_EQ(result.exit_code, kExitOk) << result.output;
  EXPECT_NE(result.output.find("26 nodes\nparameters  23,386\n"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace burin::verify_cli_test
