// The template engine: what each construct prints, and the exact line for everything that is
// refused.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "render/printer.h"
#include "render/template.h"

namespace burin::render_template_test {
namespace {

std::string rendered(const std::string& text, const Args& args = {}) {
  return Template::parse(text, "t.in").render(args).text();
}

std::string error_of(const std::string& text, const Args& args = {}) {
  try {
    rendered(text, args);
  } catch (const TemplateError& error) {
    return error.what();
  }
  return "no error";
}

// Nothing that holds bytes from outside turns into emitted text by itself.
template <class To, class From>
constexpr bool kReaches = std::is_constructible_v<To, From>;
static_assert(!kReaches<TemplateValue, std::string> && !kReaches<TemplateValue, std::string_view>);
static_assert(!kReaches<TemplateValue, const char*> && !kReaches<TemplateValue, char*> &&
              !kReaches<TemplateValue, char>);
static_assert(!kReaches<TemplateValue, char (&)[4]> && kReaches<TemplateValue, const char (&)[4]>);
static_assert(!kReaches<Piece, std::string> && !kReaches<Piece, std::string_view>);
static_assert(!kReaches<Piece, const char*> && !kReaches<Piece, char (&)[4]>);
static_assert(!kReaches<Piece, CommentText> && !kReaches<Piece, bool> && !kReaches<Piece, char>);
static_assert(!kReaches<Code, std::string> && !kReaches<Code, const char*> &&
              !kReaches<Code, char (&)[4]>);
static_assert(!kReaches<Identifier, std::string> && !kReaches<Identifier, const char*>);

TEST(Template, TextIsVerbatim) {
  const std::string text = "int a[2][2] = {{1, 2}, {3, 4}};\n\n  // 100% {{x}} $ 5 <%\n\tx;\n";
  EXPECT_EQ(rendered(text), text);
  EXPECT_EQ(rendered(""), "");
  EXPECT_EQ(rendered("a"), "a\n");
  EXPECT_EQ(rendered("$${CMAKE_SOURCE_DIR} costs $$5\n"), "${CMAKE_SOURCE_DIR} costs $5\n");
  EXPECT_EQ(rendered("a   \n   \nb\n"), "a\n\nb\n");
  EXPECT_EQ(rendered("$# gone\nkept\n  $# gone too\n"), "kept\n");
}

TEST(Template, PrintsEveryPrintableType) {
  const std::string text =
      "$param i: int  # d\n$param s: string  # d\n$param n: identifier  # d\n"
      "$param c: comment  # d\n$param l: literal  # d\n$param k: code  # d\n\n"
      "${i} ${s} ${n} ${l} ${k} // ${c}\n";
  EXPECT_EQ(rendered(text, {{"i", -3},
                            {"s", "float"},
                            {"n", mangle("a.b")},
                            {"c", CommentText("x\ny */")},
                            {"l", StringLiteral("q\"")},
                            {"k", code("f(", Identifier("x"), ")")}}),
            "-3 float a_b_x2e7336dc \"q\\\"\" f(x) // x\\x0ay *\\x2f\n");
}

TEST(Template, LoopsAndIndentation) {
  EXPECT_EQ(rendered("{\n"
                     "  $for i in range(2):\n"
                     "    $for j in range(1, 3):\n"
                     "      a${i}${j} = 0;\n"
                     "        deeper;\n"
                     "    end${i};\n"
                     "}\n"),
            "{\n  a01 = 0;\n    deeper;\n  a02 = 0;\n    deeper;\n  end0;\n"
            "  a11 = 0;\n    deeper;\n  a12 = 0;\n    deeper;\n  end1;\n}\n");
  EXPECT_EQ(rendered("$for _ in range(3):\n  x\n"), "x\nx\nx\n");
  EXPECT_EQ(rendered("$for _ in range(0):\n  x\n"), "");
}

TEST(Template, BlankLinesBelongToTheBlockOfTheNextText) {
  EXPECT_EQ(rendered("$for i in range(2):\n  a${i}\n\nend\n"), "a0\na1\n\nend\n");
  EXPECT_EQ(rendered("$for i in range(2):\n  a${i}\n\n  b\n"), "a0\n\nb\na1\n\nb\n");
  EXPECT_EQ(rendered("$for i in range(2):\n\n  a${i}\n"), "\na0\n\na1\n");
}

TEST(Template, Choices) {
  const std::string text =
      "$param n: int  # d\n"
      "$if n == 0:\n  zero\n$elif n == 1:\n  one\n$elif n < 0:\n  negative\n$else:\n  many\nend\n";
  EXPECT_EQ(rendered(text, {{"n", 0}}), "zero\nend\n");
  EXPECT_EQ(rendered(text, {{"n", 1}}), "one\nend\n");
  EXPECT_EQ(rendered(text, {{"n", -7}}), "negative\nend\n");
  EXPECT_EQ(rendered(text, {{"n", 2}}), "many\nend\n");
}

TEST(Template, RecordsListsAndJoin) {
  const std::string text =
      "$param args: list of record(name: identifier, size: int)  # d\n"
      "$param names: list of identifier  # d\n"
      "void f(${join(names, ', ')});\n"
      "$for i in range(len(args)):\n"
      "  ${args[i].name}[${args[i].size * 2}]${',' if i + 1 < len(args) else ';'}\n"
      "$for a in args:\n"
      "  $if a.size > 1:\n"
      "    big ${a.name}\n";
  const Identifier x("x");
  const Identifier y("y");
  EXPECT_EQ(
      rendered(text,
               {{"args", List{Record{{"name", x}, {"size", 1}}, Record{{"name", y}, {"size", 5}}}},
                {"names", List{x, y}}}),
      "void f(x, y);\nx[2],\ny[10];\nbig y\n");
  EXPECT_EQ(rendered(text, {{"args", List{}}, {"names", List{}}}), "void f();\n");
}

TEST(Template, Arithmetic) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 2 * 3 - 4", "3"},
      {"(1 + 2) * 3", "9"},
      {"-7 // 2", "-4"},
      {"7 // 2", "3"},
      {"-7 % 3", "2"},
      {"7 % 3", "1"},
      {"10 - 3 - 2", "5"},
      {"min(3, 2) + max(3, 2)", "5"},
      {"len(range(5))", "5"},
      {"-(2 + 3)", "-5"},
      {"1 if not true else 2", "2"},
      {"1 if 2 > 1 and 1 <= 1 or false else 0", "1"},
      {"1 if 'a' != \"b\" else 0", "1"},
      {"1 if (1 < 2) == true else 0", "1"},
      {"range(4)[2]", "2"},
      {"1 if false else 2 if false else 3", "3"},
  };
  for (const auto& [expression, value] : cases) {
    EXPECT_EQ(rendered(std::string("${") + expression + "}"), std::string(value) + "\n")
        << expression;
  }
}

