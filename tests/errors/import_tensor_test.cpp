// What import refuses, by the classes of bad input: 8 tensors, 9 external data.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "import/import.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_tensor_test {
namespace {

using namespace onnx_writer;  // NOLINT

Message with_initializer(const Message& tensor) {
  GraphParts parts = relu_parts();
  parts.initializers = {tensor};
  return model(graph(parts));
}

// What is said of initializer 'w'.
std::string line_of(const Message& tensor) {
  const std::string text =
      refusal([&] { import_model_bytes(with_initializer(tensor).bytes(), "m.onnx"); });
  const std::string start = "m.onnx: initializer 'w': error: ";
  return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
}

// Class 8: payload.

TEST(ImportTensor, Shapes) {
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {2, -3}, "")),
            "shape [2, -3] has a negative size [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {INT64_MAX, 2}, "")),
            "shape [9223372036854775807, 2] has more elements than 64 bits count [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {int64_t{1} << 59}, "")),
            "shape [576460752303423488] has more elements than 64 bits count [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, std::vector<int64_t>(65, 1), "1234")),
            "a tensor has 65 dimensions; the limit is 64 [limit]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {int64_t{1} << 62, 8, 0}, "")), "accepted");
}

TEST(ImportTensor, RawData) {
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {1000}, "1234")),
            "f32 [1000] takes 4000 bytes, there are 4 [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {1}, "12345")),
            "f32 [1] takes 4 bytes, there are 5 [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kInt4, {3}, "1")),
            "i4 [3] takes 2 bytes, there are 1 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kFloat, {2})), "f32 [2] takes 8 bytes, there are 0 [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kBool, {2}, "\x01\x02")),
            "a boolean is stored as 2; booleans are 0 or 1 [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kString, {1}, "x")),
            "strings cannot be raw or external data [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {1}, "1234").real(4, 1)),
            "there is raw data and a list of numbers; only one may be [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kComplex64, {1}, "12345678")),
            "COMPLEX64 is not supported as element type [type]");
  EXPECT_EQ(line_of(raw_tensor("w", 0, {1}, "1")),
            "UNDEFINED is not supported as element type [type]");
}

TEST(ImportTensor, TypedFields) {
  EXPECT_EQ(line_of(tensor("w", kFloat, {3}).real(4, 1).real(4, 2)),
            "float_data has 2 entries, the shape takes 3 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kFloat, {1}).real(4, 1).real(4, 2)),
            "float_data has 2 entries, the shape takes 1 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kInt64, {3}).integer(7, 1).integer(7, 300)),
            "int64_data has 2 entries, the shape takes 3 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kInt64, {1}).integer(7, 1).integer(7, 2)),
            "int64_data has 2 entries, the shape takes 1 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kFloat, {1}).integer(7, 1)),
            "f32 lies in float_data, not in int64_data [tensor]");
  EXPECT_EQ(line_of(tensor("w", kFloat, {1}).real(4, 1).integer(7, 1)),
            "there are lists of numbers of several types [tensor]");
  EXPECT_EQ(line_of(tensor("w", kInt8, {1}).integer(5, 128)),
            "entry 0 of int32_data is 128, which is not i8 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kUint8, {2}).integer(5, 0).integer(5, -1)),
            "entry 1 of int32_data is -1, which is not u8 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kFloat16, {1}).integer(5, 65536)),
            "entry 0 of int32_data is 65536, which is not f16 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kBool, {1}).integer(5, 2)),
            "entry 0 of int32_data is 2, which is not boolean [tensor]");
  EXPECT_EQ(line_of(tensor("w", kInt4, {2}).integer(5, 256)),
            "entry 0 of int32_data is 256, which is not i4 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kUint32, {1}).integer(11, int64_t{1} << 32)),
            "entry 0 of uint64_data is 4294967296, which is not u32 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kString, {2}).text(6, "a")),
            "shape [2] takes 2 strings, there are 1 [tensor]");
  EXPECT_EQ(line_of(tensor("w", kString, {1}).real(4, 1)),
            "a tensor of strings has a list of numbers [tensor]");
  // A list that breaks off inside a number.
  EXPECT_EQ(
      line_of(tensor("w", kInt64, {2}).text(7, "\x01\xff")),
      "a list of numbers ends inside a number [parse]; the file is truncated or is not an ONNX "
      "model");
  EXPECT_NE(
      line_of(tensor("w", kFloat, {1}).text(4, "12345")).find("is not a multiple of 4 bytes long"),
      std::string::npos);
}

