// Typed text: whatever bytes go in, what comes out stays inside its place. A compiler is the judge.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "hardware/json_file.h"
#include "render/printed_code.h"
#include "render/text.h"
#include "support/check.h"

namespace burin::render_text_test {
namespace {

TEST(CommentText, EscapesWhatCouldEndOrExtendAComment) {
  EXPECT_EQ(CommentText("/conv1/Conv").text(), "/conv1/Conv");
  EXPECT_EQ(CommentText("a */ b").text(), "a *\\x2f b");
  EXPECT_EQ(CommentText("/* // */").text(), "/\\x2a // *\\x2f");
  EXPECT_EQ(CommentText("a\nb\r").text(), "a\\x0ab\\x0d");
  EXPECT_EQ(CommentText("end\\").text(), "end\\x5c");
  EXPECT_EQ(CommentText("?\?/").text(), "?\\x3f/");
  EXPECT_EQ(CommentText("\xE2\x80\xAE").text(), "\\xe2\\x80\\xae");
  EXPECT_EQ(CommentText(std::string(1000, 'x')).text(), std::string(80, 'x') + "...");
  EXPECT_EQ(CommentText("abc\ndef", 5).text(), "abc...");
}

TEST(StringLiteral, EscapesEveryByteThatIsNotPlain) {
  EXPECT_EQ(StringLiteral("a\"b\\c").text(), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(StringLiteral(std::string_view("\0001\n", 3)).text(), "\"\\0001\\012\"");
  EXPECT_EQ(StringLiteral("?\?=").text(), "\"?\\077=\"");
  EXPECT_EQ(StringLiteral("").text(), "\"\"");
}

TEST(Code, Numbers) {
  EXPECT_EQ(Code::integer(-5).text(), "-5");
  EXPECT_EQ(Code::integer(INT64_MIN).text(), "(-9223372036854775807 - 1)");
  EXPECT_EQ(Code::integer(INT64_MAX).text(), "9223372036854775807");
  EXPECT_EQ(Code::real(3.0).text(), "0x1.8p+1");
  EXPECT_EQ(Code::real(-0.0f).text(), "-0x0p+0f");
  EXPECT_EQ(Code::real(0.1f).text(), "0x1.99999ap-4f");
  EXPECT_THROW(Code::real(std::numeric_limits<double>::infinity()), InternalError);
  EXPECT_THROW(Code::real(std::nanf("")), InternalError);
}

TEST(Code, RealsAreExact) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::strtod(Code::real(value).text().c_str(), nullptr), value);
    const auto narrow = static_cast<float>(value);
    if (!std::isfinite(narrow)) continue;
    ASSERT_EQ(std::strtof(Code::real(narrow).text().c_str(), nullptr), narrow);
  }
}

// The two doors from std::string to Code are open to render/ and to the backends' printers.
TEST(Code, DoorsForStringsAreFew) {
  namespace fs = std::filesystem;
  for (const auto& entry : fs::recursive_directory_iterator(BURIN_SOURCE_DIR "/generator")) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), BURIN_SOURCE_DIR "/generator").string();
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const auto includes = [&](const char* header) {
      return text.str().find(std::string("#include \"render/") + header) != std::string::npos;
    };
    EXPECT_TRUE(!includes("rendered_text.h") || path.starts_with("render/")) << path;
    EXPECT_TRUE(!includes("printed_code.h") || path.starts_with("render/") ||
                path.starts_with("backends/"))
        << path;
  }
  EXPECT_EQ(printed_code("a = b;\n").text(), "a = b;\n");
  EXPECT_THROW(printed_code("a\r"), InternalError);
  EXPECT_THROW(printed_code("\xE2\x80\xAE"), InternalError);
}

std::string random_bytes(std::mt19937& random) {
  constexpr std::string_view kNasty = "*/\\?\"\n\r\t'<&$;{}()@`%=!-#\x80\xE2\xAE";
  std::string out;
  for (size_t i = random() % 20; i > 0; --i) {
    out += random() % 3 != 0 ? kNasty[random() % kNasty.size()] : static_cast<char>(random());
  }
  return out;
}