TEST(Template, LetsAndAsserts) {
  EXPECT_EQ(rendered("$param n: int  # d\n$let half = n // 2\n$assert half * 2 == n\n${half}\n",
                     {{"n", 6}}),
            "3\n");
  EXPECT_EQ(error_of("$param n: int  # d\n$let half = n // 2\n$assert half * 2 == n\n${half}\n",
                     {{"n", 7}}),
            "t.in:3: error: assertion half * 2 == n does not hold");
  EXPECT_EQ(rendered("$for i in range(2):\n  $let j = i + 1\n  ${j}\n$for i in range(1):\n  $let j "
                     "= i\n  ${j}\n"),
            "1\n2\n0\n");
}

TEST(Template, CodeAloneOnALineIsIndentedAndVanishesWhenEmpty) {
  const std::string text = "$param body: code  # d\nvoid f() {\n  ${body}\n}\n";
  EXPECT_EQ(rendered(text, {{"body", Code("a;\n\n  b;\n")}}), "void f() {\n  a;\n\n    b;\n}\n");
  EXPECT_EQ(rendered(text, {{"body", Code("a;")}}), "void f() {\n  a;\n}\n");
  EXPECT_EQ(rendered(text, {{"body", Code()}}), "void f() {\n}\n");
  EXPECT_EQ(rendered(text, {{"body", Code("#if X\na;\n#endif")}}),
            "void f() {\n#if X\n  a;\n#endif\n}\n");
  EXPECT_EQ(error_of("$param body: code  # d\nx = ${body};\n", {{"body", Code("a\nb")}}),
            "t.in:2: error: code of several lines must stand alone on its line");
}

struct Bad {
  const char* text;
  const char* line;
};

