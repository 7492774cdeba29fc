// Operators about strings: what goes in and comes out as rows of bytes, read as text again.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fuse/fuse.h"
#include "graph/string_bytes.h"
#include "kernel/interpreter/interpreter.h"
#include "lower/lower.h"
#include "ops/api/strings/letter_case.h"
#include "ops/api/strings/regex.h"
#include "ops/support/node_runner.h"
#include "ops/support/string_tensors.h"
#include "support/diagnostics.h"

namespace burin::strings_test {
namespace {

using Integers = std::vector<int64_t>;
constexpr int64_t kBytes = kBytesOfAString;

HostTensor bytes(const Integers& shape, const Strings& strings) {
  return bytes_of_strings(shape, strings);
}
HostTensor list(const Strings& strings) { return list_of_strings(strings); }

RunResult run_node(const Strings& declared, const std::string& node,
                   const std::vector<HostTensor>& inputs, int outputs = 1) {
  return run_node_of_strings(declared, node, inputs, outputs);
}

TEST(Strings, AreMovedAsOtherElementsAre) {
  const HostTensor x = bytes({2, 3}, {"a", "bc", "", "def", "\u00e9\u4e2d", "g"});
  const RunResult turned = run_node({"string [n, 3]"}, "Transpose@13", {x});
  EXPECT_EQ(turned.outputs[0].shape, (Integers{3, 2, kBytes}));
  EXPECT_EQ(text_of(turned.outputs[0]), (Strings{"a", "def", "bc", "\u00e9\u4e2d", "", "g"}));
  const HostTensor places = make_tensor(Type::i64, {2}, Integers{-1, 0});
  EXPECT_EQ(text_of(run_node({"string [n, 3]", "i64 [2]"}, "Gather@13 { axis: int 1 }", {x, places})
                        .outputs[0]),
            (Strings{"", "a", "g", "def"}));
  EXPECT_EQ(text_of(run_node({"string [n]", "string [n]"}, "Concat@13 { axis: int 0 }",
                             {list({"x", "y"}), list({"z", "w"})})
                        .outputs[0]),
            (Strings{"x", "y", "z", "w"}));
  const RunResult size = run_node({"string [n, 3]"}, "Shape@13", {x});
  EXPECT_EQ(numbers_of(size.outputs[0]), (std::vector<double>{2, 3}));
}

TEST(Strings, Equal) {
  const RunResult same = run_node({"string [n, 1]", "string [2]"}, "Equal@19",
                                  {bytes({3, 1}, {"a", "ab", ""}), list({"ab", ""})});
  EXPECT_EQ(same.outputs[0].shape, (Integers{3, 2}));
  EXPECT_EQ(numbers_of(same.outputs[0]), (std::vector<double>{0, 0, 1, 0, 0, 1}));
}

// As onnxruntime writes and reads them, but with digits that give the same float.
TEST(Strings, CastsOfNumbers) {
  const auto texts = [](const std::string& type, const HostTensor& x) {
    return text_of(run_node({type + " [n]"}, "Cast@19 { to: int 8 }", {x}).outputs[0]);
  };
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      texts("f32", floats({9}, {1.5, -3, 1e10, std::nan(""), endless, -endless, 1e-5, 0.1, -0.0})),
      (Strings{"1.5", "-3", "1e+10", "NaN", "INF", "-INF", "1e-05", "0.1", "-0"}));
  EXPECT_EQ(texts("f64", make_tensor(Type::f64, {3}, std::vector<double>{0.125, 99999999.5, 1e8})),
            (Strings{"0.125", "99999999.5", "1e+08"}));
  EXPECT_EQ(texts("i8", make_tensor(Type::i8, {2}, Integers{-7, 12})), (Strings{"-7", "12"}));
  EXPECT_EQ(texts("boolean", make_tensor(Type::boolean, {2}, Integers{1, 0})), (Strings{"1", "0"}));
  const auto numbers = [](int type, const Strings& strings) {
    return numbers_of(run_node({"string [n]"}, "Cast@19 { to: int " + std::to_string(type) + " }",
                               {list(strings)})
                          .outputs[0]);
  };
  constexpr int kFloat = 1, kU8 = 2, kInt64 = 7, kBoolean = 9, kDouble = 11;
  EXPECT_EQ(numbers(kFloat, {"1.5", "-3e2", " +7", "0.1", "-INF"}),
            (std::vector<double>{1.5, -300, 7, 0.1f, -endless}));
  EXPECT_TRUE(std::isnan(numbers(kFloat, {"NaN"})[0]));
  EXPECT_EQ(numbers(kDouble, {"0.1", "1e400"}), (std::vector<double>{0.1, endless}));
  EXPECT_EQ(numbers(kInt64, {"12", "-7", "+4", "2.9"}), (std::vector<double>{12, -7, 4, 2}));
  EXPECT_EQ(numbers(kU8, {"300"}), (std::vector<double>{44}));
  EXPECT_EQ(numbers(kBoolean, {"1", "0"}), (std::vector<double>{1, 0}));
}

TEST(Strings, WhatIsNoNumberEndsTheRun) {
  const KernelGraph graph =
      lower(parse_graph("graph \"g\" file \"g.onnx\" ir 8\nvalue %0 \"x\" string [1]\n"
                        "value %1 \"y\" none ?\nblock \"g\" (%0) -> (%1) {\n"
                        "node 0 \"n\" Cast@19 (%0) -> (%1) { to: int 7 }\n}"),
            {.string_bytes = kBytes})
          .graph;
  EXPECT_EQ(interpret(graph, {list({"5"})}, {}).status, kRunOk);
  for (const char* text : {"", "five", "-", "0x10", ".5"})
    EXPECT_NE(interpret(graph, {list({text})}, {}).status, kRunOk) << text;
}

TEST(Strings, OfStringsAreWhatTheyWere) {
  EXPECT_EQ(
      text_of(run_node({"string [n]"}, "Cast@19 { to: int 8 }", {list({"a", ""})}).outputs[0]),
      (Strings{"a", ""}));
}

TEST(Strings, ConcatStopsWhereThereIsNoRoom) {
  const RunResult joined = run_node({"string [n, 1]", "string [2]"}, "StringConcat@20",
                                    {bytes({2, 1}, {"ab", ""}), list({"cde", "\u00fc"})});
  EXPECT_EQ(text_of(joined.outputs[0]), (Strings{"abcde", "ab\u00fc", "cde", "\u00fc"}));
  const std::string half(9, 'x');
  const KernelGraph graph =
      lower(parse_graph("graph \"g\" file \"g.onnx\" ir 8\nvalue %0 \"x\" string [1]\n"
                        "value %1 \"y\" none ?\nblock \"g\" (%0) -> (%1) {\n"
                        "node 0 \"n\" StringConcat@20 (%0, %0) -> (%1)\n}"),
            {.string_bytes = kBytes})
          .graph;
  EXPECT_EQ(interpret(graph, {list({half.substr(1)})}, {}).status, kRunOk);
  EXPECT_NE(interpret(graph, {list({half})}, {}).status, kRunOk);
  // Nor where nothing is left of it but what is made of the result.
  const KernelGraph fused = fuse(graph, {});
  EXPECT_EQ(interpret(fused, {list({half.substr(1)})}, {}).status, kRunOk);
  EXPECT_NE(interpret(fused, {list({half})}, {}).status, kRunOk);
}

// What other nodes read of labels are strings.
TEST(Strings, OfLabelsAreRead) {
  const KernelGraph graph =
      lower(
          parse_graph(
              "graph \"g\" file \"g.onnx\" ir 8\nvalue %0 \"x\" f32 [3, 1]\n"
              "value %1 \"label\" string [3]\nvalue %2 \"y\" none ?\n"
              "block \"g\" (%0) -> (%2) {\n"
              "node 0 \"n\" \"ai.onnx.ml\" LinearClassifier@1 (%0) -> (%1) { coefficients: "
              "floats [1] intercepts: floats [0] classlabels_strings: strings [\"no\", \"yes\"] }\n"
              "node 1 \"two\" StringConcat@20 (%1, %1) -> (%2)\n}"),
          {.string_bytes = kBytes})
          .graph;
  HostTensor x = make_tensor(Type::f32, {3, 1});
  for (int64_t i = 0; i < 3; ++i) x.set(i, {static_cast<double>(i) - 0.5, 0});
  const RunResult result = interpret(graph, {x}, {});
  ASSERT_EQ(result.status, kRunOk) << result.message;
  EXPECT_EQ(text_of(result.outputs[0]), (Strings{"nono", "yesyes", "yesyes"}));
}

// As Python's str.split.
TEST(Strings, Split) {
  const auto split = [](const Strings& strings, const std::string& attributes) {
    return run_node({"string [n]"}, "StringSplit@20" + attributes, {list(strings)}, 2).outputs;
  };
  const std::vector<HostTensor> spaces = split({" a  bc\td ", "", "x"}, "");
  EXPECT_EQ(spaces[0].shape, (Integers{3, 3, kBytes}));
  EXPECT_EQ(text_of(spaces[0]), (Strings{"a", "bc", "d", "", "", "", "x", "", ""}));
  EXPECT_EQ(numbers_of(spaces[1]), (std::vector<double>{3, 0, 1}));
  EXPECT_EQ(text_of(split({"a b c"}, " { maxsplit: int 1 }")[0]), (Strings{"a", "b c"}));
  EXPECT_EQ(text_of(split({"a b c"}, " { maxsplit: int 9223372036854775807 }")[0]),
            (Strings{"a", "b", "c"}));
  const std::vector<HostTensor> commas = split({"a,,b", ",", "c"}, " { delimiter: string \",\" }");
  EXPECT_EQ(text_of(commas[0]), (Strings{"a", "", "b", "", "", "", "c", "", ""}));
  EXPECT_EQ(numbers_of(commas[1]), (std::vector<double>{3, 2, 1}));
  EXPECT_EQ(text_of(split({"aaaxa"}, " { delimiter: string \"aa\" }")[0]), (Strings{"", "axa"}));
  EXPECT_EQ(text_of(split({"a-b-c-d"}, " { delimiter: string \"-\" maxsplit: int 2 }")[0]),
            (Strings{"a", "b", "c-d"}));
}

TEST(Strings, Normalizer) {
  const auto normal = [](const Strings& strings, const std::string& attributes) {
    return text_of(
        run_node({"string [n]"}, "StringNormalizer@10" + attributes, {list(strings)}).outputs[0]);
  };
  const Strings days = {"Monday", "tuesday", "MONDAY", "\u00c4rger"};
  EXPECT_EQ(normal(days, " { stopwords: strings [\"monday\"] }"),
            (Strings{"tuesday", "\u00c4rger"}));
  EXPECT_EQ(normal(days,
                   " { stopwords: strings [\"Monday\"] is_case_sensitive: int 1 "
                   "case_change_action: string \"UPPER\" }"),
            (Strings{"TUESDAY", "MONDAY", "\u00c4RGER"}));
  EXPECT_EQ(normal({"a"}, " { stopwords: strings [\"a\"] }"), (Strings{""}));
}

TEST(Strings, Lookups) {
  const HostTensor x = list({"b", "zz", "a"});
  const std::string ml = "\"ai.onnx.ml\" ";
  EXPECT_EQ(numbers_of(run_node({"string [n]"},
                                ml + "LabelEncoder@2 { keys_strings: strings [\"a\", \"b\"] "
                                     "values_int64s: ints [10, 20] }",
                                {x})
                           .outputs[0]),
            (std::vector<double>{20, -1, 10}));
  EXPECT_EQ(text_of(run_node({"string [n]"},
                             ml + "LabelEncoder@2 { keys_strings: strings [\"a\", \"b\"] "
                                  "values_strings: strings [\"one\", \"two\"] }",
                             {x})
                        .outputs[0]),
            (Strings{"two", "_Unused", "one"}));
  EXPECT_EQ(
      numbers_of(run_node({"string [n]"},
                          ml + "OneHotEncoder@1 { cats_strings: strings [\"a\", \"b\"] }", {x})
                     .outputs[0]),
      (std::vector<double>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(text_of(run_node({"i64 [3]"},
                             ml + "CategoryMapper@1 { cats_strings: strings [\"a\", \"b\"] "
                                  "cats_int64s: ints [7, 9] }",
                             {make_tensor(Type::i64, {3}, Integers{9, 8, 7})})
                        .outputs[0]),
            (Strings{"b", "_Unused", "a"}));
}

// Pieces that a class of characters finds, as onnxruntime gives them.
TEST(Strings, Tokenizer) {
  const auto pieces = [](const Strings& strings, const std::string& attributes) {
    return run_node({"string [n]"},
                    "\"com.microsoft\" Tokenizer@1 { pad_value: string \"#\" " + attributes + " }",
                    {list(strings)})
        .outputs[0];
  };
  const HostTensor words =
      pieces({"a bc, d", "", "\u00fcxy z"}, "tokenexp: string \"[a-z]+\" mark: int 0");
  EXPECT_EQ(words.shape, (Integers{3, 3, kBytes}));
  EXPECT_EQ(text_of(words), (Strings{"a", "bc", "d", "#", "#", "#", "xy", "z", "#"}));
  EXPECT_EQ(text_of(pieces({"a bcd ef"}, "tokenexp: string \"[a-z]+\" mincharnum: int 2")),
            (Strings{"bcd", "ef"}));
  EXPECT_EQ(text_of(pieces({"a\u00e9\u4e2d", "b"}, "tokenexp: string \".\"")),
            (Strings{"a", "\u00e9", "\u4e2d", "b", "#", "#"}));
  EXPECT_EQ(text_of(pieces({"ab", ""}, "tokenexp: string \"[a-z]+\" mark: int 1")),
            (Strings{"\x02", "ab", "\x03", "\x02", "\x03", "#"}));
  EXPECT_THROW(pieces({"a"}, "tokenexp: string \"ab+\""), Refused);
  EXPECT_THROW(pieces({"a"}, "separators: strings [\" \"]"), Refused);
}

TEST(Strings, RegexFullMatch) {
  const auto matches = [](const std::string& pattern, const Strings& strings) {
    return numbers_of(run_node({"string [n]"},
                               "RegexFullMatch@20 { pattern: string \"" + pattern + "\" }",
                               {list(strings)})
                          .outputs[0]);
  };
  EXPECT_EQ(matches("a(b|cd)*e?", {"a", "abcdbe", "acde", "abc", ""}),
            (std::vector<double>{1, 1, 1, 0, 0}));
  EXPECT_EQ(matches("", {"", "a"}), (std::vector<double>{1, 0}));
  EXPECT_EQ(matches(".{2,3}", {"a", "\u00e9\u4e2d", "abc", "abcd"}),
            (std::vector<double>{0, 1, 1, 0}));
  // Copies of what takes no place are counted, too.
  for (const char* const pattern :
       {"(((((){1000}){1000}){1000}){1000})", "((((^{1000}){1000}){1000}){1000})",
        "(((a?){1000}){1000}){1000}"})
    EXPECT_THROW(matches(pattern, {"a"}), Refused) << pattern;
}

// Beside a matcher from the definition: which suffixes are left after a part is read.
bool accepts(const Automaton& automaton, const std::string& text) {
  std::vector<int> now;
  for (size_t k = 0; k < text.size(); ++k) {
    std::vector<int> next;
    const auto read = [&](int p) {
      if (automaton.bytes[static_cast<size_t>(p)][static_cast<unsigned char>(text[k])])
        next.push_back(p);
    };
    if (k == 0) {
      for (const int p : automaton.first) read(p);
    } else {
      for (const int from : now) {
        for (const int p : automaton.follow[static_cast<size_t>(from)]) read(p);
      }
    }
    now = next;
  }
  if (text.empty()) return automaton.empty;
  return std::any_of(now.begin(), now.end(), [&](int p) {
    return std::find(automaton.last.begin(), automaton.last.end(), p) != automaton.last.end();
  });
}

TEST(Strings, RegexSyntax) {
  const auto is = [](const std::string& pattern, const std::string& text) {
    return accepts(automaton_of(pattern), text);
  };
  EXPECT_TRUE(is("\\d{3}-[A-F0-9]+", "123-A0F"));
  EXPECT_FALSE(is("\\d{3}-[A-F0-9]+", "12-A0F"));
  EXPECT_TRUE(is("(?i)straSSe", "STRASSE"));
  EXPECT_TRUE(is("^[^@\\s]+@[\\w.]+$", "me@ab.cd"));
  EXPECT_FALSE(is("^[^@\\s]+@[\\w.]+$", "m e@ab.cd"));
  EXPECT_TRUE(is("(?:ab){0,2}c", "ababc"));
  EXPECT_FALSE(is("(?:ab){0,2}c", "abababc"));
  EXPECT_TRUE(is("(a|b?){2,}x", "abbbax"));
  EXPECT_TRUE(is("\xc3\xa9+", "\xc3\xa9\xc3\xa9"));
  EXPECT_FALSE(is("\xc3\xa9+", "\xc3\xa9\xa9"));
  EXPECT_TRUE(is("[[:alpha:]]+\\.(com|org)", "burin.org"));
  EXPECT_TRUE(is("a{,2}", "a{,2}"));
  EXPECT_TRUE(is("(\\W|^)[\\w.]{0,3}@x(\\W|$)", "ab@x"));
  EXPECT_TRUE(is("(\\W|^)[\\w.]{0,3}@x(\\W|$)", " ab@x!"));
  EXPECT_FALSE(is("(\\W|^)[\\w.]{0,3}@x(\\W|$)", "abcd@x"));
  EXPECT_FALSE(is("a^b", "ab"));
  EXPECT_TRUE(is("www\\.[\\w.-]+\\.\\bcom\\b", "www.a.com"));
  EXPECT_FALSE(is("a\\bb", "ab"));
  EXPECT_TRUE(is("a\\Bb\\b", "ab"));
  EXPECT_TRUE(is("\\b.*\\b", "a b"));
  EXPECT_FALSE(is("\\b.*\\b", " b"));
  EXPECT_TRUE(is("[\u4e00-\u9fa5]+", "\u4e00\u9fa5\u4e2d"));
  EXPECT_FALSE(is("[\u4e00-\u9fa5]+", "\u9fa6"));
  EXPECT_TRUE(is("[^\u00e9x]", "\u00e8"));
  EXPECT_TRUE(is("[^\u00e9x]", "y"));
  EXPECT_FALSE(is("[^\u00e9x]", "\u00e9"));
  EXPECT_FALSE(is("[^\u00e9x]", "x"));
  // Ranges end anywhere: each beside its neighbours, as numbers.
  for (const auto& [first, last] :
       std::vector<std::pair<std::string, std::string>>{{"\u0080", "\u0081"},
                                                        {"\u00bf", "\u0800"},
                                                        {"\u07ff", "\uffff"},
                                                        {"\u1234", "\u5678"}}) {
    const Automaton in = automaton_of("[" + first + "-" + last + "]"),
                    out = automaton_of("[^" + first + "-" + last + "]");
    for (int code = 0x80; code <= 0xFFFF; code += 7) {
      std::string text;
      if (code >= 0x800) text += static_cast<char>(0xE0 | code >> 12);
      text += static_cast<char>(code >= 0x800 ? 0x80 | (code >> 6 & 63) : 0xC0 | code >> 6);
      text += static_cast<char>(0x80 | (code & 63));
      EXPECT_EQ(accepts(in, text), first <= text && text <= last) << code;
      EXPECT_NE(accepts(in, text), accepts(out, text)) << code;
    }
  }
  const auto rule = [](const std::string& pattern) -> std::string {
    try {
      automaton_of(pattern);
      return "";
    } catch (const Refused& refused) {
      return refused.diagnostics.at(0).rule;
    }
  };
  for (const char* wrong : {"(", ")", "*a", "[a", "a\\", "[b-a]", "a{2,1}"})
    EXPECT_EQ(rule(wrong), "bad-attribute") << wrong;
  for (const char* unknown : {"\\pL", "(?=a)", "(?<=a)b", "(?m)a"})
    EXPECT_EQ(rule(unknown), "unsupported-feature") << unknown;
}

TEST(Strings, CasesOfLetters) {
  EXPECT_EQ(in_case("aZ9 \u00c4\u00ff\u0416\u03a3 \u4e2d", LetterCase::lower),
            "az9 \u00e4\u00ff\u0436\u03c3 \u4e2d");
  EXPECT_EQ(in_case("\u00df\u00ff\u0436\u0151\u03ac\u03c2", LetterCase::upper),
            "\u00df\u0178\u0416\u0150\u0386\u03a3");
}

}  // namespace
}  // namespace burin::strings_test
