// Numbers at the border of 64 bits, cut at every place: the library below is lenient there.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "import/wire.h"
#include "support/onnx_writer.h"
#include "support/refusal.h"

namespace burin::import_wire_test {
namespace {

using onnx_writer::Message;

const std::string kEnd = " [parse]; the file is truncated or is not an ONNX model";

std::string read_one(const std::string& bytes) {
  return refusal([&] {
    WireReader reader({bytes, 100}, "a message");
    while (reader.next()) {
    }
  });
}

TEST(ImportWire, NumbersOfEveryLength) {
  std::vector<uint64_t> values = {0, UINT64_MAX};
  for (int bit = 0; bit < 64; ++bit) {
    values.push_back(uint64_t{1} << bit);
    values.push_back((uint64_t{1} << bit) - 1);
  }
  std::string packed;
  for (const uint64_t value : values) packed += Message::varint(value);
  VarintReader list(packed);
  for (const uint64_t value : values) {
    EXPECT_EQ(static_cast<uint64_t>(list.next()), value);
    const std::string one = Message().integer(1, static_cast<int64_t>(value)).bytes();
    WireReader reader({one, 0}, "a message");
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(static_cast<uint64_t>(reader.integer()), value);
    EXPECT_FALSE(reader.next());
  }
  EXPECT_TRUE(list.at_end());
}

TEST(ImportWire, NumbersCutAnywhere) {
  const std::string number = Message::varint(UINT64_MAX);
  for (size_t kept = 0; kept < number.size(); ++kept) {
    const std::string part = number.substr(0, kept);
    EXPECT_EQ(read_one(Message().tag(1, 0).raw(part).bytes()),
              "error: byte 101: a number runs past the end of a message" + kEnd);
    if (kept == 0) continue;
    VarintReader list(part);
    EXPECT_EQ(refusal([&] { list.next(); }),
              "error: a list of numbers ends inside a number" + kEnd);
  }
}

TEST(ImportWire, NumbersBeyond64Bits) {
  const std::string nine(9, '\xff');
  for (const std::string end : {"\x02", "\x7f", "\x81", "\xff\x01"}) {
    for (const std::string after : {"", "more bytes than a number has"}) {
      EXPECT_EQ(read_one(Message().tag(1, 0).raw(nine + end + after).bytes()),
                "error: byte 101: a number has more than 64 bits" + kEnd);
    }
  }
}

TEST(ImportWire, TagsThatAreNone) {
  const auto none = [](uint64_t number) {
    return "error: byte 100: no field of a message has the number " + std::to_string(number) + kEnd;
  };
  EXPECT_EQ(read_one(std::string(1, '\0')), none(0));
  for (const uint64_t number : {uint64_t{1} << 29, uint64_t{1} << 32, (uint64_t{1} << 61) - 1}) {
    EXPECT_EQ(read_one(Message::varint(number << 3) + std::string(1, '\0')), none(number));
  }
}

TEST(ImportWire, LengthsBeyondTheEnd) {
  for (const uint64_t length : {uint64_t{4}, uint64_t{1} << 31, uint64_t{1} << 63, UINT64_MAX}) {
    EXPECT_EQ(read_one(Message().tag(1, 2).raw(Message::varint(length)).raw("abc").bytes()),
              "error: byte 100: field 1 of a message has " + std::to_string(length) +
                  " bytes, 3 are left" + kEnd);
  }
}

}  // namespace
}  // namespace burin::import_wire_test