TEST(Template, FaultsAreFoundWhenItIsRead) {
  const Bad cases[] = {
      {"a\n${x}\n", "t.in:2: error: unknown name 'x'"},
      {"$param tile: int  # d\n${tlie}\n",
       "t.in:2: error: unknown name 'tlie'; did you mean 'tile'?"},
      {"$param x: int  # d\n$param y: int  # d\n${y}\n", "t.in:1: error: name 'x' is never used"},
      {"$let x = 1\na\n", "t.in:1: error: name 'x' is never used"},
      {"$for i in range(2):\n  x\n", "t.in:1: error: name 'i' is never used"},
      {"$param x: int\n", "t.in:1: error: expected '$param name: type  # meaning'"},
      {"$param x: int  #\n", "t.in:1: error: parameter 'x' has no meaning written after '#'"},
      {"$param x: itn  # d\n", "t.in:1: error: unknown type 'itn'; did you mean 'int'?"},
      {"$param x: list int  # d\n", "t.in:1: error: expected 'of', found 'int'"},
      {"$param x: record(a int)  # d\n", "t.in:1: error: expected ':', found 'int'"},
      {"$param x: record(a: int, a: int)  # d\n", "t.in:1: error: field 'a' is given twice"},
      {"$param x: int int  # d\n", "t.in:1: error: unexpected 'int' after the type"},
      {"$param 1x: int  # d\n", "t.in:1: error: '1x' is not a name"},
      {"$param x: int  # d\n$param x: int  # d\n", "t.in:2: error: name 'x' is taken on line 1"},
      {"a\n$param x: int  # d\n", "t.in:2: error: parameters come first"},
      {"$param x: int  # d\n$let x = x\n", "t.in:2: error: name 'x' is taken on line 1"},
      {"$fro i in range(2):\n  x\n",
       "t.in:1: error: unknown directive '$fro'; did you mean '$for'?"},
      {"$x\n", "t.in:1: error: unknown directive '$x'; '$$' stands for a dollar sign"},
      {"$else:\n  x\n", "t.in:1: error: '$else' without '$if'"},
      {"$if true\n  x\n", "t.in:1: error: expected ':' at the end of the line"},
      {"$if 1:\n  x\n", "t.in:1: error: a condition needs bool, found int"},
      {"$if true:\nx\n", "t.in:1: error: the line has no indented block"},
      {"$if true:\n", "t.in:1: error: the line has no indented block"},
      {"$if true:\n    x\n  y\n",
       "t.in:3: error: the line is indented less than the block it is in"},
      {"$for i of range(2):\n  x\n", "t.in:1: error: expected '$for name in list:'"},
      {"$for i in 3:\n  ${i}\n", "t.in:1: error: '$for' needs a list, found int"},
      {"$let x 3\n", "t.in:1: error: expected '$let name = expression'"},
      {"${1\n", "t.in:1: error: '${' without '}'"},
      {"${}\n", "t.in:1: error: the expression ends too early"},
      {"${1 +}\n", "t.in:1: error: the expression ends too early"},
      {"${1 2}\n", "t.in:1: error: unexpected '2' in expression"},
      {"${'a}\n", "t.in:1: error: '${' without '}'"},
      {"${(1}\n", "t.in:1: error: expected ')', found ''"},
      {"${true}\n", "t.in:1: error: cannot print bool"},
      {"${range(2)}\n", "t.in:1: error: cannot print list of int"},
      {"${1 + 'a'}\n", "t.in:1: error: '+' needs int, found string"},
      {"${1 if 1 else 2}\n", "t.in:1: error: a condition needs bool, found int"},
      {"${1 if true else 'a'}\n", "t.in:1: error: the two sides of a choice are int and string"},
      {"${1 if 1 == 'a' else 2}\n", "t.in:1: error: '==' needs int, found string"},
      {"${1 if range(1) == range(1) else 2}\n", "t.in:1: error: '==' does not compare list of int"},
      {"${1 if not 1 else 2}\n", "t.in:1: error: 'not' needs bool, found int"},
      {"${1 .x}\n", "t.in:1: error: only a record has fields, not int"},
      {"$param r: record(name: int)  # d\n${r.nmae}\n",
       "t.in:2: error: unknown field 'nmae'; did you mean 'name'?"},
      {"${1[0]}\n", "t.in:1: error: only a list has items, not int"},
      {"${foo(1)}\n", "t.in:1: error: unknown function 'foo'"},
      {"${len(1)}\n", "t.in:1: error: 'len' needs a list, found int"},
      {"${len(range(1), 2)}\n", "t.in:1: error: 'len' does not take 2 arguments"},
      {"${join(range(2), 1)}\n", "t.in:1: error: 'join' needs string, found int"},
      {"$param c: comment  # d\nint x = ${c};\n", "t.in:2: error: comment text outside a comment"},
      {"${99999999999999999999}\n", "t.in:1: error: integer 99999999999999999999 is too large"},
  };
  for (const Bad& bad : cases) EXPECT_EQ(error_of(bad.text), bad.line) << bad.text;
}

