// What burin says of wrong models: tests/errors/golden/*.txt are tables of tiny models and of all
// that is printed for each, compared as a whole. Where they differ, the table as it would be now is
// written to the build folder, for a diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "backends/cpp/emit_cpp.h"
#include "errors/support/golden_table.h"
#include "errors/support/tiny_model.h"
#include "hardware/load.h"
#include "import/dims.h"
#include "pipeline.h"
#include "support/process.h"

namespace burin::golden_test {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFewestCases = 80;  // of all tables

class Golden : public testing::TestWithParam<std::string> {
 protected:
  // What is printed, with the model's path as "m.onnx".
  std::string said_of(const GoldenCase& one) const {
    const TinyModel model = tiny_model(one.text);
    return said_of(model, model.dims);
  }

  std::string said_of(const TinyModel& model, const std::vector<std::string>& dims) const {
    CompileOptions options;
    options.model = scratch_.path() + "/m.onnx";
    std::ofstream(options.model, std::ios::binary) << model.bytes;
    std::string said = "accepted";
    try {
      for (const std::string& dim : dims) options.import.dims.push_back(parse_dim_binding(dim));
      options.lower.strict = model.strict;
      const Compiled compiled = compile(options, hardware_);
      cpp::emit(compiled.plan, {});
      said.clear();
      for (const Diagnostic& note : compiled.notes) said += to_warning(note) + "\n";
      said += "accepted";
    } catch (const Refused& refused) {
      said = refused.what();
    }
    std::string out;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(scratch_.path())) line.erase(0, scratch_.path().size() + 1);
      out += "=> " + line + "\n";
    }
    return out;
  }

 private:
  const ScratchFolder scratch_;
  const Hardware hardware_ =
      load_hardware(std::string(BURIN_SOURCE_DIR) + "/configs/cpp-generic.json");
};

TEST_P(Golden, EveryLineIsAsInTheTable) {
  const fs::path path = fs::path(golden_folder()) / GetParam();
  std::string now;
  bool same = true;
  for (const GoldenCase& one : read_golden_table(GetParam())) {
    const std::string said = said_of(one);
    EXPECT_EQ(said, one.expected) << one.text;
    same = same && said == one.expected;
    now += one.text + said;
  }
  if (same) return;
  const fs::path copy = fs::path(BURIN_BINARY_DIR) / "golden" / GetParam();
  fs::create_directories(copy.parent_path());
  std::ofstream(copy) << now;
  ADD_FAILURE() << "see: diff " << path << " " << copy;
}

// The flags that a refusal's last part advises, as a shell would read them.
std::vector<std::string> advised_dims(const std::string& line) {
  std::vector<std::string> out;
  const std::string flag = "--dim '";
  for (size_t at = line.find(flag); at != std::string::npos; at = line.find(flag, at + 1)) {
    const size_t begin = at + flag.size();
    out.push_back(line.substr(begin, line.find('\'', begin) - begin));
  }
  return out;
}

std::string name_of(const std::string& dim) { return dim.substr(0, dim.rfind('=')); }

// A refusal that advises sizes is not made again with these: what is given takes the place of what
// was given before.
TEST_P(Golden, AdviceOfSizesHelps) {
  constexpr int kMostRounds = 3;
  for (const GoldenCase& one : read_golden_table(GetParam())) {
    const TinyModel model = tiny_model(one.text);
    std::vector<std::string> dims = model.dims, advised = advised_dims(one.expected);
    if (advised.empty()) continue;
    std::string said;
    for (int round = 0; round < kMostRounds && !advised.empty(); ++round) {
      for (const std::string& dim : advised) {
        std::erase_if(dims, [&](const std::string& old) { return name_of(old) == name_of(dim); });
        dims.push_back(dim);
      }
      said = said_of(model, dims);
      advised = advised_dims(said);
    }
    EXPECT_TRUE(said.ends_with("=> accepted\n")) << one.text << one.expected << said;
  }
}

TEST(GoldenTables, HoldEnoughDifferentLines) {
  std::set<std::string> different;
  for (const std::string& table : golden_tables()) {
    for (const GoldenCase& one : read_golden_table(table)) {
      EXPECT_FALSE(one.expected.empty()) << table << ": " << one.text;
      if (one.expected != "=> accepted\n") different.insert(one.expected);
    }
  }
  EXPECT_GE(different.size(), kFewestCases);
}

INSTANTIATE_TEST_SUITE_P(Tables, Golden, testing::ValuesIn(golden_tables()), [](const auto& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace burin::golden_test
