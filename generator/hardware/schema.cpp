#include "hardware/schema.h"

#include <algorithm>
#include <regex>
#include <vector>

#include "hardware/units.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

constexpr size_t kMostDiagnostics = 20;
constexpr int kMostReferences = 16;             // a $ref to a $ref ...; longer is a cycle
constexpr int64_t kLongestPatternInput = 1000;  // std::regex recurses per character

constexpr std::string_view kKeywords[] = {
    "$schema", "$id",      "title",      "description", "definitions",
    "$ref",    "type",     "properties", "required",    "additionalProperties",
    "items",   "minItems", "maxItems",   "uniqueItems", "enum",
    "const",   "minimum",  "maximum",    "minLength",   "maxLength",
    "pattern"};

std::vector<std::string> keys_of(const JsonValue& object) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < object.size(); ++i) keys.push_back(object.key(i));
  return keys;
}

bool same_scalar(const JsonValue& a, const JsonValue& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case JsonKind::kNull:
      return true;
    case JsonKind::kBool:
      return a.as_bool() == b.as_bool();
    case JsonKind::kInteger:
      return a.as_integer() == b.as_integer();
    case JsonKind::kReal:
      return a.as_number() == b.as_number();
    case JsonKind::kString:
      return a.as_string() == b.as_string();
    case JsonKind::kArray:
    case JsonKind::kObject:
      return false;
  }
  return false;
}

// A scalar as it is printed in a message.
std::string shown(const JsonValue& value) {
  switch (value.kind()) {
    case JsonKind::kInteger:
      return std::to_string(value.as_integer());
    case JsonKind::kString:
      return quoted(value.as_string());
    case JsonKind::kBool:
      return value.as_bool() ? "true" : "false";
    default:
      return std::string(describe(value.kind()));
  }
}

JsonKind kind_named(const JsonValue& type) {
  const std::string& name = type.as_string();
  if (name == "object") return JsonKind::kObject;
  if (name == "array") return JsonKind::kArray;
  if (name == "string") return JsonKind::kString;
  if (name == "integer") return JsonKind::kInteger;
  if (name == "number") return JsonKind::kReal;
  if (name == "boolean") return JsonKind::kBool;
  BURIN_CHECK(name == "null", "schema: type " + name);
  return JsonKind::kNull;
}

class Validator {
 public:
  explicit Validator(const JsonValue& root) : root_(root) {}

  void check(const JsonValue& value, JsonValue schema) {
    schema = resolve(schema);
    for (const std::string& keyword : keys_of(schema)) {
      BURIN_CHECK(
          std::find(std::begin(kKeywords), std::end(kKeywords), keyword) != std::end(kKeywords),
          "schema: keyword " + keyword);
    }
    if (schema.has("type") && !check_type(value, schema)) return;
    if (schema.has("enum")) check_enum(value, schema.at("enum"));
    if (schema.has("const") && !same_scalar(value, schema.at("const"))) {
      add(value, "bad-value", shown(value) + " is not " + shown(schema.at("const")));
    }
    switch (value.kind()) {
      case JsonKind::kObject:
        return check_object(value, schema);
      case JsonKind::kArray:
        return check_array(value, schema);
      case JsonKind::kString:
        return check_string(value, schema);
      case JsonKind::kInteger:
      case JsonKind::kReal:
        return check_number(value, schema);
      case JsonKind::kBool:
      case JsonKind::kNull:
        return;
    }
  }

  void finish() {
    if (!found_.empty()) throw Refused(std::move(found_));
  }

 private:
  void add(const JsonValue& value, std::string_view rule, std::string message,
           std::string hint = {}) {
    if (found_.size() >= kMostDiagnostics) return;
    try {
      value.refuse(rule, std::move(message), std::move(hint));
    } catch (Refused& refused) {
      found_.push_back(std::move(refused.diagnostics.front()));
    }
  }

  JsonValue resolve(JsonValue schema) const {
    for (int i = 0; schema.has("$ref"); ++i) {
      BURIN_CHECK(i < kMostReferences, "schema: $ref cycle");
      constexpr std::string_view kPrefix = "#/definitions/";
      const std::string& reference = schema.at("$ref").as_string();
      BURIN_CHECK(reference.starts_with(kPrefix), "schema: $ref " + reference);
      schema = root_.at("definitions").at(reference.substr(kPrefix.size()));
    }
    return schema;
  }

  bool check_type(const JsonValue& value, const JsonValue& schema) {
    const JsonValue types = schema.at("type");
    const bool several = types.kind() == JsonKind::kArray;
    std::string names;
    for (size_t i = 0; i < (several ? types.size() : 1); ++i) {
      const JsonKind wanted = kind_named(several ? types[i] : types);
      if (value.kind() == wanted) return true;
      if (wanted == JsonKind::kReal && value.kind() == JsonKind::kInteger) return true;
      names += (names.empty() ? "" : " or ") +
               std::string(wanted == JsonKind::kReal ? "a number" : describe(wanted));
    }
    add(value, "wrong-type",
        "expected " + names + ", found " + std::string(describe(value.kind())));
    return false;
  }

