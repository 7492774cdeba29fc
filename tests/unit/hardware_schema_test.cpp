// The schema validator keyword by keyword, and the hints it gives.
#include <gtest/gtest.h>

#include "hardware/schema.h"
#include "hardware/units.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/spelling.h"
#include "support/utf8.h"

namespace burin::hardware_schema_test {
namespace {

std::string verdict(const std::string& schema, const std::string& value) {
  const JsonDocument schema_document = read_json_text(schema, "s");
  const JsonDocument value_document = read_json_text(value, "v");
  try {
    validate(value_document.root(), schema_document.root());
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "good";
}

TEST(Schema, Types) {
  const char* kinds[] = {"null", "boolean", "integer", "number", "string", "array", "object"};
  const char* values[] = {"null", "true", "1", "1.5", "\"s\"", "[]", "{}"};
  for (int kind = 0; kind < 7; ++kind) {
    for (int value = 0; value < 7; ++value) {
      const bool integer_as_number = kind == 3 && value == 2;
      const std::string schema = std::string("{\"type\": \"") + kinds[kind] + "\"}";
      EXPECT_EQ(verdict(schema, values[value]) == "good", kind == value || integer_as_number)
          << schema << " " << values[value];
    }
  }
}

TEST(Schema, Numbers) {
  const std::string schema = R"({"minimum": -1, "maximum": 3})";
  EXPECT_EQ(verdict(schema, "-1"), "good");
  EXPECT_EQ(verdict(schema, "3"), "good");
  EXPECT_EQ(verdict(schema, "2.5"), "good");
  EXPECT_EQ(verdict(schema, "4"), "v:1:1: #: error: 4 is outside [-1, 3] [out-of-range]");
  EXPECT_EQ(verdict(schema, "3.5"), "v:1:1: #: error: number outside [-1, 3] [out-of-range]");
  EXPECT_EQ(verdict(schema, "-1.5"), "v:1:1: #: error: number outside [-1, 3] [out-of-range]");
}

TEST(Schema, Strings) {
  const std::string schema = R"({"minLength": 2, "maxLength": 4, "pattern": "^a+$"})";
  EXPECT_EQ(verdict(schema, "\"aa\""), "good");
  EXPECT_EQ(verdict(schema, "\"ab\""), "v:1:1: #: error: 'ab' does not match ^a+$ [bad-value]");
  EXPECT_EQ(verdict(schema, "\"a\""),
            "v:1:1: #: error: a string of 1 bytes is outside [2, 4] [out-of-range]");
  EXPECT_EQ(verdict(schema, "\"aaaaa\""),
            "v:1:1: #: error: a string of 5 bytes is outside [2, 4] [out-of-range]");
}

TEST(Schema, Arrays) {
  const std::string schema =
      R"({"items": {"type": "integer"}, "minItems": 1, "maxItems": 3, "uniqueItems": true})";
  EXPECT_EQ(verdict(schema, "[1, 2, 3]"), "good");
  EXPECT_EQ(verdict(schema, "[]"),
            "v:1:1: #: error: an array of 0 is outside [1, 3] [out-of-range]");
  EXPECT_EQ(verdict(schema, "[1, 2, 3, 4]"),
            "v:1:1: #: error: an array of 4 is outside [1, 3] [out-of-range]");
  EXPECT_EQ(verdict(schema, "[1, 2, 1]"), "v:1:8: #/2: error: 1 is given twice [bad-value]");
  EXPECT_EQ(verdict(schema, "[1, \"x\"]"),
            "v:1:5: #/1: error: expected an integer, found a string [wrong-type]");
}

TEST(Schema, EnumsAndConstants) {
  EXPECT_EQ(verdict(R"({"enum": ["a", 1, true, null]})", "1"), "good");
  EXPECT_EQ(verdict(R"({"enum": ["a", 1, true, null]})", "null"), "good");
  EXPECT_EQ(verdict(R"({"enum": ["a", 1, true]})", "2"),
            "v:1:1: #: error: 2 is not one of 'a', 1, true [bad-value]");
  EXPECT_EQ(verdict(R"({"enum": ["a", 1, true]})", "1.0"),
            "v:1:1: #: error: a number with a fraction or exponent is not one of 'a', 1, true "
            "[bad-value]");
  EXPECT_EQ(verdict(R"({"const": "x"})", "\"x\""), "good");
  EXPECT_EQ(verdict(R"({"const": "x"})", "\"y\""), "v:1:1: #: error: 'y' is not 'x' [bad-value]");
}

TEST(Schema, ObjectsAndReferences) {
  const std::string schema =
      R"({"properties": {"a": {"$ref": "#/definitions/t"}}, "required": ["a"],
      "additionalProperties": {"type": "string"}, "definitions": {"t": {"type": "boolean"}}})";
  EXPECT_EQ(verdict(schema, R"({"a": true, "any": "s"})"), "good");
  EXPECT_EQ(verdict(schema, R"({"a": 1, "any": 2})"),
            "v:1:7: #/a: error: expected a boolean, found an integer [wrong-type]\n"
            "v:1:17: #/any: error: expected a string, found an integer [wrong-type]");
  EXPECT_EQ(verdict(schema, "{}"), "v:1:1: #: error: key 'a' is missing [missing-key]");
  EXPECT_EQ(verdict(R"({"properties": {}})", R"({"a": 1})"), "good");
}

TEST(Schema, ASchemaThatUsesAnythingElseIsOurBug) {
  EXPECT_THROW(verdict(R"({"multipleOf": 2})", "4"), InternalError);
  EXPECT_THROW(verdict(R"({"type": "text"})", "4"), InternalError);
  EXPECT_THROW(verdict(R"({"$ref": "other.json"})", "4"), InternalError);
  EXPECT_THROW(verdict(R"({"$ref": "#/definitions/a", "definitions":
                           {"a": {"$ref": "#/definitions/a"}}})",
                       "4"),
               InternalError);
  EXPECT_THROW(verdict(R"({"uniqueItems": true})", "[]"), InternalError);
}

