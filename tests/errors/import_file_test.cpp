// What import refuses, by the classes of bad input: 1 files, 2 encoding and limits, 3 versions.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "graph/items.h"
#include "import/file.h"
#include "import/import.h"
#include "ops/api/core/op_def.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_file_test {
namespace {

using namespace onnx_writer;  // NOLINT

std::string line_of(const std::string& bytes, const ImportOptions& options = {}) {
  return refusal([&] { import_model_bytes(bytes, "m.onnx", options); });
}

class ImportFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "burin_import_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  // The refusal of a file of this name, with the folder left out.
  std::string line(const std::string& name, const ImportOptions& options = {}) const {
    std::string text = refusal([&] { import_model(path(name), options); });
    const size_t at = text.find(folder_ + "/");
    return at == std::string::npos ? text : text.erase(at, folder_.size() + 1);
  }

  std::string folder_;
};

// Class 1: not a file, empty, truncated, something else.

TEST_F(ImportFile, Missing) {
  EXPECT_EQ(line("none.onnx"), "none.onnx: error: cannot be read: No such file or directory [io]");
}

TEST_F(ImportFile, Directory) {
  EXPECT_EQ(line(""), ": error: it is a folder [io]");
  std::ofstream(path("net.onnx")) << "x";
  EXPECT_EQ(line(""), ": error: it is a folder [io]; the model in it is 'net.onnx'");
}

TEST_F(ImportFile, Fifo) {
  ASSERT_EQ(mkfifo(path("pipe.onnx").c_str(), 0600), 0);
  EXPECT_EQ(line("pipe.onnx"), "pipe.onnx: error: it is not a regular file [io]");
}

TEST_F(ImportFile, Empty) {
  write("empty.onnx", "");
  EXPECT_EQ(line("empty.onnx"), "empty.onnx: error: the file is empty [io]");
}

TEST_F(ImportFile, TooLarge) {
  write("large.onnx", "");
  std::filesystem::resize_file(path("large.onnx"), uintmax_t{1} << 31);  // a hole, no blocks
  EXPECT_EQ(line("large.onnx"),
            "large.onnx: error: it has 2147483648 bytes; the limit is 2147483647 [limit]");
}

TEST_F(ImportFile, ChangedWhileRead) {
  write("m.onnx", "one");
  const std::shared_ptr<const FileBytes> file = map_file(path("m.onnx"), 100);
  EXPECT_EQ(refusal([&] { file->check_unchanged(); }), "accepted");
  std::ofstream(path("m.onnx"), std::ios::binary | std::ios::app) << "more";
  EXPECT_EQ(refusal([&] { file->check_unchanged(); }),
            "error: the file changed while it was read [io]");
}

TEST_F(ImportFile, SomethingElse) {
  EXPECT_EQ(line_of("#include <stdio.h>\n"),
            "m.onnx: error: this is a text, which begins with '#include <stdio.h>' [not-onnx]; a "
            "model is the file that onnx.save writes");
  EXPECT_EQ(line_of(std::string(64, '\0')),
            "m.onnx: error: byte 0: no field of ModelProto has the number 0 [parse]; the file is "
            "truncated or is not an ONNX model");
}

// A prefix of a model is refused, whatever its length.
TEST_F(ImportFile, Truncated) {
  const std::string whole = model(graph(relu_parts())).bytes();
  ASSERT_EQ(line_of(whole), "accepted");
  for (size_t length = 1; length < whole.size(); ++length) {
    EXPECT_NE(line_of(whole.substr(0, length)), "accepted") << length;
  }
  EXPECT_EQ(line_of(whole.substr(0, whole.size() - 1)),
            "m.onnx: error: byte 6: field 7 of ModelProto has " + std::to_string(whole.size() - 8) +
                " bytes, " + std::to_string(whole.size() - 9) +
                " are left [parse]; the file is truncated or is not an ONNX model");
}

// Class 2: encoding and limits.

