// Parsing: nlohmann's SAX parser drives a handler that builds the tree. SAX events carry no
// positions, but they come in the order of the file's tokens; so the handler walks its own cursor
// over the text in step with them (skip white space, ',' and ':', note the place, pass over one
// token), which needs no second grammar: the parser has already said what kind of token stands
// there.
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "hardware/json_file.h"
#include "hardware/json_tree.h"
#include "support/diagnostics.h"
#include "support/file_bytes.h"
#include "support/utf8.h"

namespace burin {
namespace {

[[noreturn]] void refuse_at(const std::string& file, std::string_view text, size_t offset,
                            std::string_view rule, std::string message, std::string hint = {}) {
  int line = 1;
  size_t start = 0;
  for (size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') ++line, start = i + 1;
  }
  const Location where{.file = file,
                       .line = std::to_string(line) + ":" + std::to_string(offset - start + 1)};
  throw Refused(Diagnostic{where, std::string(rule), std::move(message), std::move(hint)});
}

class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, JsonTree& tree, JsonLimits limits)
      : text_(text), tree_(tree), limits_(limits) {}

  bool null() override {
    add(JsonKind::kNull);
    return pass(4);
  }
  bool boolean(bool value) override {
    add(JsonKind::kBool).boolean = value;
    return pass(value ? 4 : 5);
  }
  bool number_integer(number_integer_t value) override {
    add(JsonKind::kInteger).integer = value;
    return pass_number();
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) too_large();
    add(JsonKind::kInteger).integer = static_cast<int64_t>(value);
    return pass_number();
  }
  bool number_float(number_float_t value, const string_t&) override {
    seek();
    // An integer that does not fit 64 bits arrives here, rounded.
    const std::string_view digits = text_.substr(cursor_, number_length());
    if (digits.find_first_of(".eE") == std::string_view::npos) too_large();
    add(JsonKind::kReal).real = value;
    return pass_number();
  }
  bool string(string_t& value) override {
    add(JsonKind::kString).string = std::move(value);
    return pass_string();
  }
  bool binary(binary_t&) override { return false; }  // not in text

  bool start_object(std::size_t) override { return open(JsonKind::kObject); }
  bool start_array(std::size_t) override { return open(JsonKind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    seek();
    if (!keys_.back().insert(value).second) {
      const Location where{.file = tree_.file, .line = position(), .node = pointer_of(value)};
      throw Refused(Diagnostic{where, "duplicate-key",
                               "key " + burin::quoted(value) + " is given twice", ""});
    }
    key_ = std::move(value);
    return pass_string();
  }

  bool parse_error(std::size_t read, const std::string& last_token,
                   const nlohmann::detail::exception& error) override {
    if (error.id == 406) {  // out_of_range.406: a real that overflows a double
      refuse_value("out-of-range",
                   "number " + burin::quoted(last_token) + " is too large for a double");
    }
    // `read` counts bytes taken, the offending one among them; at the end of input it runs past it.
    if (read > text_.size() || text_.find_first_not_of(" \t\r\n", cursor_) == text_.npos) {
      refuse_at(tree_.file, text_, text_.size(), "malformed-json",
                text_.find_first_not_of(" \t\r\n") == text_.npos ? "the file is empty"
                                                                 : "the file ends inside a value");
    }
    const size_t offset = read == 0 ? 0 : read - 1;
    const bool comment = text_[offset] == '/';
    refuse_at(tree_.file, text_, offset, "malformed-json",
              "unexpected " + burin::quoted(text_.substr(offset, 1)),
              comment ? "JSON has no comments; the schema allows a \"description\" instead" : "");
  }

 private:
  static constexpr std::string_view kBetween = " \t\r\n,:";
  // Moves the cursor to the first character of the next token.
  void seek() {
    while (cursor_ < text_.size() && kBetween.find(text_[cursor_]) != kBetween.npos) step();
  }
  void step() {
    if (text_[cursor_] == '\n') ++line_, line_start_ = cursor_ + 1;
    ++cursor_;
  }
  bool pass(size_t bytes) {
    cursor_ += bytes;  // tokens hold no line ends
    return true;
  }
  size_t number_length() const {
    const size_t end = text_.find_first_not_of("+-.0123456789eE", cursor_);
    return (end == text_.npos ? text_.size() : end) - cursor_;
  }
  bool pass_number() { return pass(number_length()); }
  bool pass_string() {
    size_t end = cursor_ + 1;
    while (text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    cursor_ = end + 1;
    return true;
  }

  std::string position() const {
    return std::to_string(line_) + ":" + std::to_string(cursor_ - line_start_ + 1);
  }
  [[noreturn]] void refuse_here(std::string_view rule, std::string message) {
    const Location where{.file = tree_.file, .line = position()};
    throw Refused(Diagnostic{where, std::string(rule), std::move(message), ""});
  }
  // The value that comes next.
  [[noreturn]] void refuse_value(std::string_view rule, std::string message) {
    add(JsonKind::kNull);
    const auto index = static_cast<uint32_t>(tree_.nodes.size() - 1);
    const Location where{.file = tree_.file, .line = position(), .node = tree_.pointer(index)};
    throw Refused(Diagnostic{where, std::string(rule), std::move(message), ""});
  }
  [[noreturn]] void too_large() {
    seek();
    refuse_value("out-of-range", "integer " +
                                     burin::quoted(text_.substr(cursor_, number_length())) +
                                     " does not fit 64 bits");
  }

  // Of the value that the innermost open object has under a key.
  std::string pointer_of(std::string_view key) const {
    for (const uint32_t child : tree_.nodes[open_.back()].children) {
      if (tree_.nodes[child].key == key) return tree_.pointer(child);
    }
    return tree_.pointer(open_.back());
  }

  JsonNode& add(JsonKind kind) {
    seek();
    if (tree_.nodes.size() >= limits_.values)
      refuse_here("json-limit", "more than " + std::to_string(limits_.values) + " values");
    const auto index = static_cast<uint32_t>(tree_.nodes.size());
    JsonNode node;
    node.kind = kind;
    node.line = line_;
    node.column = static_cast<int>(cursor_ - line_start_) + 1;
    if (!open_.empty()) {
      JsonNode& parent = tree_.nodes[open_.back()];
      node.parent = open_.back();
      node.ordinal = static_cast<uint32_t>(parent.children.size());
      if (parent.kind == JsonKind::kObject) node.key = std::move(key_);
      parent.children.push_back(index);
    }
    tree_.nodes.push_back(std::move(node));
    return tree_.nodes.back();
  }
  bool open(JsonKind kind) {
    add(kind);
    if (static_cast<int>(open_.size()) >= limits_.depth) {
      refuse_here("json-limit",
                  "nested deeper than " + std::to_string(limits_.depth) + " arrays and objects");
    }
    open_.push_back(static_cast<uint32_t>(tree_.nodes.size() - 1));
    keys_.emplace_back();
    return pass(1);
  }
  bool close() {
    seek();
    open_.pop_back();
    keys_.pop_back();
    return pass(1);
  }

  std::string_view text_;
  JsonTree& tree_;
  JsonLimits limits_;
  size_t cursor_ = 0;  // first byte that no token has been taken from
  int line_ = 1;
  size_t line_start_ = 0;
  std::vector<uint32_t> open_;               // arrays and objects around the cursor
  std::vector<std::set<std::string>> keys_;  // per entry of open_: keys seen
  std::string key_;                          // of the value to come
};

}  // namespace

JsonDocument read_json_text(std::string_view text, const std::string& name, JsonLimits limits) {
  if (text.size() > limits.bytes) {
    located({.file = name}, [&] {
      refuse("json-limit", "the file is larger than " + std::to_string(limits.bytes) + " bytes");
    });
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") {
    refuse_at(name, text, 0, "malformed-json", "the file starts with a byte order mark",
              "save it as UTF-8 without one");
  }
  if (const size_t bad = first_bad_utf8(text); bad != text.size()) {
    refuse_at(name, text, bad, "not-utf8",
              "byte " + burin::quoted(text.substr(bad, 1)) + " is not UTF-8");
  }
  auto tree = std::make_shared<JsonTree>();
  tree->file = name;
  TreeBuilder builder(text, *tree, limits);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return JsonDocument(std::move(tree));
}

JsonDocument read_json_file(const std::string& path, JsonLimits limits) {
  const std::string text =
      located({.file = path}, [&] { return read_file(path, limits.bytes, "json-limit"); });
  return read_json_text(text, path, limits);
}

}  // namespace burin
