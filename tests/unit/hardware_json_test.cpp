// The strict JSON reader: what it takes, where it says things stand, and the exact line for what it
// refuses.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "hardware/json_file.h"
#include "support/diagnostics.h"

namespace burin::hardware_json_test {
namespace {

JsonDocument parse(const std::string& text) { return read_json_text(text, "f.json"); }

// The line that refusing `body` prints.
template <class Body>
std::string refusal(Body&& body) {
  try {
    body();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

std::string refusal_of(const std::string& text) {
  return refusal([&] { parse(text); });
}

TEST(JsonFile, ReadsEveryKind) {
  const JsonDocument document = parse(R"({"n": null, "b": true, "i": -7, "r": 2.5e-1,
      "s": "a\u00e9\n", "a": [1, [], {}], "o": {"x": false}})");
  const JsonValue root = document.root();
  ASSERT_EQ(root.size(), 7u);
  EXPECT_EQ(root.key(0), "n");
  EXPECT_EQ(root.at("n").kind(), JsonKind::kNull);
  EXPECT_TRUE(root.at("b").as_bool());
  EXPECT_EQ(root.at("i").as_integer(), -7);
  EXPECT_EQ(root.at("i").as_number(), -7.0);
  EXPECT_EQ(root.at("r").as_number(), 0.25);
  EXPECT_EQ(root.at("s").as_string(), "a\xC3\xA9\n");
  EXPECT_EQ(root.at("a").size(), 3u);
  EXPECT_EQ(root.at("a")[1].size(), 0u);
  EXPECT_FALSE(root.at("o").at("x").as_bool());
  EXPECT_FALSE(root.has("x"));
}

TEST(JsonFile, EveryValueKnowsItsPlace) {
  const JsonDocument document =
      parse("{\n  \"a\": [1,\n    \"\\\"x,:\\\\\" , {\"/k~\": 12}],\r\n\t\"b\":-1.5}\n");
  const JsonValue a = document.root().at("a");
  EXPECT_EQ(a.line(), 2);
  EXPECT_EQ(a.column(), 8);
  EXPECT_EQ(a[0].column(), 9);
  EXPECT_EQ(a[1].line(), 3);
  EXPECT_EQ(a[1].column(), 5);
  EXPECT_EQ(a[2].column(), 17);
  EXPECT_EQ(a[2].at("/k~").column(), 25);
  EXPECT_EQ(a[2].at("/k~").pointer(), "#/a/2/~1k~0");
  EXPECT_EQ(document.root().at("b").line(), 4);
  EXPECT_EQ(document.root().at("b").column(), 6);
  EXPECT_EQ(document.root().pointer(), "#");
}

TEST(JsonFile, HandlesOutliveTheCallerOfRead) {
  JsonDocument copy = parse("[1]");
  { copy = JsonDocument(parse("[2]")); }
  EXPECT_EQ(copy.root()[0].as_integer(), 2);
}

TEST(JsonFile, IntegerLimits) {
  const JsonDocument document = parse("[9223372036854775807, -9223372036854775808, 3.0]");
  EXPECT_EQ(document.root()[0].as_integer(), INT64_MAX);
  EXPECT_EQ(document.root()[1].as_integer(), INT64_MIN);
  EXPECT_EQ(
      refusal([&] { document.root()[2].as_integer(); }),
      "f.json:1:45: #/2: error: expected an integer, found a number with a fraction or exponent "
      "[wrong-type]");
  EXPECT_EQ(refusal([&] { document.root()[0].as_integer(0, 9); }),
            "f.json:1:2: #/0: error: 9223372036854775807 is not between 0 and 9 [out-of-range]");
  EXPECT_EQ(
      refusal_of("[9223372036854775808]"),
      "f.json:1:2: #/0: error: integer '9223372036854775808' does not fit 64 bits [out-of-range]");
  EXPECT_EQ(
      refusal_of("[\n 18446744073709551616]"),
      "f.json:2:2: #/0: error: integer '18446744073709551616' does not fit 64 bits [out-of-range]");
  EXPECT_EQ(
      refusal_of("[-9223372036854775809]"),
      "f.json:1:2: #/0: error: integer '-9223372036854775809' does not fit 64 bits [out-of-range]");
  EXPECT_EQ(refusal_of("{\"a\": 1e400}"),
            "f.json:1:7: #/a: error: number '1e400' is too large for a double [out-of-range]");
}

TEST(JsonFile, WrongKindsAreRefused) {
  const JsonDocument document = parse(R"({"s": "x", "o": {}, "a": []})");
  const JsonValue root = document.root();
  EXPECT_EQ(refusal([&] { root.at("s").as_integer(); }),
            "f.json:1:7: #/s: error: expected an integer, found a string [wrong-type]");
  EXPECT_EQ(refusal([&] { root.at("o").as_number(); }),
            "f.json:1:17: #/o: error: expected a number, found an object [wrong-type]");
  EXPECT_EQ(refusal([&] { root.at("a").as_bool(); }),
            "f.json:1:26: #/a: error: expected a boolean, found an array [wrong-type]");
  EXPECT_EQ(refusal([&] { root.at("a").at("k"); }),
            "f.json:1:26: #/a: error: expected an object, found an array [wrong-type]");
  EXPECT_EQ(refusal([&] { root.at("s").size(); }),
            "f.json:1:7: #/s: error: expected an object, found a string [wrong-type]");
  EXPECT_EQ(refusal([&] { root.at("k"); }),
            "f.json:1:1: #: error: key 'k' is missing [missing-key]");
}

struct Malformed {
  const char* text;
  const char* line;
};

TEST(JsonFile, MalformedTextIsRefusedWithItsPlace) {
  const Malformed cases[] = {
      {"", "f.json:1:1: error: the file is empty [malformed-json]"},
      {" \n ", "f.json:2:2: error: the file is empty [malformed-json]"},
      {"{\"a\": 1", "f.json:1:8: error: the file ends inside a value [malformed-json]"},
      {"{\"a\": tr", "f.json:1:9: error: the file ends inside a value [malformed-json]"},
      {"[\"abc", "f.json:1:6: error: the file ends inside a value [malformed-json]"},
      {"[1,", "f.json:1:4: error: the file ends inside a value [malformed-json]"},
      {"{\"a\"", "f.json:1:5: error: the file ends inside a value [malformed-json]"},
      {"[1,]", "f.json:1:4: error: unexpected ']' [malformed-json]"},
      {"[1,,2]", "f.json:1:4: error: unexpected ',' [malformed-json]"},
      {"{\"a\" 1}", "f.json:1:6: error: unexpected '1' [malformed-json]"},
      {"{a: 1}", "f.json:1:2: error: unexpected 'a' [malformed-json]"},
      {"{'a': 1}", "f.json:1:2: error: unexpected '\\x27' [malformed-json]"},
      {"[01]", "f.json:1:3: error: unexpected '1' [malformed-json]"},
      {"[+1]", "f.json:1:2: error: unexpected '+' [malformed-json]"},
      {"[.5]", "f.json:1:2: error: unexpected '.' [malformed-json]"},
      {"[NaN]", "f.json:1:2: error: unexpected 'N' [malformed-json]"},
      {"[1] x", "f.json:1:5: error: unexpected 'x' [malformed-json]"},
      {"[1][2]", "f.json:1:4: error: unexpected '[' [malformed-json]"},
      {"[\"a\tb\"]", "f.json:1:4: error: unexpected '\\x09' [malformed-json]"},
      {"[\"\\q\"]", "f.json:1:4: error: unexpected 'q' [malformed-json]"},
      {"[\"\\ud800\"]", "f.json:1:9: error: unexpected '\"' [malformed-json]"},
      {"{\n  // no\n}",
       "f.json:2:3: error: unexpected '/' [malformed-json]; JSON has no comments; the schema "
       "allows a "
       "\"description\" instead"},
      {"{\"a\": 1, \"b\": {\"c\": 1,\n \"c\": 2}}",
       "f.json:2:2: #/b/c: error: key 'c' is given twice [duplicate-key]"},
      {"{\"a\": 1, \"\\u0061\": 2}",
       "f.json:1:10: #/a: error: key 'a' is given twice [duplicate-key]"},
      {"\xEF\xBB\xBF{}",
       "f.json:1:1: error: the file starts with a byte order mark [malformed-json]; save it as "
       "UTF-8 "
       "without one"},
      {"[\"\xFF\"]", "f.json:1:3: error: byte '\\xff' is not UTF-8 [not-utf8]"},
      {"[\n\"\xC0\xAF\"]", "f.json:2:2: error: byte '\\xc0' is not UTF-8 [not-utf8]"},
      {"[\"\xED\xA0\x80\"]", "f.json:1:3: error: byte '\\xed' is not UTF-8 [not-utf8]"},
      {"{\"a", "f.json:1:4: error: the file ends inside a value [malformed-json]"},
  };
  for (const Malformed& c : cases) EXPECT_EQ(refusal_of(c.text), c.line) << c.text;
  EXPECT_EQ(refusal_of(std::string("[1\0]", 4)),
            "f.json:1:3: error: unexpected '\\x00' [malformed-json]");
}

TEST(JsonFile, DepthAndSizeAreCapped) {
  const std::string deep64 = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(refusal_of(deep64), "accepted");
  EXPECT_EQ(refusal_of("[" + deep64 + "]"),
            "f.json:1:65: error: nested deeper than 64 arrays and objects [json-limit]");
  EXPECT_EQ(refusal_of(std::string(1000000, '[')),
            "f.json:1:65: error: nested deeper than 64 arrays and objects [json-limit]");
  EXPECT_EQ(refusal([&] { read_json_text("[1, 2]", "f.json", {.bytes = 5}); }),
            "f.json: error: the file is larger than 5 bytes [json-limit]");
}

TEST(JsonFile, TextOfAMessageIsPrintable) {
  const std::string line = refusal_of("{\"a\\u001b[31m\\u202e\": 1, \"a\\u001b[31m\\u202e\": 1}");
  for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
  const JsonDocument document = parse("{\"x\\n\\u00e9\": []}");
  EXPECT_EQ(document.root()[0].pointer(), "#/x%0A%C3%A9");
}

TEST(JsonFile, OnlyRegularFilesAreRead) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("burin_json_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = folder / "ok.json";
  std::ofstream(file) << "{\"a\": 1}\n";
  EXPECT_EQ(read_json_file(file).root().at("a").as_integer(), 1);
  EXPECT_EQ(refusal([&] { read_json_file(file, {.bytes = 4}); }),
            file + ": error: the file is larger than 4 bytes [json-limit]");
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(refusal([&] { read_json_file(fifo); }),
            fifo + ": error: the file cannot be read: it is not a regular file [cannot-read]");
  EXPECT_EQ(
      refusal([&] { read_json_file(folder); }),
      folder.string() + ": error: the file cannot be read: it is not a regular file [cannot-read]");
  const std::string absent = folder / "absent";
  EXPECT_EQ(refusal([&] { read_json_file(absent); }),
            absent + ": error: the file cannot be read: No such file or directory [cannot-read]");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace burin::hardware_json_test
