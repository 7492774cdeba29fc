// Strict JSON reader. A hardware description, a tuning file or a plan lock comes from outside: a
// reader that guesses hides mistakes. So: one value per file, UTF-8 without a byte order mark, no
// comments, no trailing commas, no duplicate keys, no integer outside int64, no number that
// overflows a double, a cap on nesting and on bytes. Parsing is nlohmann's SAX parser; this file
// adds the limits and the positions.
//
// Every value knows where it stands, so every refusal reads
//   configs/x.json:12:7: #/vector/registers: error: expected an integer, found a string
//   [wrong-type]
//
// O(bytes) time; about 100 bytes of memory per value beside its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace burin {

enum class JsonKind { kNull, kBool, kInteger, kReal, kString, kArray, kObject };

// "an object", "a string" ... for messages.
std::string_view describe(JsonKind kind);

struct JsonTree;

// A handle on one value of a document: cheap to copy, valid while the document lives.
class JsonValue {
 public:
  JsonKind kind() const;

  // Typed access. A value of another kind is refused (wrong-type).
  bool as_bool() const;
  int64_t as_integer() const;                                   // 3.0 and 3e0 are not integers
  int64_t as_integer(int64_t smallest, int64_t largest) const;  // both ends included (out-of-range)
  double as_number() const;  // an integer or a real, always finite
  const std::string& as_string() const;

  // Arrays and objects: number of elements or members, and the i-th one in file order.
  size_t size() const;
  JsonValue operator[](size_t i) const;
  const std::string& key(size_t i) const;  // key of the i-th member of an object
  bool has(std::string_view key) const;
  JsonValue at(std::string_view key) const;  // refused when absent (missing-key)

  // Position of the value's first character, both from 1; a column counts bytes.
  int line() const;
  int column() const;
  std::string pointer()
      const;  // "#/caches/0/bytes": JSON pointer as a URI fragment, printable ASCII

  // Refuses this value: file, line, column and pointer are filled in.
  [[noreturn]] void refuse(std::string_view rule, std::string message, std::string hint = {}) const;

 private:
  friend class JsonDocument;
  friend struct JsonTree;
  JsonValue(const JsonTree* tree, uint32_t index) : tree_(tree), index_(index) {}
  void expect(JsonKind kind) const;

  const JsonTree* tree_;
  uint32_t index_;
};

// A parsed file. Copies share the tree.
class JsonDocument {
 public:
  explicit JsonDocument(std::shared_ptr<const JsonTree> tree) : tree_(std::move(tree)) {}
  JsonValue root() const { return {tree_.get(), 0}; }

 private:
  std::shared_ptr<const JsonTree> tree_;
};

struct JsonLimits {
  int depth = 64;                   // nested arrays and objects
  size_t bytes = size_t{1} << 26;   // of the whole file
  size_t values = size_t{1} << 24;  // in all of it, arrays and objects among them
};

// Of a description of hardware, which has some hundreds of values in some thousands of bytes: what
// is larger is refused before much is done with it.
inline constexpr JsonLimits kDescriptionLimits = {64, size_t{1} << 18, 10'000};

// Reads a regular file. Refuses: cannot-read, json-limit, malformed-json, duplicate-key, not-utf8.
JsonDocument read_json_file(const std::string& path, JsonLimits limits = {});

// The same for text at hand; `name` stands for the file in messages.
JsonDocument read_json_text(std::string_view text, const std::string& name, JsonLimits limits = {});

}  // namespace burin
