// No byte of a model reaches emitted text unencoded: a model whose every string is made to break
// out of a comment, a literal, an identifier or a line gives a tree that compiles without a warning
// and does not contain that string.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "hardware/load.h"
#include "pipeline.h"
#include "support/diagnostics.h"
#include "support/onnx_strings.h"
#include "support/onnx_writer.h"
#include "support/process.h"
#include "verify/build.h"

namespace burin::emitted_hostile_test {
namespace {

using onnx_writer::Message;

class Hostile : public testing::TestWithParam<const char*> {};

// f32 [n] -> Relu -> Add -> Softmax -> a function of the model that has a constant, with every text
// field that there is `word`, or starting with it where names must differ.
std::string hostile_model(const std::string& word) {
  namespace w = onnx_writer;
  const auto text = [&](int number) { return word + std::to_string(number); };
  const Message entry = Message().text(1, word).text(2, word);
  const auto described = [&](Message value) { return value.text(3, word).message(4, entry); };
  const auto with_denotations = [&](const std::string& name) {
    Message dims;
    dims.message(1, Message().text(2, text(0)).text(3, word));
    dims.message(1, Message().integer(1, 4).text(3, word));
    const Message type = Message().integer(1, w::kFloat).message(2, dims);
    return described(Message().text(1, name).message(2, Message().message(1, type).text(6, word)));
  };
  const Message devices = Message().text(1, word).message(2, Message().text(1, word));
  w::GraphParts parts{
      .nodes = {w::node("Relu", {text(1)}, {text(2)}, {}, text(3))
                    .text(6, word)
                    .message(9, entry)
                    .message(10, devices),
                w::node("Add", {text(2), text(4)}, {text(5)}, {}, text(6)),
                w::node("Softmax", {text(5)}, {text(9)},
                        {w::integer_attribute("axis", -1).text(13, word)}, text(7)),
                w::node(text(10), {text(9)}, {text(8)},
                        {w::attribute(text(20), w::kText).text(4, word),
                         w::attribute(text(21), w::kTexts).text(9, word),
                         w::tensor_attribute(text(22),
                                             w::tensor(text(23), w::kString, {1}).text(6, word))},
                        text(11), text(12))
                    .text(8, text(24))},
      .initializers =
          {w::floats(text(4), {1.0f, 2.0f, 3.0f, 4.0f}).text(12, word).message(16, entry)},
      .inputs = {with_denotations(text(1))},
      .outputs = {with_denotations(text(8))},
      .value_infos = {described(w::value(text(2), w::kFloat, {"?", 4}))}};
  parts.name = text(13);
  const Message called =
      w::function(text(10), {text(14)}, {text(15)},
                  {w::node("Exp", {text(14)}, {text(16)}, {}, text(17)),
                   w::node("Elu", {text(16)}, {text(15)},
                           {w::reference("alpha", w::kReal, text(25))}, text(18))},
                  {text(20), text(21), text(22), text(25)}, {}, text(12))
          .text(8, word)
          .text(13, text(24))
          .message(12, described(w::value(text(16), w::kFloat, {"?", 4})))
          .message(14, entry);
  Message graph = w::graph(parts);
  graph.text(10, word).message(16, entry);
  graph.message(14, Message().text(1, word).message(2, entry));
  Message model = w::model(graph, {called}, {w::opset("", 17), w::opset(text(12), 1)});
  model.text(2, word).text(3, word).text(4, word).text(6, word).message(14, entry);
  model.message(20, Message().message(3, entry).message(4, entry));
  model.message(26, Message().text(1, word).text(3, word));
  return model.bytes();
}

// Without what stands behind "//", which ends with its line: a word may be readable there.
std::string without_comments(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    out += line.substr(0, line.find("//")) + "\n";
    // A comment that goes on in the next line would hide that one from here, not from a compiler.
    EXPECT_FALSE(line.find("//") != std::string::npos && line.ends_with('\\')) << line;
    at = end + 1;
  }
  return out;
}

// The names of external data are held back earlier (ImportExternal.Keys, Locations).
TEST_P(Hostile, EveryFieldIsFilled) {
  EXPECT_EQ(onnx_strings::fields_without(hostile_model(GetParam()), GetParam()),
            std::set<std::string>{});
}

// Emits the model for the hardware and looks for the word in every file; what is C++ must compile.
void expect_in_place(const std::string& model, const Hardware& hardware, const std::string& word) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/model.onnx", tree = scratch.path() + "/tree";
  std::ofstream(path, std::ios::binary) << model;
  CompileOptions options;
  options.model = path;
  const Compiled compiled = compile(options, hardware);
  const cpp::EmittedTree emitted = emit_tree(compiled.plan);
  write_tree(emitted.tree, tree, emitted.manifest);
  std::vector<std::string> sources;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tree)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (entry.path().extension() == ".json") {
      EXPECT_TRUE(nlohmann::json::accept(bytes)) << entry.path();
    } else {
      EXPECT_EQ(without_comments(bytes).find(word), std::string::npos) << entry.path();
    }
    EXPECT_EQ(entry.path().string().find(word), std::string::npos) << entry.path();
    const std::string name = entry.path().lexically_relative(tree).string();
    if (name.starts_with("src/") && name.ends_with(".cpp")) sources.push_back(name);
  }
  EXPECT_GT(files, 8);
  const BuildOptions build{hardware.compilers.front()};
  EXPECT_EQ(build_objects(tree, sources, scratch.path(), build).size(), sources.size());
}

TEST_P(Hostile, NothingLeavesItsPlace) {
  for (const std::string config : {"cpp-generic", "opencl-generic"}) {
    SCOPED_TRACE(config);
    expect_in_place(hostile_model(GetParam()), project_hardware(config), GetParam());
  }
}

// Strings of a description: what it is called, what it says of itself, and the compiler's words.
TEST_P(Hostile, NorDoTheStringsOfADescription) {
  const std::string word = GetParam();
  for (const std::string config : {"cpp-generic", "opencl-generic"}) {
    for (const std::string field : {"name", "description", "isa"}) {
      SCOPED_TRACE(config + " " + field);
      const std::string path = std::string(BURIN_SOURCE_DIR) + "/configs/" + config + ".json";
      nlohmann::json json = nlohmann::json::parse(std::ifstream(path));
      json[field] = word;
      const ScratchFolder scratch;
      const std::string changed = scratch.path() + "/changed.json";
      std::ofstream(changed) << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
      std::optional<Hardware> hardware;
      try {
        hardware = load_hardware(changed);
      } catch (const Refused&) {
        continue;  // a line of its own, nothing written
      }
      expect_in_place(hostile_model("harmless"), *hardware, word);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Words, Hostile,
                         testing::Values("*/\n#error canary\n/*",
                                         "\"; int canary(void) { return 0; } \"",
                                         "\\\n#error canary\n", "//\\", "?\?/\n#error canary",
                                         "\xff\xfe canary \x80", "int main(", "%s%n%d{{}}${x}",
                                         "<script>canary</script>|\n| canary", "../../canary\x01"),
                         [](const auto& info) { return "Word" + std::to_string(info.index); });

}  // namespace
}  // namespace burin::emitted_hostile_test