TEST_F(ImportFile, GiantVarint) {
  EXPECT_EQ(
      line_of("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
      "m.onnx: error: byte 1: a number has more than 64 bits [parse]; the file is truncated or "
      "is not an ONNX model");
}

TEST_F(ImportFile, UnknownField) {
  const std::string bytes =
      Message().raw(model(graph(relu_parts())).bytes()).integer(99, 1).bytes();
  EXPECT_EQ(line_of(bytes), "m.onnx: error: byte " + std::to_string(bytes.size() - 3) +
                                ": field 99 of ModelProto is not known [parse]; the model is newer "
                                "than this version reads, or is not ONNX");
}

TEST_F(ImportFile, FieldGivenTwice) {
  const Message whole = model(graph(relu_parts()));
  EXPECT_EQ(
      line_of(whole.bytes() + Message().integer(1, 8).bytes()),
      "m.onnx: error: byte " + std::to_string(whole.bytes().size()) +
          ": field 1 of ModelProto is given twice [parse]; the file is truncated or is not an "
          "ONNX model");
}

TEST_F(ImportFile, WrongWireType) {
  EXPECT_EQ(
      line_of(Message().text(1, "8").bytes()),
      "m.onnx: error: byte 0: field 1 of ModelProto has wire type 2 instead of 0 [parse]; the "
      "file is truncated or is not an ONNX model");
}

Message nested(int depth) {
  GraphParts parts{
      .nodes = {}, .initializers = {}, .inputs = {}, .outputs = {value("y", kFloat, {})}};
  if (depth == 0) {
    parts.nodes = {node("Identity", {"x"}, {"y"})};
  } else {
    const Message branch = nested(depth - 1);
    parts.nodes = {
        node("If", {"c"}, {"y"},
             {graph_attribute("then_branch", branch), graph_attribute("else_branch", branch)})};
  }
  if (depth == 3) parts.inputs = {value("c", kBool, {}), value("x", kFloat, {})};
  return graph(parts);
}

TEST_F(ImportFile, NestingLimit) {
  const std::string bytes = model(nested(3)).bytes();
  EXPECT_EQ(line_of(bytes), "accepted");
  ImportOptions options;
  options.limits.block_depth = 3;
  EXPECT_EQ(line_of(bytes, options),
            "m.onnx: node 0 (If) 'then_branch' > node 0 (If) 'then_branch' > node 0 (If) attribute "
            "'then_branch': error: blocks are nested more than 3 deep [limit]");
}

// Each level of a message inside itself costs two bytes or so; the stack must not pay for them.
TEST_F(ImportFile, NestingBomb) {
  std::string bytes = node("Identity", {"x"}, {"y"}).bytes();
  for (int i = 0; i < 2000; ++i) {
    const Message inner = Message().message(1, Message().raw(bytes));
    bytes = Message().text(4, "If").message(5, Message().text(1, "b").message(6, inner)).bytes();
  }
  const std::string line = line_of(model(Message().message(1, Message().raw(bytes))).bytes());
  EXPECT_NE(line.find("blocks are nested more than 32 deep [limit]"), std::string::npos) << line;
}

TEST_F(ImportFile, CountLimits) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Relu", {"x"}, {"a"}), node("Relu", {"a"}, {"b"}),
                 node("Relu", {"b"}, {"y"})};
  const std::string bytes = model(graph(parts)).bytes();
  ImportOptions options;
  options.limits.nodes = 2;
  EXPECT_EQ(line_of(bytes, options), "m.onnx: error: the model has more than 2 nodes [limit]");
  options = {};
  options.limits.values = 3;
  EXPECT_EQ(line_of(bytes, options),
            "m.onnx: node 2 (Relu): error: the model has more than 3 values [limit]");
  options = {};
  options.limits.memory_bytes = 0;
  EXPECT_EQ(line_of(bytes, options),
            "m.onnx: input 'x': error: the model needs more memory than its size explains (0 bytes "
            "and 2 per byte of the files) [limit]");
}

TEST_F(ImportFile, LongNames) {
  GraphParts parts = relu_parts();
  const std::string name(1 << 20, 'n');
  parts.nodes[0] = node("Relu", {"x"}, {"y"}, {}, name);
  EXPECT_EQ(line_of(model(graph(parts)).bytes()),
            "m.onnx: node 0 '" + std::string(96, 'n') + "...' (Relu): error: name '" +
                std::string(96, 'n') + "...' has 1048576 bytes; the limit is 65536 [limit]");
}

TEST_F(ImportFile, ManyDimensions) {
  GraphParts parts = relu_parts();
  parts.inputs[0] = value("x", kFloat, std::vector<Size>(65, Size(1)));
  EXPECT_EQ(line_of(model(graph(parts)).bytes()),
            "m.onnx: input 'x': error: value 'x' has 65 dimensions; the limit is 64 [limit]");
}

// Class 3: versions.

