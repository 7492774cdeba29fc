// Values that templates take, and their types. A type is part of safety: text reaches a template
// only as Word, Identifier, CommentText, StringLiteral or Code (render/text.h).
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "render/identifier.h"
#include "render/text.h"

namespace burin {

struct TemplateType {
  enum class Kind { kInt, kBool, kString, kIdentifier, kComment, kLiteral, kCode, kList, kRecord };
  Kind kind = Kind::kInt;
  std::vector<TemplateType> element = {};           // of a list: one
  std::map<std::string, TemplateType> fields = {};  // of a record

  bool operator==(const TemplateType&) const = default;
};

// As templates spell it: "list of record(name: identifier, size: int)".
std::string to_string(const TemplateType& type);

class TemplateValue;
using List = std::vector<TemplateValue>;
using Record = std::map<std::string, TemplateValue, std::less<>>;

class TemplateValue {
 public:
  template <std::same_as<bool> T>
  TemplateValue(T value) : data_(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) TemplateValue(T value)
      : data_(static_cast<int64_t>(value)) {}
  template <size_t N>
  TemplateValue(const char (&literal)[N]) : data_(Word(literal)) {}
  template <size_t N>
  TemplateValue(char (&)[N]) = delete;  // a buffer is not a literal
  TemplateValue(Word value) : data_(value) {}
  TemplateValue(Identifier value) : data_(std::move(value)) {}
  TemplateValue(CommentText value) : data_(std::move(value)) {}
  TemplateValue(StringLiteral value) : data_(std::move(value)) {}
  TemplateValue(Code value) : data_(std::move(value)) {}
  TemplateValue(List value) : data_(std::move(value)) {}
  TemplateValue(Record value) : data_(std::move(value)) {}

  // Null when the value is of another kind.
  template <class T>
  const T* get() const {
    return std::get_if<T>(&data_);
  }

  // Text of an int, string, identifier, comment, literal or code.
  std::string printed() const;

 private:
  std::variant<int64_t, bool, Word, Identifier, CommentText, StringLiteral, Code, List, Record>
      data_;
};

// Adds a record of named fields to a list.
void append(List& list, Record record);

// Why `value` is not of `type`: "field 'size': expected int, found list"; empty when it is.
std::string mismatch(const TemplateValue& value, const TemplateType& type);

}  // namespace burin
