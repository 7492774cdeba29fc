#include "import/wire.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using google::protobuf::io::CodedInputStream;

constexpr int kMostVarintBytes = 10;

enum WireType : int { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

enum class VarintError { none, truncated, too_long };

const uint8_t* bytes_at(std::string_view bytes, size_t at) {
  return reinterpret_cast<const uint8_t*>(bytes.data()) + at;
}

// The library drops what exceeds 64 bits; here such a number is refused. Its sizes are int, so it
// gets no more bytes than a number may have.
VarintError read_varint(std::string_view bytes, size_t& at, uint64_t& value) {
  const int window = static_cast<int>(std::min<size_t>(bytes.size() - at, kMostVarintBytes));
  CodedInputStream in(bytes_at(bytes, at), window);
  const bool read = in.ReadVarint64(&value);
  if (!read) return window == kMostVarintBytes ? VarintError::too_long : VarintError::truncated;
  at += static_cast<size_t>(in.CurrentPosition());
  const bool longest = in.CurrentPosition() == kMostVarintBytes;
  return longest && *bytes_at(bytes, at - 1) > 1 ? VarintError::too_long : VarintError::none;
}

constexpr const char* kHint = "the file is truncated or is not an ONNX model";

}  // namespace

void WireReader::fail(size_t at, const std::string& why) const {
  refuse("parse", "byte " + std::to_string(span_.offset + at) + ": " + why, kHint);
}

std::string WireReader::field_text() const {
  return "field " + std::to_string(field_) + " of " + message_;
}

uint64_t WireReader::varint() {
  const size_t start = at_;
  uint64_t value = 0;
  switch (read_varint(span_.bytes, at_, value)) {
    case VarintError::none:
      break;
    case VarintError::truncated:
      fail(start, std::string("a number runs past the end of ") + message_);
    case VarintError::too_long:
      fail(start, "a number has more than 64 bits");
  }
  return value;
}

bool WireReader::next() {
  if (at_ >= span_.bytes.size()) return false;
  tag_at_ = at_;
  const uint64_t tag = varint();
  if (tag >> 3 == 0 || tag >> 3 >= (uint64_t{1} << 29)) {
    fail(tag_at_,
         std::string("no field of ") + message_ + " has the number " + std::to_string(tag >> 3));
  }
  field_ = static_cast<int>(tag >> 3);
  wire_type_ = static_cast<int>(tag & 7);
  payload_ = at_;
  switch (wire_type_) {
    case kVarint:
      number_ = varint();
      break;
    case kFixed64:
      take(8);
      break;
    case kFixed32:
      take(4);
      break;
    case kBytes: {
      const uint64_t length = varint();
      payload_ = at_;
      take(length);
      break;
    }
    default:
      fail(tag_at_, field_text() + " has wire type " + std::to_string(wire_type_));
  }
  end_ = at_;
  return true;
}

void WireReader::take(uint64_t bytes) {
  const size_t left = span_.bytes.size() - at_;
  if (bytes > left) {
    fail(tag_at_, field_text() + " has " + std::to_string(bytes) + " bytes, " +
                      std::to_string(left) + " are left");
  }
  at_ += bytes;
}

void WireReader::expect(int wire_type) {
  if (wire_type_ != wire_type) {
    fail(tag_at_, field_text() + " has wire type " + std::to_string(wire_type_) + " instead of " +
                      std::to_string(wire_type));
  }
}

WireReader& WireReader::once() {
  BURIN_CHECK(field_ < 64);
  const uint64_t bit = uint64_t{1} << field_;
  if (seen_ & bit) fail(tag_at_, field_text() + " is given twice");
  seen_ |= bit;
  return *this;
}

int64_t WireReader::integer() {
  expect(kVarint);
  return static_cast<int64_t>(number_);
}

int32_t WireReader::small_integer() {
  const int64_t value = integer();
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    fail(tag_at_, field_text() + " does not fit 32 bits");
  }
  return static_cast<int32_t>(value);
}

float WireReader::real() {
  expect(kFixed32);
  uint32_t bits = 0;
  CodedInputStream::ReadLittleEndian32FromArray(bytes_at(span_.bytes, payload_), &bits);
  return std::bit_cast<float>(bits);
}

WireSpan WireReader::message() {
  expect(kBytes);
  return {span_.bytes.substr(payload_, end_ - payload_), span_.offset + payload_};
}

std::string_view WireReader::integers() {
  if (wire_type_ != kVarint) expect(kBytes);
  return span_.bytes.substr(payload_, end_ - payload_);
}

std::string_view WireReader::reals() {
  if (wire_type_ != kFixed32) expect(kBytes);
  if ((end_ - payload_) % 4 != 0)
    fail(tag_at_, field_text() + " is not a multiple of 4 bytes long");
  return span_.bytes.substr(payload_, end_ - payload_);
}

std::string_view WireReader::doubles() {
  if (wire_type_ != kFixed64) expect(kBytes);
  if ((end_ - payload_) % 8 != 0)
    fail(tag_at_, field_text() + " is not a multiple of 8 bytes long");
  return span_.bytes.substr(payload_, end_ - payload_);
}

void WireReader::unknown() {
  refuse("parse",
         "byte " + std::to_string(span_.offset + tag_at_) + ": " + field_text() + " is not known",
         "the model is newer than this version reads, or is not ONNX");
}

int64_t VarintReader::next() {
  uint64_t value = 0;
  if (read_varint(bytes_, at_, value) != VarintError::none) {
    refuse("parse", "a list of numbers ends inside a number", kHint);
  }
  return static_cast<int64_t>(value);
}

}  // namespace burin