TEST(ImportTensor, Segments) {
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {1}, "1234").message(3, Message().integer(1, 0))),
            "segmented tensors are not supported [tensor]");
}

TEST(ImportTensor, DeclaredAsInputOfAnotherType) {
  GraphParts parts = relu_parts();
  parts.initializers = {floats("w", {1})};
  parts.inputs.push_back(value("w", kInt64, {1}));
  EXPECT_EQ(refusal([&] { import_model_bytes(model(graph(parts)).bytes(), "m.onnx"); }),
            "m.onnx: input 'w': error: it is declared as INT64, its initializer is f32 [tensor]");
}

std::string line_of_sparse(const Message& values, const Message& indices,
                           const std::vector<int64_t>& dims, const ImportOptions& options = {}) {
  GraphParts parts = relu_parts();
  Message sparse = Message().message(1, values).message(2, indices);
  for (const int64_t dim : dims) sparse.integer(3, dim);
  parts.sparse_initializers = {sparse};
  const std::string text =
      refusal([&] { import_model_bytes(model(graph(parts)).bytes(), "m.onnx", options); });
  const std::string start = "m.onnx: sparse initializer 'w': error: ";
  return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
}

Message indices(const std::vector<int64_t>& dims, const std::vector<int64_t>& values) {
  Message m = tensor("", kInt64, dims);
  for (const int64_t value : values) m.integer(7, value);
  return m;
}

TEST(ImportTensor, Sparse) {
  const Message two = floats("w", {1, 2});
  EXPECT_EQ(line_of_sparse(two, indices({2}, {0, 5}), {2, 3}), "accepted");
  EXPECT_EQ(line_of_sparse(two, indices({2}, {0, 6}), {2, 3}),
            "a sparse index is 6, the size is 6 [tensor]");
  EXPECT_EQ(line_of_sparse(two, indices({2}, {-1, 0}), {2, 3}),
            "a sparse index is -1, the size is 6 [tensor]");
  EXPECT_EQ(line_of_sparse(two, indices({2, 2}, {0, 1, 1, 3}), {2, 3}),
            "a sparse index is 3, the size is 3 [tensor]");
  EXPECT_EQ(line_of_sparse(two, indices({2}, {3, 3}), {2, 3}),
            "sparse indices are not in ascending order [tensor]");
  EXPECT_EQ(line_of_sparse(two, indices({3}, {0, 1, 2}), {2, 3}),
            "a sparse tensor has values [n] and int64 indices [n] or [n, rank] [tensor]");
  EXPECT_EQ(line_of_sparse(two, indices({2}, {0, 1}), {int64_t{1} << 40}),
            "the model has more than 268435456 bytes in sparse tensors [limit]");
  EXPECT_EQ(line_of_sparse(raw_tensor("w", kInt4, {2}, "1"), indices({2}, {0, 1}), {2, 3}),
            "sparse tensors of i4 are not supported [tensor]");
}

// Class 9: external data.

class ImportExternal : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "burin_external_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    std::filesystem::create_directories(root_ + "/model/sub");
    write("model/w.bin", std::string(16, 'w'));
    write("model/sub/w.bin", std::string(16, 'w'));
    write("secret", std::string(16, 's'));
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(root_ + "/" + name, std::ios::binary) << bytes;
  }
  using Entries = std::vector<std::pair<std::string, std::string>>;
  // What is said of a model whose f32 [4] lies where the entries say.
  std::string line(const Entries& entries) const {
    return line_of(external_tensor("w", kFloat, {4}, entries));
  }
  std::string line_of(const Message& tensor) const {
    write("model/m.onnx", with_initializer(tensor).bytes());
    const std::string text = refusal([&] { import_model(root_ + "/model/m.onnx"); });
    const std::string start = root_ + "/model/m.onnx: initializer 'w': error: ";
    return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
  }

  std::string root_;
};

TEST_F(ImportExternal, Accepted) {
  EXPECT_EQ(line({{"location", "w.bin"}}), "accepted");
  EXPECT_EQ(line({{"location", "sub/w.bin"}, {"offset", "0"}, {"length", "16"}, {"checksum", "0"}}),
            "accepted");
  write("model/big.bin", std::string(100, 'w'));
  EXPECT_EQ(line({{"location", "big.bin"}, {"offset", "5"}, {"length", "16"}}), "accepted");
}

