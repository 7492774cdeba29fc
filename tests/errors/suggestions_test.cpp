// What burin suggests can be pasted: every --dim and --input flag in the tables of diagnostics goes
// through a shell to the program, which then takes the model.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "errors/support/golden_table.h"
#include "errors/support/tiny_model.h"
#include "support/process.h"

namespace burin::suggestions_test {
namespace {

constexpr int kFewest = 10;  // suggestions in all tables

// "--dim 'N=2'", "--input 'axes=0'", or with bytes as a shell spells them: "--dim $'a\047=2'".
const std::regex kFlag(R"(--(?:dim|input) ('([^']*)'|\$'((?:[^'\\]|\\[0-7]{3})*)'))");

// The name that a flag is about.
std::string name_in(const std::smatch& flag) {
  std::string text = flag[2].matched ? flag[2].str() : "";
  const std::string escaped = flag[3].str();
  for (size_t i = 0; i < escaped.size(); ++i) {
    const bool code = escaped[i] == '\\';
    text += code ? static_cast<char>(std::stoi(escaped.substr(i + 1, 3), nullptr, 8)) : escaped[i];
    i += code ? 3 : 0;
  }
  return text.substr(0, text.rfind('='));
}

// Sets of flags: those of one line belong together, unless an "or" stands between them.
std::vector<std::string> suggestions_in(const std::string& expected) {
  std::vector<std::string> out;
  const std::regex line("[^\n]+");
  for (std::sregex_iterator at(expected.begin(), expected.end(), line), end; at != end; ++at) {
    std::string rest = at->str();
    for (size_t split = 0; split != std::string::npos;) {
      split = rest.find(" or --dim");
      const std::string part = rest.substr(0, split);
      std::string flags;
      for (std::sregex_iterator flag(part.begin(), part.end(), kFlag); flag != end; ++flag)
        flags += " " + flag->str();
      if (!flags.empty()) out.push_back(flags);
      if (split != std::string::npos) rest.erase(0, split + 4);
    }
  }
  return out;
}

// What a user adds to flags that he has already; one of the same name is replaced.
std::string without(const std::vector<std::string>& dims, const std::string& flags) {
  std::set<std::string> names;
  for (std::sregex_iterator flag(flags.begin(), flags.end(), kFlag), end; flag != end; ++flag)
    names.insert(name_in(*flag));
  std::string out;
  for (const std::string& dim : dims) {
    if (!names.contains(dim.substr(0, dim.rfind('=')))) out += " --dim '" + dim + "'";
  }
  return out;
}

TEST(Suggestions, OfDimensionsCanBePasted) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/m.onnx";
  int tried = 0;
  for (const std::string& table : golden_tables()) {
    for (const GoldenCase& one : read_golden_table(table)) {
      for (const std::string& flags : suggestions_in(one.expected)) {
        const TinyModel model = tiny_model(one.text);
        std::ofstream(path, std::ios::binary) << model.bytes;
        const std::string command = std::string(BURIN_PROGRAM) + " generate " + path +
                                    " --config " BURIN_SOURCE_DIR "/configs/cpp-generic.json -o " +
                                    scratch.path() + "/tree" + without(model.dims, flags) + flags;
        const ProcessResult done = run_process({"bash", "-c", command}, 60);
        EXPECT_EQ(done.exit_code, 0) << one.text << flags << "\n" << done.output;
        ++tried;
      }
    }
  }
  EXPECT_GE(tried, kFewest);
}

}  // namespace
}  // namespace burin::suggestions_test