TEST_F(ImportFile, IrVersion) {
  const Message body = graph(relu_parts());
  for (const int64_t version : {int64_t{-1}, int64_t{0}, int64_t{2}, int64_t{15}, INT64_MAX}) {
    EXPECT_EQ(line_of(model(body, {}, {opset("", 17)}, version).bytes()),
              "m.onnx: error: the file has IR version " + std::to_string(version) +
                  "; versions 3 to 14 are read [version]");
  }
}

TEST_F(ImportFile, OpsetImports) {
  const Message body = graph(relu_parts());
  const auto line = [&](const std::vector<Message>& opsets) {
    return line_of(model(body, {}, opsets).bytes());
  };
  EXPECT_EQ(line({}), "m.onnx: error: the model has no opset_import [version]");
  // Twice at one version, whatever the domain is called, says nothing new.
  EXPECT_EQ(line({opset("", 17), opset("ai.onnx", 17), opset("", 17)}), "accepted");
  EXPECT_EQ(line({opset("", 17), opset("", 13)}),
            "m.onnx: error: the model imports the operators of 'ai.onnx' at versions 17 and 13 "
            "[version]");
  EXPECT_EQ(line({opset("", 0)}),
            "m.onnx: error: the model imports version 0 of 'ai.onnx'; versions from 1 on are read "
            "[version]");
  EXPECT_EQ(line({opset("", 1000)}), "accepted");
  EXPECT_EQ(line({opset("", kLatestOpset)}), "accepted");
  EXPECT_EQ(
      line({opset("com.microsoft", 1)}),
      "m.onnx: node 0 'act' (Relu): error: domain 'ai.onnx' is not in the opset_import of the "
      "model [version]; add it there with the version that the node was written for");
  EXPECT_EQ(line({opset("ai.onnx", 17), opset("some.where", 3)}), "accepted");
}

// What is newer than burin is read as the newest that it knows, with a note; a flag says otherwise.
TEST_F(ImportFile, OpsetsThatAreNewer) {
  const auto read = [](int64_t version, std::optional<int> assumed) {
    const Message body = graph(relu_parts());
    ImportOptions options;
    options.assumed_opset = assumed;
    return import_model_bytes(model(body, {}, {opset("", version)}).bytes(), "m.onnx", options);
  };
  // What the operators know is what is read.
  static_assert(kLatestOpset == 28);
  const Graph newest = read(kLatestOpset, {});
  EXPECT_EQ(newest.block.nodes[0].version, kLatestOpset);
  EXPECT_TRUE(newest.notes.empty());
  const Graph newer = read(kLatestOpset + 1, {});
  EXPECT_EQ(newer.block.nodes[0].version, kLatestOpset);
  ASSERT_EQ(newer.notes.size(), 1U);
  EXPECT_EQ(newer.notes[0],
            "the model imports version 29 of 'ai.onnx', which is newer than burin: its operators "
            "are read as version 28 has them");
  for (const int64_t version : {int64_t{29}, int64_t{17}, int64_t{0}}) {
    const Graph assumed = read(version, 13);
    EXPECT_EQ(assumed.block.nodes[0].version, 13);
    EXPECT_TRUE(assumed.notes.empty());
  }
}

TEST_F(ImportFile, UnknownDomain) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Relu", {"x"}, {"y"}, {}, "", "some.where")};
  EXPECT_EQ(
      line_of(model(graph(parts), {}, {opset("", 17), opset("some.where", 3)}).bytes()),
      "m.onnx: node 0 (Relu): error: operators of domain 'some.where' are not known [version]; "
      "the domains are ai.onnx, ai.onnx.ml, ai.onnx.preview, ai.onnx.preview.training, "
      "com.microsoft "
      "and burin, "
      "and functions of the model itself");
}

// What import makes for itself means what it does only as import makes it.
TEST_F(ImportFile, NodesThatOnlyImportMakes) {
  for (const char* op : {kCopyOp, kItemsOp}) {
    GraphParts parts = relu_parts();
    parts.nodes = {node(op, {"x"}, {"y"}, {}, "", kOwnDomain)};
    const std::string line =
        line_of(model(graph(parts), {}, {opset("", 17), opset(kOwnDomain, 1)}).bytes());
    EXPECT_NE(line.find("operators of domain 'burin.import' are not known [version]"),
              std::string::npos)
        << line;
  }
}

}  // namespace
}  // namespace burin::import_file_test