TEST(Units, KeysThatDifferOnlyInTheirUnit) {
  const std::vector<std::string> known = {"l2_bytes", "bandwidth_mb_per_s", "name"};
  EXPECT_EQ(same_but_for_unit("l2_kib", known), "l2_bytes");
  EXPECT_EQ(same_but_for_unit("L2_KB", known), "l2_bytes");
  EXPECT_EQ(same_but_for_unit("l2", known), "l2_bytes");
  EXPECT_EQ(same_but_for_unit("bandwidth_bytes_per_cycle", known), "bandwidth_mb_per_s");
  EXPECT_EQ(same_but_for_unit("l3_kib", known), "");
  EXPECT_EQ(same_but_for_unit("name_s", known), "");
  EXPECT_EQ(unit_in_words("bandwidth_mb_per_s"), "MB per s");
  EXPECT_EQ(unit_in_words("l2_bytes"), "bytes");
  EXPECT_EQ(unit_in_words("name"), "");
}

TEST(Spelling, TheNearestNameWithinAThird) {
  const std::vector<std::string> known = {"Softmax", "Softplus", "Relu", "a"};
  EXPECT_EQ(closest_name("Sofmtax", known), "Softmax");
  EXPECT_EQ(closest_name("softplus", known), "Softplus");
  EXPECT_EQ(closest_name("Rel", known), "Relu");
  EXPECT_EQ(closest_name("b", known), "");
  EXPECT_EQ(closest_name("Convolution", known), "");
  EXPECT_EQ(closest_name("", known), "");
  EXPECT_EQ(closest_name(std::string(1 << 20, 'x'), known), "");
  EXPECT_EQ(did_you_mean("Rellu", known), "did you mean 'Relu'?");
  EXPECT_EQ(did_you_mean("Gemm", known), "");
}

TEST(Utf8, FindsTheFirstByteThatIsNotUtf8) {
  EXPECT_EQ(first_bad_utf8(""), 0u);
  const std::string good[] = {"a",
                              "\xC2\x80",
                              "\xDF\xBF",
                              "\xE0\xA0\x80",
                              "\xED\x9F\xBF",
                              "\xEE\x80\x80",
                              "\xF0\x90\x80\x80",
                              "\xF4\x8F\xBF\xBF"};
  for (const std::string& text : good) EXPECT_EQ(first_bad_utf8(text), text.size());
  const std::string bad[] = {"\x80",
                             "\xC0\x80",
                             "\xC1\xBF",
                             "\xC2",
                             "\xC2\x41",
                             "\xE0\x9F\xBF",
                             "\xED\xA0\x80",
                             "\xE1\x80",
                             "\xF0\x8F\xBF\xBF",
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\xFE",
                             "\xFF",
                             "\xF0\x90\x80"};
  for (const std::string& text : bad) {
    EXPECT_EQ(first_bad_utf8("ok" + text), 2u) << quoted(text);
  }
}

}  // namespace
}  // namespace burin::hardware_schema_test