TEST(Template, FaultsOfArgumentsAreFoundInBothDirections) {
  const std::string text = "$param n: list of record(a: int)  # d\n${n[0].a}\n";
  const List good{Record{{"a", 1}}};
  EXPECT_EQ(error_of(text, {{"n", good}}), "no error");
  EXPECT_EQ(error_of(text), "t.in:1: error: argument 'n' is missing");
  EXPECT_EQ(error_of(text, {{"n", good}, {"m", 1}}), "t.in:1: error: unknown argument 'm'");
  EXPECT_EQ(error_of(text, {{"n", 1}}),
            "t.in:1: error: argument 'n': expected list of record(a: int), found int");
  EXPECT_EQ(error_of(text, {{"n", List{Record{{"a", "x"}}}}}),
            "t.in:1: error: argument 'n': item 0: field 'a': expected int, found string");
  EXPECT_EQ(error_of(text, {{"n", List{Record{}}}}),
            "t.in:1: error: argument 'n': item 0: field 'a' is missing");
  EXPECT_EQ(error_of(text, {{"n", List{Record{{"a", 1}, {"b", 1}}}}}),
            "t.in:1: error: argument 'n': item 0: unknown field 'b'");
  EXPECT_EQ(error_of(text, {{"n", List{}}}), "t.in:2: error: index 0 in a list of 0");
}

TEST(Template, ArithmeticFaultsAreFoundWhenRendering) {
  const std::string param = "$param n: int  # d\n";
  EXPECT_EQ(error_of(param + "${1 // n}\n", {{"n", 0}}), "t.in:2: error: division by 0");
  EXPECT_EQ(error_of(param + "${1 % n}\n", {{"n", -2}}), "t.in:2: error: division by -2");
  EXPECT_EQ(error_of(param + "${n + 1}\n", {{"n", INT64_MAX}}), "t.in:2: error: integer overflow");
  EXPECT_EQ(error_of(param + "${-n}\n", {{"n", INT64_MIN}}), "t.in:2: error: integer overflow");
  EXPECT_EQ(error_of(param + "${n * n}\n", {{"n", INT64_MAX}}), "t.in:2: error: integer overflow");
  EXPECT_EQ(error_of(param + "$for _ in range(n):\n  x\n", {{"n", INT64_MAX}}),
            "t.in:2: error: range is too long");
}

TEST(Template, DeepNestingIsAnErrorNotACrash) {
  EXPECT_EQ(error_of("${" + std::string(100000, '(') + "1}"),
            "t.in:1: error: expression is nested too deeply");
  std::string text;
  for (int i = 0; i < 40; ++i) text += std::string(static_cast<size_t>(2 * i), ' ') + "$if true:\n";
  EXPECT_EQ(error_of(text + std::string(80, ' ') + "x\n"),
            "t.in:34: error: blocks are nested too deeply");
}

TEST(Template, TheExampleOfTheManualIsRight) {
  std::ostringstream readme;
  readme << std::ifstream(BURIN_SOURCE_DIR "/templates/README.md").rdbuf();
  const std::string text = readme.str();
  const size_t begin = text.find("```\n") + 4;
  EXPECT_EQ(
      rendered(text.substr(begin, text.find("```\n", begin) - begin),
               {{"name", Identifier("f")},
                {"args", List{Record{{"type", "int"}, {"name", Identifier("n")}},
                              Record{{"type", "float*"}, {"name", Identifier("x")}}}},
                {"rows", 2}}),
      "void f(\n    int n,\n    float* x\n) {\n  float acc0 = 0.0f;\n  float acc1 = 0.0f;\n}\n");
}

TEST(Printer, LinesBlocksAndComments) {
  Printer out;
  const Identifier i("i");
  out.line("for (int ", i, " = 0; ", i, " < ", 8, "; ++", i, ") {");
  out.indent();
  out.comment(CommentText("node 'a\nb'"));
  out.block(code("x(", i, ");\n\n  y;\n"));
  out.line();
  out.line("s = ", StringLiteral("a\"b"), Word("f"), ";");
  out.dedent();
  out.line("}");
  EXPECT_EQ(out.code().text(),
            "for (int i = 0; i < 8; ++i) {\n  // node 'a\\x0ab'\n  x(i);\n\n    y;\n\n  s = "
            "\"a\\\"b\"f;\n}\n");
  EXPECT_EQ(join_code(std::vector<Identifier>{i, Identifier("j")}, ", ").text(), "i, j");
  EXPECT_EQ(join_code(std::vector<Code>{}, ", ").text(), "");
  EXPECT_EQ(code("a", -1, "b").text(), "a-1b");
  EXPECT_THROW(out.dedent(), InternalError);
  EXPECT_THROW(out.line("a\nb"), InternalError);
}

}  // namespace
}  // namespace burin::render_template_test
