#include <algorithm>
#include <cstdio>

#include "hardware/json_file.h"
#include "hardware/json_tree.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kLongestPointer = 200;  // bytes shown; keys may be megabytes long

// One reference token of a JSON pointer (RFC 6901, sections 3 and 6): ~ and / are escaped, then all
// that is not plain printable ASCII is percent-encoded.
std::string pointer_token(std::string_view key) {
  std::string out;
  for (const char c : key.substr(0, kLongestPointer)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else if (byte > 0x20 && byte < 0x7f && c != '%' && c != '"' && c != '\\' && c != '\'') {
      out += c;
    } else {
      char escape[4];
      std::snprintf(escape, sizeof escape, "%%%02X", byte);
      out += escape;
    }
  }
  return out;
}

}  // namespace

std::string_view describe(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return "a boolean";
    case JsonKind::kInteger:
      return "an integer";
    case JsonKind::kReal:
      return "a number with a fraction or exponent";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
  }
  return "a value";
}

std::string JsonTree::pointer(uint32_t index) const {
  std::vector<std::string> tokens;
  for (; index != 0; index = nodes[index].parent) {
    const JsonNode& node = nodes[index];
    const bool in_object = nodes[node.parent].kind == JsonKind::kObject;
    tokens.push_back(in_object ? pointer_token(node.key) : std::to_string(node.ordinal));
  }
  std::string out = "#";
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) out += "/" + *token;
  if (out.size() > kLongestPointer) out = out.substr(0, kLongestPointer) + "...";
  return out;
}

JsonKind JsonValue::kind() const { return tree_->node(*this).kind; }
int JsonValue::line() const { return tree_->node(*this).line; }
int JsonValue::column() const { return tree_->node(*this).column; }
std::string JsonValue::pointer() const { return tree_->pointer(index_); }

void JsonValue::refuse(std::string_view rule, std::string message, std::string hint) const {
  const std::string position = std::to_string(line()) + ":" + std::to_string(column());
  const Location where{.file = tree_->file, .line = position, .node = pointer()};
  throw Refused(Diagnostic{where, std::string(rule), std::move(message), std::move(hint)});
}

void JsonValue::expect(JsonKind wanted) const {
  if (kind() == wanted) return;
  refuse("wrong-type",
         "expected " + std::string(describe(wanted)) + ", found " + std::string(describe(kind())));
}

bool JsonValue::as_bool() const {
  expect(JsonKind::kBool);
  return tree_->node(*this).boolean;
}

int64_t JsonValue::as_integer() const {
  expect(JsonKind::kInteger);
  return tree_->node(*this).integer;
}

int64_t JsonValue::as_integer(int64_t smallest, int64_t largest) const {
  const int64_t value = as_integer();
  if (value < smallest || value > largest) {
    refuse("out-of-range", std::to_string(value) + " is not between " + std::to_string(smallest) +
                               " and " + std::to_string(largest));
  }
  return value;
}

double JsonValue::as_number() const {
  if (kind() == JsonKind::kInteger) return static_cast<double>(as_integer());
  if (kind() != JsonKind::kReal) {
    refuse("wrong-type", "expected a number, found " + std::string(describe(kind())));
  }
  return tree_->node(*this).real;
}

const std::string& JsonValue::as_string() const {
  expect(JsonKind::kString);
  return tree_->node(*this).string;
}

size_t JsonValue::size() const {
  if (kind() != JsonKind::kArray) expect(JsonKind::kObject);
  return tree_->node(*this).children.size();
}

JsonValue JsonValue::operator[](size_t i) const {
  BURIN_CHECK(i < size());
  return {tree_, tree_->node(*this).children[i]};
}

const std::string& JsonValue::key(size_t i) const {
  expect(JsonKind::kObject);
  BURIN_CHECK(i < size());
  return tree_->nodes[tree_->node(*this).children[i]].key;
}

bool JsonValue::has(std::string_view key) const {
  expect(JsonKind::kObject);
  const auto& children = tree_->node(*this).children;
  return std::any_of(children.begin(), children.end(),
                     [&](uint32_t child) { return tree_->nodes[child].key == key; });
}

JsonValue JsonValue::at(std::string_view key) const {
  expect(JsonKind::kObject);
  for (const uint32_t child : tree_->node(*this).children) {
    if (tree_->nodes[child].key == key) return {tree_, child};
  }
  refuse("missing-key", "key " + quoted(key) + " is missing");
}

}  // namespace burin
