// Small models that ask for much, and the built program run on them under the limits of every
// input (bounded_run.h).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "cli/commands.h"
#include "errors/support/bounded_run.h"
#include "support/onnx_writer.h"
#include "support/process.h"

namespace burin {

using namespace onnx_writer;  // NOLINT

inline constexpr int64_t kMost = INT64_MAX;
inline constexpr int64_t kHuge = int64_t{1} << 40;

inline Message list_attribute(std::string_view name, const std::vector<int64_t>& values) {
  Message m = attribute(name, kIntegers);
  for (const int64_t value : values) m.integer(8, value);
  return m;
}

inline Message open_value(std::string_view name) { return Message().text(1, name); }

// One node on x, and constants.
inline Message one(const Message& node, const std::vector<Size>& x,
                   const std::vector<Message>& constants) {
  return model(graph({.nodes = {node},
                      .initializers = constants,
                      .inputs = {value("x", kFloat, x)},
                      .outputs = {open_value("y")}}));
}

// t0 -> ... -> t<n>: a model of n times what `step` makes of one name and the next.
inline Message chain(
    int n,
    const std::function<void(const std::string&, const std::string&, std::vector<Message>&)>& step,
    const std::vector<Size>& x, std::vector<Message> constants = {}) {
  GraphParts parts{.nodes = {},
                   .initializers = std::move(constants),
                   .inputs = {value("t0", kFloat, x)},
                   .outputs = {open_value("t" + std::to_string(n))}};
  for (int i = 0; i < n; ++i)
    step("t" + std::to_string(i), "t" + std::to_string(i + 1), parts.nodes);
  return model(graph(parts));
}

inline void unary(const char* op, const std::string& from, const std::string& to,
                  std::vector<Message>& nodes) {
  nodes.push_back(node(op, {from}, {to}));
}

inline void twice(const char* op, const std::string& from, const std::string& to,
                  std::vector<Message>& nodes) {
  nodes.push_back(node(op, {from, from}, {to}));
}

inline std::string numbered(const char* name, int i) { return name + std::to_string(i); }

class Bombs : public testing::Test {
 protected:
  // `burin generate` on the model. There is a tree where it says so, and not otherwise.
  BoundedRun generate(const Message& model) const {
    const std::string tree = scratch_.path() + "/tree";
    std::ofstream(path(), std::ios::binary) << model.bytes();
    const BoundedRun run = run_bounded({"generate", path(), "--config",
                                        std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json",
                                        "--output", tree});
    EXPECT_EQ(std::filesystem::exists(tree), run.exit_code == kExitOk) << run.output;
    std::filesystem::remove_all(tree);
    return run;
  }

  // What is said of the model, without its path.
  std::string line(const Message& model, int code, const std::string& what) const {
    const BoundedRun run = generate(model);
    expect_bounded(run, code, what);
    std::cout << what << ": " << run.seconds << " s, " << run.kilobytes / 1024 << " MB\n";
    return run.output.substr(std::min(run.output.size(), path().size()));
  }

  void refused(const std::string& what, const Message& model, const std::string& words) const {
    const std::string text = line(model, kExitRefused, what);
    EXPECT_NE(text.find(words), std::string::npos) << what << text;
  }

  void compiled(const std::string& what, const Message& model) const { line(model, kExitOk, what); }

 private:
  std::string path() const { return scratch_.path() + "/m.onnx"; }
  const ScratchFolder scratch_;
};

}  // namespace burin