// One program with a thousand comments and literals made of hostile bytes: it compiles without a
// warning under every comment and trigraph warning, and finds its own literals byte for byte.
TEST(TypedText, HostileBytesStayInside) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("burin_text_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::mt19937 random(4);
  std::ofstream program(folder / "main.cpp", std::ios::binary);
  program << "#include <string.h>\nint main() {\n  int bad = 0;\n";
  for (int i = 0; i < 1000; ++i) {
    const std::string bytes = random_bytes(random);
    program << "  // " << CommentText(bytes).text() << "\n  /* " << CommentText(bytes).text()
            << " */\n  static const unsigned char want" << i << "[] = {";
    for (const char c : bytes) program << static_cast<int>(static_cast<unsigned char>(c)) << ", ";
    program << "0};\n  static const char have" << i << "[] = " << StringLiteral(bytes).text()
            << ";\n"
            << "  bad += sizeof want" << i << " != sizeof have" << i << " || memcmp(want" << i
            << ", have" << i << ", sizeof have" << i << ") != 0;\n";
  }
  program << "  return bad;\n}\n";
  program.close();
  for (const char* compiler :
       {"g++ -std=c++17", "g++ -std=c++11 -trigraphs", "clang++ -std=c++17"}) {
    const std::string build = "cd " + folder.string() + " && " + compiler +
                              " -Wall -Wextra -Wcomment -Wtrigraphs -Werror main.cpp -o program";
    EXPECT_EQ(std::system(build.c_str()), 0) << compiler;
    EXPECT_EQ(std::system((folder / "program").c_str()), 0) << compiler;
  }
  fs::remove_all(folder);
}

TEST(JsonString, IsReadBackAsGiven) {
  EXPECT_EQ(json_string("a\"\\\n\xC3\xA9\xF0\x9F\x98\x80").text(),
            "\"a\\\"\\\\\\u000a\\u00e9\\ud83d\\ude00\"");
  EXPECT_EQ(json_string("\xFFz\xE2\x80").text(), "\"\\ufffdz\\ufffd\\ufffd\"");
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = random_bytes(random);
    const std::string text = json_string(bytes).text();
    for (const char c : text) ASSERT_TRUE(c >= 0x20 && c < 0x7f);
    const std::string back = read_json_text(text, "t").root().as_string();
    bool ascii = true;
    for (const char c : bytes) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    if (ascii) {
      ASSERT_EQ(back, bytes);
    }
  }
}

TEST(CMakeString, IsOneQuotedArgument) {
  EXPECT_EQ(cmake_string("a;b ${X} \"q\"\n@Y@").text(), "\"a\\;b \\${X} \\\"q\\\"_\\@Y\\@\"");
}

TEST(MarkdownText, IsNoMarkup) {
  EXPECT_EQ(markdown_text("conv1_w <b> | [x](y)").text(), "conv1\\_w &lt;b\\> \\| \\[x\\]\\(y\\)");
  EXPECT_EQ(markdown_text("by three: a::b http://c :d").text(),
            "by three: a\\:\\:b http\\://c \\:d");
  EXPECT_EQ(markdown_code("/conv1/w_0.x:1 --dim").text(), "`/conv1/w_0.x:1 --dim`");
  for (const char* other : {"a|b", "a\nb", "a`b", " a", "<b>", "main(", "{{x}}"})
    EXPECT_EQ(markdown_code(other).text(), markdown_text(other).text());
  EXPECT_EQ(markdown_code("").text(), "");
  EXPECT_EQ(markdown_text("- a-b").text(), "\\- a-b");
  EXPECT_EQ(markdown_text("a\nb").text(), "a\\\\x0ab");
}

// Neither markup nor the start of something else in any place of a page.
TEST(HtmlText, EncodesMarkup) {
  EXPECT_EQ(html_text("conv1/x_2").text(), "conv1/x_2");
  EXPECT_EQ(html_text("<a href=\"'\">&`").text(), "&#60;a href=&#34;&#39;&#34;&#62;&#38;&#96;");
  EXPECT_EQ(html_text("f(){%d}$x").text(), "f&#40;&#41;&#123;&#37;d&#125;&#36;x");
  EXPECT_EQ(html_text("\n\x80").text(), "\\x0a\\x80");
}

}  // namespace
}  // namespace burin::render_text_test