TEST_F(ImportExternal, Locations) {
  const std::string hint =
      " [external-data]; external data lies in the model's folder, named by a relative path with "
      "'/'";
  EXPECT_EQ(line({{"location", "../secret"}}),
            "location '../secret' leaves the model's folder" + hint);
  EXPECT_EQ(line({{"location", "sub/../../secret"}}),
            "location 'sub/../../secret' leaves the model's folder" + hint);
  EXPECT_EQ(line({{"location", root_ + "/secret"}}).find("location '/"), 0u);
  EXPECT_EQ(line({{"location", "/etc/hostname"}}),
            "location '/etc/hostname' is an absolute path" + hint);
  EXPECT_EQ(line({{"location", "..\\secret"}}),
            "location '..\\x5csecret' contains a backslash" + hint);
  EXPECT_EQ(line({{"location", "C:secret"}}),
            "location 'C:secret' starts with a drive letter" + hint);
  EXPECT_EQ(line({{"location", ""}}), "location '' is empty" + hint);
  EXPECT_EQ(line({{"location", "./w.bin"}}), "location './w.bin' has an empty part" + hint);
  EXPECT_EQ(line({{"location", "sub//w.bin"}}), "location 'sub//w.bin' has an empty part" + hint);
  EXPECT_EQ(line({{"location", std::string("w.bin\0x", 7)}}),
            "location 'w.bin\\x00x' contains a zero byte" + hint);
  EXPECT_EQ(line({{"location", std::string(5000, 'x')}}),
            "location '" + std::string(96, 'x') + "...' is too long" + hint);
}

TEST_F(ImportExternal, Keys) {
  EXPECT_EQ(line({}), "there is no location [external-data]");
  EXPECT_EQ(line({{"location", "w.bin"}, {"path", "x"}}),
            "key 'path' is not known [external-data]; the keys are location, offset, length and "
            "checksum");
  EXPECT_EQ(line({{"location", "w.bin"}, {"offset", "0"}, {"offset", "0"}}),
            "key 'offset' is given twice [external-data]");
}

TEST_F(ImportExternal, OffsetsAndLengths) {
  const auto at = [&](const std::string& offset, const std::string& length) {
    return line({{"location", "w.bin"}, {"offset", offset}, {"length", length}});
  };
  EXPECT_EQ(at("-1", "16"), "offset '-1' is not a number of bytes [external-data]");
  EXPECT_EQ(at("-0", "16"), "offset '-0' is not a number of bytes [external-data]");
  EXPECT_EQ(at("", "16"), "offset '' is not a number of bytes [external-data]");
  EXPECT_EQ(at("0x0", "16"), "offset '0x0' is not a number of bytes [external-data]");
  EXPECT_EQ(at("99999999999999999999", "16"),
            "offset '99999999999999999999' is not a number of bytes [external-data]");
  EXPECT_EQ(at("17", "16"),
            "offset 17 lies behind the end of file 'w.bin' of 16 bytes [external-data]");
  EXPECT_EQ(
      at("1", "16"),
      "offset 1 and length 16 reach behind the end of file 'w.bin' of 16 bytes [external-data]");
  EXPECT_EQ(
      at("16", "9223372036854775807"),
      "offset 16 and length 9223372036854775807 reach behind the end of file 'w.bin' of 16 bytes "
      "[external-data]");
  EXPECT_EQ(at("0", "12"), "f32 [4] takes 16 bytes, file 'w.bin' gives 12 [external-data]");
  EXPECT_EQ(line({{"location", "w.bin"}, {"offset", "4"}}),
            "f32 [4] takes 16 bytes, file 'w.bin' gives 12 [external-data]");
}

TEST_F(ImportExternal, Files) {
  EXPECT_EQ(line({{"location", "none.bin"}}),
            "file 'none.bin' cannot be read: No such file or directory [external-data]");
  EXPECT_EQ(line({{"location", "sub"}}),
            "file 'sub' cannot be used: it is a folder [external-data]");
  ASSERT_EQ(mkfifo((root_ + "/model/pipe").c_str(), 0600), 0);
  EXPECT_EQ(line({{"location", "pipe"}}),
            "file 'pipe' cannot be used: it is not a regular file [external-data]");
}