  void check_enum(const JsonValue& value, const JsonValue& allowed) {
    std::string list;
    std::vector<std::string> names;
    for (size_t i = 0; i < allowed.size(); ++i) {
      if (same_scalar(value, allowed[i])) return;
      list += (i == 0 ? "" : ", ") + shown(allowed[i]);
      if (allowed[i].kind() == JsonKind::kString) names.push_back(allowed[i].as_string());
    }
    const bool text = value.kind() == JsonKind::kString;
    add(value, "bad-value", shown(value) + " is not one of " + list,
        text ? did_you_mean(value.as_string(), names) : "");
  }

  void check_object(const JsonValue& value, const JsonValue& schema) {
    const bool has_properties = schema.has("properties");
    const std::vector<std::string> known =
        has_properties ? keys_of(schema.at("properties")) : std::vector<std::string>{};
    for (size_t i = 0; i < value.size(); ++i) {
      if (has_properties && schema.at("properties").has(value.key(i))) {
        check(value[i], schema.at("properties").at(value.key(i)));
      } else if (schema.has("additionalProperties")) {
        const JsonValue others = schema.at("additionalProperties");
        if (others.kind() == JsonKind::kObject) {
          check(value[i], others);
        } else if (!others.as_bool()) {
          add_unknown_key(value[i], value.key(i), known);
        }
      }
    }
    if (!schema.has("required")) return;
    const JsonValue required = schema.at("required");
    for (size_t i = 0; i < required.size(); ++i) {
      if (!value.has(required[i].as_string())) {
        add(value, "missing-key", "key " + shown(required[i]) + " is missing");
      }
    }
  }

  void add_unknown_key(const JsonValue& value, const std::string& key,
                       const std::vector<std::string>& known) {
    if (const std::string_view twin = same_but_for_unit(key, known); !twin.empty()) {
      add(value, "wrong-unit", "unknown key " + quoted(key),
          "give the value in " + unit_in_words(twin) + ", as " + quoted(twin));
    } else {
      add(value, "unknown-key", "unknown key " + quoted(key), did_you_mean(key, known));
    }
  }

  void check_array(const JsonValue& value, const JsonValue& schema) {
    const auto size = static_cast<int64_t>(value.size());
    const std::string what = "an array of " + std::to_string(size);
    if (!check_bound(value, schema, "minItems", "maxItems", size, what)) return;
    // Pairs are compared, so the number of items must be bounded.
    BURIN_CHECK(!schema.has("uniqueItems") || schema.has("maxItems"));
    for (size_t i = 0; i < value.size() && found_.size() < kMostDiagnostics; ++i) {
      if (schema.has("items")) check(value[i], schema.at("items"));
      if (!schema.has("uniqueItems") || !schema.at("uniqueItems").as_bool()) continue;
      for (size_t j = 0; j < i; ++j) {
        if (!same_scalar(value[i], value[j])) continue;
        add(value[i], "bad-value", shown(value[i]) + " is given twice");
        break;
      }
    }
  }

  void check_string(const JsonValue& value, const JsonValue& schema) {
    const std::string& text = value.as_string();
    const auto size = static_cast<int64_t>(text.size());
    const std::string what = "a string of " + std::to_string(size) + " bytes";
    if (!check_bound(value, schema, "minLength", "maxLength", size, what)) return;
    if (!schema.has("pattern")) return;
    BURIN_CHECK(schema.at("maxLength").as_integer() <= kLongestPatternInput);
    const std::string& pattern = schema.at("pattern").as_string();
    if (!std::regex_search(text, std::regex(pattern, std::regex::ECMAScript))) {
      add(value, "bad-value", quoted(text) + " does not match " + pattern);
    }
  }

  void check_number(const JsonValue& value, const JsonValue& schema) {
    if (value.kind() == JsonKind::kInteger) {
      const int64_t number = value.as_integer();
      check_bound(value, schema, "minimum", "maximum", number, std::to_string(number));
      return;
    }
    const auto outside = [&](const char* keyword, bool below) {
      if (!schema.has(keyword)) return false;
      const double bound = schema.at(keyword).as_number();
      return below ? value.as_number() < bound : value.as_number() > bound;
    };
    if (outside("minimum", true) || outside("maximum", false)) {
      add(value, "out-of-range", "number outside " + interval(schema, "minimum", "maximum"));
    }
  }

  // True when `size` lies within the two bounds, where given; `what` describes it in the message.
  bool check_bound(const JsonValue& value, const JsonValue& schema, const char* smallest,
                   const char* largest, int64_t size, const std::string& what) {
    const bool below = schema.has(smallest) && size < schema.at(smallest).as_integer();
    const bool above = schema.has(largest) && size > schema.at(largest).as_integer();
    if (!below && !above) return true;
    add(value, "out-of-range", what + " is outside " + interval(schema, smallest, largest));
    return false;
  }

  static std::string interval(const JsonValue& schema, const char* smallest, const char* largest) {
    const auto bound = [&](const char* keyword) {
      return schema.has(keyword) ? shown(schema.at(keyword)) : std::string("...");
    };
    return "[" + bound(smallest) + ", " + bound(largest) + "]";
  }

  JsonValue root_;
  std::vector<Diagnostic> found_;
};

}  // namespace

void validate(const JsonValue& value, const JsonValue& schema) {
  Validator validator(schema);
  validator.check(value, schema);
  validator.finish();
}

}  // namespace burin
