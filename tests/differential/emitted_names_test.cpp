// What a model calls its sizes, inputs and outputs is what fields are called, on every target, even
// where functions of the tree have variables of these names: a model that has taken every word of
// its own tree as names gives a tree that compiles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "backends/emit.h"
#include "differential/support/emitted.h"
#include "hardware/load.h"
#include "pipeline.h"
#include "render/identifier.h"
#include "support/onnx_writer.h"
#include "support/process.h"
#include "verify/build.h"

namespace burin::emitted_names_test {
namespace {

namespace fs = std::filesystem;
using onnx_writer::Message;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Compiled emit(const std::string& model, const std::string& config, const std::string& folder) {
  const std::string path = folder + "/model.onnx";
  std::ofstream(path, std::ios::binary) << model;
  CompileOptions options;
  options.model = path;
  options.name = "net";
  Compiled compiled = compile(options, project_hardware(config));
  const cpp::EmittedTree emitted = emit_tree(compiled.plan);
  write_tree(emitted.tree, folder + "/tree", emitted.manifest);
  return compiled;
}

// Words that the host's functions of a tree are made of and that a model can have; not its macros.
std::set<std::string> words_of(const std::string& tree) {
  std::set<std::string> words;
  const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  for (const char* file : {"/src/net.cpp", "/src/net_memory.h"}) {
    const std::string text = read(tree + file);
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
      if (!at->str().starts_with("NET_") && is_identifier(at->str()) &&
          mangle(at->str()).text() == at->str())
        words.insert(at->str());
    }
  }
  return words;
}

// The model with these fields of its graph behind the others.
std::string extended(const std::string& model, const Message& fields) {
  size_t at = 0;
  const auto varint = [&] {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<uint8_t>(model.at(at++));
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  Message out;
  while (at < model.size()) {
    const uint64_t tag = varint();
    const int field = static_cast<int>(tag >> 3);
    const uint64_t content = varint();
    if ((tag & 7) == 0) {
      out.integer(field, static_cast<int64_t>(content));
      continue;
    }
    std::string bytes = model.substr(at, content);
    at += content;
    if (field == 7) bytes += fields.bytes();
    out.text(field, bytes);
  }
  return out.bytes();
}

// For each word an input of this name and of one dimension that is called so too, and what an Abs
// makes of it.
std::string with_words(const std::string& model, const std::set<std::string>& words) {
  namespace w = onnx_writer;
  Message more;
  int number = 0;
  for (const std::string& word : words) {
    const std::string out = "of/" + std::to_string(number++);
    more.message(1, w::node("Abs", {word}, {out}));
    more.message(11, w::value(word, w::kFloat, {word.c_str()}));
    more.message(12, w::value(out, w::kFloat, {word.c_str()}));
  }
  return extended(model, more);
}

struct Case {
  const char* model;
  const char* config;
};

class Names : public testing::TestWithParam<Case> {};

TEST_P(Names, OfATreeAreAModelsToo) {
  const std::string config = GetParam().config;
  const std::string model =
      read(std::string(BURIN_SOURCE_DIR) + "/tests/" + GetParam().model + ".onnx");
  ASSERT_FALSE(model.empty());
  const ScratchFolder plain, scratch;
  const Compiled first = emit(model, config, plain.path());
  std::set<std::string> words = words_of(plain.path() + "/tree");
  for (const Value& value : first.plan.graph.values) {
    // An output that the run sizes has fields beside its own.
    for (const char* field : {"", "_capacity", "_shape"}) words.erase(value.name + field);
  }
  for (const Symbol& symbol : first.plan.graph.symbols) words.erase(symbol->name);
  EXPECT_GT(words.size(), 40u);

  emit(with_words(model, words), config, scratch.path());
  const std::string tree = scratch.path() + "/tree", header = read(tree + "/include/net.h");
  for (const std::string& word : words) {
    EXPECT_NE(header.find("  int64_t " + word + ";\n"), header.npos) << word;
    EXPECT_NE(header.find("  const float* " + word + ";\n"), header.npos) << word;
  }
  const BuildOptions build{project_hardware(config).compilers.front()};
  EXPECT_EQ(build_objects(tree, {"src/net.cpp"}, scratch.path(), build).size(), 1u);
  // A size that a variable hides would be another number, and compile.
  const std::string strict = "g++ -std=c++17 -Wshadow=local -Werror -fsyntax-only -I" + tree +
                             "/include " + tree + "/src/net.cpp";
  EXPECT_EQ(std::system(strict.c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Trees, Names,
                         testing::Values(Case{"models/loop_bounded/model", "cpp-generic"},
                                         Case{"models/loop_bounded/model", "opencl-generic"},
                                         Case{"models/nonzero/model", "cpp-generic"},
                                         Case{"models/nonzero/model", "opencl-generic"},
                                         Case{"models/branches/model", "cpp-generic"},
                                         Case{"models/matmul_sym/model", "x86-64-v3"},
                                         // Threads share two axes.
                                         Case{"digits/digits", "x86-64-v3"}),
                         [](const auto& info) {
                           std::string name = std::string(info.param.model) + info.param.config;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace burin::emitted_names_test