TEST_F(ImportExternal, Links) {
  const std::string hint =
      " [external-data]; copy the file into the model's folder, or name the folder of the cache "
      "with --allow-links";
  std::filesystem::create_symlink("../secret", root_ + "/model/link");
  EXPECT_EQ(line({{"location", "link"}}), "file 'link' is or lies behind a symbolic link" + hint);
  std::filesystem::create_symlink("w.bin", root_ + "/model/inner");  // even inside the folder
  EXPECT_EQ(line({{"location", "inner"}}), "file 'inner' is or lies behind a symbolic link" + hint);
  std::filesystem::create_directory_symlink("..", root_ + "/model/up");
  EXPECT_EQ(line({{"location", "up/secret"}}),
            "file 'up/secret' is or lies behind a symbolic link" + hint);
  std::filesystem::create_hard_link(root_ + "/secret", root_ + "/model/hard");
  EXPECT_EQ(line({{"location", "hard"}}), "file 'hard' has several hard links" + hint);
}

// As caches of models are: names in one folder, contents in another one, all of it beneath a third.
TEST_F(ImportExternal, LinksBeneathTheFolderThatMayHaveThem) {
  const auto refused = [&](const std::string& location, const std::string& links) {
    const Message whole =
        with_initializer(external_tensor("w", kFloat, {4}, {{"location", location}}));
    ImportOptions options;
    options.external_root = root_ + "/model";
    options.links_root = links;
    return refusal([&] { import_model_bytes(whole.bytes(), "m.onnx", options); });
  };
  std::filesystem::create_directory(root_ + "/blobs");
  std::filesystem::copy_file(root_ + "/model/w.bin", root_ + "/blobs/0");
  std::filesystem::create_symlink("../blobs/0", root_ + "/model/linked");
  std::filesystem::create_hard_link(root_ + "/blobs/0", root_ + "/model/hard");
  std::filesystem::create_directory_symlink("../blobs", root_ + "/model/up");
  std::filesystem::create_symlink("/etc/hostname", root_ + "/model/out");
  std::filesystem::create_symlink("nowhere", root_ + "/model/broken");
  for (const char* location : {"w.bin", "linked", "hard", "up/0"}) {
    EXPECT_EQ(refused(location, root_), "accepted") << location;
    // Through a link to that folder, too.
    std::filesystem::create_directory_symlink(root_, root_ + "/model/all");
    EXPECT_EQ(refused(location, root_ + "/model/all"), "accepted") << location;
    std::filesystem::remove(root_ + "/model/all");
  }
  const std::string outside =
      " leads outside of the folder of --allow-links [external-data]; name the folder that has all "
      "files of the cache";
  EXPECT_EQ(refused("linked", root_ + "/model"),
            "m.onnx: initializer 'w': error: file 'linked'" + outside);
  EXPECT_EQ(refused("out", root_), "m.onnx: initializer 'w': error: file 'out'" + outside);
  std::filesystem::create_directory(root_ + "/blob");  // no prefix of a name is a folder of it
  EXPECT_EQ(refused("linked", root_ + "/blob"),
            "m.onnx: initializer 'w': error: file 'linked'" + outside);
  EXPECT_EQ(refused("broken", root_),
            "m.onnx: initializer 'w': error: file 'broken' cannot be read: No such file or "
            "directory [external-data]");
  EXPECT_EQ(refused("../secret", root_).find("leaves the model's folder") != std::string::npos,
            true);
}

TEST_F(ImportExternal, Mixtures) {
  const Entries entries = {{"location", "w.bin"}};
  EXPECT_EQ(line_of(external_tensor("w", kFloat, {4}, entries).text(9, std::string(16, 'x'))),
            "there is external data and data in the model; only one may be [tensor]");
  EXPECT_EQ(line_of(external_tensor("w", kString, {4}, entries)),
            "strings cannot be raw or external data [tensor]");
  EXPECT_EQ(line_of(raw_tensor("w", kFloat, {4}, std::string(16, 'x'))
                        .message(13, Message().text(1, "location"))),
            "there are external_data entries, but data_location is not EXTERNAL [external-data]");
  EXPECT_EQ(line_of(tensor("w", kFloat, {4}).integer(14, 2)),
            "data_location is 2; 0 and 1 exist [tensor]");
}

TEST_F(ImportExternal, NotForBytesAtHand) {
  const Message whole =
      with_initializer(external_tensor("w", kFloat, {4}, {{"location", "w.bin"}}));
  EXPECT_EQ(refusal([&] { import_model_bytes(whole.bytes(), "m.onnx"); }),
            "m.onnx: initializer 'w': error: the model has external data, but no folder is given "
            "[external-data]");
  ImportOptions options;
  options.external_root = root_ + "/model";
  EXPECT_EQ(refusal([&] { import_model_bytes(whole.bytes(), "m.onnx", options); }), "accepted");
}

}  // namespace
}  // namespace burin::import_tensor_test
