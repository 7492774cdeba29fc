// The wire format of Protocol Buffers, read in place.
//
// A message is a sequence of fields, each a tag (number and wire type) and a payload: a varint, 4
// or 8 bytes, or a length and that many bytes. Numbers are decoded by libprotobuf
// (CodedInputStream); this reader adds positions, views and strictness. It copies nothing: strings,
// packed numbers and nested messages are views of the file, so a weight of hundreds of megabytes
// costs nothing until it is used. It is strict where decoders differ or are lenient: a field that
// may occur once occurs once, varints have at most 64 bits, groups do not exist, and every number
// of an unknown field is refused.
//
// Refusals: parse, with the offset of the byte in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace burin {

// Part of the file and where it starts.
struct WireSpan {
  std::string_view bytes;
  size_t offset = 0;
};

class WireReader {
 public:
  WireReader(WireSpan span, const char* message) : span_(span), message_(message) {}

  bool next();  // moves to the next field; false at the end of the message
  int field() const { return field_; }

  WireReader& once();       // refuses a field that came before: r.once().text()
  int64_t integer();        // varint as int64
  int32_t small_integer();  // varint that must fit 32 bits
  float real();
  std::string_view text() { return message().bytes; }
  WireSpan message();
  // Of a repeated number, packed or not: the encoded bytes of one or several elements.
  std::string_view integers();
  std::string_view reals();    // 4 bytes each
  std::string_view doubles();  // 8 bytes each

  void skip() {}  // metadata that is let through
  [[noreturn]] void unknown();

 private:
  uint64_t varint();
  void take(uint64_t bytes);
  void expect(int wire_type);
  [[noreturn]] void fail(size_t at, const std::string& why) const;
  std::string field_text() const;

  WireSpan span_;
  const char* message_;
  size_t at_ = 0;
  size_t tag_at_ = 0;
  int field_ = 0;
  int wire_type_ = 0;
  size_t payload_ = 0;   // where the payload of this field starts
  size_t end_ = 0;       // and ends
  uint64_t number_ = 0;  // the payload of a varint
  uint64_t seen_ = 0;    // fields that once() has met
};

// The numbers in the encoded bytes that WireReader::integers() gave.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ == bytes_.size(); }
  int64_t next();  // refuses as parse

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

}  // namespace burin
